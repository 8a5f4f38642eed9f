"""A review without its window: what each key does, what is open, undo, and what stands once it is handed in."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from itertools import groupby
from typing import Any

import pytest

from noteeval_desktop.documents import parse_note
from noteeval_desktop.domain.note import Section
from noteeval_desktop.domain.review import (
    ClaimMark,
    Comment,
    Dimension,
    NeedMark,
    Review,
    ReviewKind,
    Settlement,
)
from noteeval_desktop.domain.standing import CaseStatus
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.verdicts import Verdict
from noteeval_desktop.ui.supervision.passes import ConcisenessPass, Stage, heading_of, open_places
from noteeval_desktop.ui.supervision.review_session import OpenReview, ReviewSession
from tests.factories import make_transcript
from tests.sample_evaluation import sample_evaluation, sample_rubric

NOW = datetime(2026, 4, 1, 12, tzinfo=UTC)
NOTE = parse_note("Subjective:\nSleeps 🙂 badly. Worries.\n\nPlan:\nNext week.\n")


def opened(note, review: Review, **known: Any) -> OpenReview:
    shown = OpenReview("c", CaseStatus.SUBMITTED, make_transcript(), note, review, None, (), frozenset(), ())
    return replace(shown, **known)


def begun(note=NOTE) -> ReviewSession:
    """Everything is asked."""
    review = Review("r", ReviewKind.SUPERVISION, "Dr. Žižek", note.sha256, NOW)
    return ReviewSession(opened(note, review), sample_rubric(), asked_only=False)


def marked(note=NOTE) -> ReviewSession:
    session = begun(note)
    for one, key in zip(session.passes, ("Y", "1", "S", "4"), strict=True):
        for at in range(len(one.places)):
            session.show(one.stage)
            session.go(at)
            assert session.press(key)
    return session


@pytest.mark.parametrize("heading", ["## Plan", "**Plan:**", "Plan:", "PLAN"])
def test_a_comment_on_an_item_quotes_the_heading_without_its_signs(heading: str) -> None:
    note = parse_note(f"## Subjective\nSleeps 🙂 badly.\n\n{heading}\nNext week.\n")
    span = heading_of(note, Section.PLAN)
    assert span.of(note.text).lower() == "plan"


def test_each_key_marks_and_goes_on():
    session = begun()
    assert session.press("Y")
    assert session.press("N")
    assert [(mark.item, mark.present) for mark in session.review.items] == [
        ("subjective-chief-complaint", True),
        ("subjective-symptoms", False),
    ]
    assert session.at == 2
    assert not session.press("X")
    assert session.progress()[Stage.COMPLETENESS] == (2, 23)


def test_a_sentence_takes_several_items_and_goes_on_only_when_told():
    session = begun()
    session.show(Stage.CONCISENESS)
    for key in "125":
        session.press(key)
    assert session.at == 0
    session.press("2")
    assert session.review.needs == (NeedMark("s1", ("subjective-chief-complaint", "subjective-homework")),)
    session.press("1")
    session.press("5")
    assert session.review.needs == ()
    session.press("0")
    assert session.review.needs == (NeedMark("s1"),)
    assert session.at == 1


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
    session = begun()
    session.show(Stage.FAITHFULNESS)
    session.toggle_turn(5)
    session.toggle_turn(2)
    session.press(key)
    assert session.review.claims == (ClaimMark("s1", verdict, (2, 5)),)
    session.go(0)
    session.toggle_turn(2)
    assert session.review.claims[0].turns == (5,)


def test_a_judgement_can_be_judged_otherwise():
    session = begun(parse_note("Subjective:\nSleeps badly.\n\nAssessment:\nRisk is low.\n"))
    session.show(Stage.FAITHFULNESS)
    assert not session.press("I"), "what was said is no judgement"
    session.go(1)
    assert session.press("I")
    session.go(1)
    session.toggle_turn(7)
    assert session.review.claims == (ClaimMark("s2", Verdict.CONTRADICTED, (7,), judged=True),)
    place = session.place
    assert [one.key for one in session.current.choices(place, session.review) if one.chosen] == ["I"]
    assert session.current.said(place, session.review) == "Judged differently · turn 8"


def test_the_next_open_place_is_found_across_passes():
    session = begun()
    session.press("Y")
    session.go(22)
    session.press("Y")
    assert (session.stage, session.at) == (Stage.COMPLETENESS, 1)
    for _ in range(21):
        session.press("N")
    assert (session.stage, session.at) == (Stage.CONCISENESS, 0)
    assert session.next_open()
    assert (session.stage, session.at) == (Stage.CONCISENESS, 1)
    done = marked()
    assert not done.next_open()
    assert all(not open_places(one, done.review) for one in done.passes)


def test_a_review_goes_on_where_it_was_put_away():
    session = marked()
    review = replace(session.review, claims=session.review.claims[:1])
    again = ReviewSession(opened(NOTE, review), sample_rubric(), asked_only=False)
    assert (again.stage, again.at) == (Stage.FAITHFULNESS, 1)


def test_undo_and_redo_bring_back_the_mark_and_the_place():
    session = begun()
    session.press("Y")
    session.press("N")
    after = session.review
    assert session.undo()
    assert session.undo()
    assert not session.undo()
    assert session.review.items == ()
    assert session.at == 0
    session.redo()
    session.redo()
    assert not session.redo()
    assert session.review == after
    session.undo()
    session.press("Y")
    assert not session.redo()


def test_handed_in_marks_stand_and_nothing_before_them_comes_back():
    session = marked()
    with pytest.raises(ValueError, match="open"):
        begun().handed_in(NOW)
    session.uncover(opened(NOTE, session.handed_in(NOW)))
    assert not session.undo()
    assert not session.press("Y")
    session.show(Stage.FAITHFULNESS)
    assert not session.press("M")


def test_a_comment_quotes_the_note_and_can_be_changed_and_removed():
    session = begun()
    span = Span(NOTE.text.index("🙂"), NOTE.text.index("🙂") + 1)
    with pytest.raises(ValueError, match="quotes"):
        session.comment(Comment(span, "x", "Why?"))
    comment = Comment(span, "🙂", "Why?")
    session.comment(comment)
    changed = replace(comment, text="Why a face?")
    session.comment(changed, comment)
    assert session.review.comments == (changed,)
    session.remove_comment(changed)
    assert session.review.comments == ()
    session.undo()
    assert session.review.comments == (changed,)


def test_a_difference_comes_with_the_judges_reason_and_both_ones_turns():
    evaluation = sample_evaluation()
    session = marked(evaluation.case.note)
    session.show(Stage.FAITHFULNESS)
    wrong = next(s for s in evaluation.case.note.sentences if "drinking four times" in s.text)
    session.go([place.id for place in session.current.places].index(wrong.id))
    session.picked = (3,)
    session.press("S")
    session.uncover(opened(evaluation.case.note, session.handed_in(NOW), judged=(evaluation,)))
    at = next(at for at, one in enumerate(session.found) if one.difference.place == wrong.id)
    one = session.found[at]
    assert session.stage is Stage.DIFFERENCES
    assert (one.difference.person, one.difference.judge) == ("supported", "contradicted")
    assert one.reason == "The session says twice; the note says four times."
    assert one.citations[0].quote == "twice last week"
    assert one.own_turns == (3,)
    session.go(at)
    session.settle("contradicted", "Read again.")
    assert session.review.settled == (Settlement(Dimension.FAITHFULNESS, wrong.id, "contradicted", "Read again."),)
    assert session.undo()
    assert (session.review.settled, session.at) == ((), at)


def test_sections_outside_the_rubric_are_not_marked():
    note = parse_note("Dear colleague.\n\nSubjective:\nTired.\n\nPlan:\nRest.\n")
    sentences = [place.section for place in begun(note).passes[2].places]
    assert Section.UNASSIGNED not in sentences


@pytest.mark.parametrize(
    "text", ["D: a 🙂\nA: b\nP: c", "B: a\nI: b\nR: c\nP: d", "G: a\nI: b\nR: c\nP: d", "P: a\nI: b\nE: c"]
)
def test_another_format_is_marked_under_its_own_headings_with_a_key_for_each_item(text):
    session = begun(parse_note(text))
    completeness: Any
    needs: Any
    completeness, needs = session.passes[:2]
    headings = [place.heading for place in completeness.places]
    assert len(headings) == len(sample_rubric().scored_items)
    assert len(set(headings)) == len([*groupby(headings)])
    assert "Subjective" not in headings
    assert [place.heading for place in needs.places] == list(dict.fromkeys(place.heading for place in needs.places))
    for place in needs.places:
        keys = [choice.key for choice in needs.choices(place, session.review)]
        assert len(keys) == len(needs.items(place)) + 1 == len(set(keys))
        assert not set(keys) & {"J", "C", "F", "/"}


def test_a_row_of_keys_leaves_what_is_marked_already_as_it_is():
    session = begun(parse_note("Client slept badly. We meet on Tuesday."))
    session.go(1)
    session.press("N")
    session.go(0)
    session.press("Y")
    assert session.at == 2
    session.go(0)
    session.press("N")
    assert session.at == 1


def test_a_note_without_headings_has_items_and_ratings_only():
    session = begun(parse_note("Client slept badly. We meet on Tuesday."))
    for _ in range(23):
        session.press("N")
    assert (session.stage, session.place) == (Stage.CONCISENESS, None)
    assert not session.press("0")
    session.go_on()
    session.go_on()
    for key in "1111":
        session.press(key)
    assert session.handed_in(NOW).submitted == NOW
