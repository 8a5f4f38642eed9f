"""Texts with identifiers replaced by stable tokens, and the way back for every offset."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Protocol

from noteeval_desktop.domain.text import Span


class IdentifierKind(StrEnum):
    PERSON = "person"
    PLACE = "place"
    ORGANISATION = "organisation"
    DATE = "date"
    AGE = "age"
    PHONE = "phone"
    EMAIL = "email"
    ADDRESS = "address"
    WEB = "web"
    NUMBER = "number"


@dataclass(frozen=True, slots=True)
class Identifier:
    """Something in a text that may point to a person."""

    kind: IdentifierKind
    span: Span
    text: str


def without_accents(text: str) -> str:
    return "".join(part for part in unicodedata.normalize("NFD", text) if not unicodedata.combining(part))


class Moves(Protocol):
    """What dates are moved by: as ``dates.Calendar`` has it."""

    def moved(self, text: str) -> str | None: ...
    def restored(self, text: str) -> str: ...


def same_form(text: str) -> str:
    """What is equal in it names the same."""
    return " ".join(without_accents(text).replace("’", "'").casefold().split())


_NAMES = (IdentifierKind.PERSON, IdentifierKind.PLACE, IdentifierKind.ORGANISATION)
OVER_89 = "over 89"


class Tokens:
    """One token for each identifier, the same in every text of a case: ``[PERSON-1]``; ``whole``: the full name of whom
    a name stands for; ``roles``: what a person is called by instead, ``[DOCTOR-1]``; both by ``same_form``. A date is
    moved by ``calendar`` where there is one."""

    def __init__(
        self,
        calendar: Moves | None = None,
        whole: Mapping[str, str] = MappingProxyType({}),
        roles: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self._calendar, self._whole, self._roles = calendar, whole, roles
        self._token_of: dict[tuple[IdentifierKind | None, str], str] = {}
        self._original_of: dict[str, str] = {}
        self._counts: Counter[str] = Counter()

    def token(self, identifier: Identifier) -> str:
        if identifier.kind is IdentifierKind.AGE:
            self._original_of.setdefault(OVER_89, identifier.text)
            return OVER_89
        if identifier.kind is IdentifierKind.DATE and self._calendar is not None:
            moved = self._calendar.moved(identifier.text)
            if moved is not None:
                return moved
        name = same_form(identifier.text)
        name = self._whole.get(name, name)
        # Where a word of the case is a person in one place and a town in another, it is one and the same.
        key = None if identifier.kind in _NAMES else identifier.kind, name
        if key not in self._token_of:
            label = identifier.kind.upper()
            if identifier.kind is IdentifierKind.PERSON:
                label = self._roles.get(name, label)
            self._counts[label] += 1
            token = f"[{label}-{self._counts[label]}]"
            self._token_of[key] = token
            self._original_of[token] = identifier.text
        return self._token_of[key]

    def restore(self, text: str) -> str:
        """Put the originals back wherever a token stands or a date was moved; an unknown token stays."""
        text = self._calendar.restored(text) if self._calendar is not None else text
        return _TOKEN.sub(lambda match: self._original_of.get(match.group(), match.group()), text)


_TOKEN = re.compile(rf"\[[A-Z]+-\d+\]|\b{OVER_89}\b")


@dataclass(frozen=True, slots=True)
class Piece:
    """``masked`` stands for ``original``; offsets into the two texts."""

    masked: Span
    original: Span


@dataclass(frozen=True, slots=True)
class Masked:
    text: str
    pieces: tuple[Piece, ...]

    def to_original(self, span: Span) -> Span:
        """The span in the original text; a token that is touched counts as a whole."""
        return _moved(span, [(piece.masked, piece.original) for piece in self.pieces])

    def from_original(self, span: Span) -> Span:
        """The span of the original in this text, in the same way."""
        return _moved(span, [(piece.original, piece.masked) for piece in self.pieces])


def _moved(span: Span, pieces: Sequence[tuple[Span, Span]]) -> Span:
    """``pieces``: what stands in one text, and in its place in the other, in order."""
    edges = []
    for position, end in ((span.start, False), (span.end, True)):
        # An end that touches a piece from its left is before it, and one at its end within it.
        before = [piece for piece in pieces if piece[0].start < position + (not end)]
        here, there = before[-1] if before else (Span(0, 0), Span(0, 0))
        if position < here.end + end:
            edges.append(there.end if end else there.start)
        else:
            edges.append(position + there.end - here.end)
    return Span(*edges)


def mask(text: str, identifiers: Iterable[Identifier], tokens: Tokens) -> Masked:
    """Replace identifiers by tokens, ``disjoint`` ones."""
    parts: list[str] = []
    pieces: list[Piece] = []
    position = length = 0
    for identifier in disjoint(text, identifiers):
        span = identifier.span
        kept, token = text[position : span.start], tokens.token(identifier)
        parts += [kept, token]
        start = length + len(kept)
        length = start + len(token)
        pieces.append(Piece(Span(start, length), span))
        position = span.end
    parts.append(text[position:])
    return Masked("".join(parts), tuple(pieces))


def disjoint(text: str, identifiers: Iterable[Identifier]) -> Sequence[Identifier]:
    """Where two overlap they become one, of the kind of the one that starts first; so do given name and surname."""
    chosen: list[Identifier] = []
    for identifier in sorted(identifiers, key=lambda found: (found.span.start, -found.span.end)):
        over = chosen[-1].span.end - identifier.span.start if chosen else 0
        one_name = over == -1 and text[identifier.span.start - 1] == " " and _persons(chosen[-1], identifier)
        if over <= 0 and not one_name:
            chosen.append(identifier)
        elif over < len(identifier.text):
            span = Span(chosen[-1].span.start, identifier.span.end)
            chosen[-1] = Identifier(chosen[-1].kind, span, span.of(text))
    return chosen


def _persons(*identifiers: Identifier) -> bool:
    return all(one.kind is IdentifierKind.PERSON for one in identifiers)
