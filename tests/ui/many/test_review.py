"""The review of many notes, through real windows, real files and a scripted judge."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import openpyxl
import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QThread, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QMessageBox
from shiboken6 import isValid

from noteeval_desktop.report.charts import Bar
from noteeval_desktop.report.many.figures import Figure, Overview
from noteeval_desktop.ui.many import notes_page
from noteeval_desktop.ui.many.run_store import State
from tests.ui.many.conftest import review, settle, until, write_pairs
from tests.ui_texts import NOTE


def cell(many, line, column):
    return many.window.notes.model.index(line, column).data()


def test_the_first_screen_offers_it(window, qtbot):
    qtbot.mouseClick(window.empty.many_button, Qt.MouseButton.LeftButton)
    assert window.many.window.isVisible()


def test_a_folder_is_matched_by_name_and_checked(many, pairs, qtbot):
    (pairs / "pairs.csv").unlink()
    review(many, qtbot, pairs)
    assert [entry.state for entry in many.queue.entries] == [State.DONE] * 6
    assert many.window.said.text() == "6 of 6 checked"
    assert all(entry.row.wrong for entry in many.queue.entries)


def test_a_table_brings_clinician_source_and_month(many, pairs, qtbot):
    review(many, qtbot, pairs / "pairs.csv")
    row = many.queue.entries[1].row
    assert (row.clinician, row.source, row.month) == ("Ruth Meyer", "By hand", "2026-03")


def test_a_folder_that_is_dropped_on_the_main_window_is_reviewed(window, pairs, qtbot):
    (pairs / "pairs.csv").unlink()
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(pairs))])
    place, copy = QPointF(5, 5), Qt.DropAction.CopyAction
    window.dropEvent(QDropEvent(place, copy, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier))
    until(qtbot, lambda: window.many.window is not None and window.many.window.match.isVisible())
    window.many.window.match.go.click()
    until(qtbot, lambda: len(window.many.queue.entries) == 6)
    settle(window.many, qtbot)


def test_unmatched_notes_are_shown_and_can_be_given_a_session(many, pairs, qtbot):
    (pairs / "pairs.csv").unlink()
    (pairs / "odd one note.md").write_text(NOTE, "utf-8")
    many.open_paths([pairs])
    page = many.window.match
    until(qtbot, lambda: many.window.pages.currentWidget() is page)
    assert not many.queue.entries
    assert page.notes.topLevelItem(1).text(1) == "00 Weber transcript.txt"
    assert page.notes.topLevelItem(0).text(0) == "odd one note.md"
    page.session.setCurrentIndex(3)
    page.session.activated.emit(3)
    qtbot.mouseClick(page.go, Qt.MouseButton.LeftButton)
    until(qtbot, lambda: len(many.queue.entries) == 7)
    settle(many, qtbot)
    assert many.queue.entries[6].pair.transcript.name == "02 Weber transcript.txt"


def test_a_note_that_cannot_be_read_stops_no_other(many, pairs, qtbot):
    (pairs / "03 Weber note.md").write_bytes(b"")
    review(many, qtbot, pairs / "pairs.csv")
    states = [entry.state for entry in many.queue.entries]
    assert states.count(State.DONE) == 5
    assert states[3] is State.FAILED
    assert many.window.said.text() == "5 of 6 checked, 1 could not be checked"
    assert [cell(many, line, 0) for line in range(6)].count("✗") == 1
    many.window.notes.choose(3)
    assert "03 Weber note.md" in many.window.notes.problem.text()


def test_the_table_shows_what_the_set_tells_under_headings_that_fit(many, tmp_path, qtbot):
    review(many, qtbot, write_pairs(tmp_path / "set", 2, source=["Scribe", "By hand"]) / "pairs.csv")
    table = many.window.notes.table
    header = table.horizontalHeader()
    for named in (False, True):
        many.window.names.setChecked(named)
        shown = [c for c in range(table.model().columnCount()) if not table.isColumnHidden(c)]
        assert notes_page.SOURCE in shown
        assert {notes_page.CLINICIAN_NUMBER, notes_page.CLINICIAN, notes_page.MONTH}.isdisjoint(shown)
        assert all(header.sectionSizeHint(column) <= header.sectionSize(column) for column in shown)


def test_what_is_copied_has_a_column_once_it_is_known(many, tmp_path, qtbot):
    folder = write_pairs(tmp_path / "set", 2, client=["K. M."], date=["2026-03-14", "2026-03-21"])
    with (folder / "01 Weber note.md").open("a", encoding="utf-8") as second:
        second.write("She slept for six hours on two nights.\n")
    review(many, qtbot, folder / "pairs.csv")
    until(qtbot, lambda: not many.window.notes.table.isColumnHidden(notes_page.COPIED_SHARE))
    assert many.window.notes.table.isColumnHidden(notes_page.GOALS)


def test_names_are_hidden_until_they_are_asked_for(many, pairs, qtbot):
    review(many, qtbot, pairs / "pairs.csv")
    table = many.window.notes.table

    def seen():
        shown = [c for c in range(table.model().columnCount()) if not table.isColumnHidden(c)]
        return " ".join(str(cell(many, 0, column)) for column in shown)

    assert "Weber" not in seen()
    assert "Meyer" not in seen()
    assert "Clinician 1" in seen()
    many.window.notes.search.setText("weber")
    until(qtbot, lambda: many.window.notes.model.rowCount() == 0)
    many.window.names.setChecked(True)
    assert many.window.notes.model.rowCount() == 6
    assert "Weber" in seen()
    assert "Ruth Meyer" in seen()


def test_notes_are_found_filtered_and_sorted(many, pairs, qtbot):
    (pairs / "03 Weber note.md").write_bytes(b"")
    review(many, qtbot, pairs / "pairs.csv")
    notes = many.window.notes
    notes.kind.setCurrentIndex(
        [
            mark
            for _, mark in (
                ("All notes", ""),
                ("Risk left open", "§risk"),
                ("Mandatory item not found", "§mandatory"),
                ("Statement not supported", "§claim"),
                ("Not checked yet", "§waiting"),
                ("Could not be checked", "§failed"),
            )
        ].index("§failed")
    )
    notes.kind.activated.emit(notes.kind.currentIndex())
    assert notes.model.rowCount() == 1
    assert notes.counted.text() == "1 of 6 notes"
    notes.kind.setCurrentIndex(0)
    notes.kind.activated.emit(0)
    notes.table.sortByColumn(notes_page.NUMBER, Qt.SortOrder.DescendingOrder)
    assert [cell(many, line, notes_page.NUMBER) for line in range(2)] == ["Note 6", "Note 5"]


def test_enter_opens_the_case(many, pairs, qtbot, window):
    review(many, qtbot, pairs / "pairs.csv")
    many.window.notes.choose(2)
    with qtbot.waitSignal(window.session.evaluation_finished, timeout=10_000):
        qtbot.keyClick(many.window.notes.table, Qt.Key.Key_Return)
    assert window.session.note_path.name == "02 Weber note.md"


def test_overview_and_comparison_come_with_the_results(many, pairs, qtbot):
    review(many, qtbot, pairs / "pairs.csv")
    until(qtbot, lambda: many.window.overview.overview is not None and bool(many.window.overview.overview.figures))
    keys = [view.figure.key for view in many.window.overview.views]
    many.window.resize(960, 640)
    many.window.tabs.setCurrentIndex(1)
    assert not many.window.overview.horizontalScrollBar().maximum()
    assert {"completeness", "section", "clinician", "source", "missing", "wrong", "spent"} <= set(keys)
    assert many.window.compare.first.currentText() == "By hand"
    assert many.window.compare.second.currentText() == "Scribe"


def test_with_one_set_the_comparison_says_what_to_do_and_offers_it(many, pairs, qtbot):
    review(many, qtbot, pairs / "pairs.csv")
    compare = many.window.compare
    entries = tuple(e for e in many.queue.entries if e.row is not None and e.row.source == "Scribe")
    many.window.tabs.setCurrentWidget(compare)
    compare.show_entries(entries)
    assert compare.said.text() == (
        "These notes are one set. To compare them with the results of another review, or of another "
        "judge, open the folder of those results."
    )
    compare.other_asked.disconnect()  # it would ask for a folder
    with qtbot.waitSignal(compare.other_asked):
        qtbot.mouseClick(compare.open, Qt.MouseButton.LeftButton)
    compare.add_other("before", entries)
    assert compare.page.isVisible()
    assert not compare.empty.isVisible()
    compare.second.setCurrentIndex(compare.first.currentIndex())
    compare.second.activated.emit(0)
    assert compare.said.text() == "Choose two different sets above."
    assert not compare.open.isVisible()


def test_whether_its_files_are_still_there_is_looked_at_off_the_gui_thread(many, pairs, qtbot, window, monkeypatch):
    """They may lie on a network drive that does not answer."""
    review(many, qtbot, pairs / "pairs.csv")
    looked, is_file = [], Path.is_file

    def watched(path: Path) -> bool:
        if path.suffix == ".md":
            looked.append(QThread.isMainThread())
        return is_file(path)

    monkeypatch.setattr(Path, "is_file", watched)
    with qtbot.waitSignal(window.session.evaluation_finished, timeout=10_000):
        many.open_case(0)
    assert looked
    assert not any(looked)


def test_each_comparison_has_its_chart_beside_its_table(many):
    bar = Bar("Completeness", (0.1,), ("+10.0 points",), 0.05, 0.15)
    gaps = Figure("gaps", "What differs", "", ("What", "Difference"), (("All", "+10"),), (bar,), kind="intervals")
    for _ in range(2):
        many.window.compare.page.show_overview(Overview("Two sets", ("Two pairs.",), (gaps,)))
        (view,) = many.window.compare.page.views
        assert not view.chart.isHidden()
        assert not view.table.isHidden()


def test_every_chart_has_its_table_for_a_screen_reader(many, pairs, qtbot):
    review(many, qtbot, pairs / "pairs.csv")
    until(qtbot, lambda: bool(many.window.overview.views))
    for view in many.window.overview.views:
        assert view.chart.accessibleName() == view.figure.title
        if view.figure.bars:
            qtbot.mouseClick(view.switch, Qt.MouseButton.LeftButton)
        assert view.table.rowCount() == len(view.figure.rows) > 0
        assert view.table.accessibleName() == view.figure.title


def test_nothing_of_a_set_lies_on_the_disk_in_clear(many, pairs, qtbot, tmp_path):
    review(many, qtbot, pairs / "pairs.csv")
    files = [file for file in (tmp_path / "home").rglob("*") if file.is_file()]
    assert any(file.name == "sets.db" for file in files)
    for file in files:
        content = file.read_bytes()
        assert b"Weber" not in content, file.name
        assert b"Meyer" not in content, file.name
        assert b"four times" not in content, file.name
    with pytest.raises(sqlite3.DatabaseError):
        sqlite3.connect(tmp_path / "home" / "sets" / "sets.db").execute("SELECT * FROM entry")


def test_without_a_keychain_it_says_who_can_read_the_results(many, pairs, qtbot, monkeypatch):
    keys = many._store._keys
    make = keys.make
    monkeypatch.setattr(keys, "make", lambda: (*make()[:2], False))
    review(many, qtbot, pairs / "pairs.csv")
    assert many.window.privacy.text().endswith("anyone who can open your files can read them.")


def test_it_says_who_can_read_the_results_before_it_starts_and_nothing_else_beside(make_window, qtbot, monkeypatch):
    window = make_window()
    for keychain, said in ((object(), "encrypted"), (None, "no keychain")):
        monkeypatch.setattr(window.many._store._keys, "_find", lambda keychain=keychain: keychain)
        window.commands["review_many"].trigger()
        until(qtbot, lambda said=said: said in window.many.window.privacy.text())
        window.many.window.close()


def test_the_window_closes_by_esc_and_lies_behind_a_case_that_it_opens(many, pairs, qtbot, window):
    review(many, qtbot, pairs / "pairs.csv")
    assert many.window.windowHandle().transientParent() is None
    raised = []
    window.raise_ = lambda: raised.append(window)
    many.window.notes.choose(0)
    with qtbot.waitSignal(window.session.evaluation_finished, timeout=10_000):
        qtbot.keyClick(many.window.notes.table, Qt.Key.Key_Return)
    assert raised == [window]
    shown = many.window
    qtbot.keyClick(shown.notes.table, Qt.Key.Key_Escape)
    assert many.window is None
    qtbot.waitUntil(lambda: not isValid(shown))


def test_results_are_saved_as_noteeval_batch_writes_them_and_opened_again(many, pairs, qtbot, tmp_path, window):
    review(many, qtbot, pairs / "pairs.csv")
    out = tmp_path / "out"
    out.mkdir()
    many.save_results(out)
    settle(many, qtbot)
    assert len(list(out.glob("*.json"))) == 6
    assert json.loads((out / "Weber 00.json").read_text("utf-8"))["schema"] == "noteeval.evaluation/1"
    before = [entry.row.shares for entry in many.queue.entries]
    many.open_results(out)
    settle(many, qtbot)
    assert [entry.row.shares for entry in many.queue.entries] == before
    assert not many.window.go.isVisible()
    with qtbot.waitSignal(window.session.evaluation_finished, timeout=10_000):
        many.open_case(0)


def test_a_folder_of_a_batch_tells_whose_notes_they_are(many, pairs, qtbot, tmp_path):
    review(many, qtbot, pairs / "pairs.csv")
    out = tmp_path / "out"
    out.mkdir()
    many.save_results(out)
    settle(many, qtbot)
    (out / "broken.json").write_text('{"schema": "noteeval.evaluation/1"}', "utf-8")
    about = {"row": 1, "id": "Weber 00", "clinician": "Ruth Meyer", "source": "Scribe", "date": "2026-02-01"}
    line = about | {"status": "done", "problem": "", "reference": None, "written": True}
    (out / "cases.jsonl").write_text(json.dumps(line) + "\n", "utf-8")
    many.open_results(out)
    settle(many, qtbot)
    rows = {entry.row.id: entry.row for entry in many.queue.entries}
    assert len(rows) == 6
    assert (rows["Weber 00"].clinician, rows["Weber 00"].month) == ("Ruth Meyer", "2026-02")


def test_a_folder_without_results_says_so(many, tmp_path, qtbot):
    many.open_results(tmp_path)
    settle(many, qtbot)
    assert "holds no result" in many.window.start.said.text()
    assert many.window.pages.currentWidget() is many.window.start


@pytest.mark.parametrize("kind", ["pdf", "html", "xlsx", "csv"])
def test_the_overview_is_exported_without_names(many, pairs, qtbot, tmp_path, kind):
    review(many, qtbot, pairs / "pairs.csv")
    path = tmp_path / f"many.{kind}"
    many.export_to(path)
    settle(many, qtbot)
    assert many.window.news.text() == f"Exported {path.name}."
    text = path.read_bytes()
    if kind == "xlsx":
        text = repr([c.value for s in openpyxl.load_workbook(path) for line in s for c in line]).encode()
    assert b"Weber" not in text
    assert len(text) > 200


def test_a_set_is_deleted_once_that_was_meant(many, pairs, qtbot, monkeypatch):
    review(many, qtbot, pairs / "pairs.csv")
    qtbot.mouseClick(many.window.another, Qt.MouseButton.LeftButton)
    until(qtbot, lambda: many.window.start.earlier.topLevelItemCount() == 1)
    monkeypatch.setattr(QMessageBox, "question", lambda *_: QMessageBox.StandardButton.Yes)
    qtbot.mouseClick(many.window.start.delete_it, Qt.MouseButton.LeftButton)
    until(qtbot, lambda: many.window.start.earlier.topLevelItemCount() == 0)


def test_locking_the_library_closes_it(many, pairs, qtbot, window):
    review(many, qtbot, pairs / "pairs.csv")
    window.library.access.locked.emit()
    assert many.window is None


def test_no_heading_of_the_table_is_cut_off(window, qtbot):
    window.commands["review_many"].trigger()
    header = window.many.window.notes.table.horizontalHeader()
    shown = [column for column in range(header.count() - 1) if not header.isSectionHidden(column)]
    assert [header.sectionSize(column) - header.sectionSizeHint(column) < 0 for column in shown] == [False] * len(shown)
