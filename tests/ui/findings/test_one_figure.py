"""A score is told by one function, in the window as on paper. Nothing is claimed and denied at once."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from pypdf import PdfReader

from noteeval_desktop.domain.evaluation import Evaluation, JudgedSentence
from noteeval_desktop.domain.scores import score
from noteeval_desktop.domain.transcript import Citation
from noteeval_desktop.domain.verdicts import ClaimVerdict, Confidence, Verdict
from noteeval_desktop.present.card import scorecard
from noteeval_desktop.present.scores import covered, supported
from noteeval_desktop.present.vocabulary import VERDICT_NAMES
from noteeval_desktop.report.draw_pdf import write_pdf
from noteeval_desktop.report.scorecard_page import scorecard_page
from noteeval_desktop.ui.findings import rows
from noteeval_desktop.ui.findings.glance_row import explain_faithfulness
from tests.sample_evaluation import find, sample_evaluation, sample_rubric

CITED = ("everybody would have it easier", "You scored eleven today", "")


@pytest.fixture(scope="module")
def narrow() -> Evaluation:
    """The sample, six of whose 18 supported statements passed narrowly."""
    made = sample_evaluation()
    supported = [one for one in made.sentences if one.claim and one.claim.verdict is Verdict.SUPPORTED][:6]
    ids = {one.sentence.id for one in supported}
    sentences = tuple(_narrow(one) if one.sentence.id in ids else one for one in made.sentences)
    return replace(made, sentences=sentences, scores=score(made.checklist, sentences))


def _narrow(one: JudgedSentence) -> JudgedSentence:
    assert one.claim is not None
    return replace(one, claim=replace(one.claim, confidence=Confidence.UNSURE))


def test_window_and_scorecard_tell_a_score_alike(narrow: Evaluation, tmp_path: Path) -> None:
    figures = [one.figure for one in scorecard(narrow, sample_rubric()).statements]
    assert figures == ["20 of 23", "24 of 27", "12 to 18 of 24"]
    assert covered(narrow.scores.completeness) == "20 of 23 covered"
    assert supported(narrow.scores.faithfulness) == "12 to 18 of 24 statements supported"
    assert "supports: 12 to 18 of 24." in explain_faithfulness(narrow.scores.faithfulness)
    write_pdf(scorecard_page(narrow, rubric=sample_rubric()), tmp_path / "o.pdf")
    assert "12 to 18 of 24" in " ".join(PdfReader(tmp_path / "o.pdf").pages[0].extract_text().split())


@pytest.mark.parametrize(
    ("confidence", "cited"),
    list(product(Confidence, CITED)),
)
def test_no_row_says_that_the_session_says_so_and_that_no_passage_does(
    narrow: Evaluation, confidence: Confidence, cited: str
) -> None:
    judged = narrow.sentences[0]
    citations: tuple[Citation, ...] = (find(narrow.case.transcript, cited),) if cited else ()
    claim = ClaimVerdict(judged.sentence.id, Verdict.SUPPORTED, 0.9, confidence, citations=citations)
    row = rows._claim_row(replace(judged, claim=claim), Verdict.SUPPORTED, {})
    says_so = row.state == VERDICT_NAMES[Verdict.SUPPORTED]
    assert says_so is (row.sign == "✓")
    assert not (says_so and "No single passage of the session says this." in row.detail)
    assert bool(row.citations) or not says_so or row.detail == ""
