"""An overview as one web page: charts drawn in it, a table with each, no script, nothing from elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from html import escape
from pathlib import Path

from noteeval_desktop.domain.phrases import long_day
from noteeval_desktop.report.files import write_text
from noteeval_desktop.report.many import words
from noteeval_desktop.report.many.figures import Bar, Cell, Figure, Overview, shown_as
from noteeval_desktop.report.many.notes_table import HEADINGS, gravest_first, line
from noteeval_desktop.report.words import made_with

_WIDTH, _LABEL, _TEXT, _LINE = 720, 270, 110, 15
# Series differ in how they are filled as well: nothing hangs on colour.
_STYLE = (
    ":root{--text:#1f2328;--muted:#59636e;--line:#d1d9e0;--base:#fff;--accent:#0b6e75;--pale:#e9eef2;--red:#c0362c}"
    "@media(prefers-color-scheme:dark){:root{--text:#e6edf3;--muted:#9aa4af;--line:#30363d;--base:#15191e;"
    "--accent:#4fb8bf;--pale:#262d35;--red:#ff7b72}}"
    "body{font:1rem/1.55 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:var(--text);"
    "background:var(--base)}h1,h2{line-height:1.25}h2{color:var(--accent);margin-top:2.5rem}"
    "table{border-collapse:collapse;margin:.5rem 0;font-variant-numeric:tabular-nums}"
    "th,td{text-align:left;padding:.25rem .7rem .25rem 0;border-bottom:1px solid var(--line);vertical-align:top}"
    ".wide{overflow-x:auto}.quiet{color:var(--muted)}summary{cursor:pointer;color:var(--accent);padding:.3rem 0}"
    "svg{display:block;max-width:100%;height:auto}svg text{font:12px system-ui,sans-serif;fill:var(--text)}"
    ".g{stroke:var(--line)}.s0{fill:var(--accent)}.s1{fill:var(--base);stroke:var(--accent);stroke-width:1.5}"
    ".s2{fill:url(#hatch);stroke:var(--accent)}.i{stroke:var(--accent);stroke-width:2}"
    "@media print{details>*{display:block}}"
)
_HATCH = (
    '<svg width="0" height="0" aria-hidden="true"><defs><pattern id="hatch" width="5" height="5" '
    'patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="5" height="5" fill="var(--base)"/>'
    '<rect width="2" height="5" fill="var(--accent)"/></pattern></defs></svg>'
)


def write_page(overviews: Sequence[Overview], path: Path, when: datetime | None = None) -> None:
    """Whole or not at all. Raises InputError where ``path`` cannot be written."""
    write_text(path, page(overviews, when))


def page(overviews: Sequence[Overview], when: datetime | None = None) -> str:
    body = "\n".join(part for overview in overviews for part in _body(overview))
    title = escape(overviews[0].title)
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<style>{_STYLE}</style>\n</head>\n<body>\n{_HATCH}\n<main>\n{body}\n"
        f'<p class="quiet">{long_day(when or datetime.now())}, {when or datetime.now():%H:%M} · {made_with()}</p>\n'
        "</main>\n</body>\n</html>\n"
    )


def _body(overview: Overview) -> Iterator[str]:
    yield f"<h1>{escape(overview.title)}</h1>"
    yield from (f"<p>{escape(said)}</p>" for said in overview.said)
    for figure in overview.figures:
        yield f"<h2>{escape(figure.title)}</h2>\n<p>{escape(figure.said)}</p>"
        if figure.bars:
            yield svg(figure)
            yield f"<details><summary>{words.AS_A_TABLE}</summary>\n{_table(figure.headings, figure.rows)}</details>"
        elif figure.rows:
            yield _table(figure.headings, figure.rows)
    if overview.notes:
        headings = HEADINGS
        yield f"<h2>{words.ALL_NOTES}</h2>"
        yield _table(headings, [line(row) for row in gravest_first(overview.notes)])


def _table(headings: Sequence[str], rows: Sequence[Sequence[Cell]]) -> str:
    head = "".join(f'<th scope="col">{escape(heading)}</th>' for heading in headings)
    lines = []
    for first, *rest in rows:
        cells = "".join(f"<td>{escape(shown_as(cell))}</td>" for cell in rest)
        lines.append(f'<tr><th scope="row">{escape(shown_as(first))}</th>{cells}</tr>')
    return f'<div class="wide"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>{"".join(lines)}</tbody></table></div>'


def svg(figure: Figure) -> str:
    parts, height = _columns(figure) if figure.kind == "columns" else _across(figure)
    legend = ""
    for n, name in enumerate(figure.series):
        x = _LABEL + 150 * n
        legend += _rect(n, x, 4, 11, 11) + _text(x + 17, 14, name)
    return (
        f'<svg viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}" role="img" '
        f'aria-label="{escape(figure.title)}. {escape(figure.said)} {words.SAME_BELOW}">'
        f"{legend}{''.join(parts)}</svg>"
    )


def _columns(figure: Figure) -> tuple[list[str], int]:
    step, tall = (_WIDTH - 20) / len(figure.bars), 130
    parts = [f'<line class="g" x1="10" x2="{_WIDTH - 10}" y1="{tall + 20}" y2="{tall + 20}"/>']
    for n, bar in enumerate(figure.bars):
        x, length = 10 + n * step, (bar.values[0] or 0) * tall
        parts.append(_rect(0, x + 4, tall + 20 - length, step - 8, length))
        parts.append(_text(x + step / 2, tall + 14 - length, bar.texts[0], "middle"))
        parts.append(_text(x + step / 2, tall + 36, bar.label, "middle"))
    return parts, tall + 44


def _across(figure: Figure) -> tuple[list[str], int]:
    parts, y = [], 24 if figure.series else 4
    room = _WIDTH - _LABEL - _TEXT
    for bar in figure.bars:
        parts.append(_text(_LABEL - 10, y + 12, _short(bar.label), "end"))
        if figure.kind == "intervals":
            parts += _interval(bar, y, room, figure.reach)
            y += _LINE + 9
            continue
        for n, (value, text) in enumerate(zip(bar.values, bar.texts, strict=True)):
            if value is not None:
                parts.append(_rect(n, _LABEL, y + 2, max(1.0, value * room), 10))
            parts.append(_text(_LABEL + (value or 0) * room + 7, y + 12, text))
            y += _LINE
        y += 8
    return parts, y + 4


def _interval(bar: Bar, y: int, room: float, reach: float) -> list[str]:
    def at(value: float) -> float:
        return _LABEL + (value / reach + 1) / 2 * room

    mean = bar.values[0] or 0.0
    parts = [f'<line class="g" x1="{at(0):.1f}" x2="{at(0):.1f}" y1="{y - 4}" y2="{y + 20}"/>']
    if bar.low is not None and bar.high is not None:
        parts.append(f'<line class="i" x1="{at(bar.low):.1f}" x2="{at(bar.high):.1f}" y1="{y + 8}" y2="{y + 8}"/>')
    parts.append(f'<circle class="s0" cx="{at(mean):.1f}" cy="{y + 8}" r="4.5"/>')
    return [*parts, _text(_WIDTH - _TEXT + 10, y + 12, bar.texts[0])]


def _rect(series: int, x: float, y: float, width: float, height: float) -> str:
    return f'<rect class="s{series}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"/>'


def _text(x: float, y: float, text: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _short(label: str) -> str:
    return label if len(label) <= 42 else label[:41] + "…"
