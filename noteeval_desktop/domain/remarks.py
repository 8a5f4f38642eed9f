"""Remarks on a note that no session decides: what an auditor, a payer or a records department would ask about."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

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
    nothing. ``instead``: words that may take the place of ``span``; empty where there are none to offer."""

    kind: RemarkKind
    rule: str
    says: str
    source: str = ""
    span: Span | None = None
    instead: str = ""
    severity: Severity = Severity.MEDIUM
