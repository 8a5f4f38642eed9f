"""The table of notes: what stands where, and what a large set costs."""

from __future__ import annotations

import time

from PySide6.QtCore import QPersistentModelIndex, Qt

from noteeval_desktop.domain.note_rows import NoteRow
from noteeval_desktop.ui.many import notes_page
from noteeval_desktop.ui.many.notes_page import NotesModel
from noteeval_desktop.ui.many.run_store import Entry, State


def entry(name="n", **changes):
    return Entry(state=State.DONE, row=NoteRow(name, **changes))


def shown(model, column):
    return [model.index(line, column).data() for line in range(model.rowCount())]


def made(qapp, *entries):
    model = NotesModel()
    model.sort(notes_page.RISK, Qt.SortOrder.DescendingOrder)
    model.add(entries)
    return model


def test_what_was_not_checked_stands_first_then_open_risks_then_mandatory_items_then_claims(qapp):
    model = made(
        qapp,
        Entry(state=State.FAILED),
        entry(wrong=("unsupported rest plan",)),
        entry(mandatory=("a", "b")),
        entry(open_risks=("suicide",)),
        entry(mandatory=("a",), wrong=("unsupported rest plan",)),
    )
    assert shown(model, notes_page.NUMBER) == ["Note 1", "Note 4", "Note 3", "Note 5", "Note 2"]
    assert model.index(1, notes_page.RISK).data(Qt.ItemDataRole.AccessibleTextRole) == "1 open"


def test_a_result_moves_its_line_and_the_chosen_one_stays_chosen(qapp):
    model = made(qapp, *(entry(f"n{n}") for n in range(4)))
    chosen = QPersistentModelIndex(model.index(model.line(2), 0))
    model.change(3, entry("n3", open_risks=("suicide",)))
    assert model.place(model.index(0, 0)) == 3
    assert model.place(chosen) == 2


def test_a_result_that_no_longer_fits_leaves_the_filter(qapp):
    model = made(qapp, Entry(), Entry())
    model.find("", "§waiting", False)
    model.change(0, entry())
    assert model.rowCount() == 1
    model.change(0, Entry())
    assert model.rowCount() == 2


def test_scores_sort_by_value_and_what_is_unknown_comes_last(qapp):
    model = made(qapp, *(entry(shares=(share, None, None)) for share in (0.09, 0.8, None, 0.1)))
    model.sort(notes_page.SCORES[0], Qt.SortOrder.DescendingOrder)
    assert shown(model, notes_page.SCORES[0]) == ["80 %", "10 %", "9 %", ""]


def test_one_result_among_thousands_costs_a_small_part_of_all(qapp):
    """With Qt's own proxy it cost more than reading all of them in."""
    model, entries = NotesModel(), [entry(f"n{n}", mandatory=("x",) * (n % 9)) for n in range(5000)]
    began = time.thread_time()
    model.add(entries)
    whole = time.thread_time() - began
    began = time.thread_time()
    for place in range(0, 5000, 500):
        model.change(place, entry("changed", open_risks=("suicide",)))
    assert (time.thread_time() - began) / 10 < whole / 2


def test_a_problem_that_names_a_file_is_told_as_plain_text(qapp):
    model = made(qapp, Entry(state=State.FAILED, problem="<img src=/dev/zero>.txt: it is empty."))
    said = model.index(0, notes_page.STATE).data(Qt.ItemDataRole.ToolTipRole)
    assert "&lt;img" in said
    assert "<img" not in said


def test_the_copied_share_has_a_column_where_notes_were_compared(qapp):
    model = made(qapp, entry("a", copied=0.25), entry("b", copied=0.5), entry("c"))
    model.sort(notes_page.COPIED_SHARE, Qt.SortOrder.DescendingOrder)
    assert shown(model, notes_page.COPIED_SHARE) == ["50 %", "25 %", ""]
    assert model.headerData(notes_page.COPIED_SHARE, Qt.Orientation.Horizontal) == "Copied"
    assert model.tells(notes_page.COPIED_SHARE)
    assert not made(qapp, entry("c")).tells(notes_page.COPIED_SHARE)


def test_the_goals_touched_have_a_column_where_there_was_a_plan(qapp):
    model = made(qapp, entry("a", goals=(3, 0, 2)), entry("b", goals=(4, 3, 0)), entry("c"))
    model.sort(notes_page.GOALS, Qt.SortOrder.DescendingOrder)
    assert shown(model, notes_page.GOALS) == ["3 of 4", "0 of 3, perhaps 2 more", ""]
    assert not made(qapp, entry("c")).tells(notes_page.GOALS)
