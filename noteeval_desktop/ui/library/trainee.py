"""A clinician's notes over time: read from the library off the GUI thread, and put into words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from noteeval_desktop.domain.progress import Count, Marked, Progress, Slot, Source, progress, supervised
from noteeval_desktop.domain.review import Dimension
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.store.library import Library
from noteeval_desktop.store.progress import RevisionMarks
from noteeval_desktop.store.records import CaseQuery

ABOUT = (
    "How the notes of one clinician were marked, session by session. It describes notes, not people: a "
    "note depends on its session, and a trend over a few notes means little."
)
NOBODY = "No case has a clinician yet. Add one under “Labels…” in the library."
NOT_CHECKED = "No note of this clinician has been checked or reviewed yet."
NONE_MISSED = "No checklist item is missing in the latest revisions."
NAMES = {
    Dimension.COMPLETENESS: "Covered",
    Dimension.CONCISENESS: "Needed",
    Dimension.FAITHFULNESS: "Supported",
}
SOURCES = {Source.SUPERVISOR: "supervisor", Source.JUDGE: "judge"}


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
            rubric,
            case=row.case,
            label=row.label,
            day=day,
            saved=row.saved,
            revision=row.revision,
            judged=row.items,
        )


def said(slot: Slot) -> str:
    """ "12 Mar 2026, Fall 3, revision 2. Supervisor: covered 74 %, …. Judge: …"."""
    parts = [f"{slot.day:%d %b %Y}, {slot.label or 'no label'}, revision {slot.revision}."]
    for source, name in SOURCES.items():
        shares = [
            f"{NAMES[dimension].lower()} {percent(share)}"
            for dimension in Dimension
            if (share := slot.share(source, dimension)) is not None
        ]
        if shares:
            parts.append(f"{name.capitalize()}: {', '.join(shares)}.")
    return " ".join(parts)


def described(slots: Sequence[Slot]) -> str:
    """The chart for those who do not see it."""
    if not slots:
        return NOT_CHECKED
    parts = [f"{marked_revisions(len(slots))}, {slots[0].day:%d %b %Y} to {slots[-1].day:%d %b %Y}."]
    for source, name in SOURCES.items():
        for dimension in Dimension:
            values = [share for slot in slots if (share := slot.share(source, dimension)) is not None]
            if values:
                parts.append(f"{NAMES[dimension]}, {name}: {percent(min(values))} to {percent(max(values))}.")
    return " ".join([*parts, "Left and Right go from note to note, Enter opens the case."])


def marked_revisions(count: int) -> str:
    return "1 marked revision" if count == 1 else f"{count} marked revisions"


def percent(share: float) -> str:
    return f"{round(100 * share)}\N{NARROW NO-BREAK SPACE}%"


def counted(count: Count) -> str:
    return f"{count.missed} of {count.of}" if count.of else "–"
