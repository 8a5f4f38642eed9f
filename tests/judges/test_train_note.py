"""Training needs the training extra; it is tried on a few made-up notes with a stand-in encoder."""

import json

import numpy as np
import pytest

pytest.importorskip("sklearn")

from models.training import clinicians
from models.training import notes as training
from models.training.authors import SEALED
from models.training.saving import save_decision, save_note_heads, save_omission_head
from noteeval_desktop import paths
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.note import SOAP
from noteeval_desktop.judges.builtin.completeness import features, heads
from noteeval_desktop.judges.builtin.learned import Linear
from noteeval_desktop.judges.builtin.omissions.omissions import omission_head
from noteeval_desktop.judges.builtin.support import decision
from noteeval_desktop.measures.tn_eval import LabelledNote, LabelledSentence
from noteeval_desktop.research.labelled import LabelledSession, Note, Sentence, Turn
from tests.factories import make_note, make_transcript
from tests.fake_embedder import FakeEmbedder

ITEMS = tuple(kind for kind in training.EXAMPLES if not kind.startswith("aside"))


def labelled_note(number: int) -> LabelledNote:
    """A note made of two example sentences a section, labelled as what they are examples of."""
    random = np.random.default_rng(number)
    sections, kinds = {}, []
    for section in SOAP:
        own = [item for item in ITEMS if item.startswith(section.value)]
        chosen = [*random.choice(own, 2, replace=False), "aside-logistics"]
        sections[section] = [str(random.choice(training.EXAMPLES[kind])) for kind in chosen]
        kinds += chosen
    note = make_note(sections)
    served = [frozenset() if kind.startswith("aside") else frozenset({kind}) for kind in kinds]
    return LabelledNote(
        conversation=str(number),
        source="human",
        case=Case(make_transcript(), note),
        sentences=tuple(
            LabelledSentence(sentence, (items, items), (1, 1), {})
            for sentence, items in zip(note.sentences, served, strict=True)
        ),
        present={item: (int(item in kinds), int(item in kinds)) for item in ITEMS},
        llm_present={},
        align_score={},
    )


def labelled_session(number: int) -> LabelledSession:
    """Two notes of one sentence an item, and of asides that serve nothing, by one of three authors."""
    sentences = tuple(
        Sentence(
            kind.split("-")[0] if kind in ITEMS else "Plan",
            "true",
            "",
            (1,),
            (kind,) if kind in ITEMS else (),
            training.EXAMPLES[kind][number % 3],
            "",
        )
        for kind in training.EXAMPLES
    )
    notes = tuple(Note(name, "SOAP", "prose", sentences[part::2], (), ()) for part, name in enumerate("AB"))
    turn = Turn(1, "client", "Ana", "Fine.")
    return LabelledSession(f"a{number % 3}-{number}", "", (turn,), (), (), notes)


@pytest.fixture(scope="module")
def data():
    sessions = [labelled_session(number) for number in range(6)]
    nobody = Linear(np.zeros((1, 1), dtype=np.float32), np.zeros(1, dtype=np.float32))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(training, "reader_head", lambda *_: nobody)  # it has a test of its own data
        return training.make([labelled_note(number) for number in range(12)], sessions, FakeEmbedder())


@pytest.fixture(scope="module", autouse=True)
def _small():
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(training, "TREES", 5)
        patched.setattr(training, "INNER_FOLDS", 2)
        yield


@pytest.fixture(scope="module")
def fitted(data, _small):
    return training.fit(data, range(12), seed=3)


def test_the_same_seed_gives_the_same_files(data, fitted, tmp_path):
    for name, made in (("first", fitted), ("second", training.fit(data, range(12), seed=3))):
        (tmp_path / name).mkdir()
        save_note_heads(made, tmp_path / name, {})
    for file in ("note.npz", "note.json"):
        assert (tmp_path / "first" / file).read_bytes() == (tmp_path / "second" / file).read_bytes()


def test_what_ships_is_written_back_to_the_same_bytes(tmp_path):
    shipped = paths.resources() / "heads"
    described = json.loads((shipped / "support.json").read_text(encoding="utf-8"))
    save_note_heads(heads.load(shipped), tmp_path, json.loads((shipped / "note.json").read_text(encoding="utf-8")))
    save_decision(decision.load(shipped), tmp_path, described["trained"])
    save_omission_head(omission_head(), tmp_path / "omissions.npz")
    for file in ("note.npz", "note.json", "support.npz", "support.json", "omissions.npz"):
        assert (tmp_path / file).read_bytes() == (shipped / file).read_bytes(), file


def test_a_sentence_that_an_author_would_strike_out_is_less_needed(data, fitted):
    for note in data.clinicians:
        needed = fitted.answers(note.rows, features.summarise(note.rows)).needed
        assert needed[note.needed > 0].mean() > needed[note.needed == 0].mean()


def test_no_author_is_in_training_and_held_out_at_once(data):
    for inside, outside in clinicians.author_folds(data.clinicians):
        assert not {data.clinicians[i].author for i in inside} & {data.clinicians[i].author for i in outside}
        assert len(inside) + len(outside) == len(data.clinicians)


def test_a_note_is_read_as_those_that_it_is_worded_like(data, fitted):
    own = [fitted.like_clinicians(note.rows) for note in data.clinicians]
    assert min(own) > max(fitted.like_clinicians(example.rows) for example in data.examples)


def test_the_authors_who_measure_are_not_learned_from():
    learned = {session.author for session in clinicians.sessions()}
    assert learned
    assert not learned & {*clinicians.HELD_OUT, *SEALED}


def test_no_conversation_is_in_training_and_held_out_at_once(data):
    seen = []
    for inside, outside in training.folds(data.examples, 3, seed=1):
        conversations = [{data.examples[i].note.conversation for i in part} for part in (inside, outside)]
        assert not conversations[0] & conversations[1]
        seen += outside
    assert sorted(seen) == list(range(12))


def test_cross_validated_answers_cover_every_item_and_sentence(data):
    judged = training.cross_validated(data, seed=0, count=2)
    for one, example in zip(judged, data.examples, strict=True):
        assert set(one.items) == set(ITEMS)
        assert len(one.needed) == len(example.needed)
    yes = [a.probability for one in judged for item, a in one.items.items() if item in kinds_of(data, one, judged)]
    assert np.mean(yes) > np.mean([a.probability for one in judged for a in one.items.values()])


def kinds_of(data, one, judged):
    example = data.examples[judged.index(one)]
    return {item for item, share in zip(data.items, example.present, strict=True) if share}
