"""Three scores over a clinician's notes, one above the other: supervisor and judge told apart by stroke and marker."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from noteeval_desktop.domain.phrases import day, percent, tr
from noteeval_desktop.domain.progress import Slot, Source
from noteeval_desktop.domain.review import SCORED, Dimension
from noteeval_desktop.ui.library import trainee
from noteeval_desktop.ui.widgets.plain import show_tip, tooltip
from noteeval_desktop.ui.widgets.theme import SMALL_SIZE, UNIT, Theme, sized

_PANEL, _LOWEST = 11 * UNIT, 6 * UNIT
_LEGEND = 3 * UNIT
_FEW = 80
_LOOKS = {
    Source.SUPERVISOR: ("●", "accent", Qt.PenStyle.SolidLine),
    Source.JUDGE: ("◆", "amber", Qt.PenStyle.DashLine),
}


class TraineeChart(QWidget):
    """``slot_chosen(int)`` when another note is looked at; ``open_asked(str)``, a case's id: Enter or double click."""

    slot_chosen = Signal(int)
    open_asked = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.slots: tuple[Slot, ...] = ()
        self.at = -1
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(tr("Completeness, conciseness and faithfulness over time"))

    def sizeHint(self) -> QSize:
        return QSize(60 * UNIT, _LEGEND + 3 * _PANEL + 2 * UNIT)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, _LEGEND + 3 * _LOWEST + 2 * UNIT)

    def show_slots(self, slots: Sequence[Slot]) -> None:
        self.slots, self.at = tuple(slots), -1
        self.setAccessibleDescription(trainee.described(self.slots))
        self.update()

    # Where things are

    def _plot(self, panel: int) -> QRectF:
        each = (self.height() - _LEGEND - 2 * UNIT) / 3
        top = _LEGEND + panel * each + 2 * UNIT
        return QRectF(6 * UNIT, top, self.width() - 8 * UNIT, each - 3.5 * UNIT)

    def place(self, number: int, panel: int, share: float) -> QPointF:
        """Of the note ``number`` at ``share`` (0..1): notes stand at equal steps, whatever lies between them."""
        plot, of = self._plot(panel), len(self.slots)
        along = 0.5 if of == 1 else number / (of - 1)
        return QPointF(plot.left() + along * plot.width(), plot.bottom() - share * plot.height())

    def _nearest(self, x: float) -> int:
        return min(range(len(self.slots)), key=lambda number: abs(self.place(number, 0, 0).x() - x))

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(sized(self.font(), SMALL_SIZE - 1))
        self._paint_legend(painter)
        if 0 <= self.at < len(self.slots):
            x, whole = self.place(self.at, 0, 0).x(), self._plot(2).bottom() - self._plot(0).top()
            painter.fillRect(QRectF(x - 5, self._plot(0).top(), 10, whole), self._theme.colour("tint"))
        for panel, dimension in enumerate(SCORED):
            self._paint_scale(painter, panel, dimension)
            for source in (Source.JUDGE, Source.SUPERVISOR):
                self._paint_line(painter, panel, dimension, source)
        self._paint_days(painter)
        if self.hasFocus():
            painter.setPen(QPen(self._theme.colour("accent"), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(2, 2, -2, -2), 5, 5)

    def _paint_legend(self, painter: QPainter) -> None:
        left = self._plot(0).left()
        for source, (sign, colour, _) in _LOOKS.items():
            text = f"{sign} {trainee.SOURCES[source]}"
            painter.setPen(self._theme.colour(colour))
            width = QFontMetrics(painter.font()).horizontalAdvance(text)
            painter.drawText(QRectF(left, UNIT, width + 4, 2 * UNIT), Qt.AlignmentFlag.AlignVCenter, text)
            left += width + 2 * UNIT

    def _paint_scale(self, painter: QPainter, panel: int, dimension: Dimension) -> None:
        plot, theme = self._plot(panel), self._theme
        painter.setPen(theme.colour("text"))
        painter.drawText(QRectF(plot.left(), plot.top() - 2 * UNIT, 30 * UNIT, 14), trainee.NAMES[dimension])
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for share in (0.0, 0.5, 1.0):
            y = plot.bottom() - share * plot.height()
            painter.setPen(QPen(theme.colour("line"), 1))
            painter.drawLine(QPointF(plot.left() - 4, y), QPointF(plot.right() + 4, y))
            painter.setPen(theme.colour("muted"))
            painter.drawText(QRectF(0, y - 8, plot.left() - 8, 16), right, percent(share))

    def _paint_days(self, painter: QPainter) -> None:
        if not self.slots:
            return
        plot = self._plot(2)
        below = QRectF(plot.left(), plot.bottom() + 4, plot.width(), 16)
        painter.setPen(self._theme.colour("muted"))
        painter.drawText(below, Qt.AlignmentFlag.AlignLeft, day(self.slots[0].day))
        if len(self.slots) > 1:
            painter.drawText(below, Qt.AlignmentFlag.AlignRight, day(self.slots[-1].day))

    def _paint_line(self, painter: QPainter, panel: int, dimension: Dimension, source: Source) -> None:
        shares = [slot.share(source, dimension) for slot in self.slots]
        places = [self.place(number, panel, share) for number, share in enumerate(shares) if share is not None]
        _, colour, stroke = _LOOKS[source]
        painter.setPen(QPen(self._theme.colour(colour), 1.6, stroke))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPolyline(places)
        painter.setPen(QPen(self._theme.colour("base"), 1))
        painter.setBrush(self._theme.colour(colour))
        size = 3.6 if len(places) <= _FEW else 2.0
        for where in places:
            if source is Source.SUPERVISOR:
                painter.drawEllipse(where, size, size)
            else:
                x, y, s = where.x(), where.y(), size + 0.8
                painter.drawPolygon([QPointF(x - s, y), QPointF(x, y - s), QPointF(x + s, y), QPointF(x, y + s)])

    # Choosing

    def choose(self, number: int) -> None:
        self.at = number
        self.setAccessibleDescription(trainee.said(self.slots[number]))
        self.update()
        self.slot_chosen.emit(number)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self.slots and event.button() == Qt.MouseButton.LeftButton:
            self.choose(self._nearest(event.position().x()))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self.slots:
            self.open_asked.emit(self.slots[self._nearest(event.position().x())].case)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        last = len(self.slots) - 1
        steps = {Qt.Key.Key_Left: self.at - 1, Qt.Key.Key_Right: self.at + 1, Qt.Key.Key_Home: 0, Qt.Key.Key_End: last}
        key = Qt.Key(event.key())
        if self.slots and key in steps:
            self.choose(min(max(steps[key], 0), last))
        elif self.at >= 0 and key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.open_asked.emit(self.slots[self.at].case)
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip and self.slots:
            slot = self.slots[self._nearest(event.pos().x())]
            show_tip(event.globalPos(), tooltip(trainee.said(slot)), self)
            return True
        return super().event(event)
