"""Headings in the note are quiet: their words stand out, what makes them headings is seen by who edits them."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFocusEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QApplication

from noteeval_desktop.documents import parse_note
from noteeval_desktop.ui.editor.note_editor import NoteEditor
from noteeval_desktop.ui.widgets.theme import LIGHT, THEME


def _looks(editor: NoteEditor) -> dict[int, object]:
    block = editor.document().findBlockByNumber(3)
    return {f.start: QTextCharFormat(f.format).foreground().color() for f in block.layout().formats()}


@pytest.mark.parametrize(("heading", "signs"), [("## Plan", 3), ("**Plan**", 2), ("Plan:", 0)])
def test_the_signs_of_a_heading_are_seen_only_where_the_cursor_is(qtbot, heading: str, signs: int) -> None:
    THEME.show(LIGHT)
    editor = NoteEditor()
    qtbot.addWidget(editor)
    editor.show()
    qtbot.waitExposed(editor)
    editor.activateWindow()
    editor.setFocus()
    qtbot.waitUntil(editor.hasFocus)
    text = f"Subjective:\nSleeps 🙂.\n\n{heading}\nNext week.\n"
    editor.set_note_text(text)
    editor.show_headings(parse_note(text))
    assert _looks(editor)[signs] == LIGHT.colour("accent")
    if not signs:
        return
    assert _looks(editor)[0] == Qt.GlobalColor.transparent
    plain = editor.fontMetrics().horizontalAdvance(heading)
    line = editor.document().findBlockByNumber(3).layout().lineAt(0)
    across: Any = line.cursorToX(signs)
    assert across[0] < plain / 20
    cursor = QTextCursor(editor.document().findBlockByNumber(3))
    editor.setTextCursor(cursor)
    assert _looks(editor)[0] == LIGHT.colour("muted")
    editor.moveCursor(QTextCursor.MoveOperation.Start)
    assert _looks(editor)[0] == Qt.GlobalColor.transparent
    assert editor.note_text() == text


def test_a_menu_leaves_the_text_where_it_is(opened, qtbot):
    editor = opened.workspace.editor
    opened.activateWindow()
    editor.setFocus()
    qtbot.waitUntil(editor.hasFocus)
    editor._headings.show_cursor(-1)
    QApplication.sendEvent(editor, QFocusEvent(QEvent.Type.FocusOut, Qt.FocusReason.PopupFocusReason))
    assert editor._headings._cursor_at == -1
