"""Texts with identifiers replaced by stable tokens, and the way back for every offset."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

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


class Tokens:
    """One token for each identifier, the same in every text of a case: ``[PERSON-1]``."""

    def __init__(self) -> None:
        self._token_of: dict[tuple[IdentifierKind, str], str] = {}
        self._original_of: dict[str, str] = {}
        self._counts: dict[IdentifierKind, int] = {}

    def token(self, identifier: Identifier) -> str:
        key = identifier.kind, " ".join(without_accents(identifier.text).replace("’", "'").casefold().split())
        if key not in self._token_of:
            self._counts[identifier.kind] = self._counts.get(identifier.kind, 0) + 1
            token = f"[{identifier.kind.upper()}-{self._counts[identifier.kind]}]"
            self._token_of[key] = token
            self._original_of[token] = identifier.text
        return self._token_of[key]

    def restore(self, text: str) -> str:
        """Put the originals back wherever a token stands; an unknown token stays."""
        return _TOKEN.sub(lambda match: self._original_of.get(match.group(), match.group()), text)


_TOKEN = re.compile(r"\[[A-Z]+-\d+\]")


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
        return Span(self._back(span.start, end=False), self._back(span.end, end=True))

    def _back(self, position: int, *, end: bool) -> int:
        shift = 0
        for piece in self.pieces:
            if position < piece.masked.start or (position == piece.masked.start and end):
                break
            if position < piece.masked.end or (position == piece.masked.end and end):
                return piece.original.end if end else piece.original.start
            shift = piece.original.end - piece.masked.end
        return position + shift


def mask(text: str, identifiers: Iterable[Identifier], tokens: Tokens) -> Masked:
    """Replace identifiers by tokens; where two overlap the one that starts first, then the longer, wins."""
    parts: list[str] = []
    pieces: list[Piece] = []
    position = length = 0
    for identifier in _disjoint(identifiers):
        span = identifier.span
        kept, token = text[position : span.start], tokens.token(identifier)
        parts += [kept, token]
        start = length + len(kept)
        length = start + len(token)
        pieces.append(Piece(Span(start, length), span))
        position = span.end
    parts.append(text[position:])
    return Masked("".join(parts), tuple(pieces))


def _disjoint(identifiers: Iterable[Identifier]) -> Sequence[Identifier]:
    chosen: list[Identifier] = []
    for identifier in sorted(identifiers, key=lambda found: (found.span.start, -found.span.end)):
        if not chosen or identifier.span.start >= chosen[-1].span.end:
            chosen.append(identifier)
    return chosen
