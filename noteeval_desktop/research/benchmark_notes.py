"""Do a judge's checklist and its verdicts on need agree with labelled sessions? Over every note of theirs.

``need``: how many of the sentences that a careful clinician keeps are called unneeded, and how many of those that one
would strike out are found. ``checklist``: how many items that a note holds are called missing, and how many that it
lacks are called present; items of which therapists would disagree are left out, general items are counted apart. The
window says "missing" of fewer: only where the judge is confident and no sentence was found to serve the item. Elsewhere
it says "not recognised". ``shown`` counts that.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.findings import ItemState, state_of
from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.judges.protocol import Judge
from noteeval_desktop.measures.agreement import share
from noteeval_desktop.report.terminal import shares_row, table

_SAFETY = "general-safety"


@dataclass(frozen=True)
class LabelledSet:
    """A note with its labels: ``items[i]`` are those that sentence i serves, ``kinds[i]`` further names to count it
    under; ``arguable`` are items of which therapists would disagree. ``group`` is the author."""

    group: str
    note: Note
    items: tuple[frozenset[str], ...]
    kinds: tuple[frozenset[str], ...]
    arguable: frozenset[str]


@dataclass(frozen=True)
class _Counted:
    """One answer: under which ``names`` it counts, whether the thing is ``wanted``, whether the judge said ``yes``, and
    for an item what the window shows."""

    group: str
    names: frozenset[str]
    wanted: bool
    yes: bool
    shown: ItemState = ItemState.NOT_CHECKED


def run_need(notes: Sequence[LabelledSet], judge: Judge, cancel: threading.Event) -> dict[str, Any]:
    """Raises JudgeError, Cancelled."""
    counted: list[_Counted] = []
    for one in notes:
        verdicts = judge.need(Case(Transcript(()), one.note), cancel)
        for verdict, sentence, items, kinds in zip(verdicts, one.note.sentences, one.items, one.kinds, strict=True):
            names = {sentence.section.value, *kinds} | ({"risk"} if _SAFETY in items else set())
            counted.append(_Counted(one.group, frozenset(names), bool(items), bool(verdict.needed)))
    return {
        "notes": len(notes),
        "clinical_called_unneeded": _wrong(counted, wanted=True),
        "fillers_found": share([(one.group, not one.yes) for one in counted if not one.wanted]),
        "clinical_by_kind": {name: _wrong(own, wanted=True) for name, own in _by_name(counted)},
    }


def need_text(result: dict[str, Any]) -> str:
    return table(
        [
            [tr("Sentences"), tr("Written"), tr("Share"), tr("95 % interval")],
            [tr("fillers found"), *shares_row(result["fillers_found"])],
            [tr("clinical ones called unneeded"), *shares_row(result["clinical_called_unneeded"])],
            *([f"  {name}", *shares_row(shares)] for name, shares in result["clinical_by_kind"].items()),
        ]
    )


def run_checklist(notes: Sequence[LabelledSet], judge: Judge, cancel: threading.Event) -> dict[str, Any]:
    """As ``run_need``. An item that any sentence serves, under whatever heading, is there."""
    counted: list[_Counted] = []
    for one in notes:
        case, served = Case(Transcript(()), one.note), frozenset().union(*one.items)
        found = frozenset[str]().union(*(need.items for need in judge.need(case, cancel) if need.needed))
        for verdict in judge.cover(case, cancel):
            labelled = verdict.section is not None or verdict.item == _SAFETY
            if labelled and verdict.item not in one.arguable and verdict.present is not None:
                shown = state_of(verdict, bool(verdict.sentences) or verdict.item in found)
                item = frozenset({verdict.item})
                counted.append(_Counted(one.group, item, verdict.item in served, verdict.present, shown))
    items = [one for one in counted if _SAFETY not in one.names]
    safety = [one for one in counted if _SAFETY in one.names]
    return {
        "notes": len(notes),
        "present_called_missing": _wrong(items, wanted=True),
        "absent_called_present": _wrong(items, wanted=False),
        "present_shown_missing": _shown(items, ItemState.MISSING, wanted=True),
        "present_shown_not_recognised": _shown(items, ItemState.NOT_RECOGNISED, wanted=True),
        "absent_shown_missing": _shown(items, ItemState.MISSING, wanted=False),
        "safety_called_missing": _wrong(safety, wanted=True),
        "safety_called_present": _wrong(safety, wanted=False),
        "by_item": {
            name: {"missing": _wrong(own, wanted=True), "present": _wrong(own, wanted=False)}
            for name, own in _by_name(counted)
        },
    }


def checklist_text(result: dict[str, Any]) -> str:
    names = {
        "present_called_missing": tr("present, called missing"),
        "absent_called_present": tr("absent, called present"),
        "present_shown_missing": tr("  shown as missing"),
        "present_shown_not_recognised": tr("  not recognized"),
        "absent_shown_missing": tr("absent, shown as missing"),
        "safety_called_missing": tr("safety: called missing"),
        "safety_called_present": tr("safety: called present"),
    }
    rows = [[tr("Items"), tr("In notes"), tr("Share"), tr("95 % interval")]]
    return table(rows + [[said, *shares_row(result[name])] for name, said in names.items()])


def _by_name(counted: Sequence[_Counted]) -> list[tuple[str, list[_Counted]]]:
    named: dict[str, list[_Counted]] = defaultdict(list)
    for one in counted:
        for name in one.names:
            named[name].append(one)
    return sorted(named.items())


def _wrong(counted: Sequence[_Counted], wanted: bool) -> dict[str, Any]:
    return share([(one.group, one.yes is not wanted) for one in counted if one.wanted is wanted])


def _shown(counted: Sequence[_Counted], state: ItemState, wanted: bool) -> dict[str, Any]:
    return share([(one.group, one.shown is state) for one in counted if one.wanted is wanted])
