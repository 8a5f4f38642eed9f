"""CSS and ARS along the session: two lines told apart by stroke and marker; a click or Enter goes to the turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent

from noteeval_desktop.domain.phrases import are, counted, tr
from noteeval_desktop.domain.verdicts import SUBTHRESHOLD, ResponseVerdict
from noteeval_desktop.report.charts import Drawing, key, lines
from noteeval_desktop.ui.responses.scored import ARS, CSS
from noteeval_desktop.ui.widgets.line_chart import LineChart
from noteeval_desktop.ui.widgets.theme import Theme
from noteeval_desktop.ui.widgets.words import turn_number

LOWEST, HIGHEST = 1, 5
_TALL = 80.0


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


def along(points: Sequence[Point]) -> list[float]:
    """By their turns, so that the chart keeps the session's pace."""
    turns = [point.turn for point in points]
    return [(turn - turns[0]) / (turns[-1] - turns[0]) if turns[-1] > turns[0] else 0.5 for turn in turns]


def drawn(points: Sequence[Point], width: float, height: float) -> Drawing:
    legend, where = key((CSS, ARS), width), along(points)
    css, ars = [_up(point.css) for point in points], [_up(point.ars) for point in points]
    gaps = [gap for gap, point in zip(zip(where, css, ars, strict=True), points, strict=True) if point.flagged]
    ends = [tr("turn {turn}").format(turn=turn_number(point.turn)) for point in (*points[:1], *points[1:][-1:])]
    shown = lines(
        [[*zip(where, css, strict=True)], [*zip(where, ars, strict=True)]],
        {str(value): _up(value) for value in (LOWEST, SUBTHRESHOLD, HIGHEST)},
        ends,
        width,
        height - legend.height,
        legend.height,
        _up(SUBTHRESHOLD),
        gaps,
    )
    return Drawing(width, height, (*legend.shapes, *shown.shapes))


def _up(value: float) -> float:
    return (value - LOWEST) / (HIGHEST - LOWEST)


class SessionChart(LineChart):
    """``turn_chosen(int)`` when a turn is clicked, or Enter is pressed on it."""

    turn_chosen = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, tr("Cognitive support and affective resonance along the session"), _TALL, _TALL)
        self.points: tuple[Point, ...] = ()
        self.chosen.connect(lambda number: self.turn_chosen.emit(self.points[number].turn))

    def show_verdicts(self, verdicts: Sequence[ResponseVerdict]) -> None:
        self.points, at = points_of(verdicts), self.at
        self.show_points(along(self.points), partial(drawn, self.points), self._said_of, described(self.points))
        self.at = min(at, len(self.points) - 1)

    def mark_turn(self, turn: int | None) -> None:
        """Show which turn is looked at."""
        self.at = next((n for n, point in enumerate(self.points) if point.turn == turn), -1)
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        if self.points and event.button() == Qt.MouseButton.LeftButton:
            self.chosen.emit(self.at)

    def _said_of(self, number: int) -> str:
        point = self.points[number]
        css, ars = f"{CSS.lower()} {point.css:.1f}", f"{ARS.lower()} {point.ars:.1f}"
        return tr("Turn {turn}: {css}, {ars}, gap {gap:+.1f}").format(
            turn=turn_number(point.turn), css=css, ars=ars, gap=point.css - point.ars
        )
