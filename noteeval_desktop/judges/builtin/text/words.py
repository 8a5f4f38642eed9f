"""Words as the claim checks compare them: folded, expanded, stemmed and grouped, each with its place in the text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from noteeval_desktop import paths
from noteeval_desktop.domain.text import Span

# How much of its own a sentence says: word pieces that notes of many conversations share tell nothing of this one.
Floats = NDArray[np.float64]
# Rarer pieces are not told apart, so that a table of a few hundred is enough and no note can be read from it.
_RARE = 1
_FLOOR = 0.02


@dataclass(frozen=True)
class NoteWords:
    """``holding``: in the notes of how many of ``conversations`` a word piece stands; pieces in fewer than four are
    left out.
    """

    holding: Mapping[str, int]
    conversations: int

    def rarity(self, pieces: Sequence[str]) -> Floats:
        """(pieces,): near 0 for what every conversation's notes say, up to the logarithm of half their number."""
        held = np.array([self.holding.get(piece, _RARE) for piece in pieces], dtype=float)
        return np.asarray(np.log((self.conversations + 1) / (1 + held)) + _FLOOR)


@cache
def shared_words() -> NoteWords:
    """Those that ship (``resources/lexicons/note_words.json``)."""
    data = paths.lexicon("note_words.json")
    return NoteWords(data["holding"], data["conversations"])


_MACRO = re.compile(r"<([A-Z]+)>")


def patterns(file: str) -> dict[str, re.Pattern[str]]:
    """The lists of a lexicon that ships, each as one pattern that knows no capitals; ``<NAME>`` in them stands for one
    of its ``macros``, and its ``examples`` say what some are for."""
    lists = dict(paths.lexicon(file))
    macros = lists.pop("macros", {})
    lists.pop("examples", None)
    joined = {name: "|".join(forms) for name, forms in lists.items()}
    return {
        name: re.compile(_MACRO.sub(lambda macro: macros[macro[1]], form), re.IGNORECASE)
        for name, form in joined.items()
    }


def word_lists(file: str) -> dict[str, frozenset[str]]:
    """The lists of a lexicon that ships whose lines are words."""
    lists = dict(paths.lexicon(file))
    lists.pop("examples", None)
    return {name: frozenset(" ".join(lines).split()) for name, lines in lists.items()}


_WORD = re.compile(r"\$?\d+(?:,\d+)*(?:\.\d+)?%?|[^\W\d_]+(?:['’\-][^\W\d_]+)*(?:/[ohcu](?![^\W\d_]))?", re.IGNORECASE)
# What comes before "hi" where it is short for homicidal ideation in small letters.
_SI_AND = re.compile(r"\bsi\s*(?:/|&|,|and|or)\s*$", re.IGNORECASE)
_STEM_LENGTH = 6
_SUFFIXES = ("ings", "ing", "edly", "ed", "ies", "es", "s", "ly", "ment", "ness")


@dataclass(frozen=True, slots=True)
class Word:
    """``folded`` is lower case with abbreviations written out; ``stem`` is what two words share when they match."""

    span: Span
    folded: str
    stem: str
    content: bool


@dataclass(frozen=True)
class ClaimLexicon:
    """Word lists; ``groups`` and ``relations`` map a word to the name of what it belongs to."""

    stop: frozenset[str]
    groups: Mapping[str, str]
    expansions: Mapping[str, str]
    relations: Mapping[str, str]
    implied: Mapping[str, frozenset[str]]
    medications: frozenset[str]
    diagnoses: frozenset[str]
    substances: frozenset[str]
    risk: frozenset[str]

    @property
    def terms(self) -> frozenset[str]:
        """Names of medications, diagnoses and substances: words that have no loose paraphrase."""
        return self.medications | self.diagnoses | self.substances

    def words(self, text: str) -> tuple[Word, ...]:
        """The words of ``text`` with their spans, numbers included."""
        return tuple(self._word(match) for match in _WORD.finditer(text))

    def _word(self, match: re.Match[str]) -> Word:
        folded = _folded(match.group())
        # "Hi Maria", not "SI/HI" or "denies si and hi".
        if match.group() not in ("Hi", "hi") or _SI_AND.search(match.string, 0, match.start()):
            folded = self.expansions.get(folded, folded)
        content = folded not in self.stop and (len(folded) > 1 or folded.isdigit())
        return Word(Span(*match.span()), folded, self.stem(folded), content)

    def stem(self, word: str) -> str:
        """What inflections and synonyms of ``word`` share."""
        grouped = self.groups.get(word)
        if grouped:
            return grouped[:_STEM_LENGTH]
        for suffix in _SUFFIXES:
            if word.endswith(suffix) and len(word) - len(suffix) >= 3:
                word = word[: -len(suffix)]
                break
        if len(word) > 3 and word[-1] == word[-2]:
            word = word[:-1]
        return word.rstrip("e")[:_STEM_LENGTH] or word

    def content_stems(self, text: str) -> tuple[str, ...]:
        """Stems of the words that carry content, each once, in order."""
        return tuple(dict.fromkeys(word.stem for word in self.words(text) if word.content))


@cache
def claim_lexicon() -> ClaimLexicon:
    """That which ships (``resources/lexicons/claims.json``)."""
    data = paths.lexicon("claims.json")
    return ClaimLexicon(
        stop=frozenset(data["stop"]),
        groups=_inverted(data["groups"]),
        expansions=data["expansions"],
        relations=_inverted(data["relations"]),
        implied={name: frozenset(others) for name, others in data["implied"].items()},
        medications=frozenset(data["medications"]),
        diagnoses=frozenset(data["diagnoses"]),
        substances=frozenset(data["substances"]),
        risk=frozenset(data["risk"]),
    )


def _inverted(groups: Mapping[str, list[str]]) -> dict[str, str]:
    return {word: name for name, words in groups.items() for word in (name, *words)}


def _folded(word: str) -> str:
    plain = word.lower().replace("’", "'")
    if not plain.isascii():
        plain = "".join(letter for letter in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(letter))
    return plain.removesuffix("'s")
