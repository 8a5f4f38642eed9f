"""The notes of an overview as lines of a table: as CSV, and in a workbook with its figures."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from noteeval_desktop.domain.note_rows import DIMENSIONS, NoteRow, urgency
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.tables import guarded
from noteeval_desktop.report.files import csv_text, replacing, write_csv
from noteeval_desktop.report.many.figures import Cell, Overview

COLUMNS = (
    "note",
    "clinician",
    "source",
    "month",
    *DIMENSIONS,
    "mandatory_missing",
    "items_missing",
    "claims_contradicted",
    "claims_not_found",
    "risks_open",
    "open_risk_kinds",
    "complete",
    "tokens",
    "cost",
    "seconds",
    "number",
    "state",
    "problem",
    "copied",
    "plan_goals",
    "goals_touched",
    "goals_perhaps",
)
HEADINGS = tuple(name.replace("_", " ").capitalize() for name in COLUMNS)
_UNSAFE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\[\]:*?/\\]")
# What a workbook cannot hold.
_UNPRINTED = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")


def line(row: NoteRow) -> tuple[Cell, ...]:
    """In the order of ``COLUMNS``; shares as floats, None for what is not known."""
    if not row.checked:
        about, nothing = (row.id, row.clinician, row.source, row.month), (None,) * (COLUMNS.index("number") - 4)
        return *about, *nothing, row.number or None, row.state.value, row.problem, *(None,) * 4
    contradicted = sum(one.startswith("contradicted") for one in row.wrong)
    return (
        row.id,
        row.clinician,
        row.source,
        row.month,
        *row.shares,
        len(row.mandatory),
        len(row.missing),
        contradicted,
        len(row.wrong) - contradicted,
        len(row.open_risks),
        "; ".join(row.open_risks),
        "yes" if row.complete else "no",
        row.tokens,
        None if row.cost is None else f"{row.cost:.4f}",
        f"{row.seconds:.1f}",
        row.number or None,
        row.state.value,
        row.problem,
        row.copied,
        *(row.goals or (None,) * 3),
    )


def gravest_first(rows: Sequence[NoteRow]) -> list[NoteRow]:
    """As the window has them: see ``urgency``; in the order of the set where nothing tells them apart."""
    return sorted(rows, key=lambda row: (-urgency(row), row.number))


def _with_columns(rows: Sequence[NoteRow]) -> tuple[list[str], list[tuple[Cell, ...]]]:
    """The columns of the list that the notes came from, and the notes' lines with these behind."""
    names = list(dict.fromkeys(name for row in rows for name in row.columns or ()))
    return names, [(*line(row), *((row.columns or {}).get(name) for name in names)) for row in gravest_first(rows)]


def notes_csv(rows: Sequence[NoteRow]) -> str:
    """One line a note, safe to open in a spreadsheet."""
    names, lines = _with_columns(rows)
    return csv_text([[*COLUMNS, *names], *lines])


def write_notes_csv(rows: Sequence[NoteRow], path: Path) -> None:
    """Raises InputError."""
    write_csv(path, notes_csv(rows))


def write_xlsx(overview: Overview, path: Path) -> None:
    """Texts never become formulas. Raises InputError where ``path`` cannot be written."""
    # Here, not above: the other forms of an overview do without it.
    from openpyxl import Workbook
    from openpyxl.styles import Font

    book = Workbook()
    first: Any = book.active
    first.title = tr("Overview")
    first.append([guarded(overview.title)])
    first["A1"].font = Font(bold=True, size=14)
    for said in overview.said:
        first.append([guarded(said)])
    first.column_dimensions["A"].width = 100
    for figure in overview.figures:
        _fill(book.create_sheet(_UNSAFE.sub(" ", figure.title)[:31]), figure.headings, figure.rows)
    if overview.notes:
        names, lines = _with_columns(overview.notes)
        _fill(book.create_sheet(tr("Notes"), 1), [*HEADINGS, *names], lines)
    with replacing(path) as temporary:
        book.save(temporary)


def _fill(sheet: Any, headings: Sequence[str], rows: Sequence[Sequence[Cell]]) -> None:
    from openpyxl.styles import Alignment, Font
    from openpyxl.utils import get_column_letter

    sheet.append([guarded(heading) for heading in headings])
    for cell in sheet[1]:
        cell.font, cell.alignment = Font(bold=True), Alignment(wrap_text=True, vertical="top")
    for row in rows:
        sheet.append([_UNPRINTED.sub("", guarded(c)) if isinstance(c, str) else c for c in row])
        for cell, value in zip(sheet[sheet.max_row], row, strict=True):
            if isinstance(value, float):
                cell.number_format = "0 %"
    for number, heading in enumerate(headings, start=1):
        widest = max((len(str(row[number - 1])) for row in rows[:200] if isinstance(row[number - 1], str)), default=0)
        sheet.column_dimensions[get_column_letter(number)].width = min(60, max(12, len(heading), widest) + 2)
    sheet.freeze_panes = "A2"
    sheet.auto_filter.ref = sheet.dimensions
