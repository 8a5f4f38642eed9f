"""What tests do in the window again and again."""

from PySide6.QtGui import QTextCursor


def type_at_end(window, text: str) -> None:
    cursor = window.workspace.editor.textCursor()
    cursor.movePosition(QTextCursor.MoveOperation.End)
    window.workspace.editor.setTextCursor(cursor)
    window.workspace.editor.insertPlainText(text)


def wait_idle(window, qtbot) -> None:
    qtbot.waitUntil(lambda: not window.jobs.busy and not window.session._timer.isActive(), timeout=10_000)
