"""What can be seen in a word without a model: its shape, its marks, the lists that have it, the forms it is part of."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from noteeval_desktop.privacy.lexicon import Lexicon, plain
from noteeval_desktop.privacy.masking import IdentifierKind
from noteeval_desktop.privacy.names import OTHER_SCRIPT, Phrases, Word
from noteeval_desktop.privacy.patterns import by_pattern

_KINDS = tuple(IdentifierKind)
_BEFORE, _BEHIND = ('"', "(", "@", ":", "-", "/", ",", "&", ".", "#"), (".", ",", ":", "-", "/", ")", '"', "@", "'")
_QUOTES = str.maketrans("“‘’”", '""\'"')
# How often films say a word: "walmart" 50, "cognitive" 3,299, "mark" 50,334.
_OFTEN = (1, 50, 600, 10_000, 100_000)
_STREETS = frozenset(["st", "street", "ave", "avenue", "rd", "road", "lane", "drive", "blvd", "apt", "unit", "hwy"])
_TITLES = frozenset([
    "mr", "mrs", "ms", "dr", "miss", "sister", "aunt", "uncle", "nurse", "pastor", "rev", "coach", "officer", "father",
])  # fmt: skip
_PREFIXES = (
    "non", "un", "re", "over", "under", "self", "psycho", "anti", "pre", "post", "mis", "co", "sub", "hyper",
    "hypo", "bio", "neuro", "tele",
)  # fmt: skip
_SUFFIXES = ("s", "es", "ed", "d", "y", "ing", "ly", "ness", "er", "al", "ally", "ity", "ive", "ization", "ical")


class WordFeatures:
    """``lexicon`` is what it knows words by."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon, self._places = lexicon, Phrases(lexicon.places, lexicon)

    def of(self, text: str, words: Sequence[Word]) -> NDArray[np.float32]:
        """(words, features), all 0 or 1, of the ``words`` of ``text``."""
        kinds: dict[int, set[IdentifierKind]] = {}
        for one in by_pattern(text, self._lexicon):
            for at in range(one.span.start, one.span.end):
                kinds.setdefault(at, set()).add(one.kind)
        places = {at for span in self._places.find(words) for at in range(span.start, span.end)}
        rows = [
            [
                *_shape(word, number == 0),
                *_marks(word, text[word.span.end : word.span.end + 1]),
                *self._lists(word),
                word.span.start in places,
                *(kind in kinds.get(word.span.start, ()) for kind in _KINDS),
            ]
            for number, word in enumerate(words)
        ]
        width = len(rows[0]) if rows else 0
        return np.array(rows, dtype=np.float32).reshape(len(words), width)

    def _lists(self, word: Word) -> list[bool]:
        said, lexicon = word.plain, self._lexicon
        capital, times = word.text[0].isupper(), lexicon.times.get(said, 0)
        letters = said.replace("'", "").isalpha()
        name, given = said in lexicon.names, said in lexicon.given_words
        return [
            *(name, given, name and capital, given and capital and not word.first),
            bool({said, said.removesuffix("s")} & lexicon.capitals),
            said in lexicon.terms,
            *(low <= times < high for low, high in zip((0, *_OFTEN), (*_OFTEN, 10**12), strict=True)),
            *(letters and not self._english(said), letters and capital and not times),
            *(said in _STREETS, said in _TITLES),
        ]

    def _english(self, said: str) -> bool:
        """Known as it stands, or made of a known word."""
        if self._lexicon.known(said):
            return True
        stems = [said.removesuffix(ending) for ending in _SUFFIXES if said.endswith(ending)]
        stems += [said.removeprefix(begin) for begin in _PREFIXES if said.startswith(begin)]
        return any(len(s) > 3 and (s in self._lexicon.capitals or self._lexicon.times.get(s, 0) > 100) for s in stems)


def _shape(word: Word, begins: bool) -> list[bool]:
    said, length = word.text, len(word.text)
    capital, shouted, digits = said[0].isupper(), said.isupper(), said.isdigit()
    return [
        *(capital, shouted and length > 1, shouted and length == 1, word.capital and not capital and not shouted),
        *(capital and not shouted and any(letter.isupper() for letter in said[1:]),),
        *(not digits and any(letter.isdigit() for letter in said),),
        *(digits and length in lengths for lengths in ((1, 2), (3,), (4,), range(5, 100))),
        *(length <= 2, length == 3, length >= 7),
        OTHER_SCRIPT.search(said) is not None,
        any(letter not in "éÉ" and plain(letter) != letter.casefold() for letter in said.replace("’", "'")),
        *(word.first, word.first and capital, capital and not word.first, begins or "\n" in word.gap),
    ]


def _marks(word: Word, behind: str) -> list[bool]:
    before, after = word.gap.strip()[-1:].translate(_QUOTES), behind.translate(_QUOTES)
    return [before == mark for mark in _BEFORE] + [after == mark for mark in _BEHIND]
