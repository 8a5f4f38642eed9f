"""What may follow a scorecard's two pages."""

from __future__ import annotations

from enum import StrEnum

from noteeval_desktop.domain.phrases import tr


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
NAMES = {
    Appendix.SCORES: tr("The scores, and what to look at before signing"),
    Appendix.FINDINGS: tr("Every suggestion, and what was decided"),
    Appendix.RISK: tr("Every mention of risk"),
    Appendix.CHECKLIST: tr("The checklist"),
    Appendix.EVIDENCE: tr("The evidence, with quotes"),
    Appendix.READING: tr("How to read it, and fingerprints"),
}
