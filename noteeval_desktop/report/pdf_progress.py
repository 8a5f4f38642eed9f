"""A clinician's notes over time as a PDF: three drawn charts, and what is missed again and again."""

from __future__ import annotations

import io
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from reportlab.graphics.shapes import Circle, Drawing, Line, Polygon, PolyLine, String
from reportlab.lib.colors import HexColor, white
from reportlab.platypus import HRFlowable, KeepTogether, Spacer, Table, TableStyle

from noteeval_desktop.domain.phrases import day, long_day, percent
from noteeval_desktop.domain.progress import Count, Progress, Slot, Source
from noteeval_desktop.domain.review import SCORED, Dimension
from noteeval_desktop.report import pdf_fonts, words
from noteeval_desktop.report import pdf_style as style
from noteeval_desktop.report.files import replacing
from noteeval_desktop.report.pdf_bidi import Paragraph
from noteeval_desktop.report.pdf_fonts import BOLD, REGULAR, markup
from noteeval_desktop.report.pdf_style import Paper

_HEIGHT, _LEFT, _RIGHT = 92.0, 34.0, 8.0
_COLOURS = {Source.JUDGE: HexColor("#9a6700"), Source.SUPERVISOR: HexColor("#0b6e75")}
_MOST_MARKERS = 80


def write_progress_pdf(
    progress: Progress, path: Path, clinician: str, *, when: datetime | None = None, paper: Paper = Paper.A4
) -> None:
    """Whole or not at all. Raises InputError where ``path`` cannot be written."""
    pdf = progress_pdf(progress, clinician, when=when, paper=paper)
    with replacing(path) as temporary:
        temporary.write_bytes(pdf)


def progress_pdf(progress: Progress, clinician: str, *, when: datetime | None = None, paper: Paper = Paper.A4) -> bytes:
    pdf_fonts.register()
    out, when = io.BytesIO(), when or datetime.now()
    document = style.plain_document(out, paper, words.OVER_TIME)
    document.build(list(_story(progress, clinician, when)))
    return out.getvalue()


def _story(progress: Progress, clinician: str, when: datetime) -> Iterator[Any]:
    yield Paragraph(words.OVER_TIME, style.TITLE)
    if clinician:
        yield Paragraph(markup(clinician), style.SUBHEADING)
    yield Paragraph(
        f"{words.cases_and_revisions(progress.cases, len(progress.slots))} · {long_day(when)} · {words.PROGRAM}",
        style.SMALL,
    )
    yield HRFlowable(width="100%", color=style.LINE, spaceBefore=6, spaceAfter=6)
    yield Paragraph(words.EXPLAINED, style.SMALL)
    yield Paragraph(
        f'<font color="#0b6e75">●</font> {words.SOLID} &nbsp;&nbsp; <font color="#9a6700">◆</font> {words.DASHED}',
        style.SMALL,
    )
    for dimension in SCORED:
        yield Spacer(0, 6)
        yield trend(progress.slots, dimension, style.WIDTH)
    yield from _misses(progress)


def trend(slots: tuple[Slot, ...], dimension: Dimension, width: float) -> Drawing:
    """Both sources' shares over ``slots``, told apart by stroke and marker; ``width`` in points."""
    drawing = Drawing(width, _HEIGHT)
    drawing.add(
        String(0, _HEIGHT - 10, words.DIMENSION_NAMES[dimension], fontName=BOLD, fontSize=9, fillColor=style.TEXT)
    )
    low, high = 16.0, _HEIGHT - 20
    for level in (0.0, 0.5, 1.0):
        y = low + level * (high - low)
        drawing.add(Line(_LEFT, y, width - _RIGHT, y, strokeColor=style.LINE, strokeWidth=0.5))
        drawing.add(_text(_LEFT - 4, y - 2.5, percent(level), "end"))
    if slots:
        drawing.add(_text(_LEFT, 4, day(slots[0].day), "start"))
    if len(slots) > 1:
        drawing.add(_text(width - _RIGHT, 4, day(slots[-1].day), "end"))
    for source in (Source.JUDGE, Source.SUPERVISOR):
        places = [
            (_along(number, len(slots), width), low + share * (high - low))
            for number, slot in enumerate(slots)
            if (share := slot.share(source, dimension)) is not None
        ]
        _add_line(drawing, places, source)
    return drawing


def _along(number: int, of: int, width: float) -> float:
    room = width - _LEFT - _RIGHT - 8
    return _LEFT + 4 + (room / 2 if of == 1 else room * number / (of - 1))


def _add_line(drawing: Drawing, places: list[tuple[float, float]], source: Source) -> None:
    colour = _COLOURS[source]
    dashes = [4, 2] if source is Source.JUDGE else None
    if len(places) > 1:
        points = [value for place in places for value in place]
        drawing.add(PolyLine(points, strokeColor=colour, strokeWidth=1.1, strokeDashArray=dashes))
    size = 2.6 if len(places) <= _MOST_MARKERS else 1.4
    for x, y in places:
        if source is Source.SUPERVISOR:
            drawing.add(Circle(x, y, size, fillColor=colour, strokeColor=white, strokeWidth=0.4))
        else:
            corners = [x - size, y, x, y + size, x + size, y, x, y - size]
            drawing.add(Polygon(corners, fillColor=colour, strokeColor=white, strokeWidth=0.4))


def _text(x: float, y: float, text: str, anchor: str) -> String:
    return String(x, y, text, fontName=REGULAR, fontSize=7.5, fillColor=style.MUTED, textAnchor=anchor)


def _misses(progress: Progress) -> Iterator[Any]:
    heading = Paragraph(words.MISSED, style.SUBHEADING)
    if not progress.misses:
        yield KeepTogether([heading, Paragraph(words.NONE, style.BODY)])
        return
    cells = [
        [_cell(text, bold=True) for text in (words.ITEM, words.SECTION, words.SUPERVISOR, words.JUDGE, words.LAST_SEEN)]
    ]
    for miss in progress.misses:
        name = words.mandatory(miss.name) if miss.mandatory else miss.name
        days = [count.last for count in (miss.supervisor, miss.judge) if count.last is not None]
        row = (name, miss.section, _of(miss.supervisor), _of(miss.judge), day(max(days)))
        cells.append([_cell(text) for text in row])
    table = Table(cells, colWidths=[style.WIDTH - 300, 75, 75, 75, 75], repeatRows=1)
    table.setStyle(
        TableStyle(
            [
                ("LINEBELOW", (0, 0), (-1, -1), 0.4, style.LINE),
                ("LEFTPADDING", (0, 0), (-1, -1), 0),
                ("TOPPADDING", (0, 0), (-1, -1), 2),
                ("BOTTOMPADDING", (0, 0), (-1, -1), 3),
            ]
        )
    )
    yield heading
    yield table


def _of(count: Count) -> str:
    """ "3 of 7", or a dash where nothing was marked."""
    return words.share_of(count.missed, count.of) if count.of else "–"


def _cell(text: str, *, bold: bool = False) -> Paragraph:
    said = markup(text)
    return Paragraph(f"<b>{said}</b>" if bold else said, style.CELL)
