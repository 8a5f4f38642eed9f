from __future__ import annotations

import random
import re

import pytest

from noteeval_desktop.domain.note import Section
from noteeval_desktop.domain.text import fingerprint
from noteeval_desktop.research.changes import EDITORS, FACTS, ChangeKind, Editor, change_plan, change_risk, swap_drug
from noteeval_desktop.research.degrade import degrade
from tests.factories import make_note

RICH = {
    Section.SUBJECTIVE: [
        "Client reports drinking four times a week — “too much” 😀.",
        "His wife asked him to come.",
        "He denies suicidal thoughts.",
    ],
    Section.OBJECTIVE: ["Calm and oriented x3.", "Rated his readiness as a 6 out of 10."],
    Section.ASSESSMENT: ["Client meets criteria for depression.", "He is able to name triggers."],
    Section.PLAN: ["Continue sertraline.", "Client will return in two weeks."],
}


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        (ChangeKind.NEGATION, "He denies any drinking.", "He reports any drinking."),
        (ChangeKind.NEGATION, "Client has begun attending meetings.", "Client has not begun attending meetings."),
        (ChangeKind.NEGATION, "Client has recently lost a job.", "Client has not recently lost a job."),
        (ChangeKind.NEGATION, "Client has a job.", "Client does not have a job."),
        (ChangeKind.NEGATION, "Client is not sleeping.", "Client is sleeping."),
        (ChangeKind.NEGATION, "Client reports low mood.", "Client denies low mood."),
        (ChangeKind.NEGATION, "She wants to quit.", "She does not want to quit."),
        (ChangeKind.NEGATION, "He's unable to sleep.", "He's able to sleep."),
        (ChangeKind.NEGATION, "Client never smokes.", "Client often smokes."),
    ],
)
def test_a_change_says_the_opposite(kind: ChangeKind, text: str, expected: str) -> None:
    edit = EDITORS[kind](text, random.Random(0), text)
    assert edit is not None
    assert edit.applied(text) == expected


@pytest.mark.parametrize("text", ["Diagnosis F12.20.", "Alert and oriented x3.", "No numbers here.", "1) call her"])
def test_codes_and_list_marks_are_no_numbers_to_change(text: str) -> None:
    assert EDITORS[ChangeKind.NUMBER](text, random.Random(0), text) is None


def test_a_rating_stays_on_its_scale() -> None:
    text = "She rates her confidence as a 4 out of 10."
    for seed in range(30):
        edit = EDITORS[ChangeKind.NUMBER](text, random.Random(seed), text)
        assert edit is not None
        assert 1 <= int(edit.after) <= 10
        assert edit.after != "4"


def test_a_swapped_relative_is_nobody_whom_the_note_names() -> None:
    text = "His wife and his mother worry."
    for seed in range(30):
        edit = EDITORS[ChangeKind.PERSON](text, random.Random(seed), text)
        assert edit is not None
        assert edit.after not in {"wife", "mother", "husband", "spouse", "mom"}


@pytest.mark.parametrize("kind", list(ChangeKind))
@pytest.mark.parametrize("seed", range(5))
def test_sentences_and_spans_agree_after_changes(kind: ChangeKind, seed: int) -> None:
    note = make_note(RICH)
    degraded = degrade(note, seed, 3, [kind])
    new = degraded.note
    assert degraded.changes
    assert [s.id for s in new.sentences] == [f"s{i + 1}" for i in range(len(new.sentences))]
    assert all(s.span.of(new.text) == s.text for s in new.sentences)
    for block, old in zip(new.blocks, note.blocks, strict=True):
        assert block.heading is not None
        assert old.heading is not None
        assert block.heading.of(new.text) == old.heading.of(note.text)
        inside = [s for s in new.sentences if s.sections == block.sections]
        assert all(block.body.start <= s.span.start and s.span.end <= block.body.end for s in inside)


def test_each_change_is_recorded_where_it_was_made() -> None:
    note = make_note(RICH)
    degraded = degrade(note, 7, 6)
    assert len({change.kind for change in degraded.changes}) == 6
    by_id = {s.id: s for s in degraded.note.sentences}
    for change in degraded.changes:
        assert change.span.of(note.text) == change.before
        if change.kind is ChangeKind.DROP:
            assert change.sentence is None
            assert change.before not in degraded.note.text
        else:
            assert change.sentence is not None
            assert change.after in by_id[change.sentence].text


