from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import pytest

from noteeval_desktop.domain.asked import RiskAnswer, with_risk_answer
from noteeval_desktop.domain.decisions import Decision, DecisionKind, sentence_subject
from noteeval_desktop.domain.review import (
    ClaimMark,
    Dimension,
    ItemMark,
    NeedMark,
    Review,
    ReviewKind,
    Settlement,
    Signature,
)
from noteeval_desktop.domain.reviewed import scores_of, settled_evaluation, settled_marks, with_settlements
from noteeval_desktop.domain.rubric import Importance
from noteeval_desktop.domain.standing import stand_of
from noteeval_desktop.domain.verdicts import Confidence, Verdict
from noteeval_desktop.errors import InputError
from noteeval_desktop.present.card import scorecard
from noteeval_desktop.present.finding import findings_of
from noteeval_desktop.present.standing import answered
from noteeval_desktop.present.vocabulary import VERDICT_NAMES
from noteeval_desktop.report.draw_html import html
from noteeval_desktop.report.feedback import Marks, RiskRow, feedback
from noteeval_desktop.report.feedback_page import risk_line
from noteeval_desktop.report.scorecard_page import scorecard_page
from noteeval_desktop.report.talking_points import MOST_OPEN, MOST_REMARKS, MOST_STRENGTHS, talk
from noteeval_desktop.ui.findings.rows import claim_rows
from noteeval_desktop.ui.supervision.feedback_window import points as author_points
from tests.sample_evaluation import sample_evaluation, sample_rubric
from tests.sample_review import sample_review

EVALUATION, RUBRIC = sample_evaluation(), sample_rubric()
CARD = scorecard(EVALUATION, RUBRIC)
CONTRADICTED = f"{VERDICT_NAMES[Verdict.CONTRADICTED]}."


def _review(**changes: object) -> Review:
    return replace(sample_review(EVALUATION), **changes)  # type: ignore[arg-type]


def _sentence(words: str) -> str:
    return next(one.id for one in EVALUATION.case.note.sentences if words in one.text)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"submitted": None}, "has not been submitted"),
        ({"kind": ReviewKind.SELF}, "the clinician's own"),
        ({"note_sha256": "0" * 64}, "another revision"),
    ],
)
def test_a_review_that_may_not_be_shown_is_refused(changes: dict[str, object], said: str) -> None:
    with pytest.raises(InputError, match=said):
        feedback(_review(**changes), EVALUATION, RUBRIC)


def test_both_sets_of_marks_stand_side_by_side() -> None:
    given = feedback(_review(), EVALUATION, RUBRIC)
    rows = {row.name: row for _, group in given.items for row in group}
    assert (rows["History"].marks.supervisor, rows["History"].marks.judge) == ("missing", "missing")
    assert rows["Adjustments"].marks == Marks("present", "not recognized")
    drinking = next(row for row in given.sentences if "four times" in row.text)
    assert drinking.claim == Marks("contradicted", "contradicted")
    assert drinking.turns == (21,)
    assert (given.supervisor.completeness.done, given.judge.completeness.done) == (20, 20)
    assert given.supervisor.faithfulness.done == len(given.sentences) - 3


def test_what_was_agreed_is_said_and_counts() -> None:
    given = feedback(_review(), EVALUATION, RUBRIC)
    settled = [row for row in given.differences if not row.open]
    assert [(row.place, row.supervisor, row.judge, row.agreed) for row in settled] == [
        ("Diagnosis or symptoms", "missing", "present", "present")
    ]
    assert given.settled.completeness.done == given.supervisor.completeness.done + 1


def test_the_last_agreement_of_several_counts() -> None:
    place = (Dimension.COMPLETENESS, "plan-adjustment")
    review = _review(settled=(Settlement(*place, "missing"), Settlement(*place, "present", "Turn 40.")))
    row = next(row for row in feedback(review, EVALUATION, RUBRIC).differences if row.place == "Adjustments")
    assert (row.agreed, row.reason) == ("present", "Turn 40.")
    assert len([one for one in with_settlements(review, ()) if one]) == 0


