"""What may follow a scorecard's two pages."""

from __future__ import annotations

from enum import StrEnum


class Appendix(StrEnum):
    """In their order. SCORES: the first page of a scorecard, behind a supervisor's own. FINDINGS: every suggestion in
    the one order, and what was decided about it."""

    SCORES = "scores"
    FINDINGS = "findings"
    RISK = "risk"
    CHECKLIST = "checklist"
    EVIDENCE = "evidence"
    READING = "reading"


EVERYTHING = tuple(Appendix)
