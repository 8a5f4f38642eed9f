"""A figure drawn for the screen, with its table for whoever reads figures, or hears them."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QSizePolicy,
    QTableWidget,
    QTableWidgetItem,
    QToolButton,
    QWidget,
)

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.report.charts import Bar
from noteeval_desktop.report.many.figures import Figure, shown_as
from noteeval_desktop.ui.widgets.parts import column, row
from noteeval_desktop.ui.widgets.plain import PlainLabel
from noteeval_desktop.ui.widgets.theme import HIT, SMALL_SIZE, UNIT, Theme, zoomed

_TALL = 12 * UNIT
_BAR, _BETWEEN = 11, 7
_MOST_LINES = 12


class Chart(QWidget):
    """Bars differ in filling as well as in colour: nothing hangs on colour."""

    def __init__(self, figure: Figure, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.figure, self._theme = figure, theme
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFont(zoomed(self.font(), SMALL_SIZE))
        self.setAccessibleName(figure.title)
        self.setAccessibleDescription(tr("{said} “Show as table” gives its figures.").format(said=figure.said))

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:
        if self.figure.kind == "columns":
            return QSize(40 * UNIT, _TALL + 2 * self._line + UNIT)
        each = self._step * max(1, len(self.figure.series)) + _BETWEEN
        legend = self._line + UNIT if self.figure.series else 0
        return QSize(40 * UNIT, each * len(self.figure.bars) + legend + UNIT)

    @property
    def _line(self) -> int:
        return self.fontMetrics().height()

    @property
    def _step(self) -> int:
        return max(_BAR + 3, self._line)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.figure.kind == "columns":
            self._paint_columns(painter)
        else:
            self._paint_across(painter)

    def _paint_columns(self, painter: QPainter) -> None:
        step, foot = self.width() / len(self.figure.bars), _TALL + self._line
        painter.setPen(QPen(self._theme.colour("line"), 1))
        painter.drawLine(QPointF(0, foot), QPointF(self.width(), foot))
        for n, bar in enumerate(self.figure.bars):
            length, left = (bar.values[0] or 0) * _TALL, n * step
            if length:
                self._fill(painter, 0, QRectF(left + 3, foot - length, step - 6, length))
                at = QRectF(left, foot - length - self._line, step, self._line)
                self._say(painter, at, bar.texts[0], Qt.AlignmentFlag.AlignHCenter, "text")
            below = QRectF(left, foot + 2, step, self._line)
            self._say(painter, below, bar.label.removesuffix(" %"), Qt.AlignmentFlag.AlignHCenter, "muted")

    def _paint_across(self, painter: QPainter) -> None:
        metrics = QFontMetrics(self.font())
        widest = max((metrics.horizontalAdvance(bar.label) for bar in self.figure.bars), default=0)
        label = min(widest + 4, self.width() * 0.5)
        texts = (metrics.horizontalAdvance(text) for bar in self.figure.bars for text in bar.texts)
        room = self.width() - label - 2 * UNIT - max(texts, default=0)
        top = self._paint_legend(painter, label + UNIT)
        for bar in self.figure.bars:
            said = metrics.elidedText(bar.label, Qt.TextElideMode.ElideRight, int(label))
            self._say(painter, QRectF(0, top, label, self._step), said, Qt.AlignmentFlag.AlignRight, "text")
            if self.figure.kind == "intervals":
                self._paint_interval(painter, bar, QRectF(label + UNIT, top, room, self._step))
                top += self._step + _BETWEEN
                continue
            for n, (value, text) in enumerate(zip(bar.values, bar.texts, strict=True)):
                length = (value or 0) * room
                if value is not None:
                    where = QRectF(label + UNIT, top + (self._step - _BAR) / 2, max(1.0, length), _BAR)
                    self._fill(painter, n, where)
                at = QRectF(label + UNIT + length + 5, top, self.width(), self._step)
                self._say(painter, at, text, Qt.AlignmentFlag.AlignLeft, "muted")
                top += self._step
            top += _BETWEEN

    def _paint_legend(self, painter: QPainter, left: float) -> float:
        for n, name in enumerate(self.figure.series):
            self._fill(painter, n, QRectF(left, (self._line - _BAR) / 2, _BAR, _BAR))
            width = QFontMetrics(self.font()).horizontalAdvance(name)
            self._say(painter, QRectF(left + 16, 0, width + 4, self._line), name, Qt.AlignmentFlag.AlignLeft, "muted")
            left += width + 16 + 2 * UNIT
        return self._line + UNIT if self.figure.series else 2

    def _paint_interval(self, painter: QPainter, bar: Bar, where: QRectF) -> None:
        reach = self.figure.reach

        def at(value: float) -> QPointF:
            return QPointF(where.left() + (value / reach + 1) / 2 * where.width(), where.center().y())

        painter.setPen(QPen(self._theme.colour("line"), 1))
        painter.drawLine(QPointF(at(0).x(), where.top() - 3), QPointF(at(0).x(), where.bottom() + 3))
        painter.setPen(QPen(self._theme.colour("accent"), 2))
        if bar.low is not None and bar.high is not None:
            painter.drawLine(at(bar.low), at(bar.high))
        painter.setBrush(self._theme.colour("accent"))
        painter.drawEllipse(at(bar.values[0] or 0), 4, 4)
        right = QRectF(where.right() + 5, where.top(), self.width(), where.height())
        self._say(painter, right, bar.texts[0], Qt.AlignmentFlag.AlignLeft, "muted")

    def _fill(self, painter: QPainter, series: int, where: QRectF) -> None:
        accent = self._theme.colour("accent")
        fillings = (
            QBrush(accent),
            QBrush(self._theme.colour("base")),
            QBrush(accent, Qt.BrushStyle.BDiagPattern),
        )
        painter.setPen(QPen(accent, 1))
        painter.setBrush(fillings[series])
        painter.drawRect(where)

    def _say(self, painter: QPainter, where: QRectF, text: str, side: Qt.AlignmentFlag, colour: str) -> None:
        painter.setPen(self._theme.colour(colour))
        painter.drawText(where, side | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextDontClip, text)


class FigureView(QWidget):
    """Heading, sentence, chart or table."""

    def __init__(self, figure: Figure, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.figure = figure
        heading = PlainLabel(figure.title, look="heading", wrap=True)
        self.switch = QToolButton()
        self.switch.setText(tr("Show as table"))
        self.switch.setMinimumHeight(HIT)
        self.switch.setAccessibleName(tr("{title}: show as table").format(title=figure.title))
        self.switch.clicked.connect(self._turn)
        # Counts stand in a comparison's table alone.
        self._both = figure.kind == "intervals"
        if self._both or not figure.bars:
            self.switch.hide()
        self.chart, self.table = Chart(figure, theme), QTableWidget(0, 0)
        said = PlainLabel(figure.said.replace(" %", "\u00a0%"), look="muted", wrap=True)
        top = row((heading, 1), self.switch)
        column(top, said, self.chart, self.table, on=self, margins=(0, 0, 0, 2), spacing=0.5)
        self.show_table(self._both or not figure.bars)

    def _turn(self) -> None:
        self.show_table(self.table.isHidden())

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
    for line, cells in enumerate(figure.rows):
        for place, cell in enumerate(cells):
            table.setItem(line, place, QTableWidgetItem(shown_as(cell)))
    table.resizeColumnsToContents()
    lines = min(len(figure.rows), _MOST_LINES) + 1
    table.setFixedHeight(lines * max(HIT, table.rowHeight(0)) + 3 * UNIT)
