"""The Responses tab: the caution, the chart along the session, and the list below it."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QPainter
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QStyleOptionViewItem, QVBoxLayout, QWidget

from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.ui.findings.row_list import ROW_ROLE, Index, RowDelegate, RowList
from noteeval_desktop.ui.findings.rows import Row
from noteeval_desktop.ui.responses.bars import paint_strip, strip_height
from noteeval_desktop.ui.responses.chart import SessionChart
from noteeval_desktop.ui.responses.rows import ResponseRow
from noteeval_desktop.ui.responses.words import TRIAGE
from noteeval_desktop.ui.widgets.plain import PlainLabel
from noteeval_desktop.ui.widgets.theme import HIT, UNIT, Theme


class ResponseDelegate(RowDelegate):
    """As every list, with six small bars below a response."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        size = super().sizeHint(option, index)
        return size + QSize(0, strip_height(2) + UNIT // 2) if _drawn(index.data(ROW_ROLE)) else size

    def _paint_row(self, painter: QPainter, area: QRect, row: Row, font: QFont) -> None:
        if not _drawn(row):
            super()._paint_row(painter, area, row, font)
            return
        assert isinstance(row, ResponseRow)
        assert row.verdict is not None
        height = strip_height(2)
        super()._paint_row(painter, area.adjusted(0, 0, 0, -height), row, font)
        left = self._columns(row, font, area.width())[0]
        strip = QRectF(area.left() + left, area.bottom() - height - 2, area.width() - left - 2 * UNIT, height)
        paint_strip(painter, strip, row.verdict, self._theme, font)


def _drawn(row: Row) -> bool:
    """Bars stand where a response stands in full, not where it is only pointed at."""
    return isinstance(row, ResponseRow) and row.verdict is not None and "\n" in row.detail + "\n" and bool(row.hint)


class ResponseList(RowList):
    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__(theme, name)
        self.delegate = ResponseDelegate(theme, self)
        self.setItemDelegate(self.delegate)


class ResponsesPage(QWidget):
    """``compare_asked`` opens the window for pairs of a message and its responses."""

    compare_asked = Signal()

    def __init__(self, theme: Theme, rows: RowList, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("pane")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._rows = rows
        self.chart = SessionChart(theme)
        self.chart.turn_chosen.connect(self.choose_turn)
        rows.selectionModel().currentChanged.connect(lambda index, _: self._mark(index))
        compare = QPushButton("Compare…")
        compare.setMinimumHeight(HIT)
        compare.setToolTip("Score and compare any responses to a message")
        compare.clicked.connect(self.compare_asked)
        head = QHBoxLayout()
        head.setContentsMargins(2 * UNIT, UNIT // 2, UNIT, UNIT // 2)
        head.addWidget(PlainLabel(TRIAGE, look="muted", wrap=True), 1)
        head.addWidget(compare)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(head)
        layout.addWidget(self.chart)
        layout.addWidget(rows, 1)

    def show_evaluation(self, evaluation: Evaluation | None) -> None:
        self.chart.show_verdicts(evaluation.responses or () if evaluation else ())

    def choose_turn(self, turn: int) -> bool:
        """Choose the response's row, which shows its card and its turn."""
        for number, row in enumerate(self._rows.rows.rows):
            if _drawn(row) and isinstance(row, ResponseRow) and row.verdict and row.verdict.turn == turn:
                index = self._rows.rows.index(number)
                self._rows.setCurrentIndex(index)
                self._rows.scrollTo(index)
                return True
        return False

    def _mark(self, index: Index) -> None:
        row = index.data(ROW_ROLE)
        verdict = row.verdict if isinstance(row, ResponseRow) else None
        self.chart.mark_turn(verdict.turn if verdict else None)

    def set_theme(self, theme: Theme) -> None:
        self.chart.set_theme(theme)
