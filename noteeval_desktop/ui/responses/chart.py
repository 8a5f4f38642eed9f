"""CSS and ARS along the session: two lines told apart by stroke and marker; a click or Enter goes to the turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from noteeval_desktop.domain.phrases import are, counted, tr
from noteeval_desktop.domain.verdicts import SUBTHRESHOLD, ResponseVerdict
from noteeval_desktop.ui.responses.scored import ARS, CSS
from noteeval_desktop.ui.widgets.plain import show_tip
from noteeval_desktop.ui.widgets.theme import SMALL_SIZE, UNIT, Theme, sized
from noteeval_desktop.ui.widgets.words import turn_number

LOWEST, HIGHEST = 1.0, 5.0
_HEIGHT = 14 * UNIT


@dataclass(frozen=True, slots=True)
class Point:
    """A judged response: its turn, and both means (1..5)."""

    turn: int
    css: float
    ars: float
    flagged: bool


def points_of(verdicts: Sequence[ResponseVerdict]) -> tuple[Point, ...]:
    """In the order of the session; a response without both means is not drawn."""
    found = [
        Point(v.turn, v.css, v.ars, "gap" in v.flags)
        for v in verdicts
        if v.turn is not None and v.css is not None and v.ars is not None
    ]
    return tuple(sorted(found, key=lambda point: point.turn))


def described(points: Sequence[Point]) -> str:
    """The chart for those who do not see it."""
    if not points:
        return tr("No response was judged.")
    css, ars = [p.css for p in points], [p.ars for p in points]
    widest = max(points, key=lambda p: abs(p.css - p.ars))
    flagged = sum(p.flagged for p in points)
    return tr(
        "{responses}, turns {first} to {last}. {css} from {css_low:.1f} to {css_high:.1f}, {ars} from {ars_low:.1f} to "
        "{ars_high:.1f}, of 5. The widest gap is {gap:+.1f} at turn {widest}; {turns} {have} a gap that is flagged. "
        "Left and Right go from turn to turn, Enter shows it."
    ).format(
        responses=counted(len(points), "response"),
        first=turn_number(points[0].turn),
        last=turn_number(points[-1].turn),
        css=CSS,
        css_low=min(css),
        css_high=max(css),
        ars=ARS.lower(),
        ars_low=min(ars),
        ars_high=max(ars),
        gap=widest.css - widest.ars,
        widest=turn_number(widest.turn),
        turns=counted(flagged, "turn"),
        have=are(flagged, "has", "have"),
    )


class SessionChart(QWidget):
    """``turn_chosen(int)`` when a turn is clicked, or Enter is pressed on it."""

    turn_chosen = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.points: tuple[Point, ...] = ()
        self.at = -1
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(tr("Cognitive support and affective resonance along the session"))

    def sizeHint(self) -> QSize:
        return QSize(40 * UNIT, _HEIGHT)

    def show_verdicts(self, verdicts: Sequence[ResponseVerdict]) -> None:
        self.points = points_of(verdicts)
        self.at = min(self.at, len(self.points) - 1)
        self.setAccessibleDescription(described(self.points))
        self.setVisible(bool(self.points))
        self.update()

    def mark_turn(self, turn: int | None) -> None:
        """Show which turn is looked at."""
        self.at = next((n for n, point in enumerate(self.points) if point.turn == turn), -1)
        self.update()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    # Where things are

    def _plot(self) -> QRectF:
        return QRectF(self.rect()).adjusted(3 * UNIT, 3 * UNIT, -2 * UNIT, -2 * UNIT - 2)

    def place(self, number: int, value: float) -> QPointF:
        """Of the point ``number`` at ``value`` (1..5): by its turn, so that the chart keeps the session's pace."""
        plot = self._plot()
        first, last = self.points[0].turn, self.points[-1].turn
        share = 0.5 if last == first else (self.points[number].turn - first) / (last - first)
        up = (value - LOWEST) / (HIGHEST - LOWEST)
        return QPointF(plot.left() + share * plot.width(), plot.bottom() - up * plot.height())

    def _nearest(self, x: float) -> int:
        return min(range(len(self.points)), key=lambda n: abs(self.place(n, LOWEST).x() - x))

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self._theme
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(sized(self.font(), SMALL_SIZE - 1))
        self._paint_scale(painter)
        if not self.points:
            return
        if 0 <= self.at < len(self.points):
            x = self.place(self.at, LOWEST).x()
            painter.fillRect(QRectF(x - 5, self._plot().top() - 4, 10, self._plot().height() + 8), theme.colour("tint"))
        for number, point in enumerate(self.points):
            if point.flagged:
                painter.setPen(QPen(theme.colour("grey"), 1, Qt.PenStyle.DotLine))
                painter.drawLine(self.place(number, point.css), self.place(number, point.ars))
        self._paint_line(painter, [p.css for p in self.points], "accent", Qt.PenStyle.SolidLine, round_=True)
        self._paint_line(painter, [p.ars for p in self.points], "amber", Qt.PenStyle.DashLine, round_=False)
        if self.hasFocus():
            painter.setPen(QPen(theme.colour("accent"), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(2, 2, -2, -2), 5, 5)

    def _paint_scale(self, painter: QPainter) -> None:
        plot, theme = self._plot(), self._theme
        for value in (1, 3, 5):
            y = plot.bottom() - (value - LOWEST) / (HIGHEST - LOWEST) * plot.height()
            style = Qt.PenStyle.DashDotLine if value == SUBTHRESHOLD else Qt.PenStyle.SolidLine
            painter.setPen(QPen(theme.colour("grey" if value == SUBTHRESHOLD else "line"), 1, style))
            painter.drawLine(QPointF(plot.left() - 4, y), QPointF(plot.right() + 4, y))
            painter.setPen(theme.colour("muted"))
            right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(QRectF(0, y - 8, plot.left() - 8, 16), right, str(value))
        self._paint_legend(painter)
        if self.points:
            painter.setPen(theme.colour("muted"))
            below = QRectF(plot.left() - UNIT, plot.bottom() + 4, plot.width() + 2 * UNIT, 14)
            painter.drawText(below, Qt.AlignmentFlag.AlignLeft, f"turn {turn_number(self.points[0].turn)}")
            painter.drawText(below, Qt.AlignmentFlag.AlignRight, f"turn {turn_number(self.points[-1].turn)}")

    def _paint_legend(self, painter: QPainter) -> None:
        left, y = self._plot().left(), 1.5 * UNIT - 2
        parts = ((f"● {CSS}", "accent"), (f"◆ {ARS}", "amber"))
        for text, colour in parts:
            painter.setPen(self._theme.colour(colour))
            width = QFontMetrics(painter.font()).horizontalAdvance(text)
            painter.drawText(QRectF(left, y - 9, width + 4, 18), Qt.AlignmentFlag.AlignVCenter, text)
            left += width + 2 * UNIT

    def _paint_line(
        self, painter: QPainter, values: list[float], colour: str, style: Qt.PenStyle, *, round_: bool
    ) -> None:
        places = [self.place(number, value) for number, value in enumerate(values)]
        painter.setPen(QPen(self._theme.colour(colour), 1.6, style))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPolyline(places)
        painter.setPen(QPen(self._theme.colour("base"), 1))
        painter.setBrush(self._theme.colour(colour))
        size = 3.4 if len(places) < 60 else 2.2
        for where in places:
            if round_:
                painter.drawEllipse(where, size, size)
            else:
                x, y, s = where.x(), where.y(), size + 0.8
                painter.drawPolygon([QPointF(x - s, y), QPointF(x, y - s), QPointF(x + s, y), QPointF(x, y + s)])

    # Choosing

    def _choose(self, number: int) -> None:
        self.at = number
        self.update()
        self.turn_chosen.emit(self.points[number].turn)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self.points and event.button() == Qt.MouseButton.LeftButton:
            self._choose(self._nearest(event.position().x()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        key = Qt.Key(event.key())
        if self.points and key in steps:
            self.at = min(max(self.at + steps[key], 0), len(self.points) - 1)
            self.setAccessibleDescription(self._said(self.at))
            self.update()
        elif self.at >= 0 and key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self._choose(self.at)
        else:
            super().keyPressEvent(event)

    def _said(self, number: int) -> str:
        point = self.points[number]
        css, ars = f"{CSS.lower()} {point.css:.1f}", f"{ARS.lower()} {point.ars:.1f}"
        gap = point.css - point.ars
        return tr("Turn {turn}: {css}, {ars}, gap {gap:+.1f}").format(
            turn=turn_number(point.turn), css=css, ars=ars, gap=gap
        )

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip and self.points:
            show_tip(event.globalPos(), self._said(self._nearest(event.pos().x())), self)
            return True
        return super().event(event)
