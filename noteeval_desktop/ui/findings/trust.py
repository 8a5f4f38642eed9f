"""What is known of how far a judge agrees with people, beside what it says."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from noteeval_desktop.domain.findings import KIND_OF_CLAIM, FindingKind
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.trust import Known, Level, Part
from noteeval_desktop.domain.verdicts import ItemVerdict
from noteeval_desktop.present.finding import Finding
from noteeval_desktop.ui.findings.rows import Row

_DIMENSIONS = {
    FindingKind.MISSING: "completeness",
    FindingKind.UNNEEDED: "conciseness",
    **dict.fromkeys(KIND_OF_CLAIM.values(), "faithfulness"),
}
MEANS = {
    Level.STRONG: tr("The judge and a therapist mostly say the same here."),
    Level.MODERATE: tr("The judge and a therapist often say the same here, and at times not. Read the evidence."),
    Level.WEAK: tr("The judge and a therapist often differ here. Take a mark as a question, not as an answer."),
    Level.UNKNOWN: tr("There are too few examples to say how far the judge agrees with therapists here."),
}


def badge(level: Level) -> str:
    return tr("Agrees with therapists: {level}").format(level=level.value)


def part_of(row: Row) -> Part | None:
    """What the row's verdict is about; None where nobody measured such verdicts."""
    return row.part or (_part_of_finding(row.finding) if row.finding is not None else None)


def _part_of_finding(finding: Finding) -> Part | None:
    if isinstance(finding.ranked.source, ItemVerdict):
        return "completeness", finding.ranked.source.item
    dimension, sentence = _DIMENSIONS.get(finding.kind), finding.sentence
    return (dimension, sentence.section.value) if dimension and sentence is not None else None


def level_of(row: Row, known: Known) -> Level | None:
    """None where there are no figures, or where a person marked it: then there is no badge."""
    part = None if row.finding is not None and row.finding.by else part_of(row)
    return known.level(part) if part is not None and known.agreements(part) else None


def is_weak(finding: Finding, known: Known) -> bool:
    """Whether judge and people often differ on such; a risk is never made quieter."""
    part = None if finding.by or _on_risk(finding) else _part_of_finding(finding)
    return part is not None and bool(known.agreements(part)) and known.level(part) is Level.WEAK


def with_trust(rows: Iterable[Row], known: Known) -> tuple[Row, ...]:
    """Where the judge and people often differ the row steps back; a risk never does. One line above them says why."""
    found = tuple(rows)
    told = tuple(_stepped_back(row) if level_of(row, known) is Level.WEAK else row for row in found)
    why = tr("Grey: on these, judge and therapists often differ. Take a mark as a question.")
    return (Row(why, tone="muted", remark=True), *told) if told != found else found


def _stepped_back(row: Row) -> Row:
    return row if row.finding is not None and _on_risk(row.finding) else replace(row, tone="muted")


def _on_risk(finding: Finding) -> bool:
    """What the session says of it, or the note."""
    return finding.is_risk or finding.pressing
