"""A set of responses to score: a table, one pair of what the client said and what was answered an entry."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from noteeval_desktop import documents
from noteeval_desktop.documents import words
from noteeval_desktop.documents.rows import records
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.text import normalise
from noteeval_desktop.domain.transcript import Role, Turn
from noteeval_desktop.errors import InputError

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


_LAYOUT = tr("Use a table with the columns context and response (id is optional), or JSON objects with these keys.")


def as_context(text: str) -> tuple[Turn, ...]:
    """What came before a response: the turns of a dialogue with speaker prefixes, or else what the client said."""
    if documents.looks_like_transcript(text):
        with suppress(InputError):  # what cannot be read as a dialogue after all is what the client said
            return documents.parse_transcript(text).turns
    return (Turn(0, tr("Client"), Role.CLIENT, text),)


def read_response_set(path: Path) -> tuple[Pair, ...]:
    """The pairs in the file's order; a byte-order mark is fine. Raises InputError."""
    rows = records(path, (), ("id", "model", *CONTEXT_NAMES, *RESPONSE_NAMES))
    pairs = tuple(_pair(number, row, path.name) for number, row in enumerate(islice(rows, MOST_RESPONSES + 1), 1))
    if not pairs:
        raise InputError(path.name, tr("it holds no response"), _LAYOUT)
    if len(pairs) > MOST_RESPONSES:
        raise InputError(
            path.name, *words.too_many(MOST_RESPONSES, tr("responses"), tr("Split it into smaller files."))
        )
    return pairs


def _pair(number: int, row: Mapping[str, str], name: str) -> Pair:
    context, response = (
        next((normalise(row[one]).strip() for one in names if row.get(one, "").strip()), "")
        for names in (CONTEXT_NAMES, RESPONSE_NAMES)
    )
    if not (context and response):
        missing = tr("entry {number} has no {key}").format(number=number, key="response" if context else "context")
        raise InputError(name, missing, _LAYOUT)
    return Pair(row.get("id", "").strip() or str(number), context, response, normalise(row.get("model", "")).strip())
