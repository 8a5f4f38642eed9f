"""Training of the faithfulness heads, on a few made-up notes with a stand-in encoder."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("sklearn")

from noteeval_desktop import paths
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.note import Section
from noteeval_desktop.domain.verdicts import Verdict
from noteeval_desktop.engines.embedder import FakeEmbedder
from noteeval_desktop.judges.builtin import claim_examples, support_heads, train_support
from noteeval_desktop.judges.builtin.claim_examples import Examples
from noteeval_desktop.judges.builtin.observed import Observation, observation_in
from noteeval_desktop.judges.builtin.support_heads import KINDS, decide
from noteeval_desktop.judges.builtin.words import load_lexicon
from noteeval_desktop.measures.changes import ChangeKind
from noteeval_desktop.measures.tn_eval import LabelledNote, LabelledSentence
from tests.factories import make_note, make_transcript

TRUE = ("Client reports drinking twice a week.", "Client wants to sleep through the night.", "Meets on Tuesday.")
FALSE = ("Client's mother drinks eight beers.", "Client takes lithium 😀.", "Client was not in a car accident.")


def labelled_note(number: int) -> LabelledNote:
    picked = np.random.default_rng(number).permutation(3)[:2]
    texts = [claims[i] for claims in (TRUE, FALSE) for i in picked]
    note = make_note({Section.SUBJECTIVE: texts})
    return LabelledNote(
        conversation=str(number // 2),
        source="human",
        case=Case(make_transcript(), note),
        sentences=tuple(
            LabelledSentence(sentence, ((), ()), (int(sentence.text in TRUE),) * 2, {}) for sentence in note.sentences
        ),
        present={},
        llm_present={},
        align_score={},
    )


@pytest.fixture(scope="module")
def data() -> Examples:
    lexicon = load_lexicon(paths.resources() / "lexicons" / "claims.json")
    composed = claim_examples.composed_sessions()[:2]
    return claim_examples.make([labelled_note(number) for number in range(16)], composed, FakeEmbedder(), lexicon)


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(train_support, "TREES", 8)
    monkeypatch.setattr(train_support, "CHANGE_TREES", 8)
    monkeypatch.setattr(train_support, "FOLDS", 4)
    monkeypatch.setattr(train_support, "INNER_FOLDS", 2)


def test_the_same_seed_gives_the_same_files_and_they_answer_alike_when_read_again(
    data: Examples, tmp_path: Path
) -> None:
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        heads = train_support.fit(data, data.conversations, seed=3)
        support_heads.save(heads, tmp_path / name, {})
    for file in ("faithfulness.npz", "faithfulness.json"):
        assert (tmp_path / "first" / file).read_bytes() == (tmp_path / "second" / file).read_bytes()
    read = train_support.answers(support_heads.load(tmp_path / "first"), data.rows)
    fresh = train_support.answers(heads, data.rows)
    np.testing.assert_allclose(read.probability, fresh.probability, atol=1e-3)
    np.testing.assert_allclose(read.changes, fresh.changes, atol=1e-3)


def test_held_out_answers_cover_every_sentence_and_tell_true_from_made_up(data: Examples) -> None:
    answered = train_support.cross_validated(data, seed=0)
    answers = [answer for note in answered for answer in note.faithful or ()]
    assert len(answers) == 4 * 16
    chances = np.array([answer.probability for answer in answers])
    true = data.labels.mean(axis=1) == 1
    assert chances[true].mean() > chances[~true].mean() + 0.2
    assert np.mean([answer.yes for answer in answers]) > 0.2
    assert all(note.faithfulness is not None and 0 <= note.faithfulness <= 1 for note in answered)


def test_as_many_changes_are_found_as_the_limits_promise(data: Examples) -> None:
    heads = train_support.fit(data, data.conversations, seed=0)
    found = train_support.answers(heads, data.changed)
    for kind, limit in heads.limits.items():
        # A false claim that was negated may be what the session says.
        own = (data.changed_kind == kind) & data.changed_own & ~data.changed.borne_out[:, KINDS.index(kind)]
        assert 0 < limit <= 1
        if own.any():
            assert found.errors[own].mean() >= 0.7


def test_held_out_judges_say_of_notes_what_the_cross_validation_counts(data: Examples) -> None:
    notes = [labelled_note(number) for number in range(16)]
    judge_of = train_support.held_out_judges(notes, FakeEmbedder())
    for number, judged in enumerate(train_support.cross_validated(data)):
        verdicts = list(judge_of(number).support(notes[number].case, threading.Event()))
        assert judged.faithful is not None
        assert [verdict.verdict is Verdict.SUPPORTED for verdict in verdicts] == [a.yes for a in judged.faithful]
        assert [verdict.probability for verdict in verdicts] == [pytest.approx(a.probability) for a in judged.faithful]


def test_a_kind_of_change_is_only_seen_where_there_is_a_place_for_it(data: Examples) -> None:
    heads = train_support.fit(data, data.conversations[:4], seed=0)
    changed = data.changed
    numbers = heads.changes(changed.alone, changed.topic, changed.borne_out)[:, KINDS.index(ChangeKind.NUMBER)]
    places = [data.names.index(name) for name in ("numbers", "claimed_periods")]
    has_one = (data.changed.alone[:, places] > 0).any(axis=1)
    assert numbers[~has_one].max() == 0
    assert numbers[has_one].max() > 0


STOCK, CERTAIN, PERHAPS = (observation_in(t) for t in ("Oriented x3.", "Affect was flat.", "Client appears tense."))


@pytest.mark.parametrize(
    ("chance", "altered", "observation", "verdict"),
    [
        (0.9, [], None, Verdict.SUPPORTED),
        (0.4, [], None, Verdict.UNSUPPORTED),
        (0.9, [ChangeKind.NUMBER], None, Verdict.UNSUPPORTED),
        (0.6, [], CERTAIN, Verdict.OBSERVED),
        (0.9, [], CERTAIN, Verdict.SUPPORTED),
        (0.2, [], PERHAPS, Verdict.OBSERVED),
        (0.6, [], PERHAPS, Verdict.SUPPORTED),
        (0.2, [ChangeKind.FACT], CERTAIN, Verdict.OBSERVED),
        (0.2, [ChangeKind.NEGATION], STOCK, Verdict.OBSERVED),
        (0.2, [ChangeKind.NEGATION], CERTAIN, Verdict.UNSUPPORTED),
        (0.9, [ChangeKind.PERSON], STOCK, Verdict.UNSUPPORTED),
    ],
)
def test_a_verdict_follows_from_probability_changes_and_observation(
    chance: float, altered: list[ChangeKind], observation: Observation | None, verdict: Verdict
) -> None:
    assert decide(chance, altered, observation) is verdict


def test_a_changed_number_or_negation_leaves_the_topic_as_it_was(data: Examples) -> None:
    kinds = np.isin(data.changed_kind, (ChangeKind.NUMBER, ChangeKind.NEGATION))
    changed = data.changed.topic[kinds & data.changed_own]
    assert len(changed)
    for row in changed:
        assert np.isclose(data.rows.topic, row, atol=1e-5).all(axis=1).any()
