"""Finds what may identify a person in clinical English. No tagger finds everything: the review of unknown words and
the preview stand behind it, and no claim of Safe Harbor is made."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

from noteeval_desktop.domain.procedures import PROCEDURE
from noteeval_desktop.domain.text import Span
from noteeval_desktop.privacy.lexicon import Lexicon, plain
from noteeval_desktop.privacy.masking import Identifier, IdentifierKind
from noteeval_desktop.privacy.names import Phrases, Word, words_of
from noteeval_desktop.privacy.patterns import HOLIDAY, SAINTS, by_pattern

_ROLES = frozenset([
    "therapist", "client", "patient", "counselor", "counsellor", "interviewer", "speaker", "unknown", "clinician",
    "provider", "doctor", "other",
])  # fmt: skip


@dataclass(frozen=True, slots=True)
class Unknown:
    """A word that may be a name or not, with how often it stands in the case: for the user to decide. ``hidden``: it is
    replaced meanwhile."""

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


@dataclass(frozen=True, slots=True)
class Tagged:
    """Of each word of a text how likely it says who somebody is, and as what it would."""

    words: tuple[Word, ...]
    chances: tuple[float, ...]
    kinds: tuple[IdentifierKind, ...]


class Tagger(Protocol):
    def tagged(self, texts: Sequence[str]) -> list[Tagged]: ...


@dataclass(frozen=True, slots=True)
class _Found:
    """``guess``: the tagger alone says so."""

    identifier: Identifier
    guess: bool = False


# A word that is _LIKELY to name takes those beside it along that _MAY_BE a part of its name; what is less likely than
# _ASKED nobody is asked about.
_LIKELY, _MAY_BE, _ASKED = 0.7, 0.1, 0.05
_PLACES = (IdentifierKind.PLACE, IdentifierKind.ORGANISATION)
_OF_NAMES = (IdentifierKind.PERSON, *_PLACES)
_JOINS, _OF = re.compile(r"[-'’/., ]{1,2}| ?& ?"), re.compile(" of (?:the )?")
_PROCEDURE = re.compile(rf"\b{PROCEDURE}(?:-\w\w)?\b")


class IdentifierFinder:
    """Forms and what the tagger finds, plus the names that this case itself tells."""

    def __init__(
        self,
        lexicon: Lexicon | None = None,
        tagger: Tagger | None = None,
        names: Iterable[str] = (),
        keep: Iterable[str] = (),
    ) -> None:
        """``names``: speaker labels, the case label, words that the user marked; ``keep``: words that stay. Without a
        ``tagger`` only forms and ``names`` are found."""
        self._lexicon, self._tagger = lexicon or Lexicon(), tagger
        self._names, self._keep = frozenset(names), frozenset(keep)
        words = {word.text for name in self._names for word in words_of(name)}
        parts = {word for word in words if word[0].isupper() and len(word) > 1}
        told = {name for name in self._names | parts if plain(name) not in _ROLES | self._lexicon.capitals}
        self._told = Phrases(told, self._lexicon)

    def with_names(self, names: Iterable[str]) -> IdentifierFinder:
        """A finder that also knows ``names``."""
        return IdentifierFinder(self._lexicon, self._tagger, self._names | set(names), self._keep)

    def with_decisions(self, decisions: Decisions) -> IdentifierFinder:
        """A finder that also masks and keeps what was decided; a later decision about a word overrules an earlier."""
        names, keep = (self._names - decisions.keep) | decisions.mask, (self._keep - decisions.mask) | decisions.keep
        return IdentifierFinder(self._lexicon, self._tagger, names, keep)

    def learn(self, texts: Sequence[str], *, guesses: bool = True) -> IdentifierFinder:
        """A finder that also knows every name that is found in ``texts``, wherever it stands."""
        found = (one for page in self._found(texts) for one in page if guesses or not one.guess)
        names = {one.identifier.text for one in found if one.identifier.kind is IdentifierKind.PERSON}
        return self.with_names(
            name for name in names if not all(self._lexicon.everyday(word.plain) for word in words_of(name))
        )

    def find(self, text: str) -> tuple[Identifier, ...]:
        """Everything in ``text`` that may identify; spans may overlap."""
        (found,) = self._found([text])
        return tuple(sorted((one.identifier for one in found), key=lambda i: (i.span.start, -i.span.end)))

    def _found(self, texts: Sequence[str]) -> Iterator[list[_Found]]:
        tagged = self._tagger.tagged(texts) if self._tagger else [None] * len(texts)
        for text, tags in zip(texts, tagged, strict=True):
            words = words_of(text)
            found = [_Found(one) for one in by_pattern(text, self._lexicon)]
            found += [_Found(Identifier(IdentifierKind.PERSON, span, span.of(text))) for span in self._told.find(words)]
            found += _tagged(text, tags, self._lexicon) if tags else ()
            nobody = [match.span() for match in _NAMED_AFTER.finditer(text)]
            yield [
                one
                for one in found
                if not (one.identifier.text in self._keep or self._keep.issuperset(one.identifier.text.split()))
                and not any(
                    start <= one.identifier.span.start and one.identifier.span.end <= end for start, end in nobody
                )
            ]

    def unknown(self, texts: Sequence[str]) -> tuple[Unknown, ...]:
        """Words that are masked on suspicion, and capitalised ones that are not but might be names."""
        sure = self.learn(texts, guesses=False)
        counts: Counter[str] = Counter()
        hidden: set[str] = set()
        tagged = self._tagger.tagged(texts) if self._tagger else ()
        for found, tags in zip(sure._found(texts), tagged, strict=False):
            known = [one.identifier.span for one in found if not one.guess]
            guessed = [one.identifier.span for one in found if one.guess]
            for word, chance in zip(tags.words, tags.chances, strict=True):
                suspected = any(span.contains(word.span.start) for span in guessed)
                if not (suspected or (word.capital and chance > _ASKED)) or word.text in self._keep:
                    continue
                if len(word.text) < _SHORTEST_NAME or not word.text.isalpha():
                    continue
                if not any(span.contains(word.span.start) for span in known):
                    counts[word.text] += 1
                    hidden |= {word.text} if suspected else set()
        return tuple(Unknown(word, count, word in hidden) for word, count in counts.most_common())


def _tagged(text: str, tags: Tagged, lexicon: Lexicon) -> Iterator[_Found]:
    """Stretches with a likely name in them, and what may belong to it, as in "University of Iowa"; a guess where none
    of it is a name of the list. "The" is none, however likely, nor is a code of what was done, unless it reads as a ZIP
    code ("Spokane 99205")."""
    codes = {place for match in _PROCEDURE.finditer(text) for place in range(*match.span())}
    runs: list[list[int]] = []
    for number, (word, chance) in enumerate(zip(tags.words, tags.chances, strict=True)):
        if chance >= _MAY_BE and (word.span.start not in codes or tags.kinds[number] in _PLACES):
            head = _head(text, tags, number)
            joins = runs and (runs[-1][-1] == head or (runs[-1][-1] == number - 1 and _JOINS.fullmatch(word.gap)))
            own = [number] if joins or head is None else [head, number]
            runs[-1].extend(own) if joins else runs.append(own)
    for run in runs:
        likely = max(tags.chances[number] for number in run)
        kind = Counter(tags.kinds[number] for number in run).most_common(1)[0][0]
        words = [tags.words[number] for number in run]
        for part in (_names(words) if kind is IdentifierKind.PERSON else [words]) if likely >= _LIKELY else ():
            if kind in _OF_NAMES and all(
                lexicon.grammar(word.plain) and (word.first or not word.capital) for word in part
            ):
                continue
            end = part[-1].span.end
            span = Span(part[0].span.start, end + (len(part[-1].text) == 1 and text[end : end + 1] == "."))  # "J.R."
            yield _Found(Identifier(kind, span, span.of(text)), not any(word.plain in lexicon.names for word in part))


def _head(text: str, tags: Tagged, number: int) -> int | None:
    """Of a place or an organisation the word with a capital that stands before "of"."""
    word = tags.words[number]
    head = number - 2 - (number > 0 and tags.words[number - 1].plain == "the")
    if head < 0 or tags.kinds[number] not in _PLACES or not (word.capital and tags.words[head].capital):
        return None
    of = _OF.fullmatch(text[tags.words[head].span.end : word.span.start])
    return head if of and (tags.chances[head] >= _MAY_BE or not tags.words[head].first) else None


def _names(words: Sequence[Word]) -> list[list[Word]]:
    """Given name and surname, so that each is known again alone; "J.R." and "van der Berg" are one."""
    parts, capitals = [[words[0]]], any(word.capital for word in words)
    for before, word in pairwise(words):
        one = word.gap in ("-", ".") or len(before.text) == 1 or (capitals and before.text.islower())
        parts[-1].append(word) if one else parts.append([word])
    return parts
