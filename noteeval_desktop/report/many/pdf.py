"""An overview on two pages: what to look at first, then the rest; drawn, so that it prints sharp."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from reportlab.graphics.shapes import Circle, Drawing, Line, Rect, String
from reportlab.lib.colors import white
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.platypus import HRFlowable, KeepInFrame, PageBreak, Spacer, Table, TableStyle

from noteeval_desktop.domain.phrases import long_day
from noteeval_desktop.report import pdf_fonts
from noteeval_desktop.report import pdf_style as style
from noteeval_desktop.report.files import replacing
from noteeval_desktop.report.many.figures import Bar, Figure, Overview, shown_as
from noteeval_desktop.report.pdf_bidi import Paragraph
from noteeval_desktop.report.pdf_fonts import REGULAR, markup
from noteeval_desktop.report.pdf_style import Paper
from noteeval_desktop.report.words import made_with

_FIRST = ("completeness", "conciseness", "faithfulness", "risk", "section", "missing", "wrong")
_GAP, _MOST_BARS, _SIZE, _STEP = 18.0, 9, 7.0, 9.0
_COLUMN = (style.WIDTH - _GAP) / 2


def write_overview_pdf(
    overview: Overview, path: Path, *, paper: Paper = Paper.A4, when: datetime | None = None
) -> None:
    """Whole or not at all. Raises InputError where ``path`` cannot be written."""
    pdf = overview_pdf(overview, paper=paper, when=when)
    with replacing(path) as temporary:
        temporary.write_bytes(pdf)


def overview_pdf(overview: Overview, *, paper: Paper = Paper.A4, when: datetime | None = None) -> bytes:
    pdf_fonts.register()
    out = io.BytesIO()
    document = style.plain_document(out, paper, overview.title)
    height = style.SIZES[paper][1] - 2 * style.MARGIN - 2 * style.FRAME_PADDING - 4
    first = [figure for figure in overview.figures if figure.key in _FIRST]
    rest = [figure for figure in overview.figures if figure.key not in _FIRST]
    story: list[Any] = [_page([*_head(overview, when or datetime.now()), *_grid(first)], height)]
    if rest:
        story += [PageBreak(), _page(list(_grid(rest)), height)]
    document.build(story)
    return out.getvalue()


def _page(parts: list[Any], height: float) -> KeepInFrame:
    """Two pages are promised: a page with long tables is drawn smaller."""
    return KeepInFrame(style.WIDTH, height, parts, mode="shrink")


def _head(overview: Overview, when: datetime) -> Iterator[Any]:
    yield Paragraph(markup(overview.title), style.TITLE)
    yield Paragraph(f"{long_day(when)} · {made_with()}", style.SMALL)
    yield HRFlowable(width="100%", color=style.LINE, spaceBefore=5, spaceAfter=5)
    for said in overview.said:
        yield Paragraph(markup(said), style.BODY)
    yield Spacer(0, 6)


def _grid(figures: Sequence[Figure]) -> Iterator[Any]:
    """Two columns, each filled in turn where it is shorter, so that no corner stays empty."""
    columns: list[list[Any]] = [[], []]
    heights = [0.0, 0.0]
    for figure in figures:
        block = list(_block(figure))
        side = heights.index(min(heights))
        columns[side] += block
        heights[side] += sum(part.wrap(_COLUMN, 10_000)[1] + 8 for part in block)
    table = Table([columns], colWidths=[_COLUMN + _GAP, _COLUMN])
    table.setStyle(
        TableStyle(
            [
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
                ("LEFTPADDING", (0, 0), (-1, -1), 0),
                ("RIGHTPADDING", (0, 0), (0, 0), _GAP),
                ("RIGHTPADDING", (1, 0), (1, 0), 0),
            ]
        )
    )
    yield table


def _block(figure: Figure) -> Iterator[Any]:
    yield Paragraph(markup(figure.title), style.SUBHEADING)
    yield Paragraph(markup(figure.said.replace(" %", "\u00a0%")), style.SMALL)
    yield Spacer(0, 3)
    if figure.rows:
        yield drawing(figure) if figure.bars else _table(figure)
    yield Spacer(0, 4)


def _table(figure: Figure) -> Table:
    cells = [[Paragraph(markup(shown_as(cell)), style.CELL) for cell in row] for row in figure.rows]
    table = Table(cells, colWidths=[_COLUMN / len(figure.headings)] * len(figure.headings))
    table.setStyle(TableStyle([("LINEBELOW", (0, 0), (-1, -1), 0.4, style.LINE), ("LEFTPADDING", (0, 0), (-1, -1), 0)]))
    return table


def drawing(figure: Figure) -> Drawing:
    return _columns(figure) if figure.kind == "columns" else _across(figure)


def _columns(figure: Figure) -> Drawing:
    made, step, tall = Drawing(_COLUMN, 84), _COLUMN / len(figure.bars), 58.0
    made.add(Line(0, 14, _COLUMN, 14, strokeColor=style.LINE))
    for n, bar in enumerate(figure.bars):
        length, x = (bar.values[0] or 0) * tall, n * step
        if length:
            made.add(Rect(x + 2, 14, step - 4, length, fillColor=style.ACCENT, strokeColor=None))
            made.add(_text(x + step / 2, 16 + length, bar.texts[0], "middle"))
        made.add(_text(x + step / 2, 4, bar.label.removesuffix(" %"), "middle"))
    return made


def _across(figure: Figure) -> Drawing:
    bars = figure.bars[:_MOST_BARS]
    each = _STEP * max(1, len(figure.series)) + 5
    top = 14.0 if figure.series else 0.0
    made = Drawing(_COLUMN, each * len(bars) + top)
    widest = max((stringWidth(bar.label, REGULAR, _SIZE) for bar in bars), default=0.0)
    label, text = min(widest + 7, 0.62 * _COLUMN), 46.0
    room = _COLUMN - label - text
    for n, name in enumerate(figure.series):
        x = n * _COLUMN / 3
        made.add(_filled(n, x, made.height - 9, 7, 7))
        made.add(_text(x + 10, made.height - 8, name, "start"))
    for place, bar in enumerate(bars):
        y = made.height - top - each * place - _STEP
        made.add(_text(label - 5, y + 1, _fitting(bar.label, label - 7), "end"))
        if figure.kind == "intervals":
            _interval(made, bar, figure.reach, (label, y), room)
            continue
        for n, (value, said) in enumerate(zip(bar.values, bar.texts, strict=True)):
            if value is not None:
                made.add(_filled(n, label, y, max(0.5, value * room), 6))
            made.add(_text(label + (value or 0) * room + 3, y + 0.5, said, "start"))
            y -= _STEP
    return made


def _interval(made: Drawing, bar: Bar, reach: float, place: tuple[float, float], room: float) -> None:
    left, y = place

    def at(value: float) -> float:
        return left + (value / reach + 1) / 2 * room

    made.add(Line(at(0), y - 4, at(0), y + 10, strokeColor=style.LINE))
    if bar.low is not None and bar.high is not None:
        made.add(Line(at(bar.low), y + 3, at(bar.high), y + 3, strokeColor=style.ACCENT, strokeWidth=1.4))
    made.add(Circle(at(bar.values[0] or 0), y + 3, 2.4, fillColor=style.ACCENT, strokeColor=white, strokeWidth=0.4))
    made.add(_text(left + room + 3, y + 0.5, bar.texts[0], "start"))


def _filled(series: int, x: float, y: float, width: float, height: float) -> Rect:
    """Filled, outlined, pale with an outline: told apart in greyscale too."""
    fill = (style.ACCENT, white, style.LINE)[series]
    return Rect(x, y, width, height, fillColor=fill, strokeColor=style.ACCENT, strokeWidth=0.7)


def _fitting(label: str, room: float) -> str:
    if stringWidth(label, REGULAR, _SIZE) <= room:
        return label
    while label and stringWidth(f"{label}…", REGULAR, _SIZE) > room:
        label = label[:-1]
    return f"{label}…"


def _text(x: float, y: float, text: str, anchor: str) -> String:
    return String(x, y, text, fontName=REGULAR, fontSize=_SIZE, fillColor=style.MUTED, textAnchor=anchor)
