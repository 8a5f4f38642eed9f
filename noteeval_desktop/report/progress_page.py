"""A clinician's notes over time: as a page, three charts and what is missed again and again, and as a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path

from noteeval_desktop.domain.phrases import counted, day, share_of, tr
from noteeval_desktop.domain.progress import Count, Progress
from noteeval_desktop.domain.review import SCORED
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.present.vocabulary import SCORES
from noteeval_desktop.report import charts, files
from noteeval_desktop.report.page import Chart, Heading, Page, Paragraph, Part, Run, Table, Title


def progress_page(progress: Progress, clinician: str) -> Page:
    return Page(tr("Notes over time"), tuple(_parts(progress, clinician)), datetime.now(), clinician)


def _parts(progress: Progress, clinician: str) -> Iterator[Part]:
    counts = f"{counted(progress.cases, 'case')}, {counted(len(progress.slots), tr('marked revision'))}"
    yield Title(tr("Notes over time"), clinician, (("", counts),))
    explained = tr(
        "Each mark is one revision, in the order of the sessions. The scores describe notes, and depend on the session "
        "as much as on the writing: a trend over a few notes means little. Supervisors' marks count as settled. A note "
        "edited since its review has only the judge's marks."
    )
    yield Paragraph(explained, "small")
    supervisor, judge = tr("supervisor, solid line"), tr("judge, dashed line")
    yield Paragraph((Run("●", "accent"), f" {supervisor}   ", Run("◆", "amber"), f" {judge}"), "small")
    for dimension, names in SCORES.items():
        name = ": ".join(names)
        yield Heading(name)
        yield Chart(partial(charts.trend, progress.slots, dimension), name)
    yield Heading(tr("Checklist items missed in the latest revision"))
    if not progress.misses:
        yield Paragraph(tr("None."))
        return
    rows = []
    for miss in progress.misses:
        name = tr("{name} · mandatory").format(name=miss.name) if miss.mandatory else miss.name
        days = [count.last for count in (miss.supervisor, miss.judge) if count.last is not None]
        rows.append((name, miss.section, _of(miss.supervisor), _of(miss.judge), day(max(days))))
    head = (tr("Item"), tr("Section"), tr("Supervisor"), tr("Judge"), tr("Last seen"))
    yield Table(head, tuple(rows))


def _of(count: Count) -> str:
    """ "3 of 7", or a dash where nothing was marked."""
    return share_of(count.missed, count.of) if count.of else "–"


def write_progress_csv(progress: Progress, path: Path, rubric: Rubric) -> None:
    """``present`` is 1, ``missing`` 0, not marked is empty. The items of ``rubric``, then those of other checklists
    that a note was marked by. Raises InputError where ``path`` cannot be written."""
    all_marked = [one for slot in progress.slots for one in (slot.supervisor, slot.judge) if one is not None]
    others = (item for marked in all_marked for item, _ in marked.items)
    items = list(dict.fromkeys((*(item.id for item in rubric.items), *others)))
    rows: list[Sequence[str | int | float | None]] = [
        ["date", "case", "revision", "source", "who", *(d.value for d in SCORED), *items]
    ]
    for slot in progress.slots:
        for marked in filter(None, (slot.supervisor, slot.judge)):
            states = {item: int(present) for item, present in marked.items}
            about = (slot.day.isoformat(), slot.label, slot.revision, marked.source.value, marked.who)
            rows.append((*about, *map(marked.share, SCORED), *map(states.get, items)))
    files.write_csv(path, files.csv_text(rows))
