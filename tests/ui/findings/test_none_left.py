"""Where no suggestion is left, and where a statement on risk passes, nothing is promised."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from PySide6.QtWidgets import QLabel

from noteeval_desktop.domain.decisions import Decision, DecisionKind
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.findings import ranked_findings
from noteeval_desktop.domain.verdicts import Verdict
from noteeval_desktop.present.card import scorecard
from noteeval_desktop.present.finding import unvouched
from noteeval_desktop.present.vocabulary import CHECK_ON_RISK
from noteeval_desktop.report.draw_html import html
from noteeval_desktop.report.json_layout import evaluation_from_json, evaluation_to_json
from noteeval_desktop.report.scorecard_page import scorecard_page
from noteeval_desktop.store.records import pack, unpack
from noteeval_desktop.ui.findings.rows import claim_rows, decided
from tests.sample_evaluation import sample_evaluation, sample_rubric

WHEN = datetime(2026, 11, 2)


def _passing_on_risk():
    """The sample with its statement on suicide passed, as the built-in judge passes one."""
    evaluation = sample_evaluation()
    sentences = tuple(
        replace(
            judged,
            claim=replace(judged.claim, verdict=Verdict.SUPPORTED, rationale="Turn 9 is close.", unvouched=True),
        )
        if judged.claim and "suicidal" in judged.sentence.text
        else judged
        for judged in evaluation.sentences
    )
    return replace(evaluation, sentences=sentences, wrong_on_risk=())


def test_an_empty_list_says_that_mistakes_are_missed_and_what_to_do_next(opened) -> None:
    pane = opened.workspace.findings
    assert not pane.none_left.isVisible()
    for finding in opened.session.findings():
        opened.session.decide(DecisionKind.DISMISS, finding.key, "Dismissed: correct as written.")
    while left := opened.session.findings():  # safety that lacks, once the risk is dismissed
        opened.session.decide(DecisionKind.DISMISS, left[0].key, "Dismissed: correct as written.")
    assert pane.none_left.isVisible()
    assert not pane.lists[0].isVisible()
    assert "misses mistakes" in pane.none_left.text()
    assert "export" in pane.none_left.text()


def test_a_page_without_suggestions_promises_nothing() -> None:
    evaluation = sample_evaluation()
    closed: dict[str, Decision] = {}
    for _ in range(2):
        reasons = {subject: decision.reason for subject, decision in closed.items()}
        for found in ranked_findings(evaluation, reasons):
            closed[found.key] = Decision(DecisionKind.DISMISS, found.key, "Not so.", WHEN)
    page = html(scorecard_page(evaluation, rubric=sample_rubric(), decisions=tuple(closed.values())))
    assert "NoteEval misses mistakes" in page
    assert "could do harm" not in page


def test_a_statement_on_risk_that_passes_asks_for_a_look_wherever_it_is_shown(opened) -> None:
    evaluation = _passing_on_risk()
    row = next(row for row in claim_rows(evaluation, {}) if "suicidal" in row.title)
    assert row.detail.startswith(CHECK_ON_RISK)
    assert row.spoken.count(CHECK_ON_RISK) == 1
    pane = opened.workspace.findings
    pane.show_evaluation(evaluation, (), {}, ())
    first = [row.title for row in pane.lists[0].rows.rows]
    assert first.index("No suicidal thoughts.") == first.index("Risk statements to verify") + 1
    card = pane.card
    card.show_row(row)
    assert sum(label.text().count(CHECK_ON_RISK) for label in card.findChildren(QLabel)) == 1
    assert "“No suicidal thoughts.”" in scorecard(evaluation, sample_rubric()).unvouched
    assert "No suicidal thoughts" in html(scorecard_page(evaluation, rubric=sample_rubric())).split("<h2>Scores")[0]


def test_that_nothing_vouches_for_it_is_kept_with_the_evaluation_and_in_its_file() -> None:
    evaluation = _passing_on_risk()
    told = [unvouched(judged.claim) for judged in evaluation.sentences]
    assert any(told)
    data = evaluation_to_json(evaluation)
    kept = unpack(Evaluation, pack(evaluation))
    for again in (kept, evaluation_from_json(data)):
        assert [unvouched(judged.claim) for judged in again.sentences] == told
    for sentence in data["sentences"]:
        del sentence["unvouched"]
    assert not any(unvouched(judged.claim) for judged in evaluation_from_json(data).sentences), "an older file"


def test_a_linked_risk_is_listed_as_linked() -> None:
    assert decided("Addressed in the note: “Safe.”") == "Linked by you"
