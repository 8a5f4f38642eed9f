"""The lines of the note stay under the pointer while the red banner above them comes and goes."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest

from tests.ui.findings.test_risk import dangerous
from tests.ui_steps import type_at_end
from tests.ui_texts import NOTE

__all__ = ["dangerous"]


def test_while_somebody_writes_the_lines_of_the_note_stay_where_they_are(dangerous, qtbot) -> None:
    editor, banner = dangerous.workspace.editor, dangerous.risk_banner
    editor.setFocus()

    def top() -> int:
        return editor.mapTo(dangerous, editor.rect().topLeft()).y()

    before = top()
    with qtbot.waitSignal(dangerous.session.evaluation_finished, timeout=10_000):
        type_at_end(dangerous, "\nAssessment:\nPassive ideation, no plan.")
    qtbot.wait(50)
    assert (banner.text, banner.isVisible(), top()) == ("", True, before)
    assert "Warning" not in banner.accessibleName()
    with qtbot.waitSignal(dangerous.session.evaluation_finished, timeout=10_000):
        dangerous.commands["undo"].trigger()
    qtbot.wait(50)
    assert "not found in the note" in banner.text
    assert top() == before
    with qtbot.waitSignal(dangerous.session.evaluation_finished, timeout=10_000):
        type_at_end(dangerous, "\nAssessment:\nPassive ideation, no plan.")
    height = banner.button.fontMetrics().height(), banner._words.fontMetrics().height()
    for _ in range(8):
        dangerous.commands["larger"].trigger()
    larger = banner.button.fontMetrics().height(), banner._words.fontMetrics().height()
    assert all(now > 1.3 * before for now, before in zip(larger, height, strict=True))
    QTest.mouseClick(banner.button, Qt.MouseButton.LeftButton)
    assert not banner.isVisible()


def test_a_banner_that_comes_while_somebody_writes_leaves_the_lines_where_they_are(dangerous, qtbot) -> None:
    editor, banner = dangerous.workspace.editor, dangerous.risk_banner
    with qtbot.waitSignal(dangerous.session.evaluation_finished, timeout=10_000):
        type_at_end(dangerous, "\nAssessment:\nPassive ideation, no plan." + "\n\nPlan:\nOn 🙂 Tuesday." * 40)
    QTest.mouseClick(banner.button, Qt.MouseButton.LeftButton)
    assert not banner.isVisible()
    editor.setFocus()
    editor.verticalScrollBar().setValue(200)
    qtbot.wait(50)

    def line() -> int:
        return editor.viewport().mapTo(dangerous, editor.cursorRect(QTextCursor(editor.document())).topLeft()).y()

    before = line()
    cursor = editor.document().find("Passive ideation")
    with qtbot.waitSignal(dangerous.session.evaluation_finished, timeout=10_000):
        cursor.insertText("Passive wishes")
    qtbot.wait(50)
    assert banner.isVisible()
    assert line() == before


def test_a_note_that_was_just_opened_shows_its_first_line_below_the_banner(dangerous, qtbot) -> None:
    editor = dangerous.workspace.editor
    with qtbot.waitSignal(dangerous.session.evaluation_finished, timeout=10_000):
        dangerous.files.open_note(NOTE + "More 🙂 to read.\n" * 80)
    qtbot.wait(50)
    assert editor.hasFocus()
    assert dangerous.risk_banner.isVisible()
    assert editor.verticalScrollBar().value() == 0
