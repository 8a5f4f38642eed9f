"""A scorecard: all that is shown of one evaluation, in its order. Pure values, which the PDF and the web page draw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from noteeval_desktop.domain.decisions import (
    SESSION_SUBJECT,
    Decision,
    DecisionKind,
    linked_to,
    with_answered,
    with_attested,
)
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.findings import FindingKind, ItemState, item_state, of_item, open_risk, serving
from noteeval_desktop.domain.note import Sentence
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.risk import SAFETY_ITEM
from noteeval_desktop.domain.rubric import Importance, Rubric, RubricItem
from noteeval_desktop.domain.silencing import listed
from noteeval_desktop.domain.verdicts import ItemVerdict
from noteeval_desktop.present.finding import Finding, unvouched, worded
from noteeval_desktop.present.headings import by_heading, item_heading
from noteeval_desktop.present.problems import unjudged
from noteeval_desktop.present.risks import Danger, dangers, risk_line
from noteeval_desktop.present.scores import Statement, copied_line, statements
from noteeval_desktop.present.vocabulary import ITEM_STATES


@dataclass(frozen=True, slots=True)
class ChecklistRow:
    """``verdict`` is None where nobody was asked. ``carrying``: the sentences that carry it or were found to serve it.
    ``linked``: the clinician says which sentence of the note addresses the risk that it would miss. ``finding``: what
    can be done about it, where it is not covered."""

    item: RubricItem
    verdict: ItemVerdict | None
    found: ItemState
    carrying: tuple[Sentence, ...] = ()
    linked: bool = False
    finding: Finding | None = None

    @property
    def name(self) -> str:
        return self.item.name

    @property
    def description(self) -> str:
        return self.item.more

    @property
    def state(self) -> str:
        """What ``sign`` shows, in words."""
        return tr("linked by the clinician") if self.linked else ITEM_STATES[self.found].name

    @property
    def mandatory(self) -> bool:
        return self.item.importance is Importance.MANDATORY

    @property
    def sign(self) -> str:
        return ITEM_STATES[ItemState.NOT_CHECKED if self.linked else self.found].sign

    @property
    def tone(self) -> str:
        return ITEM_STATES[ItemState.NOT_CHECKED if self.linked else self.found].tone


def checklist(
    evaluation: Evaluation, rubric: Rubric, linked: bool = False, known: Mapping[str, Finding] | None = None
) -> tuple[tuple[str, tuple[ChecklistRow, ...]], ...]:
    """Under each heading mandatory items that are missing first; ``linked`` as ``is_linked`` has it. ``known``:
    findings by key, which are not worded again. ``rubric`` as ``worded`` has it."""
    verdicts = {verdict.item: verdict for verdict in evaluation.checklist}
    note, found = evaluation.case.note, known or {}
    items = [
        one for one in (evaluation.rubric or rubric).items if one.id in verdicts or one.applies_to(evaluation.case)
    ]

    def row(item: RubricItem) -> ChecklistRow:
        verdict = verdicts.get(item.id)
        if verdict is None:
            return ChecklistRow(item, None, ItemState.NOT_CHECKED)
        state, finding = item_state(verdict, evaluation), None
        if verdict.present is False:
            ranked = of_item(verdict, evaluation)
            finding = found.get(ranked.key) or worded(ranked, evaluation, rubric)
        own = linked and item.id == SAFETY_ITEM and state is ItemState.MISSING
        return ChecklistRow(item, verdict, state, serving(item.id, evaluation), own, finding)

    groups = by_heading(note, items, lambda item: item_heading(note, item.section, item.id))
    return tuple((name, tuple(sorted(map(row, items), key=_order))) for name, items in groups)


def _order(row: ChecklistRow) -> tuple[int, bool]:
    missing = row.verdict is not None and row.verdict.present is False
    return (0 if row.mandatory and missing else 1 if row.mandatory else 2, not missing)


def is_linked(reasons: Mapping[str, str], open_risks: int) -> bool:
    """Whether the clinician named a sentence that addresses a risk, and none is open; ``reasons`` by subject."""
    return not open_risks and any(map(linked_to, reasons.values()))


_MOST_UNVOUCHED = 4


@dataclass(frozen=True, slots=True)
class Scorecard:
    """``risk`` is the line to be shown first, ``dangers`` the ledger; ``findings`` are open, ``decided`` attested or
    set aside. ``incomplete`` says what was not judged. ``session_kept``: the clinician was asked whether the session is
    the note's, and says so. ``silenced``: how many findings the clinician asked not to have flagged. ``unvouched``: the
    statements on risk that passed, in a line; empty where there are none. ``copied``: how much stands in earlier notes.
    """

    dangers: tuple[Danger, ...]
    statements: tuple[Statement, ...]
    findings: tuple[Finding, ...]
    decided: tuple[Finding, ...]
    checklist: tuple[tuple[str, tuple[ChecklistRow, ...]], ...]
    risk: str
    incomplete: str
    session_kept: Decision | None = None
    silenced: int = 0
    unvouched: str = ""
    copied: str = ""

    @property
    def alarm(self) -> bool:
        """Is a risk left out, or a statement on risk called wrong, and nobody has decided on it?"""
        return any(danger.open for danger in self.dangers) or any(finding.pressing for finding in self.findings)

    @property
    def before_signing(self) -> tuple[Finding, ...]:
        """At most ten, in their order."""
        return tuple(finding for finding in self.findings if finding.first)

    def of(self, kind: FindingKind) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if finding.kind is kind)

    def on(self, sentence_id: str) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if finding.sentence and finding.sentence.id == sentence_id)


def scorecard(evaluation: Evaluation, rubric: Rubric, decisions: Sequence[Decision] = ()) -> Scorecard:
    """All that the scorecard of ``evaluation`` says; item names come from ``rubric``."""
    made = {decision.subject: decision for decision in decisions}
    reasons = {subject: decision.reason for subject, decision in made.items()}
    evaluation = with_answered(with_attested(evaluation, decisions), made)
    list_ = listed(evaluation, reasons)
    decided = [one for one in list_.ranked if one.key in made]
    # The first page counts from 1 to 10 without a gap.
    in_order = [*list_.first, *(one for one in list_.open if one not in list_.first), *decided]
    found = [
        replace(worded(one, evaluation, rubric), number=number, decision=made.get(one.key), first=one in list_.first)
        for number, one in enumerate(in_order, start=1)
    ]
    ledger = dangers(evaluation, reasons)
    linked = is_linked(reasons, sum(danger.open for danger in ledger))
    attested = sum(one.decision is not None and one.decision.kind is DecisionKind.ATTEST for one in found)
    return Scorecard(
        dangers=tuple(replace(one, decision=made.get(one.subject)) for one in ledger),
        statements=statements(evaluation, linked, attested),
        findings=tuple(finding for finding in found if finding.decision is None),
        decided=tuple(finding for finding in found if finding.decision is not None),
        checklist=checklist(evaluation, rubric, linked),
        risk=risk_line(evaluation, ledger, open_risk(evaluation, list_.open)),
        incomplete=unjudged(evaluation),
        session_kept=made.get(SESSION_SUBJECT),
        silenced=len(list_.silenced - made.keys()),
        unvouched=_unvouched(evaluation),
        copied=copied_line(evaluation.copied),
    )


def _unvouched(evaluation: Evaluation) -> str:
    passed = [f"“{judged.sentence.text}”" for judged in evaluation.sentences if unvouched(judged.claim)]
    if not passed:
        return ""
    said = tr("Not flagged, but no check can vouch for what a note says about risk. Please check: {named}").format(
        named="; ".join(passed[:_MOST_UNVOUCHED])
    )
    more = len(passed) - _MOST_UNVOUCHED
    return said if more <= 0 else tr("{said}; and {count} more").format(said=said, count=more)
