"""The list of cases: found without clinical text, and what can be done with each."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QMessageBox

from noteeval_desktop.ui.library.dialogs import NewPassphrase


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
    assert "covered" in row
    assert "drinks" not in row


@pytest.mark.parametrize(
    ("text", "found"), [("drinks", 1), ("ünal", 1), ("tues", 1), ("giraffe", 0), ('" AND (oriented', 1)]
)
def test_search_goes_over_labels_and_texts(library, qtbot, text, found):
    with qtbot.waitSignal(library.listed):
        library.search.setText(text)
    assert library.list.topLevelItemCount() == found
    assert bool(found) != ("No case fits" in library.said.text())


def test_a_duplicate_can_be_archived_and_brought_back(library, desk, hands):
    library.duplicate.click()
    hands.settle(desk)
    assert len(_labels(library)) == 2
    library.archive.click()
    hands.settle(desk)
    assert len(_labels(library)) == 1
    library.archived.setChecked(True)
    hands.settle(desk)
    assert len(_labels(library)) == 1
    library.archive.click()
    hands.settle(desk)
    assert "Nothing is archived" in library.said.text()


@pytest.mark.parametrize(("agreed", "left"), [(True, 0), (False, 1)])
def test_deleting_asks_first(library, desk, hands, monkeypatch, agreed, left):
    monkeypatch.setattr(library, "_sure", lambda case: agreed)
    library.delete.click()
    hands.settle(desk)
    assert len(_labels(library)) == left
    assert (desk.library.kept is None) == agreed
    assert desk.workspace.editor.document().isModified() == agreed


def test_keeping_is_the_default_answer_to_deleting(library, monkeypatch):
    chosen = []
    monkeypatch.setattr(QMessageBox, "exec", lambda box: chosen.append(box.defaultButton().text()))
    library.delete.click()
    assert chosen == ["Keep it"]


def test_labels_are_changed_and_filtered_by_tag(library, desk, hands):
    library.labels.click()
    library.asking.label.setText("Zweiter & Fall")
    library.asking.tags.setText("to discuss, intake, intake")
    library.asking.go.click()
    hands.settle(desk)
    assert _labels(library) == ["Zweiter & Fall"]
    assert [library.tag.itemText(n) for n in range(library.tag.count())] == ["Any tag", "intake", "to discuss"]


def test_sorting_by_a_column_turns_round_on_the_second_click(library, desk, hands):
    library.duplicate.click()
    hands.settle(desk)
    library.labels.click()
    library.asking.label.setText("Anna")
    library.asking.go.click()
    hands.settle(desk)
    library._sort_by(0)
    hands.settle(desk)
    first = _labels(library)
    library._sort_by(0)
    hands.settle(desk)
    assert first == ["Anna", "Frau Ünal 🙂"]
    assert _labels(library) == first[::-1]


def test_a_case_travels_in_one_encrypted_file(library, desk, hands, tmp_path, monkeypatch):
    path = tmp_path / "fall.noteeval-case"
    library.export_to(library.chosen().id, path)
    assert isinstance(library.asking, NewPassphrase)
    library.asking.first.setText("für unterwegs 1")
    library.asking.second.setText("für unterwegs 1")
    library.asking.go.click()
    hands.settle(desk)
    assert b"drinks" not in path.read_bytes()
    monkeypatch.setattr(library, "_sure", lambda case: True)
    library.delete.click()
    hands.settle(desk)
    library.import_from(path)
    library.asking.passphrase.setText("ein falsches Wort")
    library.asking.go.click()
    hands.settle(desk)
    assert "passphrase is wrong" in library.asking.said.text()
    library.asking.passphrase.setText("für unterwegs 1")
    library.asking.go.click()
    hands.settle(desk)
    assert _labels(library) == ["Frau Ünal 🙂"]


def test_a_case_is_opened_by_the_keyboard(library, desk, hands, qtbot):
    desk.workspace.editor.document().setModified(False)
    with qtbot.waitSignal(desk.session.note_opened):
        library.list.itemActivated.emit(library.list.currentItem(), 0)
    hands.settle(desk)
    assert desk.library.list_window is None
    assert desk.library.kept is not None
    assert not desk.workspace.editor.document().isModified()
