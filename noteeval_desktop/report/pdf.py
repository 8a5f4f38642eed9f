"""The scorecard as a PDF that can be printed, read in greyscale and handed over."""

from __future__ import annotations

import io
from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from reportlab import rl_config
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import PageBreak, SimpleDocTemplate

from noteeval_desktop.domain.decisions import Decision
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.exchanges import Reading
from noteeval_desktop.domain.phrases import long_day
from noteeval_desktop.domain.review import Review, Vouched
from noteeval_desktop.domain.reviewed import as_reviewed
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.present.card import Scorecard, scorecard
from noteeval_desktop.report import pdf_feedback, pdf_fonts, pdf_layout, pdf_opening, pdf_style, words
from noteeval_desktop.report.appendix import Appendix
from noteeval_desktop.report.feedback import feedback
from noteeval_desktop.report.files import replacing
from noteeval_desktop.report.fingerprints import Fingerprints, fingerprints_of
from noteeval_desktop.report.pdf_bidi import Heading, visual
from noteeval_desktop.report.pdf_seal import sealed
from noteeval_desktop.report.pdf_style import Paper
from noteeval_desktop.report.talking import talk


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
    appendix: Collection[Appendix] = (),
    prints: Fingerprints | None = None,
) -> None:
    """Write the scorecard to ``path``, whole or not at all; ``label`` defaults to the case's. With ``responses`` it
    ends with how the therapist answered.

    Two pages for a usual note, what a supervisor reads in a minute and the note with its marks, then the ``appendix``.
    With a supervisor's ``review`` its first page is one to talk over, the marks are those that were settled, and the
    comments follow the note; with ``judge_marks`` those of both stand side by side. ``vouched``: who signed it.
    ``prints``: of the evaluation before its names were masked.
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
        appendix=appendix,
        prints=prints,
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
    appendix: Collection[Appendix] = (),
    prints: Fingerprints | None = None,
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
        title=words.titled(label),
        author=words.PROGRAM,
        subject=words.SUBJECT,
        lang="en",
        displayDocTitle=1,
    )
    given = feedback(review, evaluation, rubric) if review is not None else None
    shown, decisions = as_reviewed(evaluation, decisions, review)
    card = scorecard(shown, rubric, decisions)
    story: list[Any] = []
    if given is not None:
        room = document.height - 2 * pdf_style.FRAME_PADDING
        story += pdf_feedback.summary(label, given, talk(given, card), room, vouched, judge_marks)
    told = card.findings if Appendix.FINDINGS in appendix else ()
    if given is None or Appendix.SCORES in appendix:
        told = told or card.before_signing
        story += _opening(shown, card, rubric, label, when, given is None)
    story += pdf_layout.marked_note(evaluation.case.note, card, {finding.number for finding in told})
    if given is not None:
        story += pdf_feedback.review(given, talk(given, card), vouched, judge_marks)
    prints = prints or fingerprints_of(evaluation, review, vouched)
    story += _appendix(shown, card, responses, appendix)
    if Appendix.READING in appendix:
        story += pdf_layout.fingerprints(prints)
    document.build(story, canvasmaker=_numbered_canvas(label, when, page))
    return sealed(out.getvalue(), prints, password)


def _opening(
    evaluation: Evaluation,
    card: Scorecard,
    rubric: Rubric,
    label: str,
    when: datetime,
    to_sign: bool,
) -> Iterator[Any]:
    """The page that a supervisor reads in a minute."""
    yield from pdf_opening.opening(label, _facts(evaluation, rubric, when))
    yield from pdf_opening.warnings(evaluation.case.warnings, card.session_kept)
    yield from pdf_opening.risk(card)
    yield from pdf_opening.before_signing(card)
    yield from pdf_opening.statements(card)
    if to_sign:
        yield from pdf_opening.signature()
    yield PageBreak()


def _appendix(
    evaluation: Evaluation, card: Scorecard, responses: Reading | None, appendix: Collection[Appendix]
) -> Iterator[Any]:
    if Appendix.FINDINGS in appendix:
        yield from pdf_layout.every_finding(card)
        yield from pdf_layout.decided(card)
    if Appendix.RISK in appendix:
        yield from pdf_opening.ledger(card, evaluation.case.transcript)
    if Appendix.CHECKLIST in appendix:
        yield from pdf_layout.checklist(card)
    if Appendix.EVIDENCE in appendix:
        yield from pdf_layout.evidence(card)
    if responses is not None and any(one.mean is not None for one in responses.exchanges):
        yield from pdf_layout.responses(responses)
    if Appendix.READING in appendix:
        yield from pdf_layout.how_to_read()


def _facts(evaluation: Evaluation, rubric: Rubric, when: datetime) -> tuple[tuple[str, str], ...]:
    case = evaluation.case
    note, sent = case.note, evaluation.usage.bytes_sent
    return (
        (words.CHECKED, f"{long_day(when)}, {when:%H:%M}"),
        (words.JUDGE, words.with_checklist(words.who_judged(evaluation.judge), f"{rubric.name} {rubric.version}")),
        (words.NOTE, words.note_and_session(len(note.sentences), note.format, len(case.transcript.turns))),
        (words.SENT, words.bytes_sent(sent) if sent else words.NOTHING_SENT),
    )


def _numbered_canvas(label: str, when: datetime, page: tuple[float, float]) -> type[Canvas]:
    """A canvas that keeps its pages until the end, when their number is known, and then draws head and foot."""

    class NumberedCanvas(Canvas):  # type: ignore[misc]
        def __init__(self, *args: Any, **keywords: Any) -> None:
            super().__init__(*args, **keywords)
            self._kept: list[dict[str, Any]] = []
            self.headings: list[Heading] = []

        def showPage(self) -> None:  # noqa: N802
            self._kept.append(dict(self.__dict__))
            self.headings = []
            self._startPage()

        def save(self) -> None:
            for number, state in enumerate(self._kept, start=1):
                self.__dict__.update(state)
                _head_and_foot(self, page, label, when, number, len(self._kept))
                for place, heading in enumerate(self.headings):
                    self.bookmarkPage(f"{number}.{place}")
                    self.addOutlineEntry(heading.text, f"{number}.{place}", heading.level)
                super().showPage()
            super().save()

    return NumberedCanvas


def _head_and_foot(canvas: Canvas, page: tuple[float, float], label: str, when: datetime, number: int, of: int) -> None:
    width, height = page
    margin = (width - pdf_style.WIDTH) / 2
    canvas.setFont(pdf_fonts.REGULAR, 7.5)
    canvas.setFillColor(pdf_style.MUTED)
    if number > 1:
        canvas.drawString(margin, height - 40, _drawable(visual(f"{words.SCORECARD} · {label}"[:90].rstrip(" ·"))))
    canvas.drawString(margin, 34, f"{words.PROGRAM} · {long_day(when)} · {words.GUIDE}")
    canvas.drawRightString(width - margin, 34, words.page_of(number, of))


def _drawable(text: str) -> str:
    """The head is drawn in one font and on one line: what that font lacks is on page one, in full."""
    glyphs = pdf_fonts.glyphs()
    return "".join(character if ord(character) in glyphs else "□" for character in text)
