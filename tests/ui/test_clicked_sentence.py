"""A click on a sentence without a mark is answered."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel


def _click(window, said: str) -> None:
    editor = window.workspace.editor
    cursor = QTextCursor(editor.document().find(said))
    cursor.setPosition(cursor.selectionStart() + 2)
    place = editor.cursorRect(cursor).center()
    QTest.mouseClick(editor.viewport(), Qt.MouseButton.LeftButton, pos=place)


def _said(window) -> list[str]:
    return [label.text() for label in window.workspace.findings.card.findChildren(QLabel)]


@pytest.fixture
def unmarked(opened) -> str:
    marked = set(opened.workspace.editor.marked_spans().values())
    return next(s.text for s in opened.session.evaluation.case.note.sentences if s.span not in marked)


def test_it_says_that_nothing_is_flagged_there_and_stays_on_the_tab(opened, unmarked) -> None:
    tab = opened.workspace.findings.tabs.currentIndex()
    _click(opened, unmarked)
    assert unmarked in _said(opened)
    assert "Nothing is flagged in this sentence. NoteEval misses mistakes." in " ".join(_said(opened))
    assert opened.workspace.findings.tabs.currentIndex() == tab


def test_after_an_edit_it_says_nothing_until_the_next_check(opened, unmarked) -> None:
    opened.workspace.editor.insert_after(0, "New. ")
    _click(opened, unmarked)
    assert "Nothing is flagged in this sentence. NoteEval misses mistakes." not in " ".join(_said(opened))
