"""A clinician's notes over time: read from the library off the GUI thread, and put into words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from noteeval_desktop.domain.phrases import counted, day, percent, tr
from noteeval_desktop.domain.progress import Marked, Progress, Slot, Source, progress, supervised
from noteeval_desktop.domain.review import SCORED, Dimension
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.store.library import Library
from noteeval_desktop.store.progress import RevisionMarks
from noteeval_desktop.store.records import CaseQuery

NOT_CHECKED = tr("No note of this clinician has been checked or reviewed yet.")
NAMES = {
    Dimension.COMPLETENESS: tr("Covered"),
    Dimension.CONCISENESS: tr("Needed"),
    Dimension.FAITHFULNESS: tr("Supported"),
}
SOURCES = {Source.SUPERVISOR: tr("supervisor"), Source.JUDGE: tr("judge")}


@dataclass(frozen=True, slots=True)
class Trainee:
    """``chosen`` is one of ``clinicians``, empty where there is none."""

    clinicians: tuple[str, ...]
    chosen: str
    progress: Progress


def load(library: Library, clinician: str, rubric: Rubric) -> Trainee:
    """Archived cases too. An unknown ``clinician`` gives the first. Raises StoreError."""
    known = library.cases.choices("clinician")
    chosen = clinician if clinician in known else next(iter(known), "")
    found: list[Marked] = []
    if chosen:
        for archived in (False, True):
            query = CaseQuery(clinician=chosen, archived=archived)
            found += [one for row in library.cases.revision_marks(query) for one in _marked(row, rubric)]
    return Trainee(known, chosen, progress(found, rubric))


def _marked(row: RevisionMarks, rubric: Rubric) -> Iterator[Marked]:
    day = row.session_date or row.saved.astimezone().date()
    if row.judge:
        yield Marked(Source.JUDGE, row.judge, row.case, row.label, day, row.saved, row.revision, row.scores, row.items)
    for review in row.reviews:
        assert row.note is not None
        yield supervised(
            review,
            row.note,
            (row.judged and row.judged.rubric) or rubric,
            case=row.case,
            label=row.label,
            day=day,
            saved=row.saved,
            revision=row.revision,
            judged=row.judged,
        )


def said(slot: Slot) -> str:
    """ "12 Mar 2026, Fall 3, revision 2. Supervisor: covered 74 %, …. Judge: …"."""
    label = slot.label or tr("no label")
    parts = [tr("{day}, {label}, revision {number}.").format(day=day(slot.day), label=label, number=slot.revision)]
    for source, name in SOURCES.items():
        shares = [
            f"{NAMES[dimension].lower()} {'≈ ' if slot.partly(source, dimension) else ''}{percent(share)}"
            for dimension in SCORED
            if (share := slot.share(source, dimension)) is not None
        ]
        if shares:
            parts.append(f"{name.capitalize()}: {', '.join(shares)}.")
    if slot.edited:
        parts.append(tr("Edited since its review: only the judge has marked it as it reads now."))
    return " ".join(parts)


def described(slots: Sequence[Slot]) -> str:
    """The chart for those who do not see it."""
    if not slots:
        return NOT_CHECKED
    parts = [
        tr("{revisions}, {first} to {last}.").format(
            revisions=counted(len(slots), tr("marked revision")), first=day(slots[0].day), last=day(slots[-1].day)
        )
    ]
    for source, name in SOURCES.items():
        for dimension in SCORED:
            values = [share for slot in slots if (share := slot.share(source, dimension)) is not None]
            if values:
                low, high = percent(min(values)), percent(max(values))
                told = tr("{what}, {source}: {low} to {high}.")
                parts.append(told.format(what=NAMES[dimension], source=name, low=low, high=high))
    return " ".join([*parts, tr("Left and Right go from note to note, Enter opens the case.")])
