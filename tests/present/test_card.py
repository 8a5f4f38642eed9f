from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import pytest

from noteeval_desktop.domain.decisions import Decision, DecisionKind, risk_subject, sentence_subject
from noteeval_desktop.domain.findings import FindingKind, before_signing, ranked_findings
from noteeval_desktop.domain.note import Section
from noteeval_desktop.domain.transcript import turn_list
from noteeval_desktop.domain.verdicts import ERRORS, Verdict
from noteeval_desktop.present.card import scorecard
from noteeval_desktop.report.draw_html import html
from noteeval_desktop.report.scorecard_page import scorecard_page
from tests.sample_evaluation import sample_evaluation, sample_rubric


def test_findings_are_those_of_the_domain_in_its_order_with_its_selection() -> None:
    evaluation = sample_evaluation()
    card, ranked = scorecard(evaluation, sample_rubric()), ranked_findings(evaluation)
    first = before_signing(ranked)
    others = [finding for finding in ranked if finding not in first]
    assert [finding.key for finding in card.findings] == [finding.key for finding in (*first, *others)]
    assert {finding.kind for finding in card.findings} == set(FindingKind)
    assert [finding.number for finding in card.findings] == list(range(1, len(ranked) + 1))
    assert [finding.key for finding in card.before_signing] == [finding.key for finding in first]
    assert 0 < len(card.before_signing) <= 10


def test_a_contradicted_claim_cites_the_turn() -> None:
    card = scorecard(sample_evaluation(), sample_rubric())
    finding = next(f for f in card.of(FindingKind.CONTRADICTED) if "drinking" in f.text)
    assert [(passage.speaker, passage.quote) for passage in finding.passages] == [("Daniel Moreno", "twice last week")]


def test_items_that_are_mandatory_or_that_the_session_could_fill_are_findings_and_the_checklist_has_all() -> None:
    card = scorecard(sample_evaluation(), sample_rubric())
    assert [finding.text for finding in card.of(FindingKind.MISSING)] == [
        "Follow-up",
        "History",
        "Cultural competence",
        "Adjustments",
    ]
    assert sum(len(rows) for _, rows in card.checklist) == len(sample_rubric().items)
    for _, rows in card.checklist:
        assert [row.mandatory for row in rows] == sorted((row.mandatory for row in rows), reverse=True)


def test_the_mandatory_items_that_are_told_and_those_that_are_listed_add_up() -> None:
    card = scorecard(sample_evaluation(), sample_rubric())
    assert card.statements[0].detail == "2 mandatory not covered · 1 more outside the score"
    mandatory = [row.name for _, rows in card.checklist for row in rows if row.mandatory and row.sign == "✗"]
    assert mandatory == ["History", "Follow-up", "Safety assessed and addressed"]


@pytest.mark.parametrize(
    ("present", "said"),
    [
        (True, "all mandatory items covered · 1 more outside the score"),
        (None, "no mandatory item found missing · 1 more outside the score · 2 not checked"),
    ],
)
def test_nothing_is_said_to_be_covered_that_nobody_judged(present: bool | None, said: str) -> None:
    evaluation = sample_evaluation()
    checklist = tuple(
        replace(one, present=present) if one.item in ("subjective-history", "plan-follow-up") else one
        for one in evaluation.checklist
    )
    scores = replace(
        evaluation.scores, completeness=replace(evaluation.scores.completeness, unjudged=2 if present is None else 0)
    )
    card = scorecard(replace(evaluation, checklist=checklist, scores=scores), sample_rubric())
    assert card.statements[0].detail == said


def test_what_stands_under_no_heading_is_called_so() -> None:
    evaluation = sample_evaluation()
    judged = next(j for j in evaluation.sentences if j.need is not None and j.need.needed is False)
    astray = replace(judged, sentence=replace(judged.sentence, sections=(Section.UNASSIGNED,)))
    card = scorecard(replace(evaluation, sentences=(astray,)), sample_rubric())
    assert card.of(FindingKind.UNNEEDED)[0].section == "Under no heading"


def test_an_item_is_covered_missing_or_not_recognised() -> None:
    card = scorecard(sample_evaluation(), sample_rubric())
    rows = {row.name: row for _, rows in card.checklist for row in rows}
    assert (rows["Chief complaint"].sign, rows["History"].sign, rows["Quotes"].sign) == ("✓", "✗", "✓")


def test_turns_are_listed_in_words() -> None:
    """People count from 1, the data from 0."""
    assert [turn_list(t) for t in [(0,), (7, 20), (7, 20, 39)]] == ["turn 1", "turns 8 and 21", "turns 8, 21 and 40"]
    assert turn_list((3, 4, 7, 20, 21, 22, 23)) == "turns 4, 5, 8 and 21 to 24"
    assert turn_list((37, 36, 38)) == "turns 37 to 39"


