"""A clinician's notes over time: read from the library off the GUI thread, and put into words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from noteeval_desktop.domain.progress import Marked, Progress, Source, progress, supervised
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.store.library import Library
from noteeval_desktop.store.progress import RevisionMarks
from noteeval_desktop.store.records import CaseQuery


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
            judged=row.judged,
        )
