"""The list of cases: found without clinical text, and what can be done with each."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QDate, QPoint, Qt
from PySide6.QtWidgets import QFileDialog, QLabel, QMessageBox

from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.findings import open_risk
from noteeval_desktop.store.case_file import SUFFIX
from noteeval_desktop.store.library import Library
from noteeval_desktop.ui.case.files import CASE_FILES, CASE_SUFFIX
from noteeval_desktop.ui.library import work
from noteeval_desktop.ui.library.key_dialogs import NewLibrary, NewPassphrase, RecoveryKey
from tests.ui.library.conftest import CHEAP, Hands


@pytest.fixture
def library(desk, hands):
    hands.keep(desk)
    return hands.list(desk)


def _labels(shown):
    return [shown.list.topLevelItem(row).text(0) for row in range(shown.list.topLevelItemCount())]


def test_the_list_shows_no_clinical_text(library):
    item = library.list.topLevelItem(0)
    row = " ".join(item.text(column) for column in range(item.columnCount()))
    assert "Frau Ünal 🙂" in row
    assert "96 %" in row
    assert "drinks" not in row


def test_open_risks_stand_in_the_list_as_the_window_counts_them(library, desk, qtbot):
    shown = library.list
    column = next(n for n in range(shown.columnCount()) if shown.headerItem().text(n) == "Open risks")
    found = [finding.ranked for finding in desk.session.findings()]
    count = open_risk(desk.session.evaluation, found).count
    assert count
    assert shown.topLevelItem(0).text(column) == str(count)
    header = shown.header()
    at = QPoint(header.sectionViewportPosition(column) + 8, header.height() // 2)
    with qtbot.waitSignal(shown.sorted):
        qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert (shown.sort, shown.descending) == ("open_risks", True)


def test_search_goes_over_labels_and_texts(library, qtbot):
    for text, found in (("drinks", 1), ("ünal", 1), ("tues", 1), ("giraffe", 0), ('" AND (oriented', 1)):
        with qtbot.waitSignal(library.listed):
            library.filters.search.setText(text)
        assert (text, library.list.topLevelItemCount()) == (text, found)
        assert bool(found) != ("No case matches" in library.said.text())


def test_a_duplicate_can_be_archived_and_brought_back(library, desk, hands):
    library.acts.duplicate.trigger()
    hands.settle(desk)
    assert sorted(_labels(library)) == ["Frau Ünal 🙂", "Frau Ünal 🙂 (copy)"]
    assert library.list.chosen().labels.label == "Frau Ünal 🙂 (copy)"
    library.acts.archive.trigger()
    hands.settle(desk)
    assert len(_labels(library)) == 1
    library.filters.archived.setChecked(True)
    hands.settle(desk)
    assert len(_labels(library)) == 1
    library.acts.archive.trigger()
    hands.settle(desk)
    assert "Nothing is archived" in library.said.text()


@pytest.mark.parametrize(("agreed", "left"), [(True, 0), (False, 1)])
def test_deleting_asks_first(library, desk, hands, monkeypatch, agreed, left):
    monkeypatch.setattr("noteeval_desktop.ui.library.case_acts.sure", lambda *_, **__: agreed)
    library.acts.delete.trigger()
    hands.settle(desk)
    assert len(_labels(library)) == left
    assert (desk.library.kept is None) == agreed
    assert desk.workspace.editor.document().isModified() == agreed


def test_keeping_is_the_default_answer_to_deleting(library, monkeypatch):
    chosen = []
    monkeypatch.setattr(QMessageBox, "exec", lambda box: chosen.append(box.defaultButton().text()))
    library.acts.delete.trigger()
    assert chosen == ["Keep it"]


def test_labels_are_changed_and_filtered_by_tag(library, desk, hands):
    library.acts.labels.trigger()
    library.acts.asking.label.setText("Zweiter & Fall")
    library.acts.asking.tags.setText("to discuss, intake, intake")
    library.acts.asking.go.click()
    hands.settle(desk)
    assert _labels(library) == ["Zweiter & Fall"]
    assert [library.filters.tag.itemText(n) for n in range(library.filters.tag.count())] == [
        "Any tag",
        "intake",
        "to discuss",
    ]


def test_sorting_by_a_column_turns_round_on_the_second_click(library, desk, hands):
    library.acts.duplicate.trigger()
    hands.settle(desk)
    library.acts.labels.trigger()
    library.acts.asking.label.setText("Anna")
    library.acts.asking.go.click()
    hands.settle(desk)
    library.list.sort_by(0)
    hands.settle(desk)
    first = _labels(library)
    library.list.sort_by(0)
    hands.settle(desk)
    assert first == ["Anna", "Frau Ünal 🙂"]
    assert _labels(library) == first[::-1]


def test_a_case_travels_in_one_encrypted_file(library, desk, hands, tmp_path, monkeypatch):
    path = tmp_path / "fall.noteeval-case"
    library.acts.file.export_to(library.list.chosen().id, path)
    assert isinstance(library.acts.file.asking, NewPassphrase)
    library.acts.file.asking.first.setText("für unterwegs 1")
    library.acts.file.asking.second.setText("für unterwegs 1")
    library.acts.file.asking.go.click()
    hands.settle(desk)
    assert b"drinks" not in path.read_bytes()
    monkeypatch.setattr("noteeval_desktop.ui.library.case_acts.sure", lambda *_, **__: True)
    library.acts.delete.trigger()
    hands.settle(desk)
    library.acts.import_from(path)
    library.acts.asking.passphrase.setText("ein falsches Wort")
    library.acts.asking.go.click()
    hands.settle(desk)
    assert "does not open fall" in library.acts.asking.said.text()
    library.acts.asking.passphrase.setText("für unterwegs 1")
    library.acts.asking.go.click()
    hands.settle(desk)
    assert _labels(library) == ["Frau Ünal 🙂"]
    assert library.said.text() == "The case was imported."
    library.list.sort_by(0)
    hands.settle(desk)
    assert library.said.text() == "1 case"


def _new_library(window, hands, qtbot):
    asks = hands.dialog(window, NewLibrary)
    for field in (asks.first, asks.second):
        field.setText(hands.passphrase)
    asks.go.click()
    hands.write_down(hands.dialog(window, RecoveryKey))
    qtbot.waitUntil(lambda: window.library.list_window is not None)
    hands.settle(window)


def test_whoever_has_kept_nothing_can_still_take_in_a_case_file(library, desk, hands, make_window, qtbot, tmp_path):
    path = tmp_path / f"fall{SUFFIX}"
    desk.library.access.library.export_case(library.list.chosen().id, path, "für unterwegs 1", CHEAP)
    elsewhere = Hands(qtbot, tmp_path / "elsewhere")
    window = elsewhere.cheap(make_window())
    window.files.open_several([path])
    said = " ".join(label.text() for label in elsewhere.dialog(window, NewLibrary).findChildren(QLabel))
    assert "There is none on this computer yet, so it is created now" in said
    assert "New passphrase for the library" in said
    _new_library(window, elsewhere, qtbot)
    acts: Any = window.library.list_window.acts
    acts.asking.passphrase.setText("für unterwegs 1")
    acts.asking.go.click()
    elsewhere.settle(window)
    assert _labels(window.library.list_window) == ["Frau Ünal 🙂"]
    assert window.library.list_window.list.chosen().labels.label == "Frau Ünal 🙂"
    qtbot.waitUntil(lambda: bool(Library.backups_in(elsewhere.folder)))


def test_no_library_is_made_when_the_list_is_asked_for_and_then_not(desk, hands):
    desk.commands["library"].trigger()
    hands.dialog(desk, NewLibrary).skip.click()
    assert "No library was created" in desk.banner.text
    assert not hands.folder.exists()


def test_an_empty_library_is_not_backed_up(desk, hands, qtbot):
    desk.commands["library"].trigger()
    _new_library(desk, hands, qtbot)
    assert not Library.backups_in(hands.folder)


@pytest.mark.parametrize("command", ["open_case_file", "open_transcript", "open_note"])
def test_the_file_menu_opens_a_case_file_that_somebody_sent(
    library, desk, hands, make_window, qtbot, tmp_path, monkeypatch, command
):
    path = tmp_path / f"fall{SUFFIX}"
    desk.library.access.library.export_case(library.list.chosen().id, path, "für unterwegs 1", CHEAP)
    elsewhere = Hands(qtbot, tmp_path / "elsewhere")
    window = elsewhere.cheap(make_window())
    asked = []

    def choose(parent, title, folder, kinds):
        asked.append(kinds)
        return str(path), kinds

    monkeypatch.setattr(QFileDialog, "getOpenFileName", choose)
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *of: ([choose(*of)[0]], ""))
    window.commands[command].trigger()
    assert f"*{SUFFIX}" in asked[0]
    _new_library(window, elsewhere, qtbot)
    asking: Any = window.library.list_window.acts.asking
    asking.passphrase.setText("für unterwegs 1")
    asking.go.click()
    elsewhere.settle(window)
    assert _labels(window.library.list_window) == ["Frau Ünal 🙂"]


def test_case_files_are_known_by_the_ending_that_exporting_gives_them():
    assert CASE_SUFFIX == SUFFIX
    assert f"(*{SUFFIX})" in CASE_FILES


def test_a_case_is_opened_by_the_keyboard(library, desk, hands, qtbot):
    desk.workspace.editor.document().setModified(False)
    with qtbot.waitSignal(desk.session.note_opened):
        library.list.itemActivated.emit(library.list.currentItem(), 0)
    hands.settle(desk)
    assert desk.library.list_window is None
    assert desk.library.kept is not None
    assert not desk.workspace.editor.document().isModified()


def _choose(box, text):
    box.setCurrentIndex(box.findText(text))
    box.activated.emit(box.currentIndex())


@pytest.fixture
def two(library, desk, hands):
    """Two cases that differ in everything: "Anna" of 3 March 2020, and the one that was kept first."""
    library.acts.duplicate.trigger()
    hands.settle(desk)
    library.acts.labels.trigger()
    asks = library.acts.asking
    asks.label.setText("Anna")
    asks.clinician.setText("Dr. Ünver")
    asks.client.setText("C-7 青")
    asks.tags.setText("to discuss")
    asks.dated.setChecked(True)
    asks.date.setDate(QDate(2020, 3, 3))
    asks.go.click()
    hands.settle(desk)
    return library


def test_each_filter_finds_what_fits(two, qtbot, desk, hands):
    filters = two.filters
    for box, chosen, found in (
        (filters.clinician, "Dr. Ünver", ["Anna"]),
        (filters.client, "C-7 青", ["Anna"]),
        (filters.tag, "intake", ["Frau Ünal 🙂"]),
        (filters.status, "Approved", []),
        (filters.judge, "script", ["Anna", "Frau Ünal 🙂"]),
        (filters.dates, "Last 12 months", []),
    ):
        _choose(box, chosen)
        hands.settle(desk)
        assert (chosen, sorted(_labels(two))) == (chosen, found)
        assert filters.restricting
        filters.clear.click()
        hands.settle(desk)
        assert len(_labels(two)) == 2
        assert not filters.restricting
    assert not filters.since.isVisible()
    _choose(filters.dates, "Between…")
    hands.settle(desk)
    assert filters.since.isVisible()
    for first, last, found in (((2020, 3, 3), (2020, 3, 3), ["Anna"]), ((2020, 3, 4), (2020, 4, 1), [])):
        with qtbot.waitSignal(two.listed):
            filters.since.setDate(QDate(*first))
            filters.until.setDate(QDate(*last))
        hands.settle(desk)
        assert _labels(two) == found
    filters.clear.click()
    _choose(filters.score, "Covered")
    hands.settle(desk)
    for low, high, count in ((90, 100, 2), (1, 90, 0)):
        with qtbot.waitSignal(two.listed):
            filters.low.setValue(low)
            filters.high.setValue(high)
        hands.settle(desk)
        assert len(_labels(two)) == count


def test_the_date_of_a_session_is_kept_and_can_be_taken_back(two, desk, hands):
    two.list.choose(next(c.id for c in two.list._cases.values() if c.labels.label == "Anna"))
    assert "3 Mar 2020" in [two.list.currentItem().text(n) for n in range(two.list.columnCount())]
    two.acts.labels.trigger()
    assert two.acts.asking.dated.isChecked()
    two.acts.asking.dated.setChecked(False)
    two.acts.asking.go.click()
    hands.settle(desk)
    assert two.list.chosen().labels.session_date is None


def test_a_long_list_is_read_on_when_its_end_comes_into_view(library, desk, hands, qtbot):
    opened = desk.library.access.library
    case = opened.cases.open(opened.cases.find()[0].id)
    for number in range(work.AT_ONCE + 30):
        opened.cases.add(Case(case.transcript, case.revisions[0].note, f"Case {number}"))
    with qtbot.waitSignal(library.listed):
        library.refresh()
    assert len(_labels(library)) == work.AT_ONCE
    assert "231 cases" in library.said.text()
    library.list.scrollToBottom()
    hands.settle(desk)
    assert len(_labels(library)) == work.AT_ONCE + 31
    assert len(set(_labels(library))) == work.AT_ONCE + 31
    assert library.list.chosen() is not None


def test_everything_can_be_done_by_key_and_by_context_menu(library):
    acts = library.acts
    assert library.list.contextMenuPolicy() == Qt.ContextMenuPolicy.ActionsContextMenu
    offered = library.list.actions()
    assert {*acts.of_case, acts.importing} <= set(offered)
    keys = [action.shortcut().toString() for action in offered if action is not acts.open]
    assert all(keys)
    assert len(set(keys)) == len(keys)


def test_the_delete_key_deletes_in_the_list_but_not_in_the_search_field(library, qtbot, monkeypatch):
    asked = []
    monkeypatch.setattr(
        "noteeval_desktop.ui.library.case_acts.sure",
        lambda *_, **__: asked.append(library.list.chosen()) is None and False,
    )
    library.filters.search.setFocus()
    qtbot.keyClicks(library.filters.search, "x")
    qtbot.keyClick(library.filters.search, Qt.Key.Key_Delete)
    assert not asked
    with qtbot.waitSignal(library.listed):
        library.filters.clear.click()
    library.list.setFocus()
    qtbot.keyClick(library.list, Qt.Key.Key_Delete)
    assert len(asked) == 1
