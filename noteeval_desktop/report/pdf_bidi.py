"""Right-to-left text on the page: letters joined before layout, lines put into visual order when they are drawn.

reportlab's own support needs a library without wheels. A paragraph that is split between two pages is broken into
lines again, so its words have to stay in logical order until then.
"""

from __future__ import annotations

import copy
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import groupby
from typing import Any, NamedTuple

from reportlab.lib.enums import TA_LEFT, TA_RIGHT
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import Paragraph as LogicalParagraph

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