@pytest.mark.parametrize(
    ("dimension", "words", "agreed", "expected"),
    [
        (Dimension.CONCISENESS, "parking", "needed", True),
        (Dimension.CONCISENESS, "parking", "Not needed", False),
        (Dimension.CONCISENESS, "parking", "we talked about it", False),
        (Dimension.FAITHFULNESS, "four times", "supported", Verdict.SUPPORTED),
        (Dimension.FAITHFULNESS, "four times", "Observed ", Verdict.OBSERVED),
        (Dimension.FAITHFULNESS, "four times", "看不清", Verdict.CONTRADICTED),
    ],
)
def test_an_agreement_in_the_marks_own_words_changes_the_mark(
    dimension: Dimension, words: str, agreed: str, expected: object
) -> None:
    place = _sentence(words)
    settled = settled_marks(_review(settled=(Settlement(dimension, place, agreed),)))
    marks = settled.needs if dimension is Dimension.CONCISENESS else settled.claims
    mark = next(one for one in marks if one.sentence == place)
    assert (mark.needed if isinstance(mark, NeedMark) else mark.verdict) == expected


def test_scores_leave_out_what_was_not_marked() -> None:
    first = EVALUATION.case.note.sentences[0].id
    review = _review(
        items=(ItemMark("plan-homework", True), ItemMark("plan-follow-up", False)),
        needs=(NeedMark(first),),
        claims=(ClaimMark(first, Verdict.OBSERVED),),
    )
    scores = scores_of(review, EVALUATION.case.note, RUBRIC)
    assert (scores.completeness.done, scores.completeness.total) == (1, 2)
    assert (scores.conciseness.done, scores.conciseness.total) == (0, 1)
    assert (scores.faithfulness.total, scores.faithfulness.observed) == (0, 1)


def test_comments_are_numbered_in_the_order_of_the_note() -> None:
    review = _review()
    given = feedback(replace(review, comments=review.comments[::-1]), EVALUATION, RUBRIC)
    assert [(one.number, one.item) for one in given.remarks] == [(1, "Chief complaint"), (2, "")]
    assert given.remarks[0].quote in EVALUATION.case.note.text


def test_the_page_to_talk_over_names_danger_first_then_what_the_session_denies() -> None:
    turn = next(one.finding.citation.turn for one in CARD.dangers if one.name == "Overdose")
    marked = _review()
    review = replace(marked, items=with_risk_answer(marked.items, turn, RiskAnswer.LEFT_OUT))
    page = talk(feedback(review, EVALUATION, RUBRIC), CARD)
    assert [point.text for point in page.to_work_on] == [
        "Risk came up that is not in the note.",
        CONTRADICTED,
        "Not found in the session.",
    ]
    assert page.to_work_on[0].details == (f"Overdose (turn {turn + 1})",)
    # What the check alone found stands under the check's name.
    assert not any("Overdose" in one for point in page.not_asked for one in point.details)
    unasked = talk(feedback(marked, EVALUATION, RUBRIC), CARD)
    assert unasked.to_work_on[0].text == CONTRADICTED
    assert any("Overdose" in one for one in unasked.not_asked[0].details)
    assert 1 <= len(page.strengths) <= MOST_STRENGTHS


def test_the_page_to_talk_over_cuts_and_counts() -> None:
    review = _review(comments=_review().comments * 30, settled=())
    page = talk(feedback(review, EVALUATION, RUBRIC), CARD)
    assert (len(page.remarks), page.remark_count) == (MOST_REMARKS, 60)
    assert len(page.open) == MOST_OPEN < page.open_count
    assert page.open[0].dimension is Dimension.FAITHFULNESS


def test_a_note_without_fault_has_nothing_to_work_on() -> None:
    marks = _review()
    review = replace(
        marks,
        items=tuple(replace(one, present=True) for one in marks.items),
        needs=tuple(replace(one, items=("subjective-symptoms",)) for one in marks.needs),
        claims=tuple(replace(one, verdict=Verdict.SUPPORTED) for one in marks.claims),
        ratings=(),
        settled=(),
    )
    page = talk(feedback(review, EVALUATION, RUBRIC), replace(CARD, dangers=()))
    assert page.to_work_on == ()
    assert any("supports every statement" in point.text for point in page.strengths)