def test_more_changes_contain_the_fewer() -> None:
    note = make_note(RICH)
    for seed in range(10):
        longest = degrade(note, seed, 6).changes
        for count in range(6):
            fewer = degrade(note, seed, count).changes
            assert [(c.kind, c.original, c.after) for c in fewer] == [
                (c.kind, c.original, c.after) for c in longest[:count]
            ]


def test_a_seed_gives_the_same_note_and_another_seed_another() -> None:
    note = make_note(RICH)
    assert degrade(note, 3, 4) == degrade(note, 3, 4)
    assert len({degrade(note, seed, 4).note.text for seed in range(8)}) > 4


def test_a_moved_sentence_stands_under_another_heading() -> None:
    note = make_note(RICH)
    for seed in range(10):
        degraded = degrade(note, seed, 2, [ChangeKind.ORDER])
        assert sorted(s.text for s in degraded.note.sentences) == sorted(s.text for s in note.sentences)
        before = {s.text: s.sections for s in note.sentences}
        now = {s.id: s for s in degraded.note.sentences}
        for change in degraded.changes:
            assert change.sentence is not None
            assert now[change.sentence].text == change.before
            assert now[change.sentence].sections != before[change.before]


@pytest.mark.parametrize(
    ("edit", "text", "expected"),
    [
        (swap_drug, "Continue sertraline.", None),
        (change_risk, "He denies suicidal thoughts.", "He reports suicidal thoughts."),
        (change_risk, "He denies headaches.", ""),
        (change_plan, "We will increase metformin.", "We will decrease metformin."),
        (change_plan, "Continue physical therapy.", "Discontinue physical therapy."),
        (change_plan, "Discontinue smoking.", "Continue smoking."),
        (change_plan, "Client agreed to call his sponsor.", "Client declined to call his sponsor."),
        (change_plan, "Client will return in two weeks.", "Client will return next year."),
        (change_plan, "She sleeps badly.", ""),
    ],
)
def test_drugs_risk_and_plans_are_changed_where_there_are_any(edit: Editor, text: str, expected: str | None) -> None:
    found = edit(text, random.Random(1), text)
    said = found.applied(text) if found else ""
    assert (said == expected) if expected is not None else (said and said != text)


def test_a_drug_is_not_swapped_for_another_name_of_its_own() -> None:
    for seed in range(40):
        edit = swap_drug("Continue sertraline.", random.Random(seed), "Continue sertraline.")
        assert edit is not None
        assert edit.after != "Zoloft"
    assert swap_drug("She takes vitamins.", random.Random(0), "") is None


def test_what_other_kinds_there_are_does_not_change_what_a_seed_has_always_made() -> None:
    """`noteeval degrade` mixes the first six kinds; the digest is of notes that it made before there were others."""
    texts = [degrade(make_note(RICH), seed, 5).note.text for seed in range(20)]
    assert fingerprint(*texts) == "fd750c438f7d566acadd31fa4588775002ebb3cba2906865cad7f77f02213dce"


def test_no_change_leaves_the_note_as_it_is() -> None:
    note = make_note(RICH)
    assert degrade(note, 0, 0).note == note


def test_a_short_note_takes_fewer_changes_and_keeps_a_sentence() -> None:
    note = make_note({Section.SUBJECTIVE: ["Denies SI.", "Sleeps well."]})
    degraded = degrade(note, 0, 9, [ChangeKind.DROP])
    assert len(degraded.changes) == 1
    assert len(degraded.note.sentences) == 1


@pytest.mark.parametrize(("changes", "kinds"), [(-1, list(ChangeKind)), (1, [])])
def test_what_cannot_be_asked_for_is_refused(changes: int, kinds: list[ChangeKind]) -> None:
    with pytest.raises(ValueError, match="at least"):
        degrade(make_note(), 0, changes, kinds)


def test_made_up_facts_are_sentences() -> None:
    assert all(re.fullmatch(r"[A-Z][^.]+\.", fact) for fact in FACTS)
