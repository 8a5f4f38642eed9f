"""A clinician's notes over time as CSV: one line a revision and source, one column a rubric item."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from noteeval_desktop.domain.progress import Progress
from noteeval_desktop.domain.review import SCORED
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.domain.tables import guarded
from noteeval_desktop.report.files import write_text


def write_progress_csv(progress: Progress, path: Path, rubric: Rubric) -> None:
    """``present`` is 1, ``missing`` 0, not marked is empty. Raises InputError where ``path`` cannot be written."""
    out = io.StringIO()
    items = [item.id for item in rubric.items]
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(["date", "case", "revision", "source", "who", *(d.value for d in SCORED), *items])
    for slot in progress.slots:
        for marked in (slot.supervisor, slot.judge):
            if marked is None:
                continue
            states = dict(marked.items)
            scores = [marked.share(dimension) for dimension in SCORED]
            writer.writerow(
                [
                    slot.day.isoformat(),
                    guarded(slot.label),
                    slot.revision,
                    marked.source.value,
                    guarded(marked.who),
                    *("" if share is None else f"{share:.4f}" for share in scores),
                    *("" if item not in states else int(states[item]) for item in items),
                ]
            )
    # The mark tells spreadsheets that this is UTF-8.
    write_text(path, "\ufeff" + out.getvalue())
