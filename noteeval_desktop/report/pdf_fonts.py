"""Fonts that have the characters of a note, and text as reportlab's markup: escaped, nothing dropped unseen."""

from __future__ import annotations

import unicodedata
from collections.abc import Container, Iterator
from itertools import groupby
from xml.sax.saxutils import escape

from reportlab.lib.fonts import addMapping
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfbase.ttfonts import TTFont

from noteeval_desktop import paths
from noteeval_desktop.report.pdf_bidi import joined

REGULAR, BOLD, OBLIQUE = "NoteEval", "NoteEval-Bold", "NoteEval-Oblique"
_FILES = {
    REGULAR: "DejaVuSansCondensed.ttf",
    BOLD: "DejaVuSansCondensed-Bold.ttf",
    OBLIQUE: "DejaVuSansCondensed-Oblique.ttf",
}
# Every PDF reader supplies these; embedding a font for Chinese, Japanese and Korean would add some 20 MB.
_CHINESE, _JAPANESE, _KOREAN = "STSong-Light", "HeiseiMin-W3", "HYSMyeongJo-Medium"
_INVISIBLE = frozenset("\u200c\u200d\u2060") | {chr(code) for code in range(0xFE00, 0xFE10)}
_MOST_IN_PARAGRAPH = 2000


def register() -> None:
    """Make the fonts known to reportlab; again is harmless."""
    if REGULAR in pdfmetrics.getRegisteredFontNames():
        return
    for name, file in _FILES.items():
        pdfmetrics.registerFont(TTFont(name, str(paths.resources() / "fonts" / file)))
    for name in (_CHINESE, _JAPANESE, _KOREAN):
        pdfmetrics.registerFont(UnicodeCIDFont(name))
    addMapping(REGULAR, 0, 0, REGULAR)
    addMapping(REGULAR, 1, 0, BOLD)
    addMapping(REGULAR, 0, 1, OBLIQUE)
    addMapping(REGULAR, 1, 1, BOLD)


def glyphs() -> Container[int]:
    """The code points that our own font can draw."""
    drawable: Container[int] = pdfmetrics.getFont(REGULAR).face.charToGlyph
    return drawable


def can_slant(text: str) -> bool:
    """Whether our slanted font has all that the upright one draws: it has neither Hebrew nor Arabic."""
    upright, slanted = glyphs(), pdfmetrics.getFont(OBLIQUE).face.charToGlyph
    return not any(ord(character) in upright and ord(character) not in slanted for character in joined(text))


def markup(text: str) -> str:
    """``text`` escaped for a Paragraph; characters that our font lacks in another font, or as ``[name]``."""
    return "".join(
        escape(run) if font is None else f'<font name="{font}">{escape(run)}</font>'
        for font, run in _runs(joined(text), glyphs())
    )


def chunks(text: str) -> Iterator[str]:
    """The text's lines, long ones cut between words: layout time grows faster than a paragraph's length."""
    for line in text.split("\n"):
        while len(line) > _MOST_IN_PARAGRAPH:
            cut = line.rfind(" ", _MOST_IN_PARAGRAPH // 2, _MOST_IN_PARAGRAPH)
            cut = _MOST_IN_PARAGRAPH if cut < 0 else cut
            yield line[:cut]
            line = line[cut:]
        if line.strip():
            yield line


def _runs(text: str, drawable: Container[int]) -> Iterator[tuple[str | None, str]]:
    characters = ((_font_of(character, drawable), character) for character in text if character not in _INVISIBLE)
    for (font, known), group in groupby(characters, key=lambda pair: pair[0]):
        run = "".join(character for _, character in group)
        yield font, run if known else "".join(map(_spelt_out, run))


def _font_of(character: str, drawable: Container[int]) -> tuple[str | None, bool]:
    """The font to change to (None: ours) and whether it can draw the character."""
    code = ord(character)
    if code in drawable or character in "\n\t ":
        return None, True
    if 0x3040 <= code <= 0x30FF or 0x31F0 <= code <= 0x31FF:
        return _JAPANESE, True
    if 0x1100 <= code <= 0x11FF or 0x3130 <= code <= 0x318F or 0xAC00 <= code <= 0xD7A3:
        return _KOREAN, True
    if 0x3000 <= code <= 0x303F or 0x3400 <= code <= 0x9FFF or 0xF900 <= code <= 0xFAFF or 0xFF00 <= code <= 0xFFEF:
        return _CHINESE, True
    return None, False


def _spelt_out(character: str) -> str:
    name = unicodedata.name(character, "").lower()
    return f"[{name or f'U+{ord(character):04X}'}]"
