"""Finds what may identify a person in clinical English. Rules and lists never find everything: the review of
unknown capitalised words and the preview stand behind them, and no claim of Safe Harbor is made."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from noteeval_desktop.domain.text import Span
from noteeval_desktop.privacy.lexicon import Lexicon, plain
from noteeval_desktop.privacy.masking import Identifier, IdentifierKind
from noteeval_desktop.privacy.names import Named, Phrases, Word, named, words_of
from noteeval_desktop.privacy.patterns import HOLIDAY, PATTERNS, SAINTS

_ROLES = frozenset([
    "therapist", "client", "patient", "counselor", "counsellor", "interviewer", "speaker", "unknown", "clinician",
    "provider", "doctor", "other",
])  # fmt: skip


@dataclass(frozen=True, slots=True)
class Unknown:
    """A capitalised word that no list and no rule knows, with how often it stands in the case: for the user to decide.
    ``hidden``: it is replaced meanwhile, on the suspicion that its capital raises."""

    word: str
    count: int
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Decisions:
    """What the user decided about words: ``mask`` stand for a person, ``keep`` identify nobody, whatever rules say."""

    mask: frozenset[str] = frozenset()
    keep: frozenset[str] = frozenset()


_SHORTEST_NAME = 2
_NAMED_AFTER = re.compile(rf"\b(?:{HOLIDAY}|{SAINTS})\b")


@lru_cache(maxsize=2)
def _places_of(lexicon: Lexicon) -> Phrases:
    """Of eight thousand places: a fifteenth of a second for every judge, if each made its own."""
    return Phrases(lexicon.places, lexicon)


class IdentifierFinder:
    """Rules and lists, plus the names that this case itself tells."""

    def __init__(self, lexicon: Lexicon | None = None, names: Iterable[str] = (), keep: Iterable[str] = ()) -> None:
        """``names``: speaker labels, the case label, words that the user marked; ``keep``: words that stay."""
        self._lexicon = lexicon or Lexicon()
        self._places = _places_of(self._lexicon)
        self._set(frozenset(names), frozenset(keep))

    def _set(self, names: frozenset[str], keep: frozenset[str]) -> None:
        self._names, self._keep = names, keep
        self._kept = frozenset(map(plain, keep))
        parts = {
            word.text for name in names for word in words_of(name) if word.text[0].isupper() and len(word.text) > 1
        }
        told = {name for name in names | parts if plain(name) not in _ROLES | self._lexicon.capitals}
        self._told = Phrases(told, self._lexicon)

    def _like(self, names: frozenset[str], keep: frozenset[str]) -> IdentifierFinder:
        finder = IdentifierFinder.__new__(IdentifierFinder)
        finder._lexicon, finder._places = self._lexicon, self._places
        finder._set(names, keep)
        return finder

    def with_names(self, names: Iterable[str]) -> IdentifierFinder:
        """A finder that also knows ``names``."""
        return self._like(self._names | set(names), self._keep)

    def with_decisions(self, decisions: Decisions) -> IdentifierFinder:
        """A finder that also masks and keeps what was decided; a later decision about a word overrules an earlier."""
        return self._like(
            (self._names - decisions.keep) | decisions.mask, (self._keep - decisions.mask) | decisions.keep
        )

    def learn(self, texts: Sequence[str], *, guesses: bool = True) -> IdentifierFinder:
        """A finder that also knows every name that is found in ``texts``, wherever it stands."""
        found = (one for text in texts for one in self._found(text, words_of(text)) if guesses or not one.guess)
        return self.with_names({one.identifier.text for one in found if one.identifier.kind is IdentifierKind.PERSON})

    def find(self, text: str) -> tuple[Identifier, ...]:
        """Everything in ``text`` that may identify; spans may overlap."""
        found = (one.identifier for one in self._found(text, words_of(text)))
        return tuple(sorted(found, key=lambda i: (i.span.start, -i.span.end)))

    def _found(self, text: str, words: Sequence[Word]) -> Iterator[Named]:
        found = [Named(identifier, False) for identifier in self._by_pattern(text)]
        places = list(self._places.find(words))
        found += [Named(Identifier(IdentifierKind.PLACE, span, span.of(text)), False) for span in places]
        found += [
            Named(Identifier(IdentifierKind.PERSON, span, span.of(text)), False) for span in self._told.find(words)
        ]
        taken = {span.start: span.end for span in places}  # many a town is a surname too
        found += [
            one
            for one in named(text, words, self._lexicon, self._kept)
            if one.identifier.span.end > taken.get(one.identifier.span.start, 0)
        ]
        found = [one for one in found if one.identifier.text not in self._keep]
        nobody = [match.span() for match in _NAMED_AFTER.finditer(text)]
        return (
            one
            for one in found
            if not any(start <= one.identifier.span.start and one.identifier.span.end <= end for start, end in nobody)
        )

    def _by_pattern(self, text: str) -> Iterator[Identifier]:
        for kind, pattern in PATTERNS:
            group = next((name for name in ("it", "name", "rare") if name in pattern.groupindex), "")
            for match in pattern.finditer(text):
                said = match[group] if group else ""
                if said and not self._passes(group, kind, said):
                    continue
                # "jefferson high school" as a whole, of "work at walmart" the name only
                own = group if said else 0
                span = Span(match.start(own), match.end() if group == "rare" else match.end(own))
                yield Identifier(kind, span, span.of(text))

    def _passes(self, group: str, kind: IdentifierKind, said: str) -> bool:
        """What stands behind a cue is a name: no word that identifies nobody, and behind a weak cue no English word."""
        word = plain(said.split()[0])
        if kind is IdentifierKind.PERSON and word in self._lexicon.capitals:
            return False
        if group == "rare":
            return not self._lexicon.common(word)
        return group == "it" or not self._lexicon.everyday(word)

    def unknown(self, texts: Sequence[str]) -> tuple[Unknown, ...]:
        """Capitalised words inside sentences that neither lists nor rules explain and the case never writes small."""
        sure = self.learn(texts, guesses=False)
        pages = [(text, words_of(text)) for text in texts]
        small = {word.text for _, words in pages for word in words if not word.capital}
        counts: Counter[str] = Counter()
        hidden: set[str] = set()
        for text, words in pages:
            found = list(sure._found(text, words))
            known = [one.identifier.span for one in found if not one.guess]
            guessed = [one.identifier.span for one in found if one.guess]
            for word in words:
                suspected = any(span.contains(word.span.start) for span in guessed)
                if not (suspected or (word.capital and not word.first)) or word.text.lower() in small:
                    continue
                if word.plain in self._lexicon.capitals or word.text in self._keep:
                    continue
                if len(word.text) < _SHORTEST_NAME or not word.text.isalpha():
                    continue
                if any(span.contains(word.span.start) for span in known):
                    continue
                counts[word.text] += 1
                hidden |= {word.text} if suspected else set()
        return tuple(Unknown(word, count, word in hidden) for word, count in counts.most_common())
