"""Sessions and notes that were composed for this project: of every claim it is known what the session says of it.

Each claim was written true, false in one of seven ways in which clinicians err, or of what no transcript shows, and
checked against the session once more by its author. They show a judge errors in the words of people, which a generator
of changes has not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.note import SOAP, Block, Note, Section, Sentence
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import Role, Transcript, Turn
from noteeval_desktop.errors import InputError
from noteeval_desktop.research.published import json_list

_REMEDY = "Pass sessions composed for this project, as they stand in resources/composed."


class Truth(StrEnum):
    TRUE = "true"
    FALSE = "false"
    OBSERVED = "observed"


class Error(StrEnum):
    """How a false claim errs."""

    OPPOSITE = "opposite"
    NUMBER = "number"
    TIME = "time"
    PERSON = "person"
    ENTITY = "entity"
    INVENTED = "invented"
    RISK = "risk"


@dataclass(frozen=True, slots=True)
class ComposedClaim:
    """A sentence of the note; ``error`` is None unless it is false."""

    sentence: Sentence
    truth: Truth
    error: Error | None


@dataclass(frozen=True, slots=True)
class ComposedSession:
    name: str
    case: Case
    claims: tuple[ComposedClaim, ...]


def load_composed(path: Path) -> tuple[ComposedSession, ...]:
    """In the file's order. Raises InputError."""
    entries = json_list(path, "composed sessions", _REMEDY)
    try:
        return tuple(_session(entry) for entry in entries)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise InputError(path.name, f"holds no composed sessions ({type(error).__name__})", _REMEDY) from error


def _session(entry: Mapping[str, Any]) -> ComposedSession:
    turns = tuple(
        Turn(index, turn.get("speaker", turn["role"].capitalize()), Role(turn["role"]), turn["text"])
        for index, turn in enumerate(entry["turns"])
    )
    note = _note({section: [claim["text"] for claim in entry["note"].get(section.value, ())] for section in SOAP})
    written = [claim for section in SOAP for claim in entry["note"].get(section.value, ())]
    claims = tuple(
        ComposedClaim(sentence, Truth(claim["truth"]), Error(claim["error"]) if "error" in claim else None)
        for sentence, claim in zip(note.sentences, written, strict=True)
    )
    return ComposedSession(str(entry["name"]), Case(Transcript(turns), note, str(entry["name"])), claims)


def _note(bodies: Mapping[Section, Sequence[str]]) -> Note:
    """One text with a heading line a section; every claim is a sentence, whatever a splitter would make of it."""
    text = ""
    blocks: list[Block] = []
    sentences: list[Sentence] = []
    for section, claims in bodies.items():
        heading = Span(len(text), len(text) + len(section.value))
        text += section.value.capitalize() + "\n"
        start = len(text)
        for claim in claims:
            span = Span(len(text), len(text) + len(claim))
            sentences.append(Sentence(f"s{len(sentences) + 1}", (section,), span, claim))
            text += claim + " "
        blocks.append(Block((section,), heading, Span(start, len(text))))
        text += "\n\n"
    return Note(text, tuple(blocks), tuple(sentences))
