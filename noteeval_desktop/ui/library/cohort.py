"""All clinicians week by week, one row of the scorecard at a time: read off the GUI thread, and put into words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from noteeval_desktop.domain.phrases import counted, percent, tr
from noteeval_desktop.domain.progress import Slot, Source
from noteeval_desktop.domain.review import SCORED, Dimension
from noteeval_desktop.domain.rubric import Importance, Rubric
from noteeval_desktop.store.library import Library
from noteeval_desktop.ui.library import trainee

WEEKS = 12


@dataclass(frozen=True, slots=True)
class Cell:
    """Of one clinician's notes of one week; ``case`` is the latest of them."""

    said: str
    hint: str
    case: str


@dataclass(frozen=True, slots=True)
class Cohort:
    """``rows`` are names of what can be shown; ``cells`` by (row, clinician, Monday)."""

    clinicians: tuple[str, ...]
    weeks: tuple[date, ...]
    rows: tuple[str, ...]
    cells: dict[tuple[str, str, date], Cell]


def load(library: Library, rubric: Rubric) -> Cohort:
    """Over the last ``WEEKS`` weeks that have a note. Raises StoreError."""
    slots = {name: _latest(trainee.load(library, name, rubric).progress.slots) for name in _clinicians(library)}
    mondays = sorted({_monday(slot.day) for own in slots.values() for slot in own})[-WEEKS:]
    items = [item for item in rubric.scored_items if item.importance is Importance.MANDATORY]
    cells: dict[tuple[str, str, date], Cell] = {}
    for name, own in slots.items():
        for monday in mondays:
            of_week = [slot for slot in own if _monday(slot.day) == monday]
            for dimension in SCORED:
                _put(cells, (trainee.NAMES[dimension], name, monday), _shares(of_week, dimension), of_week)
            for item in items:
                _put(cells, (item.name, name, monday), _covered(of_week, item.id), of_week)
    rows = (*(trainee.NAMES[dimension] for dimension in SCORED), *(item.name for item in items))
    return Cohort(tuple(name for name, own in slots.items() if own), tuple(mondays), rows, cells)


def _clinicians(library: Library) -> tuple[str, ...]:
    return library.cases.choices("clinician")


def _latest(slots: Sequence[Slot]) -> list[Slot]:
    """The latest revision of each note; of one that was edited since its review, the one that was reviewed."""
    edited = {slot.case: slot.edited for slot in slots}
    kept = {slot.case: slot for slot in slots if not slot.edited}.values()
    return [
        replace(slot, label=tr("{value} (edited since its review)").format(value=slot.label or tr("no label")))
        if edited[slot.case]
        else slot
        for slot in kept
    ]


def _monday(day: date) -> date:
    return day - timedelta(days=day.weekday())


def _put(
    cells: dict[tuple[str, str, date], Cell], place: tuple[str, str, date], said: str, slots: Sequence[Slot]
) -> None:
    if said:
        cells[place] = Cell(
            said,
            f"{counted(len(slots), 'note')}: {', '.join(slot.label or tr('no label') for slot in slots)}",
            slots[-1].case,
        )


def _shares(slots: Sequence[Slot], dimension: Dimension) -> str:
    """The mean of the week's notes; ``≈`` where a judge's marks count in one of them."""
    values, judged = [], False
    for slot in slots:
        share = slot.share(Source.SUPERVISOR, dimension)
        judged = judged or slot.partly(Source.SUPERVISOR, dimension)
        if share is None:
            share = slot.share(Source.JUDGE, dimension)
            judged = judged or share is not None
        if share is not None:
            values.append(share)
    return f"{'≈ ' if judged else ''}{percent(sum(values) / len(values))}" if values else ""


def _covered(slots: Sequence[Slot], item: str) -> str:
    both = [(one for one in (slot.supervisor, slot.judge) if one and item in dict(one.items)) for slot in slots]
    marks = [one for sources in both if (one := next(sources, None)) is not None]
    if not marks:
        return ""
    sign = "≈ " if any(one.source is Source.JUDGE for one in marks) else ""
    return tr("{sign}{sum} of {count}").format(
        sign=sign, sum=sum(dict(one.items)[item] for one in marks), count=len(marks)
    )
