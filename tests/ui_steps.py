"""What tests do in the window again and again."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest


def type_at_end(window, text: str) -> None:
    cursor = window.workspace.editor.textCursor()
    cursor.movePosition(QTextCursor.MoveOperation.End)
    window.workspace.editor.setTextCursor(cursor)
    window.workspace.editor.insertPlainText(text)


def wait_idle(window, qtbot) -> None:
    qtbot.waitUntil(lambda: not window.jobs.busy and not window.session._timer.isActive(), timeout=10_000)


def choose_part(window, speaker: int, name: str) -> None:
    """With the mouse, in the menu of a speaker's chip."""
    chip = window.workspace.transcript.strip._chips[speaker]
    menu = chip.menu()
    menu.popup(chip.mapToGlobal(chip.rect().bottomLeft()))
    action = next(action for action in menu.actions() if action.text() == name)
    QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(action).center())
    # A screen gives the focus back by itself.
    window.activateWindow()
