"""A set of notes on the disk, and the window that reviews it."""

from __future__ import annotations

import csv

import pytest

from tests.ui_texts import NOTE, SESSION


def write_pairs(folder, number, **columns):
    """``number`` notes with their sessions, and the table that names them."""
    folder.mkdir(exist_ok=True)
    rows = []
    for n in range(number):
        (folder / f"{n:02d} Weber transcript.txt").write_text(f"{SESSION}\n", "utf-8")
        (folder / f"{n:02d} Weber note.md").write_text(f"{NOTE}\n", "utf-8")
        row = {"id": f"Weber {n:02d}", "transcript": f"{n:02d} Weber transcript.txt", "note": f"{n:02d} Weber note.md"}
        rows.append(row | {name: values[n % len(values)] for name, values in columns.items()})
    with (folder / "pairs.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return folder


@pytest.fixture
def pairs(tmp_path):
    return write_pairs(tmp_path / "set", 6, clinician=["Ruth Meyer"], source=["Scribe", "By hand"], date=["2026-03-14"])


@pytest.fixture
def many(window, qtbot):
    window.commands["review_many"].trigger()
    until(qtbot, lambda: not window.jobs.busy)
    return window.many


def until(qtbot, happened):
    """However busy the machine is."""
    qtbot.waitUntil(happened, timeout=30_000)


def settle(many, qtbot):
    until(qtbot, lambda: not many.queue.running and not many._jobs.busy)


def review(many, qtbot, *paths):
    many.open_paths(list(paths))
    until(qtbot, lambda: bool(many.queue.entries) or many.window.match.isVisible())
    if many.window.match.isVisible():
        many.window.match.go.click()
    until(qtbot, lambda: bool(many.queue.entries))
    settle(many, qtbot)
