"""The empty window opens the library where there is one."""

from __future__ import annotations

from noteeval_desktop.ui.library.key_dialogs import Unlock


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
