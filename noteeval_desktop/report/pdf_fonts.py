"""Fonts that have the characters of a note, and text as reportlab's markup: escaped, nothing dropped unseen."""

from __future__ import annotations

import copy
import re
import unicodedata
from collections import Counter
from collections.abc import Container, Iterator
from functools import cache
from itertools import groupby
from typing import Any, NamedTuple
from xml.sax.saxutils import escape

from reportlab.lib.enums import TA_LEFT, TA_RIGHT
from reportlab.lib.fonts import addMapping
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.platypus import Paragraph as LogicalParagraph

from noteeval_desktop import paths

_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]")
_ARABIC = re.compile("[\u0600-\u06ff\u0750-\u077f\u08a0-\u08ff][\u0600-\u06ff\u0750-\u077f\u08a0-\u08ff\u200c\u200d ]*")
# Marks stay; of the ligatures only the one that every hand writes, and that our font has.
_JOINING = {"delete_harakat": False, "support_ligatures": True, "RIAL SIGN": False, "ARABIC LIGATURE ALLAH": False}


def joined(text: str) -> str:
    """Arabic letters in the forms that their neighbours ask for; any other text as it is."""
    return _ARABIC.sub(lambda match: str(_joiner().reshape(match[0])), text) if _RIGHT_TO_LEFT.search(text) else text


def visual(text: str) -> str:
    """One line, from left to right as it is drawn; the base direction is that of most of its letters."""
    if not _RIGHT_TO_LEFT.search(text):
        return text
    text = joined(text)
    return "".join(character for character, _ in _ordered(text, _mostly_right(text)))


class Heading(NamedTuple):
    """Of the page's, for the bookmarks; ``level`` counts from 0."""

    text: str
    level: int


_LEVELS = {"title": 0, "heading": 0, "subheading": 1}


class Paragraph(LogicalParagraph):  # type: ignore[misc]
    """Draws each line in visual order. ``own_direction`` in the style: from the right, if most of it is so."""

    blPara: Any  # noqa: N815
    style: Any

    def draw(self) -> None:
        """Told to a canvas that keeps headings."""
        level, kept = _LEVELS.get(self.style.name), getattr(self.canv, "headings", None)
        if level is not None and kept is not None:
            kept.append(Heading(self.getPlainText(), level))
        super().draw()

    def drawPara(self, debug: int = 0) -> None:  # noqa: N802
        lines, style = self.blPara, self.style
        if not _RIGHT_TO_LEFT.search("".join(_texts(lines))):
            super().drawPara(debug)
            return
        from_right = bool(getattr(style, "own_direction", False)) and _mostly_right("".join(_texts(lines)))
        try:
            self.blPara = _in_visual_order(lines, from_right)
            if from_right and style.alignment == TA_LEFT:
                self.style = ParagraphStyle("from the right", style, alignment=TA_RIGHT)
            super().drawPara(debug)
        finally:
            self.blPara, self.style = lines, style


@cache
def _joiner() -> Any:
    # Here, not above: hardly any note is in Arabic.
    from arabic_reshaper import ArabicReshaper

    return ArabicReshaper(_JOINING)


def _texts(lines: Any) -> Iterator[str]:
    for line in lines.lines:
        if lines.kind:
            yield from (getattr(fragment, "text", "") for fragment in line.words)
        else:
            yield " ".join(line[1])


def _mostly_right(text: str) -> bool:
    """By most of its letters: a note may open with an English heading, or with the name of a scale."""
    counts = Counter(unicodedata.bidirectional(character) for character in text)
    return counts["R"] + counts["AL"] > counts["L"]


def _in_visual_order(lines: Any, from_right: bool) -> Any:
    ordered = copy.copy(lines)
    if lines.kind:
        ordered.lines = [_fragments_ordered(line, from_right) for line in lines.lines]
    else:
        ordered.lines = [(line[0], [_line(" ".join(line[1]), from_right)], *line[2:]) for line in lines.lines]
    return ordered


def _line(text: str, from_right: bool) -> str:
    return "".join(character for character, _ in _ordered(text, from_right))


def _fragments_ordered(line: Any, from_right: bool) -> Any:
    """Each fragment keeps its font and its underline, wherever its characters go."""
    ordered = copy.copy(line)
    owners = [fragment for fragment in line.words for _ in getattr(fragment, "text", "")]
    text = "".join(getattr(fragment, "text", "") for fragment in line.words).rstrip(" ")
    ordered.words = []
    for owner, run in groupby(_ordered(text, from_right), key=lambda pair: id(owners[pair[1]])):
        characters = list(run)
        fragment = owners[characters[0][1]].clone()
        assert owner
        fragment.text = "".join(character for character, _ in characters)
        ordered.words.append(fragment)
    ordered.words += [fragment for fragment in line.words if not getattr(fragment, "text", "")]
    return ordered


def _ordered(text: str, from_right: bool) -> list[tuple[str, int]]:
    """Unicode's bidirectional algorithm: the characters as they stand on the line, each with its place in ``text``."""
    # Its steps, since only they say where each character went, and the fast version of the library does not.
    from bidi import algorithm

    storage = algorithm.get_empty_storage()
    storage["base_level"], storage["base_dir"] = int(from_right), "LR"[from_right]
    algorithm.get_embedding_levels(text, storage)
    for place, character in enumerate(storage["chars"]):
        character["place"] = place
    algorithm.explicit_embed_and_overrides(storage)
    algorithm.resolve_weak_types(storage)
    algorithm.resolve_neutral_types(storage, False)
    algorithm.resolve_implicit_levels(storage, False)
    algorithm.reorder_resolved_levels(storage, False)
    algorithm.apply_mirroring(storage, False)
    return list(_marks_after_letters(storage["chars"]))


def _marks_after_letters(characters: list[dict[str, Any]]) -> Iterator[tuple[str, int]]:
    """Rule L3: turned round, a mark comes before its letter, but fonts draw it over what came before it."""
    waiting: list[tuple[str, int]] = []
    for character in characters:
        pair = (character["ch"], character["place"])
        if character["level"] % 2 and unicodedata.combining(pair[0]):
            waiting.append(pair)
            continue
        yield pair
        yield from reversed(waiting)
        waiting.clear()
    yield from waiting


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
