import json
from dataclasses import replace

import numpy as np
import pytest

from noteeval_desktop.domain.note import SOAP
from noteeval_desktop.errors import InputError
from noteeval_desktop.measures import tn_eval_tables
from noteeval_desktop.measures.agreement import krippendorff_alpha
from noteeval_desktop.measures.tn_eval import SOURCES, Answer, JudgedNote
from noteeval_desktop.measures.tn_eval_tables import published_judges, tables
from noteeval_desktop.research.benchmark_tn_eval import tn_eval_text
from noteeval_desktop.research.published import load_notes

ITEMS = {
    "subjective": ["subjective-symptoms", "subjective-goals"],
    "objective": ["objective-behavior"],
    "assessment": ["assessment-analysis"],
    "plan": ["plan-follow-up"],
}
TEXTS = {
    "subjective": "Client sleeps badly. “I am wide awake at three!” He wants rest 😴.",
    "objective": "Tense, spoke fast.",
    "assessment": "Worry keeps him awake.",
    "plan": "N/A",
}
SENTENCES = {"subjective": 3, "objective": 1, "assessment": 1, "plan": 1}


def annotation(shift: int) -> dict:
    return {
        section: {
            "rubric_completeness_raw": {item: (number + shift) % 2 for number, item in enumerate(ITEMS[section])},
            "rubric_conciseness_raw": {
                f"sentence_{k + 1}": ITEMS[section][:1] if (k + shift) % 2 == 0 else []
                for k in range(SENTENCES[section])
            },
            "rubric_faithfulness_raw": {f"sentence_{k + 1}": 1 for k in range(SENTENCES[section])},
        }
        for section in TEXTS
    }


def llm_answers() -> dict:
    return {
        section: {
            "rubric_completeness_raw": dict.fromkeys(ITEMS[section], 1),
            "rubric_conciseness_raw": {f"sentence_{k + 1}": 1 for k in range(SENTENCES[section])},
        }
        for section in TEXTS
    }


def conversation(number: int) -> dict:
    notes = {
        source: {
            "note": TEXTS,
            "metrics_human": [annotation(0), annotation((number + place) % 2)],
            "metrics_llama31_70B": llm_answers(),
            "metrics_mistral_large_v2": llm_answers(),
            "align_score": dict.fromkeys(TEXTS, 0.5 + number / 100 + place / 50),
        }
        for place, source in enumerate(SOURCES)
    }
    turns = [{"speaker": "therapist", "time": "00:00:13", "text": "How do you sleep?"}]
    return {"id": str(number), "transcript": turns, **notes}


@pytest.fixture
def data(tmp_path):
    path = tmp_path / "data.json"
    path.write_text(json.dumps([conversation(number) for number in range(4)]), encoding="utf-8")
    return path


def test_notes_keep_each_therapists_labels_by_sentence(data):
    notes = load_notes(data)
    assert [(note.conversation, note.source) for note in notes[:3]] == [("0", source) for source in SOURCES]
    second = notes[1]
    assert [labelled.needed for labelled in second.sentences[:3]] == [(1, 0), (0, 1), (1, 0)]
    assert second.present["subjective-goals"] == (1, 0)
    assert second.case.transcript.turns[0].start == 13
    assert second.completeness == pytest.approx(0.5 * (1 / 5 + 4 / 5))


def test_the_three_scores_are_means_over_things_and_therapists(data):
    """Of six sentences both therapists gave five an item; of one of them one therapist says that it is not true."""
    note = load_notes(data)[0]
    doubted = replace(note.sentences[0], faithful=(1, 0))
    assert replace(note, sentences=(doubted, *note.sentences[1:])).faithfulness == pytest.approx(5.5 / 6)
    assert note.conciseness == pytest.approx(5 / 6)
    assert note.completeness == pytest.approx(1 / 5)


def test_sentences_stand_in_the_note_exactly_and_in_the_annotated_number(data):
    for note in load_notes(data):
        for section in SOAP:
            assert len(note.case.note.sentences_in(section)) == SENTENCES[section.value]
        for labelled in note.sentences:
            assert labelled.sentence.span.of(note.case.note.text) == labelled.sentence.text


@pytest.mark.parametrize("content", ["", "{}", "[]", '[{"id": 1}]', "[3]"])
def test_another_layout_is_refused_in_one_line(tmp_path, content):
    path = tmp_path / "other.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=r"^other\.json: .*TN-Eval"):
        load_notes(path)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(InputError, match=r"none\.json"):
        load_notes(tmp_path / "none.json")


def test_a_judge_that_repeats_the_therapists_mean_correlates_perfectly(data):
    notes = load_notes(data)
    echo = [
        JudgedNote(
            items={item: Answer(sum(labels) / 2, labels[0] == 1) for item, labels in note.present.items()},
            needed=tuple(Answer(sum(one.needed) / 2, one.needed[0] == 1) for one in note.sentences),
        )
        for note in notes
    ]
    table = tables(notes, {"echo": echo, **published_judges(notes)}, rounds=50)
    assert table["completeness"]["judges"]["echo"]["r"] == pytest.approx(1.0)
    # It says yes where the first therapist does: with the second it agrees as far as the two do.
    for figure in ("alpha", "kappa"):
        first, second = table["completeness"]["judges"]["echo"][figure]
        assert first == 1.0
        assert second == table["completeness"]["therapists"][figure] < 1
    counted = table["completeness"]["judges"]["echo"]["counted"]
    assert counted["r"] != table["completeness"]["judges"]["echo"]["r"]
    assert set(counted["r_within_source"]) == set(SOURCES)
    low, high = table["completeness"]["judges"]["echo"]["alpha_interval"]
    assert low <= high <= 1
    assert table["conciseness"]["judges"]["echo"]["calibration_error"] == 0
    assert "echo" not in table["faithfulness"]["judges"]
    assert table["completeness"]["judges"]["Llama 3.1 70B"]["r"] is None
    assert set(table["faithfulness"]["judges"]) == {"AlignScore"}
    json.dumps(table, allow_nan=False)
    text = tn_eval_text({"benchmark": "tn-eval", **table})
    assert text.count("counting yes answers") == 2
    assert "ceiling" in text


@pytest.mark.parametrize(
    ("second", "r", "ceiling"),
    [((1, 3, 2, 5), 0.8315, 0.9529), ((1, 2, 3, 4), 1.0, 1.0), ((4, 3, 2, 1), -1.0, None), ((2, 2, 2, 2), None, None)],
)
def test_the_ceiling_follows_from_how_reliable_two_therapists_are(data, second, r, ceiling):
    """Spearman and Brown: with r = 0.8315, the root of 2r / (1 + r)."""
    counts = zip((1, 2, 3, 4), second, strict=True)
    notes = [
        replace(note, present={item: (int(n < a), int(n < b)) for n, item in enumerate(note.present)})
        for note, (a, b) in zip(load_notes(data)[:4], counts, strict=True)
    ]
    therapists = tables(notes, {}, rounds=1)["completeness"]["therapists"]
    assert (therapists["r"], therapists["ceiling"]) == (r, ceiling)


@pytest.mark.parametrize(
    ("one", "other"),
    [([1, 0, 1, 1], [1, 0, 0, 1]), ([1, 1, 1, 0], [1, 1, 1, 0]), ([0, 1, 0, 1, 1], [1, 0, 1, 0, 1])],
)
def test_the_fast_alpha_is_krippendorffs(one, other):
    expected = krippendorff_alpha([one, other])
    assert tn_eval_tables._binary_alpha(np.array(one), np.array(other)) == pytest.approx(expected)
