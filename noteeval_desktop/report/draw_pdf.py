"""A page as a PDF that can be printed, read in greyscale and handed over."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache, singledispatch
from pathlib import Path as FilePath
from typing import Any

from reportlab import rl_config
from reportlab.graphics import shapes
from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A4, LETTER
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    CondPageBreak,
    HRFlowable,
    KeepInFrame,
    KeepTogether,
    PageBreak,
    SimpleDocTemplate,
    Spacer,
)
from reportlab.platypus import Table as Cells

from noteeval_desktop.domain.findings import FindingKind
from noteeval_desktop.domain.phrases import long_day, shortened, tr
from noteeval_desktop.present.vocabulary import KINDS, MARKED, Line
from noteeval_desktop.report import page, pdf_fonts
from noteeval_desktop.report.charts import SIZE, Box, Dot, Label, Path
from noteeval_desktop.report.files import replacing
from noteeval_desktop.report.fingerprints import Fingerprints
from noteeval_desktop.report.page import Marked, Run, Text, runs
from noteeval_desktop.report.pdf_fonts import BOLD, REGULAR, can_slant, chunks, markup, visual
from noteeval_desktop.report.pdf_fonts import Heading as Bookmark
from noteeval_desktop.report.pdf_fonts import Paragraph as Lines
from noteeval_desktop.report.pdf_seal import sealed


class Paper(StrEnum):
    A4 = "a4"
    LETTER = "letter"


SIZES = {Paper.A4: A4, Paper.LETTER: LETTER}
MARGIN = 20 * mm
FRAME_PADDING = 6  # reportlab's own, inside the margins
# The same on both papers, so that a scorecard reads alike; Letter has wider margins.
WIDTH = A4[0] - 2 * MARGIN
# The tones of ``present.vocabulary`` and the inks of ``charts``.
INKS = {
    "red": "#c0362c",
    "amber": "#9a6700",
    "blue": "#2f6fb0",
    "green": "#1a7f37",
    "grey": "#59636e",
    "accent": "#0b6e75",
    "line": "#d1d9e0",
    "pale": "#eaeef2",
    "base": "#ffffff",
}
TEXT, MUTED, LINE, DANGER = (HexColor(ink) for ink in ("#1f2328", INKS["grey"], INKS["line"], INKS["red"]))

BODY = ParagraphStyle("body", fontName=REGULAR, fontSize=9.5, leading=14, textColor=TEXT)
NOTE = ParagraphStyle("note", BODY, own_direction=True, fontSize=10, leading=16.5, spaceAfter=3)
SMALL = ParagraphStyle("small", BODY, fontSize=8, leading=11.5, textColor=MUTED)
TITLE = ParagraphStyle("title", BODY, fontName=BOLD, fontSize=20, leading=26)
HEADING = ParagraphStyle(
    "heading",
    BODY,
    fontName=BOLD,
    fontSize=13,
    leading=18,
    spaceBefore=16,
    spaceAfter=6,
    textColor=HexColor(INKS["accent"]),
)
SUBHEADING = ParagraphStyle("subheading", BODY, fontName=BOLD, fontSize=10, leading=14, spaceBefore=8, spaceAfter=3)
FIGURE = ParagraphStyle("figure", BODY, fontName=BOLD, fontSize=17, leading=22)
FINDING = ParagraphStyle("finding", BODY, leftIndent=22, spaceAfter=4, bulletFontName=BOLD, bulletFontSize=9)
QUOTE = ParagraphStyle(
    "quote",
    BODY,
    fontSize=9,
    leading=13,
    leftIndent=36,
    rightIndent=4,
    borderPadding=(2, 4, 2, 8),
    spaceBefore=3,
    spaceAfter=5,
    backColor=HexColor("#f3f6f8"),
)
CELL = ParagraphStyle("cell", BODY, fontSize=8, leading=11)


_UNDERLINES: dict[Line | None, str] = {
    "wave": 'kind="double" width="0.9" gap="1.2" offset="-2.2"',
    "dashes": 'width="1.5" offset="-2.6"',
    "dots": 'width="0.5" offset="-2.2"',
}
_UNDER_HEADING = {1: 150, 2: 70}
_GAP, _MOST_CELL = 18.0, 800


def write_pdf(shown: page.Page, path: FilePath, *, paper: Paper = Paper.A4, password: str = "") -> None:
    """Write ``shown`` to ``path``, whole or not at all.

    With a ``password`` the file is encrypted (AES-256). The page's fingerprints are inside: ``noteeval verify`` reads
    them. Raises InputError where ``path`` cannot be written, and for a password that a PDF cannot have.
    """
    pdf = pdf_bytes(shown, paper=paper, password=password)
    with replacing(path) as temporary:
        temporary.write_bytes(pdf)


def pdf_bytes(shown: page.Page, *, paper: Paper = Paper.A4, password: str = "") -> bytes:
    """The page as a PDF in memory, for a preview that leaves nothing on the disk. Raises as ``write_pdf``."""
    pdf_fonts.register()
    # Text is escaped, so nothing can ask for a file or an address; this is the second lock on that door.
    rl_config.trustedSchemes, rl_config.trustedHosts = [], []
    out, size = io.BytesIO(), SIZES[paper]
    side = (size[0] - WIDTH) / 2 - FRAME_PADDING
    document = SimpleDocTemplate(
        out,
        pagesize=size,
        leftMargin=side,
        rightMargin=side,
        topMargin=MARGIN + 6,
        bottomMargin=MARGIN,
        title=shown.title,
        author=page.PROGRAM,
        subject=shown.subject,
        lang="en",
        displayDocTitle=1,
    )
    story = list(_flow(shown.parts, _Room(WIDTH, document.height - 2 * FRAME_PADDING)))
    document.build(story[:-1] if isinstance(story[-1], PageBreak) else story, canvasmaker=_numbered_canvas(shown, size))
    if shown.prints is None and not password:
        return out.getvalue()
    return sealed(out.getvalue(), shown.prints or Fingerprints(), password)


@dataclass(frozen=True, slots=True)
class _Room:
    """Where parts are drawn. ``breaks``: it may go on on the next sheet; ``indent``: from its left, in points."""

    width: float
    height: float
    breaks: bool = True
    indent: float = 0


def _flow(parts: Iterable[page.Part], room: _Room) -> Iterator[Any]:
    for part in parts:
        yield from _drawn(part, room)


@singledispatch
def _drawn(part: page.Part, room: _Room) -> Iterator[Any]:
    raise TypeError(type(part).__name__)


@_drawn.register
def _(part: page.Title, room: _Room) -> Iterator[Any]:
    yield Lines(_text(part.text), TITLE)
    if part.subtitle:
        yield Lines(_text(part.subtitle), SUBHEADING)
    for name, value in part.facts:
        row = [[Lines(_text(text), SMALL) for text in (name, value)]]
        yield Cells(row, colWidths=[70, room.width - 70], style=_BARE) if name else Lines(_text(value), SMALL)
    yield HRFlowable(width="100%", color=LINE, spaceBefore=8, spaceAfter=8)


@_drawn.register
def _(part: page.Heading, room: _Room) -> Iterator[Any]:
    """Never alone at the foot of a sheet; smaller where there is one sheet only."""
    if room.breaks:
        yield CondPageBreak(_UNDER_HEADING[part.level])
    yield Lines(_text(part.text), HEADING if part.level == 1 and room.breaks else SUBHEADING)


@_drawn.register
def _(part: page.Paragraph, room: _Room) -> Iterator[Any]:
    look = {"body": BODY, "small": SMALL, "figure": FIGURE}[part.look]
    yield from _paragraphs(part.text, _indented(look, room.indent))


@_drawn.register
def _(part: page.NoteLine, room: _Room) -> Iterator[Any]:
    if part.text:
        yield Lines(_text((part.heading, *runs(part.text))), NOTE)
    else:
        yield CondPageBreak(60)
        yield Lines(_text(part.heading), SUBHEADING)


@_drawn.register
def _(part: page.Banner, room: _Room) -> Iterator[Any]:
    title = Run(f"⚠ {part.title}." if part.loud else f"{part.title}.", "red" if part.loud else "", strong=True)
    said = Lines(_text((title, " ", part.text)), BODY)
    look = [
        ("BOX", (0, 0), (-1, -1), 0.7, DANGER),
        ("LINEBEFORE", (0, 0), (0, -1), 4, DANGER, "butt"),
        *_padding(10, 6),
    ]
    yield Spacer(0, 4)
    yield Cells([[said]], colWidths=[room.width], style=look) if part.loud else said
    yield Spacer(0, 10 if room.breaks else 6)


@_drawn.register
def _(part: page.Items, room: _Room) -> Iterator[Any]:
    within = replace(room, indent=FINDING.leftIndent)
    for item in part.items:
        head = list(_paragraphs(item.text, FINDING, item.marker))
        # The first quote stands by what it is about; more would not fit under a heading, which is then left alone.
        quoted = next((n for n, one in enumerate(item.under, 1) if isinstance(one, page.Quote)), len(item.under))
        first = [*head, *_flow(item.under[:quoted], within)]
        yield from [KeepTogether(first)] if room.breaks and len(head) == 1 < len(first) else first
        yield from _flow(item.under[quoted:], within)
        if item.under:
            yield Spacer(0, 5)


@_drawn.register
def _(part: page.Quote, room: _Room) -> Iterator[Any]:
    yield Lines(f"{_text(Run(part.where, 'grey'))}<br/>“{_text(part.text)}”", QUOTE)


@_drawn.register
def _(part: page.Table, room: _Room) -> Iterator[Any]:
    head = tuple(Run(name, strong=True) for name in part.head)
    rows = [tuple((one,) for one in head), *part.rows]
    cells = [[Lines(_cell(text, strong=len(row) == 1), CELL) for text in row] for row in rows]
    spans = [("SPAN", (0, n), (-1, n)) for n, row in enumerate(rows) if len(row) == 1 < len(head)]
    rules = [("LINEBELOW", (0, 0), (-1, -1), 0.4, LINE), ("VALIGN", (0, 0), (-1, -1), "TOP"), *_padding(0, 2)]
    padded = [[*row, *[""] * (len(head) - len(row))] for row in cells]
    widths = _widths([row for row in rows if len(row) == len(head)], room.width)
    yield Cells(
        padded,
        colWidths=widths,
        repeatRows=1,
        hAlign="LEFT",
        style=[*rules, ("RIGHTPADDING", (0, 0), (-2, -1), 6), *spans],
    )
    yield Spacer(0, 4)


@_drawn.register
def _(part: page.Chart, room: _Room) -> Iterator[Any]:
    drawing = part.draw(room.width)
    made = shapes.Drawing(drawing.width, drawing.height)
    for shape in drawing.shapes:
        made.add(_shape(shape, drawing.height))
    yield Spacer(0, 3)
    yield made
    yield Spacer(0, 4)


@_drawn.register
def _(part: page.Cards, room: _Room) -> Iterator[Any]:
    count = len(part.cards)
    width = (room.width - (count - 1) * 10) / count
    cells: list[Any] = []
    for card in part.cards:
        cells += [list(_flow(card, _Room(width - 20, room.height, breaks=False))), ""]
    frames = [("BOX", (column, 0), (column, 0), 0.7, LINE) for column in range(0, 2 * count, 2)]
    look = [("VALIGN", (0, 0), (-1, -1), "TOP"), *frames, *_padding(10, 8)]
    yield Spacer(0, 8)
    yield Cells([cells[:-1]], colWidths=([width, 10] * count)[:-1], style=look)
    yield Spacer(0, 8)


@_drawn.register
def _(part: page.Grid, room: _Room) -> Iterator[Any]:
    """Two columns, each filled in turn where it is shorter, so that no corner stays empty."""
    width = (room.width - _GAP) / 2
    sides: list[list[Any]] = [[], []]
    heights = [0.0, 0.0]
    for block in part.blocks:
        made = list(_flow(block, _Room(width, room.height, breaks=False)))
        side = heights.index(min(heights))
        sides[side] += made
        heights[side] += sum(one.wrap(width, 10_000)[1] + 8 for one in made)
    look = [("VALIGN", (0, 0), (-1, -1), "TOP"), *_padding(0, 0), ("RIGHTPADDING", (0, 0), (0, 0), _GAP)]
    yield Spacer(0, 6)
    yield Cells([sides], colWidths=[width + _GAP, width], style=look)


@_drawn.register
def _(part: page.Group, room: _Room) -> Iterator[Any]:
    match part.kind:
        case "together":
            made = [one for one in _flow(part.parts, room) if not isinstance(one, CondPageBreak)]
            yield from [KeepTogether(made)] if room.breaks else made
        case "sheet":
            made = list(_flow(part.parts, replace(room, breaks=False)))
            yield from [KeepInFrame(room.width, room.height - 4, made, mode="shrink")] if made else []
            yield PageBreak()
        case "paper":
            yield from _flow(part.parts, room)


@_drawn.register
def _(part: page.Blanks, room: _Room) -> Iterator[Any]:
    """A label, and a line behind it."""
    gap = 20
    each = (room.width - (len(part.columns) - 1) * gap) / len(part.columns)
    label = max(_natural(name, SMALL) for column in part.columns for name, _ in column)
    rows, widths = [], ([label + 10, each - label - 10, gap] if label else [0, each, gap]) * len(part.columns)
    for row in zip(*part.columns, strict=True):
        cells: list[Any] = []
        for name, value in row:
            cells += [Lines(_text(name), SMALL), Lines(_text(shortened(value, 200)), BODY), ""]
        rows.append(cells[:-1])
    lines = [("LINEBELOW", (3 * n + 1, 0), (3 * n + 1, -1), 0.6, MUTED) for n in range(len(part.columns))]
    look = [*lines, ("VALIGN", (0, 0), (-1, -1), "BOTTOM"), *_padding(0, 2), ("TOPPADDING", (0, 0), (-1, -1), 17)]
    yield Cells(rows, colWidths=widths[:-1], hAlign="LEFT", style=look)
    yield Spacer(0, 8)


def _padding(sides: float, ends: float) -> list[tuple[Any, ...]]:
    of = {"LEFT": sides, "RIGHT": sides, "TOP": ends, "BOTTOM": ends}
    return [(f"{edge}PADDING", (0, 0), (-1, -1), points) for edge, points in of.items()]


_BARE = _padding(0, 0)


@cache
def _indented(look: ParagraphStyle, indent: float) -> ParagraphStyle:
    return ParagraphStyle(look.name, look, leftIndent=indent) if indent else look


def _text(text: Text) -> str:
    """As reportlab's markup."""
    return "".join(_marked(one) if isinstance(one, Marked) else _run(one) for one in runs(text))


