"""A chart of figures as SVG: a panel a column, a row a metric; ours a dot with its interval, a published one a hollow
diamond, so that neither needs colour. Follows the reader's light or dark scheme; the table says the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from noteeval_desktop.domain.phrases import tr

_ROW, _LABEL, _PANEL, _GAP, _TOP, _FOOT = 16, 190, 180, 36, 52, 40
_STYLE = (
    "text{font:11px system-ui,sans-serif;fill:#1f2328}.h{font-weight:600}.s{fill:#59636e}"
    ".g{stroke:#d0d7de}.z{stroke:#59636e}.i{stroke:#0b6e75;stroke-width:2}.o{fill:#0b6e75}"
    ".p{fill:none;stroke:#9a4b00;stroke-width:1.5}.b{fill:#fff}"
    "@media(prefers-color-scheme:dark){text{fill:#e6edf3}.s{fill:#9198a1}.g{stroke:#30363d}.z{stroke:#9198a1}"
    ".i{stroke:#4fc3cb}.o{fill:#4fc3cb}.p{stroke:#f0a35e}.b{fill:#0d1117}}"
)


@dataclass(frozen=True, slots=True)
class Dot:
    """A figure with its interval, and what was published; None where there is none. ``range``: a thin line."""

    value: float | None
    interval: tuple[float, float] | None = None
    published: float | None = None
    range: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Axis:
    """From ``ticks[0]`` to ``ticks[-1]``, the same in every panel; what lies beyond is drawn at its end.
    ``origin`` is the tick that is drawn darker."""

    ticks: tuple[float, ...]
    legend: str
    origin: float = 0.0


CORRELATION = Axis((-1.0, -0.5, 0.0, 0.5, 1.0), tr("Dot and line: measured here, with its 95 % interval."))


def dot_chart(
    title: str, panels: Sequence[str], rows: Sequence[tuple[str, Sequence[Dot]]], axis: Axis = CORRELATION
) -> str:
    """``rows``: a metric and its dots, one a panel."""
    width = _LABEL + len(panels) * (_PANEL + _GAP)
    height = _TOP + _ROW * len(rows) + _FOOT
    bottom = _TOP + _ROW * len(rows)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" aria-labelledby="t d"><title id="t">{escape(title)}</title>',
        f'<desc id="d">{escape(_described(panels, rows))}</desc><style>{_STYLE}</style>',
        f'<rect class="b" width="{width}" height="{height}"/><text class="h" x="8" y="18">{escape(title)}</text>',
    ]
    for number, panel in enumerate(panels):
        left = _LABEL + number * (_PANEL + _GAP)
        parts.append(f'<text class="h" x="{left}" y="{_TOP - 12}">{escape(panel)}</text>')
        for tick in axis.ticks:
            x = _x(left, tick, axis)
            parts.append(
                f'<line class="{"z" if tick == axis.origin else "g"}" x1="{x}" x2="{x}" y1="{_TOP - 4}" y2="{bottom}"/>'
            )
            parts.append(f'<text class="s" text-anchor="middle" x="{x}" y="{bottom + 14}">{tick:g}</text>')
    for row, (metric, dots) in enumerate(rows):
        y = _TOP + _ROW * row + _ROW / 2
        parts.append(f'<text x="{_LABEL - 10}" y="{y + 4}" text-anchor="end">{escape(metric)}</text>')
        for number, dot in enumerate(dots):
            parts += _marks(_LABEL + number * (_PANEL + _GAP), y, dot, axis)
    published = any(dot.published is not None for _, dots in rows for dot in dots)
    legend = axis.legend + (tr(" Hollow diamond: published.") if published else "")
    parts.append(f'<text class="s" x="8" y="{height - 8}">{escape(legend)}</text></svg>')
    return "\n".join(parts) + "\n"


def _marks(left: float, y: float, dot: Dot, axis: Axis) -> list[str]:
    marks = []
    if dot.range is not None:
        low, high = dot.range
        marks.append(f'<line class="z" x1="{_x(left, low, axis)}" x2="{_x(left, high, axis)}" y1="{y}" y2="{y}"/>')
    if dot.interval is not None:
        low, high = dot.interval
        marks.append(f'<line class="i" x1="{_x(left, low, axis)}" x2="{_x(left, high, axis)}" y1="{y}" y2="{y}"/>')
    if dot.published is not None:
        x = _x(left, dot.published, axis)
        marks.append(f'<path class="p" d="M{x} {y - 5}L{x + 5} {y}L{x} {y + 5}L{x - 5} {y}Z"/>')
    if dot.value is not None:
        marks.append(f'<circle class="o" cx="{_x(left, dot.value, axis)}" cy="{y}" r="3.5"/>')
    return marks


def _x(left: float, value: float, axis: Axis) -> float:
    low, high = axis.ticks[0], axis.ticks[-1]
    return round(left + (max(low, min(high, value)) - low) / (high - low) * _PANEL, 1)


def _described(panels: Sequence[str], rows: Sequence[tuple[str, Sequence[Dot]]]) -> str:
    told = []
    for metric, dots in rows:
        figures = ", ".join(f"{p} {d.value:.2f}" for p, d in zip(panels, dots, strict=True) if d.value is not None)
        told.append(f"{metric}: {figures or tr('not computed')}.")
    return " ".join(told)
