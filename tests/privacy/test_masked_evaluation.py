"""A scorecard without names: texts, quotes and reasons are masked, places and decisions move along."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from noteeval_desktop.documents import parse_plan
from noteeval_desktop.domain.decisions import Decision, DecisionKind, link_subject
from noteeval_desktop.domain.findings import before_signing, open_findings, ranked_findings
from noteeval_desktop.domain.plan import PlanLink, Thread
from noteeval_desktop.domain.review import Comment, Dimension, Settlement
from noteeval_desktop.privacy.identifiers import IdentifierFinder
from noteeval_desktop.privacy.masked_evaluation import masked_scorecard
from noteeval_desktop.report.draw_html import html
from noteeval_desktop.report.scorecard_page import EVERYTHING, scorecard_page
from tests.sample_evaluation import sample_evaluation, sample_rubric
from tests.sample_review import sample_review


def test_no_name_stands_in_the_page_and_the_findings_stay_as_they_are(finder: IdentifierFinder) -> None:
    evaluation = sample_evaluation()
    masked, *_ = masked_scorecard(evaluation, (), None, finder)
    page = html(scorecard_page(masked, rubric=sample_rubric(), appendix=EVERYTHING))
    assert "Daniel" in html(scorecard_page(evaluation, rubric=sample_rubric(), appendix=EVERYTHING))
    for name in ("Daniel", "Moreno", "Ruth", "Alden", "Patel"):
        assert name not in page
    before, after = ranked_findings(evaluation), ranked_findings(masked)
    assert [(f.kind, f.harm, f.turns) for f in before] == [(f.kind, f.harm, f.turns) for f in after]
    assert len(before_signing(after)) == len(before_signing(before))


def test_the_treatment_plan_is_masked_and_what_a_person_said_of_its_links_stays(finder: IdentifierFinder) -> None:
    evaluation = sample_evaluation()
    plan, first = parse_plan("Client: Daniel Moreno\nGoal 1: Coach with Ruth\n"), evaluation.case.note.sentences[0]
    evaluation = replace(evaluation, thread=Thread(plan, (PlanLink(first.id, "g1", probability=0.6),)))
    subject = link_subject(plan.lines[0].text, first.text)
    made = Decision(DecisionKind.ATTEST, subject, "Addresses “Coach with Ruth”.", datetime(2026, 3, 1))
    masked, decisions, _ = masked_scorecard(evaluation, (made,), None, finder)
    page = html(scorecard_page(masked, rubric=sample_rubric(), decisions=decisions, appendix=EVERYTHING))
    assert "Goal 1: Coach with [" in page
    assert "The note addresses 1 of 1 goal in the plan." in page
    for name in ("Daniel", "Moreno", "Ruth"):
        assert name not in page


def test_every_place_still_holds_its_words(finder: IdentifierFinder) -> None:
    masked, *_ = masked_scorecard(sample_evaluation(), (), None, finder)
    for judged in masked.sentences:
        assert judged.sentence.span.of(masked.case.note.text) == judged.sentence.text
        for citation in judged.claim.citations if judged.claim else ():
            assert citation.stands_in(masked.case.transcript)
    for risk in masked.risks or ():
        assert risk.citation.stands_in(masked.case.transcript)


def test_decisions_go_with_their_findings(finder: IdentifierFinder) -> None:
    evaluation = sample_evaluation()
    made = [Decision(DecisionKind.DISMISS, f.key, "Not so.", datetime(2026, 3, 1)) for f in ranked_findings(evaluation)]
    masked, moved, _ = masked_scorecard(evaluation, made, None, finder)
    assert open_findings(ranked_findings(masked), masked, {decision.subject for decision in moved}) == ()


def test_a_review_is_masked_too_and_its_comments_keep_their_places(finder: IdentifierFinder) -> None:
    evaluation = sample_evaluation()
    note = evaluation.case.note
    named = note.sentences[-1]
    review = sample_review(evaluation, signed=True)
    comment = Comment(named.span, named.text, "Is Patel the one? Ask Daniel.")
    reason = Settlement(Dimension.FAITHFULNESS, named.id, "supported", "Moreno said so.")
    review = replace(review, comments=(comment, *review.comments), settled=(reason,))
    masked, _, told = masked_scorecard(evaluation, (), review, finder)
    assert told is not None
    page = html(scorecard_page(masked, rubric=sample_rubric(), review=told, judge_marks=True, appendix=EVERYTHING))
    for name in ("Daniel", "Patel", "Moreno"):
        assert name not in page
    assert "Ines Okafor" in page
    assert all(one.span.of(masked.case.note.text) == one.quote for one in told.comments)
    by_id = {one.id: one for one in masked.case.note.sentences}
    assert told.comments[0].span == by_id[named.id].span


def test_a_decision_and_a_review_call_two_people_by_two_names(finder: IdentifierFinder) -> None:
    evaluation = sample_evaluation()
    made = [Decision(DecisionKind.DISMISS, "unneeded:x", "Ask Kowalski.", datetime(2026, 3, 1))]
    note = evaluation.case.note
    comment = Comment(note.sentences[0].span, note.sentences[0].text, "Ask Fitzgerald.")
    review = replace(sample_review(evaluation), comments=(comment,))
    _, (decision,), told = masked_scorecard(evaluation, made, review, finder)
    assert told is not None
    assert decision.reason.startswith("Ask [PERSON-")
    assert told.comments[0].text.startswith("Ask [PERSON-")
    assert decision.reason != told.comments[0].text