def test_what_a_note_with_faults_does_well_is_named() -> None:
    review, mandatory = _review(), [item.id for item in RUBRIC.scored_items if item.importance is Importance.MANDATORY]
    items = tuple(ItemMark(item, number > 0) for number, item in enumerate(mandatory))
    right = next(j.sentence for j in EVALUATION.sentences if j.claim and j.claim.verdict is Verdict.SUPPORTED)
    claims = (ClaimMark(right.id, Verdict.SUPPORTED),)
    short = replace(review, items=items, needs=(), claims=claims, ratings=(), settled=())
    given = feedback(short, EVALUATION, RUBRIC)
    page = talk(given, replace(CARD, dangers=CARD.dangers * 2))
    disputed = [row for _, rows in given.items for row in rows if row.marks.open and row.marks.supervisor == "present"]
    assert len(disputed) == 2
    strong = {point.text: point.details for point in page.strengths}
    assert len(strong["Mandatory items that the note covers."]) == len(mandatory) - 1 - len(disputed)
    assert right.text[:40] in strong["The session supports every statement that the supervisor was asked about (1)."][0]
    named = page.to_work_on[0].details
    assert len(named) == len(set(named))


def test_who_signed_what_is_said_in_words() -> None:
    review = sample_review(EVALUATION)
    assert review.submitted is not None
    marked = answered(stand_of(replace(review, rater="Kim", signature=None)))
    assert marked == "Kim marked this note on 20 November 2026 and has neither returned nor approved it yet."
    back = answered(stand_of(replace(review, rater="Kim", signature=None, returned=review.submitted)))
    assert back == "Kim returned this note for revision on 20 November 2026."
    signature = Signature("Kim Ünal", "LMFT", review.submitted)
    signed = answered(stand_of(replace(review, signature=signature)))
    assert signed.startswith("Kim Ünal, LMFT approved this note on 20 November 2026.")
    assert "own signature belongs in the record" in signed


def test_what_was_not_asked_is_told_nowhere_as_the_supervisors() -> None:
    review = _review()
    short = replace(review, items=review.items[:2], needs=(), claims=review.claims[:1], settled=())
    given = feedback(short, EVALUATION, RUBRIC)
    assert given.supervisor.faithfulness.total == 1
    assert given.settled.faithfulness.total == 1
    assert given.partly
    right = replace(short, claims=tuple(replace(one, verdict=Verdict.SUPPORTED) for one in short.claims))
    page = talk(feedback(right, EVALUATION, RUBRIC), CARD)
    assert page.strengths[0].text == "The session supports every statement that the supervisor was asked about (1)."


def test_what_the_supervisor_was_not_asked_stands_apart_from_what_she_marked() -> None:
    asked = _sentence("PHQ-9 score was 16")
    short = _review(items=(), needs=(), claims=(ClaimMark(asked, Verdict.CONTRADICTED),), settled=(), ratings=())
    page = talk(feedback(short, EVALUATION, RUBRIC), replace(CARD, dangers=()))
    ((said, details),) = [(point.text, point.details) for point in page.to_work_on]
    assert said == CONTRADICTED
    assert len(details) == 1
    assert "PHQ-9" in details[0]
    (apart,) = [point for point in page.not_asked if point.text == CONTRADICTED]
    assert any("four times in the past week" in one for one in apart.details)
    assert not any("PHQ-9" in one for one in apart.details)


