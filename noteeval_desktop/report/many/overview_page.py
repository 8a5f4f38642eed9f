"""The page of an overview, or of several: on paper two sheets, what to look at first and then the rest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import partial

from noteeval_desktop.domain.phrases import long_day, tr
from noteeval_desktop.report.many.figures import Cell, Figure, Overview, shown_as
from noteeval_desktop.report.many.notes_table import HEADINGS, gravest_first, line
from noteeval_desktop.report.page import Chart, Grid, Group, Heading, Page, Paragraph, Part, Table, Title

_FIRST = ("completeness", "conciseness", "faithfulness", "risk", "section", "missing", "wrong")
_MOST_BARS = 9


def overview_page(*overviews: Overview, when: datetime | None = None) -> Page:
    when = when or datetime.now()
    parts = [part for overview in overviews for part in _sheets(overview, when)]
    return Page(overviews[0].title, tuple(parts), when, overviews[0].title)


def _sheets(overview: Overview, when: datetime) -> Iterator[Part]:
    first = [figure for figure in overview.figures if figure.key in _FIRST]
    rest = [figure for figure in overview.figures if figure.key not in _FIRST]
    said = (Paragraph(one) for one in overview.said)
    yield Group("sheet", (Title(overview.title, "", (("", long_day(when)),)), *said, Grid(tuple(map(_block, first)))))
    if rest:
        yield Group("sheet", (Grid(tuple(map(_block, rest))),))
    if overview.notes:
        rows = [line(row) for row in gravest_first(overview.notes)]
        yield Group("screen", (Heading(tr("The notes, open risks first")), Table(HEADINGS, _shown(rows))))


def _block(figure: Figure) -> tuple[Part, ...]:
    table = Table(figure.headings, _shown(figure.rows))
    said = Paragraph(figure.said.replace(" %", "\u00a0%"), "small")
    told = f"{figure.title}. {figure.said} {tr('The table below says the same.')}"
    chart = Chart(partial(figure.drawn, most=_MOST_BARS), told, table)
    shown = (chart,) if figure.bars else (table,) if figure.rows else ()
    return (Heading(figure.title), said, *shown)


def _shown(rows: Sequence[Sequence[Cell]]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(map(shown_as, row)) for row in rows)
