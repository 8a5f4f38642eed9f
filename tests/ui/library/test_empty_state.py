"""The empty window opens the library where there is one."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton

from noteeval_desktop.ui.library.key_dialogs import Unlock
from tests.ui_texts import NOTE, SESSION


def test_the_first_window_of_all_offers_no_library(window):
    assert not window.empty.library_button.isVisible()


def test_the_library_is_offered_once_there_is_one(desk, hands, make_window):
    hands.keep(desk)
    desk.workspace.editor.document().setModified(False)
    desk.close()
    later = hands.cheap(make_window())
    assert later.empty.library_button.isVisible()
    later.empty.library_button.click()
    hands.dialog(later, Unlock)
    hands.unlock(later)
    assert later.library.list_window.list.topLevelItemCount() == 1


def _recent(window) -> list[str]:
    chips = [button for button in window.empty.findChildren(QToolButton) if button.property("look") == "chip"]
    return [chip.text() for chip in chips if not chip.isHidden()]


def test_a_kept_case_is_recent_under_its_label_as_long_as_the_library_is_open(desk, hands, qtbot, tmp_path):
    files = tmp_path / "session.txt", tmp_path / "note.txt"
    for file, text in zip(files, (SESSION, NOTE), strict=True):
        file.write_text(text, encoding="utf-8")
    with qtbot.waitSignal(desk.opening.recent_changed, timeout=10_000):
        desk.opening.open_files(list(files))
    hands.settle(desk)
    assert len(_recent(desk)) == 1  # by when it was opened
    hands.keep(desk, "Ünal & 4 🙂")
    assert _recent(desk) == ["Ünal && 4 🙂"]
    assert [action.text() for action in desk.recent_menu.actions()] == ["Ünal && 4 🙂"]
    desk.commands["close_case"].trigger()
    with qtbot.waitSignal(desk.session.note_opened, timeout=10_000):
        next(b for b in desk.empty.findChildren(QToolButton) if b.text() == "Ünal && 4 🙂").click()
    assert desk.library.kept is not None
    hands.settle(desk)
    desk.library.lock()
    hands.settle(desk)
    qtbot.waitUntil(lambda: len(_recent(desk)) == 1, timeout=10_000)
    assert _recent(desk) == ["Unlock to see kept cases…"]


@pytest.mark.parametrize("where", ["chip", "menu"])
def test_a_locked_library_says_that_its_cases_show_once_it_is_unlocked(desk, hands, make_window, qtbot, where):
    hands.keep(desk, "Ünal & 4 🙂")
    desk.close()
    later = hands.cheap(make_window())
    qtbot.waitUntil(lambda: _recent(later) == ["Unlock to see kept cases…"], timeout=10_000)
    if where == "chip":
        chips = later.empty.findChildren(QToolButton)
        chip = next(chip for chip in chips if chip.text() == _recent(later)[0] and chip.isVisible())
        QTest.mouseClick(chip, Qt.MouseButton.LeftButton)
    else:
        assert later.recent_menu.isEnabled()
        later.recent_menu.popup(later.mapToGlobal(later.rect().topLeft()))
        QTest.keyClick(later.recent_menu, Qt.Key.Key_Down)
        QTest.keyClick(later.recent_menu, Qt.Key.Key_Return)
    hands.unlock(later)
    qtbot.waitUntil(lambda: _recent(later) == ["Ünal && 4 🙂"], timeout=10_000)
