"""Charts, each drawn once, as shapes that every format can draw; told apart by length, filling and stroke, not colour.

Measures are in points, from the left and from the top. Inks: accent, amber, grey, line, pale, base (the paper's own).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from noteeval_desktop.domain.phrases import day, percent
from noteeval_desktop.domain.progress import Slot, Source
from noteeval_desktop.domain.review import Dimension

SIZE = 7.0
_STEP, _BAR, _MOST_MARKERS = 10.0, 7.0, 80
_FILLS = ("accent", "base", "line")
# Of lines: their ink, and whether they are dashed with diamonds instead of drawn through with dots.
_LOOKS = (("accent", False), ("amber", True))
_LEFT, _RIGHT = 34.0, 8.0
Measure = Callable[[str], float]


@dataclass(frozen=True, slots=True)
class Box:
    x: float
    y: float
    width: float
    height: float
    fill: str
    outline: str = ""


@dataclass(frozen=True, slots=True)
class Path:
    points: tuple[tuple[float, float], ...]
    ink: str
    width: float = 0.5
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Dot:
    """``diamond``: on its corner instead of round."""

    x: float
    y: float
    radius: float
    ink: str
    diamond: bool = False


@dataclass(frozen=True, slots=True)
class Label:
    """``x``, ``y``: where its base line starts, has its middle or ends."""

    x: float
    y: float
    text: str
    anchor: Literal["start", "middle", "end"] = "start"


@dataclass(frozen=True, slots=True)
class Drawing:
    width: float
    height: float
    shapes: tuple[Box | Path | Dot | Label, ...]


@dataclass(frozen=True, slots=True)
class Bar:
    """``values`` are lengths, one a series, as shares of the figure's ``whole``; None: nothing to draw. ``texts`` say
    them. ``low`` and ``high``: an interval about the first, where there is one."""

    label: str
    values: tuple[float | None, ...]
    texts: tuple[str, ...]
    low: float | None = None
    high: float | None = None


def bars(rows: Sequence[Bar], series: Sequence[str], width: float, measured: Measure | None = None) -> Drawing:
    """Lying bars on their tracks: the first of ``series`` filled, the second outlined, the third pale. ``measured``: as
    wide as a text is drawn; in a PDF where it is None."""
    left, right = _columns_beside(rows, width, measured or in_print)
    room = width - left - right
    made: list[Box | Path | Dot | Label] = []
    for number, name in enumerate(series):
        x = number * width / 3
        made += [Box(x, 2, 7, 7, _FILLS[number], "accent"), Label(x + 10, 8, name)]
    y = 14.0 if series else 0.0
    for row in rows:
        made.append(Label(0, y + 8, _fitting(row.label, left - 6, measured or in_print)))
        for number, (value, said) in enumerate(zip(row.values, row.texts, strict=True)):
            made.append(Box(left, y + 2, room, _BAR, "pale"))
            if value:
                made.append(Box(left, y + 2, max(0.5, value * room), _BAR, _FILLS[number], "accent"))
            made.append(Label(width - right + 6, y + 8, said))
            y += _STEP
        y += 4 if len(row.values) > 1 else 1
    return Drawing(width, y, tuple(made))


def intervals(rows: Sequence[Bar], reach: float, width: float, measured: Measure | None = None) -> Drawing:
    """Means and their intervals about zero, which is in the middle; as far as ``reach`` to either side. ``measured`` as
    in ``bars``."""
    left, right = _columns_beside(rows, width, measured or in_print)
    room, step = width - left - right, _STEP + 5
    made: list[Box | Path | Dot | Label] = []

    def at(value: float) -> float:
        return left + (value / reach + 1) / 2 * room

    for number, row in enumerate(rows):
        y = number * step + 5
        made.append(Path(((at(0), y - 5), (at(0), y + step - 5)), "line"))
        if row.low is not None and row.high is not None:
            made.append(Path(((at(row.low), y), (at(row.high), y)), "accent", 1.4))
        made.append(Dot(at(row.values[0] or 0), y, 2.6, "accent"))
        label = _fitting(row.label, left - 6, measured or in_print)
        made += [Label(0, y + 3, label), Label(width - right + 6, y + 3, row.texts[0])]
    return Drawing(width, len(rows) * step, tuple(made))


def columns(rows: Sequence[Bar], width: float) -> Drawing:
    """Standing bars: a distribution."""
    step, tall = width / len(rows), 58.0
    made: list[Box | Path | Dot | Label] = [Path(((0, tall + 12), (width, tall + 12)), "line")]
    for number, row in enumerate(rows):
        x, length = number * step, (row.values[0] or 0) * tall
        if length:
            made.append(Box(x + 2, tall + 12 - length, step - 4, length, "accent"))
            made.append(Label(x + step / 2, tall + 10 - length, row.texts[0], "middle"))
        made.append(Label(x + step / 2, tall + 22, row.label.removesuffix(" %"), "middle"))
    return Drawing(width, tall + 26, tuple(made))


def trend(
    slots: Sequence[Slot],
    dimension: Dimension,
    width: float,
    height: float = 78.0,
    top: float = 0.0,
    dated: bool = True,
) -> Drawing:
    """The supervisor's and the judge's shares over ``slots``, which stand at equal steps."""
    marked = [
        [
            (step(n, slots), share)
            for n, slot in enumerate(slots)
            if (share := slot.share(source, dimension)) is not None
        ]
        for source in (Source.SUPERVISOR, Source.JUDGE)
    ]
    ends = [day(slot.day) for slot in (*slots[:1], *slots[1:][-1:])] if dated else []
    return lines(marked, {percent(level): level for level in (0.0, 0.5, 1.0)}, ends, width, height, top)


def step(number: int, of: Sequence[object]) -> float:
    """How far along a figure the ``number``-th stands."""
    return number / (len(of) - 1) if len(of) > 1 else 0.5


def lines(
    series: Sequence[Sequence[tuple[float, float]]],
    levels: Mapping[str, float],
    ends: Sequence[str],
    width: float,
    height: float = 78.0,
    top: float = 0.0,
    limit: float | None = None,
    gaps: Sequence[tuple[float, float, float]] = (),
) -> Drawing:
    """Points along and up, as shares of the figure, which begins ``top`` points down. ``levels``: names of heights, of
    which ``limit`` is dashed; ``ends``: what it begins and ends at; ``gaps``: where, from where up and how far."""
    under = 16 if ends else 4
    top, bottom = top + 6, top + height - under
    made: list[Box | Path | Dot | Label] = []

    def at(along: float, up: float) -> tuple[float, float]:
        return across(along, width), bottom - up * (bottom - top)

    for name, level in levels.items():
        y, dashed = at(0, level)[1], level == limit
        made.append(Path(((_LEFT, y), (width - _RIGHT, y)), "grey" if dashed else "line", dashed=dashed))
        made.append(Label(_LEFT - 4, y + 2.5, name, "end"))
    made += [Label(_LEFT, bottom + 12, said) for said in ends[:1]]
    made += [Label(width - _RIGHT, bottom + 12, said, "end") for said in ends[1:]]
    made += [Path((at(along, low), at(along, high)), "grey", dashed=True) for along, low, high in gaps]
    for points, (ink, second) in reversed([*zip(series, _LOOKS, strict=False)]):
        places = tuple(at(*point) for point in points)
        size = 2.6 if len(places) <= _MOST_MARKERS else 1.4
        made += [Path(places, ink, 1.1, dashed=second)] if len(places) > 1 else []
        made += [Dot(x, y, size, ink, diamond=second) for x, y in places]
    return Drawing(width, bottom + under, tuple(made))


def across(along: float, width: float) -> float:
    """Where ``lines`` draws a point."""
    return _LEFT + 4 + along * (width - _LEFT - _RIGHT - 8)


def key(names: Sequence[str], width: float) -> Drawing:
    """What the series of ``lines`` are called."""
    made: list[Box | Path | Dot | Label] = []
    for x, name, (ink, second) in zip((_LEFT, _LEFT + width / 3), names, _LOOKS, strict=True):
        made += [Dot(x + 3, 6, 2.6, ink, diamond=second), Label(x + 9, 8.5, name)]
    return Drawing(width, 14, tuple(made))


def _columns_beside(rows: Sequence[Bar], width: float, measured: Measure) -> tuple[float, float]:
    """How wide what stands at the left and at the right of the bars is."""
    labels = max((measured(row.label) for row in rows), default=0.0) + 7
    return min(labels, 0.62 * width), max((measured(text) for row in rows for text in row.texts), default=0.0) + 7


def in_print(text: str) -> float:
    # Here, not above: what is drawn on the screen does without the library that makes PDFs.
    from reportlab.pdfbase.pdfmetrics import stringWidth

    from noteeval_desktop.report import pdf_fonts

    pdf_fonts.register()
    return float(stringWidth(text, pdf_fonts.REGULAR, SIZE))


def _fitting(label: str, room: float, measured: Measure) -> str:
    if measured(label) <= room:
        return label
    while label and measured(f"{label}…") > room:
        label = label[:-1]
    return f"{label}…"
