"""A set of responses to score: CSV or JSON, one pair of what the client said and what was answered an entry."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from noteeval_desktop import documents
from noteeval_desktop.documents import words
from noteeval_desktop.domain.text import normalise
from noteeval_desktop.domain.transcript import Role, Turn
from noteeval_desktop.errors import InputError
from noteeval_desktop.guarded_json import from_json

MOST_BYTES = 5_000_000
MOST_RESPONSES = 2_000
CONTEXT_NAMES = ("context", "client", "message", "query", "prompt")
RESPONSE_NAMES = ("response", "answer", "reply")


@dataclass(frozen=True, slots=True)
class Pair:
    """``id`` as in the file, else the entry's number from 1; ``model``: who answered, "" where it is not told."""

    id: str
    context: str
    response: str
    model: str = ""


def as_context(text: str) -> tuple[Turn, ...]:
    """What came before a response: the turns of a dialogue with speaker prefixes, or else what the client said."""
    if documents.looks_like_transcript(text):
        with suppress(InputError):  # what cannot be read as a dialogue after all is what the client said
            return documents.parse_transcript(text).turns
    return (Turn(0, words.CLIENT, Role.CLIENT, text),)


def read_response_set(path: Path) -> tuple[Pair, ...]:
    """The pairs in the file's order; a byte-order mark is fine. Raises InputError."""
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(path.name, *words.NOT_UTF8) from error
    except OSError as error:
        raise InputError(path.name, *words.set_not_read(error.strerror)) from error
    if len(data) > MOST_BYTES:
        raise InputError(path.name, *words.set_too_large(MOST_BYTES // 1_000_000))
    rows = _json_rows(text, path.name) if path.suffix.lower() == ".json" else _csv_rows(text, path.name)
    pairs = tuple(_pair(number, row, path.name) for number, row in enumerate(rows, 1))
    if not pairs:
        raise InputError(path.name, *words.NO_RESPONSES)
    if len(pairs) > MOST_RESPONSES:
        raise InputError(path.name, *words.too_many(MOST_RESPONSES, words.RESPONSES, words.SPLIT))
    return pairs


def _csv_rows(text: str, name: str) -> Iterator[dict[str, object]]:
    try:
        for row in csv.DictReader(io.StringIO(text, newline=""), strict=True):
            yield {(key or "").strip().lower(): value for key, value in row.items()}
    except csv.Error as error:
        raise InputError(name, *words.NOT_CSV) from error


def _json_rows(text: str, name: str) -> Iterator[dict[str, object]]:
    try:
        data = from_json(text)
    except ValueError as error:
        raise InputError(name, *words.NOT_JSON) from error
    if not isinstance(data, list):
        raise InputError(name, *words.NOT_A_LIST)
    for number, entry in enumerate(data, 1):
        if not isinstance(entry, dict):
            raise InputError(name, *words.not_an_object(number))
        yield {key.strip().lower(): value for key, value in entry.items()}


def _pair(number: int, row: dict[str, object], name: str) -> Pair:
    context, response = _named(row, CONTEXT_NAMES), _named(row, RESPONSE_NAMES)
    if context is None or response is None:
        raise InputError(name, *words.without(number, "context" if context is None else "response"))
    given = row.get("id")
    named = str(given).strip() if given not in (None, "") else str(number)
    return Pair(named, context, response, _named(row, ("model",)) or "")


def _named(row: dict[str, object], names: tuple[str, ...]) -> str | None:
    """The first of these that holds text."""
    for name in names:
        value = row.get(name)
        if isinstance(value, str) and value.strip():
            return normalise(value).strip()
    return None