def _run(run: Run) -> str:
    said = f"<b>{markup(run.text)}</b>" if run.strong else markup(run.text)
    return f'<font color="{INKS[run.tone]}">{said}</font>' if run.tone else said


def _paragraphs(text: Text, look: ParagraphStyle, marker: str = "") -> Iterator[Lines]:
    """A new one for each line of a text, and for each part of a very long one: see ``chunks``."""
    pieces: list[list[Run | Marked]] = [[]]
    for one in runs(text):
        first, *others = [one] if isinstance(one, Marked) else [replace(one, text=t) for t in chunks(one.text)] or [one]
        pieces[-1].append(first)
        pieces += [[other] for other in others]
    for number, piece in enumerate(pieces):
        yield Lines(_text(tuple(piece)), look, bulletText=marker if marker and not number else None)


def _cell(text: Text, *, strong: bool) -> str:
    """Cut to what fits on a sheet: a row of a table is not parted."""
    whole = (
        replace(one, text=one.text[:_MOST_CELL], strong=one.strong or strong)
        for one in runs(text)
        if isinstance(one, Run)
    )
    return _text(tuple(whole))


def _natural(text: Text, look: ParagraphStyle) -> float:
    return sum(float(stringWidth(one.text, pdf_fonts.BOLD, look.fontSize)) for one in runs(text))


