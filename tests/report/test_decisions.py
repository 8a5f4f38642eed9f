"""What a clinician decided stands in every export, and an attested claim is no error."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from datetime import datetime

import jsonschema
import pytest
from pypdf import PdfReader

from noteeval_desktop import paths
from noteeval_desktop.domain.decisions import Decision, DecisionKind, with_attested
from noteeval_desktop.domain.findings import FindingKind
from noteeval_desktop.domain.silencing import kind_subject
from noteeval_desktop.present.card import scorecard
from noteeval_desktop.report.csv_layout import evaluation_to_csv
from noteeval_desktop.report.draw_pdf import pdf_bytes
from noteeval_desktop.report.json_layout import evaluation_to_json
from noteeval_desktop.report.scorecard_page import Appendix, scorecard_page
from tests.sample_evaluation import sample_evaluation, sample_rubric

WHEN = datetime(2026, 3, 1, 14, 2)


def _decisions(evaluation) -> tuple[Decision, ...]:
    found = scorecard(evaluation, sample_rubric())
    observed = found.of(FindingKind.OBSERVED)[0]
    unsupported = found.of(FindingKind.UNSUPPORTED)[0]
    return (
        Decision(DecisionKind.ATTEST, observed.key, "Attested: I saw this 🙂.", WHEN),
        Decision(DecisionKind.DISMISS, unsupported.key, "Dismissed: documented elsewhere.", WHEN),
    )


def test_an_attested_claim_counts_as_no_error_by_the_published_definition() -> None:
    evaluation = sample_evaluation()
    before = evaluation.scores.faithfulness
    after = with_attested(evaluation, _decisions(evaluation)).scores.faithfulness
    judged = before.total + before.observed
    assert (after.done, after.total, after.observed) == (before.done, before.total, before.observed - 1)
    assert after.published_definition == pytest.approx((before.done + 1) / judged)


def test_a_decision_on_other_words_attests_nothing() -> None:
    evaluation = sample_evaluation()
    moved = tuple(replace(decision, subject="observed:0000") for decision in _decisions(evaluation))
    assert with_attested(evaluation, moved) is evaluation


def test_decided_findings_are_listed_apart_and_numbered_after_the_open_ones() -> None:
    evaluation = sample_evaluation()
    card = scorecard(evaluation, sample_rubric(), _decisions(evaluation))
    assert {finding.kind for finding in card.decided} == {FindingKind.OBSERVED, FindingKind.UNSUPPORTED}
    assert [f.number for f in (*card.findings, *card.decided)] == list(range(1, 1 + len(card.findings) + 2))


def test_the_pdf_says_what_was_attested() -> None:
    evaluation = sample_evaluation()
    data = pdf_bytes(
        scorecard_page(
            evaluation, rubric=sample_rubric(), decisions=_decisions(evaluation), appendix=(Appendix.FINDINGS,)
        )
    )
    text = " ".join(" ".join(page.extract_text() for page in PdfReader(io.BytesIO(data)).pages).split())
    assert "Confirmed or dismissed by the clinician" in text
    assert "documented elsewhere" in text


def test_what_was_silenced_is_no_suggestion_and_the_first_page_says_how_many_there_are() -> None:
    evaluation = sample_evaluation()
    silence = Decision(DecisionKind.DISMISS, kind_subject("observed"), "Not flagged any more.", datetime(2026, 3, 1))
    card = scorecard(evaluation, sample_rubric(), (silence,))
    assert card.of(FindingKind.OBSERVED) == ()
    assert card.silenced == 3
    data = pdf_bytes(scorecard_page(evaluation, rubric=sample_rubric(), decisions=(silence,)))
    first = " ".join(PdfReader(io.BytesIO(data)).pages[0].extract_text().split())
    assert "3 suggestions are not flagged, as the clinician chose." in first


def test_decisions_stand_in_the_json() -> None:
    evaluation = sample_evaluation()
    decisions = _decisions(evaluation)
    data = json.loads(json.dumps(evaluation_to_json(evaluation, decisions=decisions)))
    schema = json.loads((paths.resources() / "schema" / "noteeval.evaluation-1.json").read_text("utf-8"))
    jsonschema.validate(data, schema)
    assert [one["subject"] for one in data["decisions"]] == [one.subject for one in decisions]


def test_the_table_has_a_row_for_each_decision() -> None:
    evaluation = sample_evaluation()
    rows = evaluation_to_csv(evaluation, decisions=_decisions(evaluation)).splitlines()
    assert rows[-2].startswith("attest,observed:")
    assert rows[-1].startswith("dismiss,unsupported:")
