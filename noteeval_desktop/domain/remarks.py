"""Remarks on a note that no session decides: what an auditor, a payer or a records department would ask about."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from noteeval_desktop.domain.note import Section
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.verdicts import Severity


class RemarkKind(StrEnum):
    """What is silenced together."""

    CODE = "time and code"
    DATE = "date"
    SIGNATURE = "signature"
    IDENTITY = "another client"
    TEMPLATE = "template text"
    ABBREVIATION = "abbreviation"
    DIAGNOSIS = "diagnosis code"
    COPIED = "copied text"
    PROCESS = "psychotherapy notes"
    WORDING = "wording"
    GOAL = "treatment plan"


@dataclass(frozen=True, slots=True)
class Remark:
    """``rule``: the rule's id, stable from release to release. ``says``: what is remarked, in a sentence; ``source``:
    what the rule rests on, by name and year. ``span``: where it stands in the note's text; None where the note has
    nothing. ``instead``: words that may take the place of ``span``; empty where there are none to offer. ``quote``:
    what an earlier note or the session says there, with where that stands."""

    kind: RemarkKind
    rule: str
    says: str
    source: str = ""
    span: Span | None = None
    instead: str = ""
    severity: Severity = Severity.MEDIUM
    quote: str = ""


class Private(StrEnum):
    """Why a sentence does not belong in the record; also the id of the rule."""

    PROCESS = "process"
    OWN_FEELINGS = "own-feelings"
    OTHER_PEOPLE = "other-people"
    GOSSIP = "gossip"


@dataclass(frozen=True, slots=True)
class PrivateSentence:
    """What a language model would leave out of the record; ``sentence`` is its id."""

    sentence: str
    why: Private


@dataclass(frozen=True, slots=True)
class CopiedShare:
    """How much of a note stands in the client's earlier notes: shares (0..1) of the sentences of the ``note`` and of
    each of its ``sections``. ``notes``: with how many it was compared."""

    note: float
    sections: tuple[tuple[Section, float], ...]
    notes: int
