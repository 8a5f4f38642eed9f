"""Where pages break: no heading stands alone at the foot of one, and no page is there for nothing."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from pypdf import PdfReader
from reportlab.pdfbase.pdfmetrics import stringWidth

from noteeval_desktop import documents
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.exchanges import Band, Reading, ScoredExchange
from noteeval_desktop.domain.risk import RiskFinding, RiskKind, Stance
from noteeval_desktop.domain.transcript import cite
from noteeval_desktop.domain.verdicts import Attribute, NeedVerdict, ResponseVerdict
from noteeval_desktop.evaluate import evaluate, final
from noteeval_desktop.report.charts import SIZE, Bar, Box, bars
from noteeval_desktop.report.draw_pdf import pdf_bytes
from noteeval_desktop.report.pdf_fonts import REGULAR
from noteeval_desktop.report.scorecard_page import EVERYTHING, scorecard_page
from tests.sample_evaluation import sample_evaluation, sample_rubric
from tests.scripted_judge import ScriptedJudge


def _pages(evaluation: Evaluation, responses: Reading | None = None) -> list[list[str]]:
    """The lines of each page, without its head and its foot, which are drawn last."""
    pages = PdfReader(
        io.BytesIO(
            pdf_bytes(
                scorecard_page(
                    evaluation, rubric=sample_rubric(), appendix=EVERYTHING, label="Fall 7", responses=responses
                )
            )
        )
    ).pages
    lines = [page.extract_text().splitlines() for page in pages]
    feet = [next(n for n, line in enumerate(page) if line.startswith("NoteEval Desktop")) for page in lines]
    return [page[: foot - (number > 0)] for number, (page, foot) in enumerate(zip(lines, feet, strict=True))]


@pytest.mark.parametrize("findings", range(0, 24, 3))
def test_the_checklist_begins_with_its_first_items(findings: int) -> None:
    note = documents.parse_note("Plan: " + " ".join(f"Client walked route {n} 🙂." for n in range(findings + 1)))
    transcript = documents.parse_transcript("Therapist: How was it?\nClient: I walked.")
    needs = [NeedVerdict(sentence.id, False) for sentence in note.sentences[:findings]]
    pages = _pages(final(evaluate(Case(transcript, note), ScriptedJudge(needs=needs))).evaluation)
    page = next(lines for lines in pages if "Checklist" in lines)
    assert any("Quotes" in line for line in page[page.index("Checklist") :])


@pytest.mark.parametrize("lines", range(6, 13))
def test_a_section_of_the_note_is_not_parted_from_its_heading(lines: int) -> None:
    body = "\n".join(f"Client walked route {n}." for n in range(lines))
    note = documents.parse_note(f"## Subjective\n{body}\n\n## Assessment\nAnxiety is lower.\n")
    transcript = documents.parse_transcript("Therapist: How was it?\nClient: I walked.")
    pages = _pages(final(evaluate(Case(transcript, note), ScriptedJudge())).evaluation)
    assert [page[-1] for page in pages if page[-1].strip() == "Assessment"] == []


def test_responses_stand_in_the_pdf_only_where_they_were_chosen() -> None:
    evaluation = sample_evaluation()
    scores = tuple((attribute, 4) for attribute in Attribute)
    exchange = ScoredExchange((20,), (ResponseVerdict(21, scores),))
    reading = Reading((exchange,), (Band("reflections_to_questions", 1.3, 0.62, 0.9, 1.0, 2.0),), 3)
    chosen = "\n".join("\n".join(page) for page in _pages(evaluation, reading))
    assert "The therapist's responses" in chosen
    assert "Higher than 62 % of the good sessions" in chosen
    assert "The therapist's responses" not in "\n".join("\n".join(page) for page in _pages(evaluation))


def test_responses_that_were_not_judged_take_no_page() -> None:
    none = ResponseVerdict(2, tuple((attribute, None) for attribute in Attribute))
    reading = Reading((ScoredExchange((1,), (none,)),), (), 0)
    assert "The therapist's responses" not in "\n".join("\n".join(p) for p in _pages(sample_evaluation(), reading))


@pytest.mark.parametrize("sentences", range(14, 38, 4))
def test_a_risk_that_was_talked_about_long_is_not_parted_from_its_heading(sentences: int) -> None:
    said = "\n".join(f"Therapist: {'I would like to ask you that once more. ' * 5}\nClient: No {n}." for n in range(12))
    transcript = documents.parse_transcript(said)
    note = documents.parse_note("Plan: " + " ".join(f"Client walked route {n} 🙂." for n in range(sentences)))
    danger = RiskFinding(tuple(range(24)), cite(transcript.turns[23]), RiskKind.SUICIDE, Stance.DENIED)
    evaluation = final(evaluate(Case(transcript, note), ScriptedJudge(dangers=[danger]))).evaluation
    pages = _pages(replace(evaluation, risks=(danger,)))
    page = next(lines for lines in pages if "Risk in the session" in lines)
    under = page[page.index("Risk in the session") + 1 :]
    assert any("once more" in line for line in under)
    # It is a pointer, not a transcript of its own.
    assert sum(line.startswith("“") or " “" in line for page in pages for line in page if "once more" in line) <= 8


def test_a_long_section_name_is_not_printed_across_its_bar() -> None:
    drawn = bars([Bar(name, (0.5,), ("50 %",)) for name in ("Plan", "Under no heading")], (), 150)
    left = min(shape.x for shape in drawn.shapes if isinstance(shape, Box))
    assert left > stringWidth("Under no heading", REGULAR, SIZE)
