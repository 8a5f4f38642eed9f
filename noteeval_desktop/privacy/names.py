"""The words of a text, and the names and places of a list among them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from noteeval_desktop.domain.text import Span
from noteeval_desktop.privacy.lexicon import Lexicon, plain

# Letters, and marks that Python counts to no word, of every script but Latin and its accents.
_FOREIGN = (
    "\u0370-\u1dff\u1f00-\u1fff\u2c00-\u2dff\u3041-\ud7ff\uf900-\ufdff\ufe70-\ufeff\uff66-\uffdc"
    "\U00010000-\U0001efff\U00020000-\U0003ffff"
)
_WORD = re.compile(rf"(?:[\w\u0300-\u036f]|[{_FOREIGN}])+(?:['’](?:[\w\u0300-\u036f]|[{_FOREIGN}])+)*")
OTHER_SCRIPT = re.compile(rf"[{_FOREIGN}]")
_SENTENCE_START = re.compile(r"(?:^|[.!?…][\"'”’)\]]*\s+|[\n•*:–—-]\s*|[\"“(\[]\s*)$")


@dataclass(frozen=True, slots=True)
class Word:
    """One word without its possessive ending; ``first`` of a sentence; ``gap``: what stands before it."""

    span: Span
    text: str
    plain: str
    gap: str
    first: bool

    @property
    def capital(self) -> bool:
        return any(letter.isupper() for letter in self.text)


def words_of(text: str) -> tuple[Word, ...]:
    found, end = [], 0
    for match in _WORD.finditer(text):
        start, said = match.start(), match.group()
        said = said[:-2] if said[-2:] in ("'s", "’s") else said
        gap = text[end:start]
        inside = gap == "-" and end > 0
        first = not inside and _SENTENCE_START.search(text[max(0, start - 4) : start]) is not None
        found.append(Word(Span(start, start + len(said)), said, plain(said), gap, first))
        end = match.end()
    return tuple(found)


class Phrases:
    """Names and places of one or more words, found in time that does not depend on how many there are."""

    def __init__(self, phrases: Iterable[str], lexicon: Lexicon) -> None:
        self._by_first: dict[str, set[tuple[str, ...]]] = {}
        self._lexicon = lexicon
        for phrase in phrases:
            key = tuple(_key(word) for word in words_of(phrase))
            if key and sum(map(len, key)) > 1 and any(letter.isalpha() for part in key for letter in part):
                self._by_first.setdefault(key[0], set()).add(key)

    def find(self, words: Sequence[Word]) -> Iterator[Span]:
        """The longest at each word. One whose words are all English as well has to stand with a capital."""
        for number, word in enumerate(words):
            for key in sorted(self._by_first.get(_key(word), ()), key=len, reverse=True):
                there = words[number : number + len(key)]
                if tuple(map(_key, there)) != key or any(len(later.gap) > 2 for later in there[1:]):
                    continue
                if any(later.capital for later in there) or not all(
                    self._lexicon.common(later.plain) for later in there
                ):
                    yield Span(word.span.start, there[-1].span.end)
                    break


def _key(word: Word) -> str:
    return word.plain.replace("'", "")
