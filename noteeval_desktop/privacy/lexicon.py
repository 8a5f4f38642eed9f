"""The words that de-identification knows: names, places, and what stands with a capital for reasons of its own."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from spellchecker import SpellChecker

from noteeval_desktop.guarded_json import from_json
from noteeval_desktop.privacy.masking import without_accents

# "you", "the", "like"; names that are words, as "mark" with 50,334, are rarer or stand in a list.
_EVERYDAY = 100_000
# "the", "and", "he", "in"; "an", which is a name as well, has 4,839,515.
_GRAMMAR = 6_000_000
# In the spelling dictionary's films; "walmart" has 50 and "bellevue" 77, "cognitive" 3,299.
_COMMON = 600


def plain(word: str) -> str:
    """Without accents, in small letters, with one kind of apostrophe."""
    return without_accents(word.replace("’", "'")).casefold()


@dataclass(frozen=True, slots=True, eq=False)  # by identity: what is made of one is kept for it
class Lexicon:
    """All in the form of ``plain``. ``names`` are no words besides; ``given_words`` are; ``capitals`` identify nobody;
    ``terms`` are clinical words; ``places`` may have several words; ``times``: how often films say a word."""

    names: frozenset[str] = frozenset()
    given_words: frozenset[str] = frozenset()
    capitals: frozenset[str] = frozenset()
    places: frozenset[str] = frozenset()
    terms: frozenset[str] = frozenset()
    times: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))

    def known(self, word: str) -> bool:
        """A word of English, or one that identifies nobody."""
        return word in self.capitals or word in self.times

    def common(self, word: str) -> bool:
        """A word of English that is more than a brand or a place; true without a dictionary."""
        return not self.times or word in self.capitals or self.times.get(word, 0) >= _COMMON

    def everyday(self, word: str) -> bool:
        """Said so often that it is no name."""
        return self.times.get(word, 0) >= _EVERYDAY and word not in self.given_words

    def grammar(self, word: str) -> bool:
        """A word of which sentences are made."""
        return self.times.get(word, 0) >= _GRAMMAR


@functools.cache
def load_lexicon(folder: Path) -> Lexicon:
    """From the lists in ``folder`` and the spelling dictionary; half a second, once a run."""
    return Lexicon(
        names=_read(folder / "names.txt"),
        given_words=_read(folder / "given_words.txt"),
        capitals=_read(folder / "capitals.txt") | _read(folder / "clinical.txt"),
        places=_read(folder / "places.txt") | _read(folder / "cities.txt"),
        terms=_terms(folder / "clinical_terms.json"),
        times=MappingProxyType(dict(SpellChecker().word_frequency.dictionary)),
    )


def _terms(path: Path) -> frozenset[str]:
    kinds = from_json(path.read_bytes())["terms"].values()
    return frozenset(word for terms in kinds for word in terms.replace(",", " ").split())


def _read(path: Path) -> frozenset[str]:
    """One entry a line; ``#`` begins a comment."""
    lines = path.read_text("utf-8").splitlines()
    return frozenset(plain(line.strip()) for line in lines if line.strip() and not line.startswith("#"))