def test_risk_comes_first_with_what_the_note_leaves_unanswered() -> None:
    evaluation = sample_evaluation()
    card = scorecard(evaluation, sample_rubric())
    assert [(danger.name, danger.open) for danger in card.dangers] == [("Suicide", True), ("Overdose", True)]
    assert card.risk.startswith("2 mentions of risk in the session are not found in the note: suicide, turn ")
    # "No suicidal thoughts" is itself called wrong: it answers nothing, and is told.
    assert card.risk.endswith("The session does not support 1 statement about risk in the note.")
    assert [finding.section for finding in card.findings[:2]] == ["Suicide, now", "Overdose, now"]
    assert sum("pain pills" in finding.text for finding in card.findings) == 1


def test_a_statement_that_would_answer_a_danger_and_is_called_wrong_is_warned_of_as_in_the_window() -> None:
    """The scorecard said "none left to address" of what the window's banner was red for."""
    evaluation = sample_evaluation()
    one = next(j for j in evaluation.sentences if j.claim and j.claim.verdict in ERRORS)
    risk = replace(evaluation.risks[0], addressed_by=("s1",), doubted=(one.sentence.id,))
    evaluation = replace(evaluation, risks=(risk,), wrong_on_risk=())
    card = scorecard(evaluation, sample_rubric())
    assert not any(danger.open for danger in card.dangers)
    assert card.alarm
    assert card.risk.endswith("The session does not support 1 statement about risk in the note.")
    said = " ".join(html(scorecard_page(evaluation, rubric=sample_rubric())).split())
    assert f"⚠</strong></span> “{one.sentence.text}”" in said
    subject = sentence_subject(one.claim.verdict, one.sentence.text)
    kept = scorecard(
        evaluation, sample_rubric(), [Decision(DecisionKind.DISMISS, subject, "Seen.", datetime(2026, 11, 2))]
    )
    assert not kept.alarm
    assert "does not support" not in kept.risk


def test_a_danger_set_aside_is_listed_and_no_longer_open() -> None:
    evaluation = sample_evaluation()
    assert evaluation.risks is not None
    wrong = evaluation.judged(evaluation.wrong_on_risk[0]).sentence.text
    subjects = [risk_subject(evaluation.risks[0]), sentence_subject(Verdict.CONTRADICTED, wrong)]
    made = [Decision(DecisionKind.DISMISS, one, "Taken back.", datetime(2026, 11, 2)) for one in subjects]
    card = scorecard(evaluation, sample_rubric(), made)
    assert [danger.open for danger in card.dangers] == [False, False]
    assert card.risk == "2 mentions of risk in the session; none left to address."


@pytest.mark.parametrize(
    ("reason", "state", "listed"),
    [
        ("Addressed in the note: “Safe.”", "linked by the clinician", False),
        ("Dismissed: not relevant here.", "missing", True),
    ],
)
def test_the_first_page_and_the_checklist_say_the_same_of_safety(reason, state, listed) -> None:
    evaluation = sample_evaluation()
    made = [
        Decision(DecisionKind.DISMISS, risk_subject(risk), reason, datetime(2026, 11, 2))
        for risk in evaluation.risks or ()
    ]
    card = scorecard(evaluation, sample_rubric(), made)
    name = "Safety assessed and addressed"
    assert {row.name: row.state for _, rows in card.checklist for row in rows}[name] == state
    assert (name in [finding.text for finding in card.before_signing]) is listed
    assert ("outside the score" in card.statements[0].detail) is listed
    # While one is open, that another was linked or dismissed says nothing of safety.
    first = scorecard(replace(evaluation, wrong_on_risk=()), sample_rubric(), made[:1])
    assert any(danger.open for danger in first.dangers)
    assert {row.name: row.state for _, rows in first.checklist for row in rows}[name] == "missing"


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({"risks": None, "omissions": None}, "Not checked."),
        ({"risks": None, "omissions": ()}, "No mention of risk was found that the note leaves out."),
        ({"risks": (), "omissions": ()}, "No mention of risk was found in the session."),
        # Beside the ledger, as the window warns of it.
        ({"risks": ()}, "1 mention of risk in the session is not in the note."),
    ],
)
def test_no_risk_differs_from_not_checked(changes: dict[str, object], line: str) -> None:
    evaluation = replace(sample_evaluation(), wrong_on_risk=())
    assert scorecard(replace(evaluation, **changes), sample_rubric()).risk == line  # type: ignore[arg-type]
