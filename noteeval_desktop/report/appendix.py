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


NAMES = {
    Appendix.SCORES: "The scores, and what to look at before signing",
    Appendix.FINDINGS: "Every suggestion, and what was decided",
    Appendix.RISK: "Every mention of risk",
    Appendix.CHECKLIST: "The checklist",
    Appendix.EVIDENCE: "The evidence, with quotes",
    Appendix.READING: "How to read it, and fingerprints",
}
EVERYTHING = tuple(Appendix)
