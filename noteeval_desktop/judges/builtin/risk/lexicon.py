"""The words of danger: patterns a kind, what only sounds like danger, and usual misspellings."""

from __future__ import annotations

import difflib
import re
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from noteeval_desktop import paths
from noteeval_desktop.domain.risk import RiskKind

_MACRO = re.compile(r"<([A-Z]+)>")
_WORD = re.compile(r"[a-zé]+(?:'[a-z]+)?")
_CLOSE_ENOUGH = 0.83
_SHORTEST_GUESSED = 6
# Five letters hold one slip only: a letter left out or put in.
_SHORTEST_SLIP = 5
_SLIP = 0.9
_END = r"(?=\W*$|[,;.!?])"
_TOO = re.compile(
    r"\b(want|wants|wanted|wanna|going|need|like|love|have|ready|about|try|trying|tried|used?) too (?!much|many)"
)


@dataclass(frozen=True)
class RiskLexicon:
    """``note`` are the words in which notes name a kind, ``near`` those that are about safety and name none,
    ``at_large`` those of them in which a note denies any danger.

    ``spelt_right`` are words that lie close to a keyword and are no slip of it ("breathing", "beating").
    """

    patterns: tuple[tuple[RiskKind, re.Pattern[str]], ...]
    benign: re.Pattern[str]
    misspelt: Mapping[str, str]
    keywords: tuple[str, ...]
    spelt_right: frozenset[str]
    note: Mapping[RiskKind, re.Pattern[str]]
    near: re.Pattern[str]
    at_large: re.Pattern[str]

    def folded(self, text: str, spellings: dict[str, str]) -> str:
        """Lower case, straight apostrophes, misspellings put right; ``spellings`` remembers between calls."""
        right = _WORD.sub(lambda match: self._right(match.group(), spellings), straightened(text))
        return _TOO.sub(r"\1 to ", right)

    def _right(self, word: str, spellings: dict[str, str]) -> str:
        if word not in spellings:
            spellings[word] = self.misspelt.get(word) or self._guessed(word)
        return spellings[word]

    def _guessed(self, word: str) -> str:
        if len(word) < _SHORTEST_SLIP or word in self.keywords or word in self.spelt_right:
            return word
        candidates = [known for known in self.keywords if known[0] == word[0] and abs(len(known) - len(word)) < 3]
        # Inflections and other real words are as close as slips of the hand: they are not corrected.
        if any(word.startswith(known) or known.startswith(word) for known in candidates):
            return word
        cutoff = _CLOSE_ENOUGH if len(word) >= _SHORTEST_GUESSED else _SLIP
        close = difflib.get_close_matches(word, candidates, n=1, cutoff=cutoff)
        return close[0] if close else word

    def matches(
        self, folded: str, kinds: Container[RiskKind] = frozenset(RiskKind)
    ) -> Iterator[tuple[RiskKind, re.Match[str]]]:
        """Phrases of danger of the given ``kinds`` in a folded sentence, those aside that only sound like it."""
        harmless: list[tuple[int, int]] | None = None
        for kind, pattern in self.patterns:
            for match in pattern.finditer(folded) if kind in kinds else ():
                if harmless is None:
                    harmless = [other.span() for other in self.benign.finditer(folded)]
                if not any(start < match.end() and match.start() < end for start, end in harmless):
                    yield kind, match
                    break


def straightened(text: str) -> str:
    """Lower case, straight apostrophes, single spaces: ``folded`` before spelling is put right."""
    return " ".join(text.lower().replace("’", "'").replace("‘", "'").split())


@cache
def risk_lexicon() -> RiskLexicon:
    """The lexicon that ships with the program (``resources/lexicons/risk.json``)."""
    data = paths.lexicon("risk.json")
    macros = data["macros"]

    def compiled(patterns: list[str]) -> re.Pattern[str]:
        joined = "|".join(f"(?:{pattern})" for pattern in patterns)
        while _MACRO.search(joined):
            joined = _MACRO.sub(lambda match: macros[match[1]], joined)
        # "$" in the lexicon means the end of a clause: nearly every sentence ends in a mark.
        return re.compile(joined.replace("$", _END))

    return RiskLexicon(
        patterns=tuple((RiskKind(kind), compiled(patterns)) for kind, patterns in data["patterns"].items()),
        benign=compiled(data["benign"]),
        misspelt=data["misspelt"],
        keywords=tuple(data["keywords"]),
        spelt_right=frozenset(data["spelt_right"]),
        note={RiskKind(kind): compiled(patterns) for kind, patterns in data["note"].items()},
        near=compiled(data["near"]),
        at_large=compiled(data["at_large"]),
    )
