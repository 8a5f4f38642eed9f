"""Marks by key, pass by pass: what each key does, what is open, undo, and what stands once it is handed in."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from itertools import groupby
from typing import Any

import pytest

from noteeval_desktop.documents import parse_note
from noteeval_desktop.domain.note import Section
from noteeval_desktop.domain.review import ClaimMark, Comment, Dimension, NeedMark, Review, ReviewKind, Settlement
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.verdicts import Verdict
from noteeval_desktop.ui.supervision import words
from noteeval_desktop.ui.supervision.marking import Marking, differing
from noteeval_desktop.ui.supervision.passes import ConcisenessPass, heading_of, open_places
from tests.sample_evaluation import sample_evaluation, sample_rubric

NOW = datetime(2026, 4, 1, 12, tzinfo=UTC)
NOTE = parse_note("Subjective:\nSleeps 🙂 badly. Worries.\n\nPlan:\nNext week.\n")


def begun(note=NOTE) -> Marking:
    review = Review("r", ReviewKind.SUPERVISION, "Dr. Žižek", note.sha256, NOW)
    return Marking(note, sample_rubric(), review)


def marked(note=NOTE) -> Marking:
    marking = begun(note)
    for one, key in zip(marking.passes, ("Y", "1", "S", "4"), strict=True):
        marking.stage = marking.passes.index(one)
        for at in range(len(one.places)):
            marking.go(at)
            assert marking.choose(key)
    return marking


@pytest.mark.parametrize("heading", ["## Plan", "**Plan:**", "Plan:", "PLAN"])
def test_a_comment_on_an_item_quotes_the_heading_without_its_signs(heading: str) -> None:
    note = parse_note(f"## Subjective\nSleeps 🙂 badly.\n\n{heading}\nNext week.\n")
    span = heading_of(note, Section.PLAN)
    assert span.of(note.text).lower() == "plan"


def test_each_key_marks_and_goes_on():
    marking = begun()
    assert marking.choose("Y")
    assert marking.choose("N")
    assert [(mark.item, mark.present) for mark in marking.review.items] == [
        ("subjective-chief-complaint", True),
        ("subjective-symptoms", False),
    ]
    assert marking.at == 2
    assert not marking.choose("X")
    assert marking.progress()[0] == (2, 23)


def test_a_sentence_takes_several_items_and_goes_on_only_when_told():
    marking = begun()
    marking.stage = 1
    for key in "125":
        marking.choose(key)
    assert marking.at == 0
    marking.choose("2")
    assert marking.review.needs == (NeedMark("s1", ("subjective-chief-complaint", "subjective-homework")),)
    marking.choose("1")
    marking.choose("5")
    assert marking.review.needs == ()
    marking.choose("0")
    assert marking.review.needs == (NeedMark("s1"),)
    assert marking.at == 1


def test_a_section_of_two_offers_the_items_of_both_by_keys_of_their_own():
    note = parse_note("Subjective:\nTired.\n\nAssessment & Plan:\nGoes on.\n")
    one = ConcisenessPass(note, sample_rubric())
    place = next(place for place in one.places if place.words == "Goes on.")
    choices = one.choices(place, begun(note).review)
    keys = [choice.key for choice in choices]
    assert len(choices) == 8 + 4 + 1
    assert len(set(keys)) == len(keys)
    assert not set(keys) & set("JCF")


@pytest.mark.parametrize(
    ("key", "verdict"),
    [
        ("S", Verdict.SUPPORTED),
        ("M", Verdict.CONTRADICTED),
        ("U", Verdict.UNSUPPORTED),
        ("O", Verdict.OBSERVED),
    ],
)
def test_a_claim_is_marked_with_its_turns_and_the_kind_of_error(key, verdict):
    marking = begun()
    marking.stage = 2
    marking.judge_claim(key, (5, 2))
    assert marking.review.claims == (ClaimMark("s1", verdict, (2, 5)),)
    marking.go(0)
    marking.pick_turns((7,))
    assert marking.review.claims[0].turns == (7,)


def test_a_judgement_can_be_judged_otherwise():
    marking = begun(parse_note("Subjective:\nSleeps badly.\n\nAssessment:\nRisk is low.\n"))
    marking.stage = 2
    assert not marking.judge_claim("I", ()), "what was said is no judgement"
    marking.go(1)
    assert marking.judge_claim("I", ())
    marking.go(1)
    marking.pick_turns((7,))
    assert marking.review.claims == (ClaimMark("s2", Verdict.CONTRADICTED, (7,), judged=True),)
    place = marking.place
    assert [one.key for one in marking.current.choices(place, marking.review) if one.chosen] == ["I"]
    assert marking.current.said(place, marking.review) == "Judged otherwise · turn 8"


def test_the_next_open_place_is_found_across_passes():
    marking = begun()
    marking.choose("Y")
    marking.go(22)
    marking.choose("Y")
    assert (marking.stage, marking.at) == (0, 1)
    for _ in range(21):
        marking.choose("N")
    assert (marking.stage, marking.at) == (1, 0)
    assert marking.to_next_open()
    assert (marking.stage, marking.at) == (1, 1)
    done = marked()
    assert not done.to_next_open()
    assert all(not open_places(one, done.review) for one in done.passes)


def test_a_review_goes_on_where_it_was_put_away():
    marking = marked()
    review = replace(marking.review, claims=marking.review.claims[:1])
    again = Marking(NOTE, sample_rubric(), review)
    assert (again.stage, again.at) == (2, 1)


def test_undo_and_redo_bring_back_the_mark_and_the_place():
    marking = begun()
    marking.choose("Y")
    marking.choose("N")
    after = marking.review
    assert marking.undo()
    assert marking.undo()
    assert not marking.undo()
    assert marking.review.items == ()
    assert marking.at == 0
    marking.redo()
    marking.redo()
    assert not marking.redo()
    assert marking.review == after
    marking.undo()
    marking.choose("Y")
    assert not marking.redo()


def test_handed_in_marks_stand_and_nothing_before_them_comes_back():
    marking = marked()
    with pytest.raises(ValueError, match="open"):
        begun().handed_in(NOW)
    marking.take(marking.handed_in(NOW))
    assert not marking.undo()
    assert not marking.choose("Y")
    marking.stage = 2
    assert not marking.judge_claim("M", ())


def test_a_comment_quotes_the_note_and_can_be_changed_and_removed():
    marking = begun()
    span = Span(NOTE.text.index("🙂"), NOTE.text.index("🙂") + 1)
    with pytest.raises(ValueError, match="quotes"):
        marking.comment(Comment(span, "x", "Why?"))
    comment = Comment(span, "🙂", "Why?")
    marking.comment(comment)
    changed = replace(comment, text="Why a face?")
    marking.comment(changed, comment)
    assert marking.review.comments == (changed,)
    marking.remove_comment(changed)
    assert marking.review.comments == ()
    marking.undo()
    assert marking.review.comments == (changed,)


def test_a_difference_comes_with_the_judges_reason_and_both_ones_turns():
    evaluation = sample_evaluation()
    marking = marked(evaluation.case.note)
    marking.stage = 2
    wrong = next(s for s in evaluation.case.note.sentences if "drinking four times" in s.text)
    marking.go([place.id for place in marking.current.places].index(wrong.id))
    marking.judge_claim("S", (3,))
    marking.take(marking.handed_in(NOW))
    found = differing(marking.note, marking.rubric, marking.review, evaluation)
    one = next(one for one in found if one.difference.place == wrong.id)
    assert (one.difference.person, one.difference.judge) == ("supported", "contradicted")
    assert one.reason == "The session says twice; the note says four times."
    assert one.citations[0].quote == "twice last week"
    assert one.own_turns == (3,)
    marking.settle(Settlement(Dimension.FAITHFULNESS, wrong.id, "contradicted", "Read again."))
    assert marking.undo()
    assert marking.review.settled == ()


def test_sections_outside_the_rubric_are_not_marked():
    note = parse_note("Dear colleague.\n\nSubjective:\nTired.\n\nPlan:\nRest.\n")
    sentences = [place.section for place in begun(note).passes[2].places]
    assert Section.UNASSIGNED not in sentences


@pytest.mark.parametrize(
    "text", ["D: a 🙂\nA: b\nP: c", "B: a\nI: b\nR: c\nP: d", "G: a\nI: b\nR: c\nP: d", "P: a\nI: b\nE: c"]
)
def test_another_format_is_marked_under_its_own_headings_with_a_key_for_each_item(text):
    marking = begun(parse_note(text))
    completeness: Any
    needs: Any
    completeness, needs = marking.passes[:2]
    headings = [place.heading for place in completeness.places]
    assert len(headings) == len(sample_rubric().section_items)
    assert len(set(headings)) == len([*groupby(headings)])
    assert "Subjective" not in headings
    assert [place.heading for place in needs.places] == list(dict.fromkeys(place.heading for place in needs.places))
    for place in needs.places:
        keys = [choice.key for choice in needs.choices(place, marking.review)]
        assert len(keys) == len(needs.items(place)) + 1 == len(set(keys))
        assert not set(keys) & {"J", "C", "F", "/"}


def test_a_row_of_keys_leaves_what_is_marked_already_as_it_is():
    marking = begun(parse_note("Client slept badly. We meet on Tuesday."))
    marking.go(1)
    marking.choose("N")
    marking.go(0)
    marking.choose("Y")
    assert marking.at == 2
    marking.go(0)
    marking.choose("N")
    assert marking.at == 1


def test_words_for_what_is_left():
    assert words.still_open([("Completeness", 2), ("Conciseness", 0), ("Ratings", 1)]) == (
        "3 questions are still open: 2 in completeness, 1 in ratings. J goes to the next one."
    )
    assert words.still_open([("Completeness", 1)]).startswith("1 question is still open")


def test_a_note_without_headings_has_items_and_ratings_only():
    marking = begun(parse_note("Client slept badly. We meet on Tuesday."))
    for _ in range(23):
        marking.choose("N")
    assert (marking.stage, marking.place) == (1, None)
    assert not marking.choose("0")
    marking.go_on()
    marking.go_on()
    for key in "1111":
        marking.choose(key)
    assert marking.handed_in(NOW).submitted == NOW
