"""A second round: marks of what reads as it did are carried over, and what was rewritten is shown with its comments."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from noteeval_desktop.documents import parse_note, parse_transcript
from noteeval_desktop.domain.carrying import carried, decided, rewritten
from noteeval_desktop.domain.review import (
    ClaimMark,
    Comment,
    Dimension,
    ItemMark,
    NeedMark,
    Review,
    ReviewKind,
    Settlement,
)
from noteeval_desktop.domain.standing import CaseStatus
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.domain.verdicts import Verdict
from noteeval_desktop.ui.supervision import words
from noteeval_desktop.ui.supervision.alike_turns import Seeker
from noteeval_desktop.ui.supervision.feedback_window import COMMENTS, REASONS, TO_ADD, TO_CUT, TO_FIX, points, summary
from noteeval_desktop.ui.supervision.pages import page
from noteeval_desktop.ui.supervision.passes import Stage
from noteeval_desktop.ui.supervision.review_session import Earlier, OpenReview, ReviewSession
from tests.factories import make_transcript
from tests.sample_evaluation import sample_rubric

NOW = datetime(2026, 4, 1, 12, tzinfo=UTC)
BEFORE = parse_note("Subjective:\nSleeps 🙂 badly. Drinks daily. Drinks daily.\n\nPlan:\nNext week.\n")
AFTER = parse_note("Subjective:\nSleeps 🙂 badly. Drinks twice a week. Drinks daily.\n\nPlan:\nNext week.\n")


def said(note, words: str) -> Span:
    start = note.text.index(words)
    return Span(start, start + len(words))


def earlier() -> Review:
    review = Review("a", ReviewKind.SUPERVISION, "Dr. Ünal", BEFORE.sha256, NOW, submitted=NOW, acceptance=3)
    return replace(
        review,
        items=(ItemMark("subjective-history", False), ItemMark("plan-follow-up", True)),
        needs=(NeedMark("s1", ("subjective-symptoms",)), NeedMark("s2"), NeedMark("s3"), NeedMark("s4")),
        claims=(
            ClaimMark("s1", Verdict.SUPPORTED, (1,)),
            ClaimMark("s2", Verdict.CONTRADICTED, (3,)),
            ClaimMark("s4", Verdict.UNSUPPORTED),
        ),
        comments=(
            Comment(said(BEFORE, "Drinks daily"), "Drinks daily", "How often? 🙂"),
            Comment(said(BEFORE, "Next week"), "Next week", "When?"),
            Comment(said(BEFORE, "Subjective"), "Subjective", "History is missing.", "subjective-history"),
        ),
        settled=(Settlement(Dimension.FAITHFULNESS, "s4", "supported", "Said at the end."),),
    )


def test_marks_of_the_same_words_are_carried_over_as_they_were_settled():
    review = carried(earlier(), BEFORE, AFTER, sample_rubric(), "b", NOW)
    claims = {mark.sentence: mark for mark in review.claims}
    by_text = {sentence.text: sentence.id for sentence in AFTER.sentences}
    assert claims[by_text["Sleeps 🙂 badly."]].turns == (1,)
    assert claims[by_text["Next week."]].verdict is Verdict.SUPPORTED
    assert by_text["Drinks twice a week."] not in {*claims, *(mark.sentence for mark in review.needs)}


def test_what_was_settled_last_time_stands_in_the_next_round_where_its_words_do():
    by_text = {sentence.text: sentence.id for sentence in AFTER.sentences}
    agreed = (*earlier().settled, Settlement(Dimension.FAITHFULNESS, "s2", "supported", "Gone."))
    found = decided(replace(earlier(), settled=agreed), BEFORE, AFTER, sample_rubric())
    assert [words.decided(one) for one in found.values()] == ["Supported: Said at the end.", "Supported: Gone."]
    assert list(found) == [(Dimension.FAITHFULNESS, by_text["Next week."]), (Dimension.FAITHFULNESS, "s3")]
    wrong = Settlement(Dimension.FAITHFULNESS, "s2", "contradicted", "Says twice.")
    before = replace(earlier(), settled=(*earlier().settled, wrong))
    review = carried(before, BEFORE, AFTER, sample_rubric(), "b", NOW)
    shown = OpenReview(
        "c", CaseStatus.RESUBMITTED, make_transcript(), AFTER, review, Earlier(before, BEFORE), (), frozenset(), ()
    )
    session = ReviewSession(shown, sample_rubric())
    assert session.stage is Stage.CHANGES
    rows = [(line.row.title, line.row.detail, line.row.sign) for line in page(session).lines[-2:]]
    assert rows == [
        ("Next week.", "Supported: Said at the end.", "✓"),
        ("Drinks daily.", "Misinterpreted: Says twice.", "✗"),
    ]


def test_a_passage_that_meant_no_danger_is_not_asked_about_again():
    marked = replace(earlier(), items=(ItemMark("no-risk:4", True), ItemMark("risk:8", True)))
    assert carried(marked, BEFORE, AFTER, sample_rubric(), "b", NOW).items == (ItemMark("no-risk:4", True),)


def test_turns_picked_for_another_verdict_are_not_carried_over():
    agreed = Settlement(Dimension.FAITHFULNESS, "s1", "unsupported")
    review = carried(replace(earlier(), settled=(agreed,)), BEFORE, AFTER, sample_rubric(), "b", NOW)
    first = next(mark for mark in review.claims if mark.sentence == "s1")
    assert (first.verdict, first.turns) == (Verdict.UNSUPPORTED, ())


def test_items_are_carried_over_only_where_the_whole_section_reads_the_same():
    review = carried(earlier(), BEFORE, AFTER, sample_rubric(), "b", NOW)
    assert review.items == (ItemMark("plan-follow-up", True),)


def test_a_second_round_is_blind_again_and_asks_for_ratings_anew():
    review = carried(earlier(), BEFORE, AFTER, sample_rubric(), "b", NOW)
    assert review.blind
    assert review.carried
    assert (review.acceptance, review.ratings, review.settled, review.comments) == (None, (), (), ())
    assert review.note_sha256 == AFTER.sha256


def test_a_note_that_was_rewritten_as_a_whole_carries_nothing_over():
    anew = parse_note("Subjective:\nNothing is as it was. 🙂\n\nPlan:\nSomething else.\n")
    assert not carried(earlier(), BEFORE, anew, sample_rubric(), "b", NOW).carried


def test_a_second_round_may_be_blind_though_the_first_was_not():
    assert not carried(replace(earlier(), unblinded=True), BEFORE, AFTER, sample_rubric(), "b", NOW).unblinded


def test_what_was_rewritten_comes_with_the_comments_on_it():
    changes = rewritten(earlier(), BEFORE, AFTER)
    first = changes[0]
    assert [one.text for one in first.after] == ["Drinks twice a week."]
    assert any("History is missing." in comment.text for comment in first.comments)
    assert any("How often? 🙂" in comment.text for change in changes for comment in change.comments)
    assert [comment.text for comment in changes[-1].comments] == ["When?"]
    assert (changes[-1].before, changes[-1].after) == ((), ())


def test_a_note_that_reads_the_same_has_no_change_but_its_comments():
    assert len(rewritten(earlier(), BEFORE, BEFORE)) == 1
    assert rewritten(replace(earlier(), comments=()), BEFORE, BEFORE) == ()


def test_the_author_gets_comments_first_then_what_to_mend_add_and_cut():
    found = points(earlier(), BEFORE, sample_rubric())
    groups = [point.group for point in found]
    assert list(dict.fromkeys(groups)) == [COMMENTS, TO_FIX, TO_ADD, TO_CUT, REASONS]
    mend = [point for point in found if point.group == TO_FIX]
    assert [(point.quote, point.turns) for point in mend] == [("Drinks daily.", (3,))]
    assert next(point for point in found if point.group == TO_ADD).said.startswith("History")
    assert [point.said for point in found if point.group == REASONS] == ["Supported: Said at the end."]
    assert summary(earlier()) == "Would I accept this note into the record? After some work."


def test_turns_that_spoke_for_another_verdict_are_not_given_as_its_ground():
    settled = Settlement(Dimension.FAITHFULNESS, "s1", "unsupported")
    found = points(replace(earlier(), settled=(settled,)), BEFORE, sample_rubric())
    point = next(point for point in found if point.quote == "Sleeps 🙂 badly.")
    assert (point.said, point.turns) == ("Not in the session", ())


@pytest.mark.parametrize(
    ("sentence", "first"),
    [("Client drinks twice at the weekend.", 1), ("Meets on Tuesday.", 4), ("Wants to sleep at night.", 5)],
)
def test_the_words_of_a_sentence_are_found_in_the_session(sentence, first):
    assert Seeker(make_transcript()).turns_with_words_of(sentence)[0] == first


def test_words_that_nobody_said_are_not_found():
    assert Seeker(make_transcript()).turns_with_words_of("Żółw 緑") == ()
    assert Seeker(Transcript(())).turns_with_words_of("anything") == ()


def test_a_long_rare_word_leads_before_short_ones_that_count_or_tell_the_time():
    said = ["Nine in the morning I woke.", "Doctor Patel raised the sertraline.", *("Yes." for _ in range(20))]
    session = parse_transcript(
        "\n".join(f"{'Therapist' if n % 2 else 'Client'}: {text}" for n, text in enumerate(said))
    )
    sentence = "Sertraline was increased nine days ago; nausea in the morning."
    assert Seeker(session).turns_with_words_of(sentence)[0] == 1