def test_a_judgement_that_the_supervisor_does_not_share_is_not_said_to_be_in_the_session() -> None:
    place = _sentence("PHQ-9 score was 16")
    text = EVALUATION.judged(place).sentence.text
    mark = ClaimMark(place, Verdict.CONTRADICTED, judged=True)
    review = _review(items=(), needs=(), claims=(mark,), settled=(), ratings=(), comments=())
    page = talk(feedback(review, EVALUATION, RUBRIC), replace(CARD, dangers=()))
    assert [point.text for point in page.to_work_on] == ["The supervisor judges otherwise."]
    settled = settled_evaluation(EVALUATION, review)
    assert settled.judged(place).claim.rationale == "The supervisor judges otherwise."
    (told,) = [one for one in scorecard(settled, RUBRIC).findings if one.text == text]
    assert told.said == "the supervisor judges otherwise"
    shown = {one.key: one for one in findings_of(settled, RUBRIC)}
    rows = claim_rows(settled, shown)
    at = [row.key for row in rows].index(told.key)
    assert next(row.title for row in reversed(rows[:at]) if row.heading) == "The supervisor judges otherwise"
    (point,) = [one for one in author_points(review, EVALUATION.case.note, RUBRIC) if one.quote == text]
    assert point.said == "Judged differently"
    # Once something else was agreed, nobody judges so.
    agreed = replace(review, settled=(Settlement(Dimension.FAITHFULNESS, place, "unsupported"),))
    page = talk(feedback(agreed, EVALUATION, RUBRIC), replace(CARD, dangers=()))
    assert [point.text for point in page.to_work_on] == ["Not found in the session."]


@pytest.mark.parametrize("asked", [True, False])
def test_what_the_author_dismissed_is_told_only_where_the_supervisor_marked_it(asked: bool) -> None:
    wrong = "four times in the past week"
    place = _sentence(wrong)
    key = sentence_subject(Verdict.CONTRADICTED, EVALUATION.judged(place).sentence.text)
    decision = Decision(DecisionKind.DISMISS, key, "It is right.", datetime(2026, 11, 2))
    claims = (ClaimMark(place, Verdict.CONTRADICTED),) if asked else ()
    review = _review(items=(), needs=(), claims=claims, settled=(), ratings=(), comments=())
    page = " ".join(html(scorecard_page(EVALUATION, rubric=RUBRIC, review=review, decisions=[decision])).split())
    first = page[page.index("To work on") : page.index("The note with its marks")]
    assert (wrong in first) is asked
    if asked:
        assert first.index(wrong) < first.index("Found by the check; the supervisor was not asked")
    points = author_points(review, EVALUATION.case.note, RUBRIC, EVALUATION, {key})
    assert any(wrong in point.quote for point in points) is asked


def test_a_judge_that_is_unsure_says_nothing_is_missing() -> None:
    missing = next(v for v in EVALUATION.checklist if v.present is False and v.section is not None)
    unsure = replace(missing, confidence=Confidence.UNSURE)
    checklist = tuple(unsure if v is missing else v for v in EVALUATION.checklist)
    given = feedback(_review(), replace(EVALUATION, checklist=checklist), RUBRIC)
    name = RUBRIC.item(missing.item).name
    assert next(row for _, rows in given.items for row in rows if row.name == name).marks.judge == "not recognized"


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        ("", "The supervisor was not asked about any passage on risk."),
        ("-", "According to the supervisor, nothing in the session is about risk."),
        ("a-", "The note addresses what the supervisor marked as risk (1 passage)."),
        ("l", "Not in the note: abuse (turn 1)."),
        (
            "alo",
            "2 of 3 passages on risk are open. Not in the note: abuse (turn 2). "
            "The note says the opposite: abuse (turn 3).",
        ),
    ],
)
def test_the_line_on_risk_says_what_the_supervisor_marked_and_no_more(answers: str, said: str) -> None:
    known = dict(zip("alo-", RiskAnswer, strict=True))
    rows = [RiskRow("Abuse", turn, known[one]) for turn, one in enumerate(answers)]
    assert risk_line(rows) == said


def test_a_difference_on_risk_is_told_by_its_turn_and_first() -> None:
    turn = next(one.finding.citation.turn for one in CARD.dangers if one.name == "Overdose")
    marked = _review()
    review = replace(marked, items=with_risk_answer(marked.items, turn, RiskAnswer.ADDRESSED), settled=())
    first = talk(feedback(review, EVALUATION, RUBRIC), CARD).open[0]
    assert first.place.startswith(f"Turn {turn + 1}: “")
    assert (first.dimension, first.supervisor, first.judge) == (Dimension.RISK, "addressed", "left out")
