"""The checklist as a reader is shown it: each item of the rubric once, under the note's own headings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from noteeval_desktop.domain.decisions import linked_to
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.findings import ItemState, item_state, of_item, serving
from noteeval_desktop.domain.note import Sentence
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.risk import SAFETY_ITEM
from noteeval_desktop.domain.rubric import Importance, Rubric, RubricItem
from noteeval_desktop.domain.verdicts import ItemVerdict
from noteeval_desktop.present.finding import Finding, worded
from noteeval_desktop.present.headings import by_heading, item_heading
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
