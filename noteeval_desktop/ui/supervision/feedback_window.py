"""What came back, beside the note that is being rewritten: a point is chosen, the note and the session go there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtWidgets import QCheckBox, QDialog

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.domain.standing import Stand, Standing, stand_of
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import Transcript, cite
from noteeval_desktop.present.standing import answered
from noteeval_desktop.report.talking import FOUND_BY_THE_CHECK
from noteeval_desktop.ui.case.workspace import Workspace
from noteeval_desktop.ui.findings.row_list import RowList
from noteeval_desktop.ui.findings.rows import Row
from noteeval_desktop.ui.library import brought
from noteeval_desktop.ui.supervision import feedback
from noteeval_desktop.ui.supervision.feedback import Point
from noteeval_desktop.ui.supervision.pages import Line, grouped
from noteeval_desktop.ui.widgets.parts import button, column, row
from noteeval_desktop.ui.widgets.plain import PlainLabel, explain, shortened
from noteeval_desktop.ui.widgets.shell import Shell
from noteeval_desktop.ui.widgets.theme import HIT, UNIT, open_at

if TYPE_CHECKING:
    from noteeval_desktop.ui.supervision.work import Feedback

_SIGNS = {
    feedback.COMMENTS: ("✎", "accent"),
    feedback.RISK: ("⚠", "red"),
    feedback.TO_FIX: ("✗", "red"),
    feedback.TO_ADD: ("+", "red"),
    feedback.TO_CUT: ("–", "grey"),
    feedback.REASONS: ("≈", "accent"),
    FOUND_BY_THE_CHECK: ("?", "muted"),
}


class FeedbackWindow(QDialog):
    """``submit_asked`` when the author is done, ``pdf_asked`` for the scorecard with the review.

    Stays open while the note is written.
    """

    submit_asked = Signal()
    pdf_asked = Signal()

    def __init__(
        self, came: Feedback, rubric: Rubric, transcript: Transcript, workspace: Workspace, window: Shell
    ) -> None:
        """``came`` has a review and its note."""
        super().__init__(window)
        self.setWindowTitle(tr("Feedback"))
        review, note = came.review, came.note
        assert review is not None
        assert note is not None
        self._workspace, self._turns = workspace, transcript.turns
        self._points = feedback.points(review, note, rubric, came.judged, came.dismissed)
        self._lines: tuple[Line, ...] = ()
        self._review, self._note, self._vouched = review, note, came.vouched
        self._stand = came.stand if came.stand.review == review.id else stand_of(review)
        self.head = PlainLabel("", look="heading", wrap=True)
        key = brought.vouched_review(came.provenance) if came.provenance is not None else ""
        self.vouched = PlainLabel(key, look="muted", wrap=True)
        said = "\n".join(filter(None, (feedback.summary(review), feedback.settled_scores(review, came.judged))))
        self.summary = PlainLabel(said, look="muted", wrap=True)
        self.list = RowList(window.theme, tr("What was marked"))
        self.list.selectionModel().currentChanged.connect(self._show)
        self.pdf = button(tr("Save as PDF…"), self.pdf_asked.emit)
        self.again = button(tr("Submit again…"), self.submit_asked.emit, "primary")
        self.judges = QCheckBox(tr("Judge's marks in the note"))
        self.judges.setMinimumHeight(HIT)
        explain(
            self.judges,
            tr(
                "While this window is open, the note, its scores and its risks are shown as the judge marked them. "
                "Otherwise the supervisor's marks are shown."
            ),
        )
        foot = row(self.judges, None, self.pdf, self.again)
        column(self.head, self.vouched, self.summary, (self.list, 1), foot, on=self, margins=(2,), spacing=1)
        self.again.setVisible(review.signature is None)
        open_at(self, 58 * UNIT, 76 * UNIT)
        self._workspace.editor.note_edited.connect(self.refresh)
        self.refresh()
        self.list.setFocus()

    @property
    def rows(self) -> tuple[Row, ...]:
        return self.list.rows.rows

    def refresh(self) -> None:
        """Which of the quoted words still stand in the note as it is now, and whether that is what was approved."""
        text, review = self._workspace.editor.note_text(), self._review
        changed = review.signature is not None and text != self._note.text
        now = Stand(Standing.CHANGED, self._stand.by) if changed else self._stand
        self.head.setText(answered(now, self._vouched))
        self._lines = grouped((one.group for one in self._points), [_row(one, text) for one in self._points])
        self.list.rows.show_rows(tuple(line.row for line in self._lines))

    def _show(self, index: QModelIndex) -> None:
        at = self._lines[index.row()].at if index.isValid() and index.row() < len(self._lines) else None
        if at is None:
            return
        point = self._points[at]
        place = self._workspace.editor.note_text().find(point.quote) if point.quote else -1
        if place >= 0:
            self._workspace.editor.reveal(Span(place, place + len(point.quote)))
        turns = self._turns
        self._workspace.transcript.show_citations(tuple(cite(turns[n]) for n in point.turns if n < len(turns)))


def _row(point: Point, text: str) -> Row:
    sign, tone = _SIGNS[point.group]
    quote = f"“{shortened(point.quote, 110)}”" if point.quote else ""
    detail = " · ".join(part for part in (point.about, quote) if part)
    rewritten = tr("✓ rewritten since")
    done = bool(point.quote) and point.quote not in text
    return Row(point.said, f"{detail}\n{rewritten}" if done else detail, sign, "muted" if done else tone)