def _widths(rows: Sequence[Sequence[Text]], width: float) -> list[float]:
    """As browsers do: each column as wide as its longest word, and what is left by what its texts would take."""
    least, wanted = [], []
    for column in zip(*rows, strict=True):
        of = [[_natural(word, CELL) for one in runs(cell) for word in one.text[:_MOST_CELL].split()] for cell in column]
        least.append(min(max((max(cell, default=0) for cell in of), default=0) + 7, width / len(rows[0])))
        wanted.append(min(max(_natural(cell, CELL) for cell in column) + 7, 0.6 * width))
    asked = sum(wanted) - sum(least)
    left = width - sum(least)
    if asked <= left:
        return [one + (left - asked) / len(wanted) for one in wanted]
    return [low + left * (high - low) / asked for low, high in zip(least, wanted, strict=True)]


def _sign(kind: FindingKind) -> str:
    return _run(Run(KINDS[kind].sign, KINDS[kind].tone, strong=True))


def _marked(part: Marked) -> str:
    tags = "".join(
        f'<font size="7.5">&nbsp;{_sign(kind)}{f"<b>{number}</b>" if number else ""}</font>'
        for kind, _, number in part.found
    )
    tags += f'<font size="7.5">&nbsp;✎<b>{", ".join(map(str, part.comments))}</b></font>' if part.comments else ""
    return _underlined(part.text, tuple(kind for kind, _, _ in part.found)) + (tags if part.ends else "")


