"""Charts as reports draw them, on the screen; from point to point of a line the reader goes by key or pointer."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QBrush, QFont, QFontMetricsF, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from noteeval_desktop.report.charts import SIZE, Box, Dot, Drawing, Label, Path, across
from noteeval_desktop.ui.widgets.plain import show_tip, tooltip
from noteeval_desktop.ui.widgets.theme import SMALL_SIZE, colour_of, zoomed

_FURTHER = {"start": 0.0, "middle": 0.5, "end": 1.0}


def paint(painter: QPainter, drawn: Drawing, scale: float) -> None:
    """``scale``: pixels a point."""
    for shape in drawn.shapes:
        match shape:
            case Box():
                painter.setPen(QPen(colour_of(shape.outline), 1) if shape.outline else Qt.PenStyle.NoPen)
                painter.setBrush(colour_of("hover" if shape.fill == "pale" else shape.fill))
                if shape.outline and shape.fill == "line":  # on a dark screen it would look empty
                    painter.setBrush(QBrush(colour_of(shape.outline), Qt.BrushStyle.BDiagPattern))
                painter.drawRect(QRectF(*(side * scale for side in (shape.x, shape.y, shape.width, shape.height))))
            case Path():
                stroke = Qt.PenStyle.DashLine if shape.dashed else Qt.PenStyle.SolidLine
                painter.setPen(QPen(colour_of(shape.ink), max(1.0, shape.width * scale), stroke))
                painter.drawPolyline([QPointF(x * scale, y * scale) for x, y in shape.points])
            case Dot():
                painter.setPen(QPen(colour_of("base"), 1))
                painter.setBrush(colour_of(shape.ink))
                x, y, size = shape.x * scale, shape.y * scale, shape.radius * scale
                if shape.diamond:
                    painter.drawPolygon(
                        [QPointF(x - size, y), QPointF(x, y - size), QPointF(x + size, y), QPointF(x, y + size)]
                    )
                else:
                    painter.drawEllipse(QPointF(x, y), size, size)
            case Label():
                painter.setPen(colour_of("muted"))
                back = QFontMetricsF(painter.font()).horizontalAdvance(shape.text) * _FURTHER[shape.anchor]
                painter.drawText(QPointF(shape.x * scale - back, shape.y * scale), shape.text)


class LineChart(QWidget):
    """``looked_at(int)``: another point; ``chosen(int)``: Enter, Space or a double click. Letters are as large
    as the reader has them, and the rest grows with them. ``tall``, ``least``: heights in points of a drawing."""

    looked_at, chosen = Signal(int), Signal(int)

    def __init__(self, name: str, tall: float, least: float) -> None:
        super().__init__()
        self._tall, self._least = tall, least
        self._along: tuple[float, ...] = ()
        self._draw: Callable[[float, float], Drawing] | None = None
        self._said: Callable[[int], str] = str
        self.at = -1
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(name)

    def show_points(
        self,
        along: Sequence[float],
        draw: Callable[[float, float], Drawing],
        said: Callable[[int], str],
        described: str,
    ) -> None:
        """``along``: where each point stands, as a share of the figure; ``draw`` gets a width and a height in points;
        ``said`` is a point in words, ``described`` all of them."""
        self._along, self._draw, self._said, self.at = tuple(along), draw, said, -1
        self.setAccessibleDescription(described)
        self.setVisible(bool(self._along))
        self.update()

    def look_at(self, number: int) -> None:
        self.at = number
        self.setAccessibleDescription(self._said(number))
        self.update()
        self.looked_at.emit(number)

    def where(self, number: int) -> float:
        """Of a point, in pixels."""
        return across(self._along[number], self.width() / self._scale) * self._scale

    @property
    def _font(self) -> QFont:
        return zoomed(self.font(), SMALL_SIZE - 1)

    @property
    def _scale(self) -> float:
        """Pixels a point."""
        return self._font.pixelSize() / SIZE

    def sizeHint(self) -> QSize:
        return QSize(320, round(self._tall * self._scale))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, round(self._least * self._scale))

    def _nearest(self, x: float) -> int:
        return min(range(len(self._along)), key=lambda number: abs(self.where(number) - x))

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, scale = QPainter(self), self._scale
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._font)
        if 0 <= self.at < len(self._along):
            painter.fillRect(QRectF(self.where(self.at) - 5, 0, 10, self.height()), colour_of("tint"))
        if self._draw:
            paint(painter, self._draw(self.width() / scale, self.height() / scale), scale)
        if self.hasFocus():
            painter.setPen(QPen(colour_of("accent"), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(2, 2, -2, -2), 5, 5)

    # Choosing

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self._along and event.button() == Qt.MouseButton.LeftButton:
            self.look_at(self._nearest(event.position().x()))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self._along:
            self.chosen.emit(self._nearest(event.position().x()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        last = len(self._along) - 1
        steps = {Qt.Key.Key_Left: self.at - 1, Qt.Key.Key_Right: self.at + 1, Qt.Key.Key_Home: 0, Qt.Key.Key_End: last}
        key = Qt.Key(event.key())
        if self._along and key in steps:
            self.look_at(min(max(steps[key], 0), last))
        elif self.at >= 0 and key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.chosen.emit(self.at)
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip and self._along:
            show_tip(event.globalPos(), tooltip(self._said(self._nearest(event.pos().x()))), self)
            return True
        return super().event(event)
