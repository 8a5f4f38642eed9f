"""Texts whose identifiers are marked, and how much of them a finder finds."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from noteeval_desktop.domain.text import Span
from noteeval_desktop.privacy.identifiers import IdentifierFinder

FOLDER = Path(__file__).parent / "identifiers"
_MARKED = re.compile(r"\[\[(\w+):(.*?)\]\]", re.DOTALL)


@dataclass(frozen=True)
class Marked:
    """``named``: stretches that identify, with the mark of their kind (FORM.md) where that is known; ``unsure`` ones
    teach nothing."""

    author: str
    text: str
    named: tuple[tuple[Span, str], ...]
    unsure: tuple[Span, ...] = ()


def marked_texts(path: Path) -> list[Marked]:
    """Of a file as FORM.md has it, or of JSON lines that list the identifiers of each text."""
    if path.suffix == ".jsonl":
        return [_listed(path.stem, entry) for entry in map(json.loads, path.read_text("utf-8").splitlines())]
    return [_marked(path.stem, raw.strip()) for raw in path.read_text("utf-8").split("\n===\n")]


def _marked(author: str, raw: str) -> Marked:
    text, named, at = "", [], 0
    for mark in _MARKED.finditer(raw):
        text += raw[at : mark.start()]
        named.append((Span(len(text), len(text) + len(mark[2])), mark[1]))
        text, at = text + mark[2], mark.end()
    return Marked(author, text + raw[at:], tuple(named))


def _listed(author: str, entry: dict[str, list[str]]) -> Marked:
    text = str(entry["text"])
    said = [one.removesuffix("'s") for one in entry["identifiers"]]
    return Marked(author, text, tuple((span, "") for one in said for span in _places(one, text)))


def _places(said: str, text: str) -> Iterator[Span]:
    return (Span(*found.span()) for found in re.finditer(rf"(?<!\w){re.escape(said)}(?!\w)", text))


def counted(one: Marked, finder: IdentifierFinder) -> Counter[str]:
    """``words`` and ``named``; of them ``hidden`` that name nobody, and ``sent`` of which a letter or digit is sent."""
    found = finder.learn([one.text]).find(one.text)
    covered = {at for identifier in found for at in range(identifier.span.start, identifier.span.end)}
    naming = {at for span, _ in one.named for at in range(span.start, span.end)}
    solid = {at for at, letter in enumerate(one.text) if letter.isalnum()}
    words = list(re.finditer(r"\S+", one.text))
    return Counter(
        words=len(words),
        named=len(one.named),
        hidden=sum(bool({*range(*word.span())} & (covered - naming) & solid) for word in words),
        sent=sum(bool({*range(span.start, span.end)} & solid - covered) for span, _ in one.named),
    )


def told(texts: Sequence[Marked], finder: IdentifierFinder) -> str:
    """A line of what was counted on ``texts``."""
    n = sum((counted(one, finder) for one in texts), Counter[str]())
    return (
        f"{len(texts):3} texts {n['words']:6} words {n['named']:4} identifiers: {1000 * n['hidden'] / n['words']:5.1f} "
        f"hidden of 1,000 words that name nobody, {100 * n['sent'] / max(1, n['named']):5.1f} % sent"
    )
