"""Measures, colours and paragraph styles of the PDF."""

from __future__ import annotations

from enum import StrEnum

from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A4, LETTER
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm

from noteeval_desktop.report.pdf_fonts import BOLD, REGULAR


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
