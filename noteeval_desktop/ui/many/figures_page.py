"""The figures over many notes, each as a chart or as a table."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QScrollArea,
    QSizePolicy,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.report.charts import SIZE, Drawing
from noteeval_desktop.report.many.figures import Figure, Overview, shown_as
from noteeval_desktop.ui.widgets.line_chart import paint
from noteeval_desktop.ui.widgets.parts import column, row, tool
from noteeval_desktop.ui.widgets.plain import PlainLabel
from noteeval_desktop.ui.widgets.theme import HIT, SMALL_SIZE, UI_SIZE, UNIT, zoomed

_MOST_LINES = 12


class Chart(QWidget):
    """As the report draws it, in the reader's letters."""

    def __init__(self, figure: Figure) -> None:
        super().__init__()
        self.figure = figure
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFont(zoomed(self.font(), SMALL_SIZE))
        self.setAccessibleName(figure.title)
        self.setAccessibleDescription(tr("{said} “Show as table” gives its figures.").format(said=figure.said))

    @property
    def _scale(self) -> float:
        return self.font().pixelSize() / SIZE

    def _drawn(self, width: float) -> Drawing:
        metrics, scale = QFontMetricsF(self.font()), self._scale
        return self.figure.drawn(width / scale, lambda text: metrics.horizontalAdvance(text) / scale)

    def sizeHint(self) -> QSize:
        return QSize(40 * UNIT, round(self._drawn(40 * UNIT).height * self._scale))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint(painter, self._drawn(self.width()), self._scale)


class FigureView(QWidget):
    """Heading, sentence, chart or table."""

    def __init__(self, figure: Figure, parent: QWidget) -> None:
        """``parent``: in whose style the table is made as large as its cells."""
        super().__init__(parent)
        self.figure = figure
        heading = PlainLabel(figure.title, look="heading", wrap=True)
        self.switch = tool(tr("Show as table"), lambda: self.show_table(self.table.isHidden()))
        self.switch.setAccessibleName(tr("{title}: show as table").format(title=figure.title))
        # Counts stand in a comparison's table alone.
        self._both = figure.kind == "intervals"
        if self._both or not figure.bars:
            self.switch.hide()
        self.chart, self.table = Chart(figure), QTableWidget(0, 0, self)
        said = PlainLabel(figure.said.replace(" %", "\u00a0%"), look="muted", wrap=True)
        top = row((heading, 1), self.switch)
        column(top, said, self.chart, self.table, on=self, margins=(0, 0, 0, 2), spacing=0.5)
        self.show_table(self._both or not figure.bars)

    def show_table(self, shown: bool) -> None:
        if shown and not self.table.rowCount():
            _fill(self.table, self.figure)
        self.chart.setVisible(bool(self.figure.bars) and (self._both or not shown))
        self.table.setVisible(shown)
        self.switch.setText(tr("Show as chart") if shown else tr("Show as table"))


def _fill(table: QTableWidget, figure: Figure) -> None:
    table.setAccessibleName(figure.title)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setTabKeyNavigation(False)
    table.setRowCount(len(figure.rows))
    table.setColumnCount(len(figure.headings))
    table.setHorizontalHeaderLabels(list(figure.headings))
    table.verticalHeader().hide()
    for number, cells in enumerate(figure.rows):
        for place, cell in enumerate(cells):
            table.setItem(number, place, QTableWidgetItem(shown_as(cell)))
    table.resizeColumnsToContents()
    lines = min(len(figure.rows), _MOST_LINES) + 1
    table.setFixedHeight(lines * max(HIT, table.rowHeight(0)) + 3 * UNIT)


class FiguresPage(QScrollArea):
    def __init__(self, name: str) -> None:
        super().__init__()
        self.overview: Overview | None = None
        self.views: list[FigureView] = []
        self.setWidgetResizable(True)
        self.setAccessibleName(name)

    def show_overview(self, overview: Overview) -> None:
        """What was switched to a table stays one; the place in the page stays, too."""
        at = self.verticalScrollBar().value()
        tables = {view.figure.key for view in self.views if not view.table.isHidden()}
        self.overview = overview
        self.views = [FigureView(figure, self) for figure in overview.figures]
        for view in self.views:
            if view.figure.key in tables:
                view.show_table(True)
        body = QWidget()
        body.setObjectName("pane")
        labels = [PlainLabel(said, wrap=True) for said in overview.said]
        for first in labels[:1]:
            first.setFont(zoomed(self.font(), UI_SIZE + 4, first.font().Weight.DemiBold))
        heights = [0] * min(2, len(self.views))
        sides = [QVBoxLayout() for _ in heights]
        for view in self.views:
            side = heights.index(min(heights))
            sides[side].addWidget(view)
            heights[side] += view.chart.sizeHint().height() + 10 * UNIT if view.figure.bars else 20 * UNIT
        for each in sides:
            each.addStretch(1)
        column(
            *labels, row(*((each, 1) for each in sides), margins=(0, 1, 0, 0), spacing=4), None, on=body, margins=(2,)
        )
        self.setWidget(body)
        self.verticalScrollBar().setValue(at)
