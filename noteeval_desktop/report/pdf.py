"""The scorecard as a PDF that can be printed, read in greyscale and handed over."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from reportlab import rl_config
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import SimpleDocTemplate

from noteeval_desktop import __version__
from noteeval_desktop.domain.decisions import Decision
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.exchanges import Reading
from noteeval_desktop.domain.review import Review, Vouched
from noteeval_desktop.domain.reviewed import settled_evaluation
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.report import pdf_feedback, pdf_fonts, pdf_layout, pdf_opening, pdf_style
from noteeval_desktop.report.content import Scorecard, scorecard
from noteeval_desktop.report.feedback import Feedback, feedback
from noteeval_desktop.report.files import replacing
from noteeval_desktop.report.fingerprints import fingerprints_of
from noteeval_desktop.report.pdf_bidi import visual
from noteeval_desktop.report.pdf_seal import sealed
from noteeval_desktop.report.pdf_style import Paper
from noteeval_desktop.report.talking import talk

_JUDGES = {
    "builtin": "Built-in, on this computer",
    "local": "Language model on this computer",
    "remote": "Online AI service",
    "human": "A person",
}


def write_pdf(
    evaluation: Evaluation,
    path: Path,
    *,
    rubric: Rubric,
    label: str = "",
    when: datetime | None = None,
    responses: Reading | None = None,
    decisions: Sequence[Decision] = (),
    review: Review | None = None,
    vouched: Vouched | None = None,
    judge_marks: bool = False,
    paper: Paper = Paper.A4,
    password: str = "",
) -> None:
    """Write the scorecard to ``path``, whole or not at all; ``label`` defaults to the case's. With ``responses`` it
    ends with how the therapist answered.

    With a supervisor's ``review`` its first page is one to talk over, and scores and marks are those that were settled;
    with ``judge_marks`` those of both stand side by side. ``vouched``: who signed it.
    With a ``password`` the file is encrypted (AES-256). Its fingerprints are inside: ``noteeval verify`` reads them.
    Raises InputError where ``path`` cannot be written, where ``review`` is blind, a self-review or of another note,
    and for a password that a PDF cannot have.
    """
    pdf = pdf_bytes(
        evaluation,
        rubric=rubric,
        label=label,
        when=when,
        responses=responses,
        decisions=decisions,
        review=review,
        vouched=vouched,
        judge_marks=judge_marks,
        paper=paper,
        password=password,
    )
    with replacing(path) as temporary:
        temporary.write_bytes(pdf)


def pdf_bytes(
    evaluation: Evaluation,
    *,
    rubric: Rubric,
    label: str = "",
    when: datetime | None = None,
    responses: Reading | None = None,
    decisions: Sequence[Decision] = (),
    review: Review | None = None,
    vouched: Vouched | None = None,
    judge_marks: bool = False,
    paper: Paper = Paper.A4,
    password: str = "",
) -> bytes:
    """The scorecard as a PDF in memory, for a preview that leaves nothing on the disk. Raises as ``write_pdf``."""
    pdf_fonts.register()
    # Text is escaped, so nothing can ask for a file or an address; this is the second lock on that door.
    rl_config.trustedSchemes, rl_config.trustedHosts = [], []
    when = when or datetime.now()
    label = label or evaluation.case.label
    out, page = io.BytesIO(), pdf_style.SIZES[paper]
    margin = (page[0] - pdf_style.WIDTH) / 2
    document = SimpleDocTemplate(
        out,
        pagesize=page,
        leftMargin=margin - pdf_style.FRAME_PADDING,
        rightMargin=margin - pdf_style.FRAME_PADDING,
        topMargin=pdf_style.MARGIN + 6,
        bottomMargin=pdf_style.MARGIN,
        title=f"Note scorecard: {label}" if label else "Note scorecard",
        author=f"NoteEval Desktop {__version__}",
        subject="Completeness, conciseness and faithfulness of a progress note",
        lang="en",
        displayDocTitle=1,
    )
    given = feedback(review, evaluation, rubric) if review is not None else None
    shown = settled_evaluation(evaluation, review) if review is not None else evaluation
    card = scorecard(shown, rubric, decisions)
    story: list[Any] = []
    if given is not None:
        room = document.height - 2 * pdf_style.FRAME_PADDING
        story += pdf_feedback.summary(label, given, talk(given, card), card, room, judge_marks)
    story += _story(shown, card, rubric, label, when, responses, given, vouched, judge_marks)
    prints = fingerprints_of(evaluation, review, vouched)
    story += pdf_layout.fingerprints(prints)
    document.build(story, canvasmaker=_numbered_canvas(label, when, page))
    return sealed(out.getvalue(), prints, password)


def _story(
    evaluation: Evaluation,
    card: Scorecard,
    rubric: Rubric,
    label: str,
    when: datetime,
    responses: Reading | None,
    given: Feedback | None,
    vouched: Vouched | None,
    judge_marks: bool,
) -> Iterator[Any]:
    yield from pdf_opening.opening(label, _facts(evaluation, rubric, when))
    yield from pdf_opening.warnings(evaluation.case.warnings, card.session_kept)
    yield from pdf_opening.risk(card)
    yield from pdf_opening.statements(card)
    yield from pdf_opening.ledger(card, evaluation.case.transcript)
    yield from pdf_layout.to_mend(card)
    yield from pdf_layout.decided(card)
    yield from pdf_layout.checklist(card)
    yield from pdf_layout.marked_note(evaluation.case.note, card)
    yield from pdf_layout.evidence(card)
    if responses is not None and any(one.mean is not None for one in responses.exchanges):
        yield from pdf_layout.responses(responses)
    if given is not None:
        yield from pdf_feedback.review(given, vouched, judge_marks)
    yield from pdf_layout.how_to_read()


def _facts(evaluation: Evaluation, rubric: Rubric, when: datetime) -> tuple[tuple[str, str], ...]:
    judge, case = evaluation.judge, evaluation.case
    kind = _JUDGES.get(judge.kind, judge.kind)
    # The built-in judge's name goes on with a hash and its settings: whole among the fingerprints, too much here.
    model = judge.model.partition(":")[0] if judge.kind == "builtin" else judge.model
    turns = len(case.transcript.turns)
    return (
        ("Date", f"{when:%d %B %Y, %H:%M}"),
        ("Judge", f"{kind}: {model}, version {judge.version}"),
        ("Rubric", f"{rubric.name} {rubric.version}, fingerprint {(judge.rubric or rubric.fingerprint)[:12]}"),
        ("Session", f"{turns} turns, fingerprint {case.transcript.source_sha256[:12] or 'none'}"),
        ("Note", f"{len(case.note.sentences)} sentences, {case.note.format}, fingerprint {case.note.sha256[:12]}"),
        ("Sent", f"{evaluation.usage.bytes_sent} bytes left this computer"),
    )


def _numbered_canvas(label: str, when: datetime, page: tuple[float, float]) -> type[Canvas]:
    """A canvas that keeps its pages until the end, when their number is known, and then draws head and foot."""

    class NumberedCanvas(Canvas):  # type: ignore[misc]
        def __init__(self, *args: Any, **keywords: Any) -> None:
            super().__init__(*args, **keywords)
            self._kept: list[dict[str, Any]] = []

        def showPage(self) -> None:  # noqa: N802
            self._kept.append(dict(self.__dict__))
            self._startPage()

        def save(self) -> None:
            for number, state in enumerate(self._kept, start=1):
                self.__dict__.update(state)
                _head_and_foot(self, page, label, when, number, len(self._kept))
                super().showPage()
            super().save()

    return NumberedCanvas


def _head_and_foot(canvas: Canvas, page: tuple[float, float], label: str, when: datetime, number: int, of: int) -> None:
    width, height = page
    margin = (width - pdf_style.WIDTH) / 2
    canvas.setFont(pdf_fonts.REGULAR, 7.5)
    canvas.setFillColor(pdf_style.MUTED)
    if number > 1:
        canvas.drawString(margin, height - 40, _drawable(visual(f"Note scorecard · {label}"[:90].rstrip(" ·"))))
    canvas.drawString(
        margin, 34, f"NoteEval Desktop {__version__} · {when:%Y-%m-%d} · a guide for review, not a verdict"
    )
    canvas.drawRightString(width - margin, 34, f"Page {number} of {of}")


def _drawable(text: str) -> str:
    """The head is drawn in one font and on one line: what that font lacks is on page one, in full."""
    glyphs = pdf_fonts.glyphs()
    return "".join(character if ord(character) in glyphs else "□" for character in text)
