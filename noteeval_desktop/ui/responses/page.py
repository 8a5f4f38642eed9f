"""The Responses tab: asked for before anything is scored; then the caution, the chart along the session, the list."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.ui.findings.row_list import ROW_ROLE, Index, ListPage, RowList, Show
from noteeval_desktop.ui.findings.rows import Row
from noteeval_desktop.ui.responses.chart import SessionChart
from noteeval_desktop.ui.responses.details import fill_exchange
from noteeval_desktop.ui.responses.rows import TRIAGE, ResponseRow, response_rows
from noteeval_desktop.ui.widgets.parts import button, column, row
from noteeval_desktop.ui.widgets.plain import PlainLabel
from noteeval_desktop.ui.widgets.theme import HIT, Theme
from noteeval_desktop.ui.widgets.words import RESPONSES


class ResponsesPage(ListPage):
    """``read_asked``: the responses of this session are to be scored; ``compare_asked`` opens the window for pairs of
    a message and its responses."""

    read_asked = Signal()
    compare_asked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("pane")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.listed = RowList(theme, RESPONSES)
        self.chart = SessionChart(theme)
        self.chart.turn_chosen.connect(self.choose_turn)
        self.listed.selectionModel().currentChanged.connect(lambda index, _: self._mark(index))
        self.addWidget(self._offer())
        self.addWidget(self._list())

    def _offer(self) -> QWidget:
        offer = QWidget()
        self.offered = PlainLabel("", wrap=True)
        self.read = button(tr("Look at the responses"), self.read_asked.emit, "primary", height=HIT)
        buttons = row(self.read, self._compare(), None)
        column(self.offered, buttons, None, on=offer, margins=(4,), spacing=2)
        return offer

    def _list(self) -> QWidget:
        page = QWidget()
        head = row((PlainLabel(TRIAGE, look="muted", wrap=True), 1), self._compare(), margins=(2, 0.5, 1, 0.5))
        column(head, self.chart, (self.listed, 1), on=page, margins=(0,), spacing=0)
        return page

    def _compare(self) -> QPushButton:
        compare = button(tr("Compare…"), self.compare_asked.emit, height=HIT)
        compare.setToolTip(tr("Score and compare any responses to a message"))
        return compare

    def rows_of(self, evaluation: Evaluation) -> tuple[Row, ...]:
        return response_rows(evaluation)

    def fill_card(self, layout: QVBoxLayout, row: Row, theme: Theme, show: Show, font: QFont) -> bool:
        if not isinstance(row, ResponseRow) or row.exchange is None:
            return False
        fill_exchange(layout, row, row.exchange, theme, show, font)
        return True

    def show_evaluation(self, evaluation: Evaluation | None) -> None:
        reading = evaluation.reading if evaluation else None
        self.chart.show_verdicts([exchange.verdict for exchange in reading.exchanges] if reading else ())
        self.setCurrentIndex(int(reading is not None))
        asked = evaluation is not None and evaluation.responses is not None
        self.offered.setText(
            tr("In this session no response of the therapist could be scored.")
            if asked
            else tr(
                "How did the therapist respond when the client opened up? This looks at the session, not at the "
                "note, so it is scored only if you ask. It stays on this screen and out of the note's PDF "
                "unless you add it there."
            )
        )
        self.read.setVisible(not asked)
        self.read.setEnabled(evaluation is not None)

    def choose_turn(self, turn: int) -> bool:
        """Choose the exchange's row, which shows its card and its turns."""
        for number, listed in reversed(list(enumerate(self.listed.rows.rows))):
            if isinstance(listed, ResponseRow) and listed.exchange and turn in listed.exchange.turns:
                index = self.listed.rows.index(number)
                self.listed.setCurrentIndex(index)
                self.listed.scrollTo(index)
                return True
        return False

    def _mark(self, index: Index) -> None:
        row = index.data(ROW_ROLE)
        verdict = row.verdict if isinstance(row, ResponseRow) else None
        self.chart.mark_turn(verdict.turn if verdict else None)

    def set_theme(self, theme: Theme) -> None:
        self.chart.set_theme(theme)
