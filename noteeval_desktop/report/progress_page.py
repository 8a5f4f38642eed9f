"""A clinician's notes over time: three charts, and what is missed again and again."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from functools import partial
from gettext import gettext as tr

from noteeval_desktop.domain.phrases import counted, day
from noteeval_desktop.domain.progress import Count, Progress
from noteeval_desktop.domain.review import SCORED
from noteeval_desktop.report import charts, words
from noteeval_desktop.report.page import Chart, Heading, Page, Paragraph, Part, Run, Table, Title


def progress_page(progress: Progress, clinician: str, *, when: datetime | None = None) -> Page:
    return Page(tr("Notes over time"), tuple(_parts(progress, clinician)), when or datetime.now(), clinician)


def _parts(progress: Progress, clinician: str) -> Iterator[Part]:
    counts = f"{counted(progress.cases, 'case')}, {counted(len(progress.slots), tr('marked revision'))}"
    yield Title(tr("Notes over time"), clinician, (("", counts),))
    yield Paragraph(words.EXPLAINED, "small")
    supervisor, judge = tr("supervisor, solid line"), tr("judge, dashed line")
    yield Paragraph((Run("●", "accent"), f" {supervisor}   ", Run("◆", "amber"), f" {judge}"), "small")
    for dimension in SCORED:
        name = words.DIMENSION_NAMES[dimension]
        yield Heading(name)
        yield Chart(partial(charts.trend, progress.slots, dimension), name)
    yield Heading(tr("Checklist items missed in the latest revision"))
    if not progress.misses:
        yield Paragraph(words.NONE)
        return
    rows = []
    for miss in progress.misses:
        name = words.mandatory(miss.name) if miss.mandatory else miss.name
        days = [count.last for count in (miss.supervisor, miss.judge) if count.last is not None]
        rows.append((name, miss.section, _of(miss.supervisor), _of(miss.judge), day(max(days))))
    head = (words.ITEM, words.SECTION, words.SUPERVISOR, words.JUDGE, tr("Last seen"))
    yield Table(head, tuple(rows))


def _of(count: Count) -> str:
    """ "3 of 7", or a dash where nothing was marked."""
    return words.share_of(count.missed, count.of) if count.of else "–"
