"""The notes of an overview as lines of a table, and as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

from noteeval_desktop.domain.note_rows import DIMENSIONS, NoteRow, urgency
from noteeval_desktop.domain.tables import guarded
from noteeval_desktop.report.files import write_text
from noteeval_desktop.report.many.figures import Cell

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
)
HEADINGS = tuple(name.replace("_", " ").capitalize() for name in COLUMNS)


def line(row: NoteRow) -> tuple[Cell, ...]:
    """In the order of ``COLUMNS``; shares as floats, None for what is not known."""
    if not row.checked:
        about, nothing = (row.id, row.clinician, row.source, row.month), (None,) * (COLUMNS.index("number") - 4)
        return *about, *nothing, row.number or None, row.state.value, row.problem, None
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
        " ".join(row.open_risks),
        "yes" if row.complete else "no",
        row.tokens,
        None if row.cost is None else f"{row.cost:.4f}",
        f"{row.seconds:.1f}",
        row.number or None,
        row.state.value,
        row.problem,
        row.copied,
    )


def gravest_first(rows: Sequence[NoteRow]) -> list[NoteRow]:
    """As the window has them: see ``urgency``; in the order of the set where nothing tells them apart."""
    return sorted(rows, key=lambda row: (-urgency(row), row.number))


def write_notes_csv(rows: Sequence[NoteRow], path: Path) -> None:
    """One line a note, safe to open in a spreadsheet. Raises InputError."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for row in gravest_first(rows):
        writer.writerow(["" if c is None else f"{c:.4f}" if isinstance(c, float) else guarded(c) for c in line(row)])
    # The mark tells spreadsheets that this is UTF-8.
    write_text(path, "\ufeff" + out.getvalue())
