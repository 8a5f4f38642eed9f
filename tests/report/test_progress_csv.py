"""Every column of the table of notes over time, by its value."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path

from noteeval_desktop.domain.progress import Marked, Source, progress
from noteeval_desktop.domain.review import Dimension
from noteeval_desktop.report.progress_page import write_progress_csv
from tests.domain.test_progress import RUBRIC, made_marks

SCORES = {Dimension.COMPLETENESS: 0.75, Dimension.CONCISENESS: 2 / 3, Dimension.FAITHFULNESS: 1.0}
ITEMS = [item.id for item in RUBRIC.items]


def _rows(marked: list[Marked], folder: Path) -> list[dict[str, str]]:
    write_progress_csv(progress(marked, RUBRIC), folder / "o.csv", RUBRIC)
    return list(csv.DictReader(io.StringIO((folder / "o.csv").read_text("utf-8-sig"))))


def test_every_column_has_the_value_that_was_marked(tmp_path: Path) -> None:
    judge = replace(
        made_marks("a", 7, revision=2, missing=("plan-homework", "subjective-history")),
        scores=tuple(SCORES.items()),
    )
    unasked = tuple(pair for pair in judge.items if pair[0] != "plan-follow-up")
    supervisor = replace(
        made_marks("a", 7, revision=2, source=Source.SUPERVISOR, share=None, missing=("plan-homework",)),
        items=tuple(pair for pair in unasked if pair[0] != "subjective-history"),
    )
    first, second = _rows([judge, supervisor], tmp_path)
    same = {"date": "2026-03-07", "case": "Fall a", "revision": "2"}
    assert second == {
        **same,
        "source": "judge",
        "who": "builtin",
        "completeness": "0.7500",
        "conciseness": "0.6667",
        "faithfulness": "1.0000",
        **{item: "0" if item in ("plan-homework", "subjective-history") else "1" for item in ITEMS},
    }
    assert first == {
        **same,
        "source": "supervisor",
        "who": "Ω",
        "completeness": "",
        "conciseness": "",
        "faithfulness": "",
        **{item: "1" for item in ITEMS},
        "plan-homework": "0",
        "plan-follow-up": "",
        "subjective-history": "",
    }
    assert list(first)[:5] == ["date", "case", "revision", "source", "who"]
    assert list(first)[8:] == ITEMS


def test_items_of_another_checklist_have_columns_behind_those_of_this_one(tmp_path: Path) -> None:
    (row,) = _rows([replace(made_marks("a", 7), items=(("plan-homework", True), ("note-fee", False)))], tmp_path)
    assert list(row)[8:] == [*ITEMS, "note-fee"]
    assert (row["plan-homework"], row["note-fee"], row["plan-follow-up"]) == ("1", "0", "")