def _underlined(text: str, kinds: tuple[FindingKind, ...]) -> str:
    marked = markup(text)
    if FindingKind.UNNEEDED in kinds:
        slanted = f"<i>{marked}</i>" if can_slant(text) else marked
        marked = f'<font color="{INKS[KINDS[FindingKind.UNNEEDED].tone]}">{slanted}</font>'
    for kind in kinds:
        if kind in MARKED and kind is not FindingKind.UNNEEDED:
            marked = f'<u color="{INKS[KINDS[kind].tone]}" {_UNDERLINES[KINDS[kind].line]}>{marked}</u>'
    return marked


def _shape(shape: Box | Path | Dot | Label, height: float) -> shapes.Shape:
    match shape:
        case Box():
            outline = HexColor(INKS[shape.outline]) if shape.outline else None
            fill, low = HexColor(INKS[shape.fill]), height - shape.y - shape.height
            return shapes.Rect(
                shape.x, low, shape.width, shape.height, fillColor=fill, strokeColor=outline, strokeWidth=0.7
            )
        case Path():
            points = [value for x, y in shape.points for value in (x, height - y)]
            dashes = [4, 2] if shape.dashed else None
            ink = HexColor(INKS[shape.ink])
            return shapes.PolyLine(points, strokeColor=ink, strokeWidth=shape.width, strokeDashArray=dashes)
        case Dot():
            look = {
                "fillColor": HexColor(INKS[shape.ink]),
                "strokeColor": HexColor(INKS["base"]),
                "strokeWidth": 0.4,
            }
            x, y, size = shape.x, height - shape.y, shape.radius
            if shape.diamond:
                return shapes.Polygon([x - size, y, x, y + size, x + size, y, x, y - size], **look)
            return shapes.Circle(x, y, size, **look)
        case Label():
            look = {"fontName": REGULAR, "fontSize": SIZE, "fillColor": MUTED, "textAnchor": shape.anchor}
            return shapes.String(shape.x, height - shape.y, visual(shape.text), **look)


