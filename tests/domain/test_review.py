from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from noteeval_desktop.domain.evaluation import JudgedSentence
from noteeval_desktop.domain.note import Section
from noteeval_desktop.domain.plain import from_plain, to_plain
from noteeval_desktop.domain.review import (
    Answer,
    AnswerKind,
    ClaimMark,
    Dimension,
    ItemMark,
    NeedMark,
    Rating,
    Review,
    ReviewKind,
    Settlement,
    Signature,
    verdicts_of,
)
from noteeval_desktop.domain.reviewed import differences
from noteeval_desktop.domain.scores import score
from noteeval_desktop.domain.standing import CaseStatus
from noteeval_desktop.domain.verdicts import Verdict
from tests.sample_evaluation import sample_evaluation, sample_rubric

NOW = datetime(2026, 4, 1, 12, tzinfo=UTC)


def begun(kind: ReviewKind = ReviewKind.SUPERVISION) -> Review:
    return Review("r", kind, "Dr. Žižek", sample_evaluation().case.note.sha256, NOW)


def finished() -> Review:
    """Agrees with the judge of the sample but for one place a pass."""
    evaluation, review = sample_evaluation(), begun()
    for item in evaluation.checklist:
        if item.section is not None:
            review = review.marked(ItemMark(item.item, item.present is not (item.item == "subjective-symptoms")))
    for judged in evaluation.sentences:
        assert judged.need
        assert judged.claim
        assert judged.claim.verdict
        first = judged.sentence.id == "s1"
        needed = judged.need.needed is not first
        review = review.marked(NeedMark(judged.sentence.id, ("subjective-symptoms",) if needed else ()))
        verdict = Verdict.UNSUPPORTED if judged.sentence.id == "s2" else judged.claim.verdict
        review = review.marked(ClaimMark(judged.sentence.id, verdict, turns=(1, 2)))
    return replace(review, acceptance=4).submit(evaluation.case.note, sample_rubric(), NOW)


def test_what_is_still_open_is_countable_per_pass() -> None:
    note, rubric = sample_evaluation().case.note, sample_rubric()
    places = dict(begun().open_places(note, rubric))
    assert len(places[Dimension.COMPLETENESS]) == 23
    review = begun().marked(ItemMark(places[Dimension.COMPLETENESS][0], True)).marked(NeedMark("s1"))
    left = dict(review.open_places(note, rubric))
    assert len(left[Dimension.COMPLETENESS]) == 22
    assert "s1" not in left[Dimension.CONCISENESS]
    assert "s1" in left[Dimension.FAITHFULNESS]
    assert all(not left for _, left in finished().open_places(note, rubric))


def test_a_later_mark_takes_the_place_of_an_earlier_one() -> None:
    review = begun().marked(NeedMark("s1", ("a",))).marked(NeedMark("s2")).marked(NeedMark("s1"))
    assert [(mark.sentence, mark.needed) for mark in review.needs] == [("s2", False), ("s1", False)]
    rated = begun().marked(Rating(Dimension.CONCISENESS, 2)).marked(Rating(Dimension.CONCISENESS, 5, Section.PLAN))
    assert len(rated.marked(Rating(Dimension.CONCISENESS, 3)).ratings) == 2


def test_an_unfinished_review_is_not_submitted() -> None:
    evaluation = sample_evaluation()
    with pytest.raises(ValueError, match="open"):
        begun().submit(evaluation.case.note, sample_rubric(), NOW)
    with pytest.raises(ValueError, match="changed"):
        replace(begun(), note_sha256="x").submit(evaluation.case.note, sample_rubric(), NOW)


def test_submitted_marks_stand() -> None:
    with pytest.raises(ValueError, match="stand"):
        finished().marked(ItemMark("subjective-symptoms", True))
    assert finished().marked(Answer("s1", AnswerKind.FIXED)).answers


def test_the_judges_marks_stay_hidden_until_the_supervisors_are_in() -> None:
    assert begun().blind
    with pytest.raises(ValueError, match="hidden"):
        differences(begun(), sample_evaluation())
    assert not finished().blind
    assert not begun(ReviewKind.SELF).blind


def test_differences_are_the_places_that_both_marked_differently() -> None:
    found = differences(finished(), sample_evaluation())
    assert [(one.dimension, one.place) for one in found] == [
        (Dimension.COMPLETENESS, "subjective-symptoms"),
        (Dimension.CONCISENESS, "s1"),
        (Dimension.FAITHFULNESS, "s2"),
    ]
    assert (found[0].person, found[0].judge) == ("missing", "present")
    assert (found[1].person, found[2].person) == ("not needed", "unsupported")


def test_a_person_scores_by_the_same_rules_as_a_judge() -> None:
    evaluation = sample_evaluation()
    items, needs, claims = verdicts_of(finished(), sample_rubric())
    judged = [
        JudgedSentence(
            sentence,
            next(need for need in needs if need.sentence == sentence.id),
            next(claim for claim in claims if claim.sentence == sentence.id),
        )
        for sentence in evaluation.case.note.sentences
    ]
    scores = score(items, judged)
    assert scores.completeness.done == evaluation.scores.completeness.done - 1
    assert scores.completeness.total == 23
    assert scores.faithfulness.done == evaluation.scores.faithfulness.done - 1


@pytest.mark.parametrize("value", [0, 6, -1])
def test_ratings_run_from_one_to_five(value: int) -> None:
    with pytest.raises(ValueError, match="1 to 5"):
        Rating(Dimension.FAITHFULNESS, value)
    with pytest.raises(ValueError, match="1 to 5"):
        replace(begun(), acceptance=value)


def test_a_dismissal_gives_its_reason() -> None:
    with pytest.raises(ValueError, match="reason"):
        Answer("s1", AnswerKind.DISMISSED, "  ")
    assert Answer("s1", AnswerKind.DISMISSED, "said off the record").reason


def test_a_review_survives_as_plain_data() -> None:
    review = replace(finished(), signature=Signature("Žižek", "PhD", NOW))
    assert from_plain(Review, to_plain(review)) == review


@pytest.mark.parametrize(
    ("facts", "independent"),
    [({}, True), ({"carried": True}, False), ({"unblinded": True}, False), ({"kind": ReviewKind.SELF}, False)],
)
def test_marks_count_beside_the_judges_only_where_all_were_made_blind(facts: dict[str, Any], independent: bool) -> None:
    review = replace(finished(), **facts)
    assert review.independent is independent
    assert not replace(review, submitted=None).independent


def test_a_review_from_before_these_facts_were_kept_is_read() -> None:
    plain = to_plain(finished())
    del plain["carried"], plain["unblinded"]
    assert from_plain(Review, plain) == finished()


def test_every_status_leads_somewhere() -> None:
    assert all(status.next for status in CaseStatus)
    assert CaseStatus.APPROVED not in CaseStatus.RETURNED.next


def test_a_difference_is_settled_once_per_dimension_and_place() -> None:
    with pytest.raises(ValueError, match="hidden"):
        begun().settled_with(Settlement(Dimension.CONCISENESS, "s1", "needed"))
    first = Settlement(Dimension.CONCISENESS, "s1", "needed")
    other = Settlement(Dimension.FAITHFULNESS, "s1", "supported")
    later = Settlement(Dimension.CONCISENESS, "s1", "not needed", "Said twice.")
    assert finished().settled_with(first).settled_with(other).settled_with(later).settled == (other, later)