def _numbered_canvas(shown: page.Page, size: tuple[float, float]) -> type[Canvas]:
    """A canvas that keeps its pages until the end, when their number is known, and then draws head and foot."""

    class NumberedCanvas(Canvas):  # type: ignore[misc]
        def __init__(self, *args: Any, **keywords: Any) -> None:
            super().__init__(*args, **keywords)
            self._kept: list[dict[str, Any]] = []
            self.headings: list[Bookmark] = []

        def showPage(self) -> None:  # noqa: N802
            self._kept.append(dict(self.__dict__))
            self.headings = []
            self._startPage()

        def save(self) -> None:
            for number, state in enumerate(self._kept, start=1):
                self.__dict__.update(state)
                _head_and_foot(self, shown, size, number, len(self._kept))
                for place, heading in enumerate(self.headings):
                    self.bookmarkPage(f"{number}.{place}")
                    self.addOutlineEntry(heading.text, f"{number}.{place}", heading.level)
                super().showPage()
            super().save()

    return NumberedCanvas


def _head_and_foot(canvas: Canvas, shown: page.Page, size: tuple[float, float], number: int, of: int) -> None:
    width, height = size
    margin = (width - WIDTH) / 2
    canvas.setFont(REGULAR, 7.5)
    canvas.setFillColor(MUTED)
    if number > 1:
        # One font and one line: what that font lacks is on page one, in full.
        glyphs, head = pdf_fonts.glyphs(), visual(shown.head[:90].rstrip(" ·"))
        canvas.drawString(margin, height - 40, "".join(one if ord(one) in glyphs else "□" for one in head))
    canvas.drawString(margin, 34, f"{page.PROGRAM} · {long_day(shown.when)} · {page.GUIDE}")
    canvas.drawRightString(width - margin, 34, tr("Page {number} of {of}").format(number=number, of=of))
