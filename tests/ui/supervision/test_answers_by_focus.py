"""The answers take the focus, by Tab and arrows, also without letter keys; comments are changed before the end."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from noteeval_desktop.ui.supervision import words
from noteeval_desktop.ui.supervision.passes import Stage
from tests.ui.supervision.conftest import begun, mark_what_is_asked


def _focused(qtbot, shown, number: int) -> None:
    qtbot.waitUntil(lambda: QApplication.focusWidget() is shown.panel.buttons[number])


@pytest.mark.parametrize("letters", [True, False])
def test_an_answer_is_reached_by_tab_and_chosen_by_enter_or_space(desk, judge, hands, qtbot, letters):
    _, shown = begun(desk, judge, hands, qtbot)
    shown.letters.setChecked(letters)
    shown.activateWindow()
    qtbot.waitUntil(shown.isActiveWindow)
    shown.panel.list.setFocus()
    QTest.keyClick(shown.panel.list, Qt.Key.Key_Tab)
    _focused(qtbot, shown, 0)
    QTest.keyClick(shown.panel.buttons[0], Qt.Key.Key_Down)
    _focused(qtbot, shown, 1)
    QTest.keyClick(shown.panel.buttons[1], Qt.Key.Key_Up)
    QTest.keyClick(shown.panel.buttons[0], Qt.Key.Key_Down)
    assert shown.session.stage is Stage.RISK
    QTest.keyClick(shown.panel.buttons[1], Qt.Key.Key_Return)
    session = shown.session
    assert session.passes[0].said(session.passes[0].places[0], session.review) == "Not in the note"
    assert shown.session.stage is Stage.COMPLETENESS
    assert QApplication.focusWidget() is shown.panel.buttons[1]
    before = session.place
    QTest.keyClick(shown.panel.buttons[1], Qt.Key.Key_Space)
    assert session.current.said(before, session.review) == words.MISSING
    assert session.place is not before
    if letters:
        here = session.place
        QTest.keyClicks(shown.panel.buttons[1], "y")
        assert session.current.said(here, session.review) == words.PRESENT
    QTest.keyClick(shown.panel.buttons[1], Qt.Key.Key_Escape)
    assert QApplication.focusWidget() is shown.panel.list


def test_enter_on_a_switch_of_the_review_does_what_it_says_and_goes_nowhere(desk, judge, hands, qtbot):
    _, shown = begun(desk, judge, hands, qtbot)
    at, stage = shown.session.at, shown.session.stage
    shown.letters.setFocus()
    QTest.keyClick(shown.letters, Qt.Key.Key_Return)
    assert (shown.letters.isChecked(), shown.session.stage, shown.session.at) == (False, stage, at)
    shown.chips[Stage.FAITHFULNESS].setFocus()
    QTest.keyClick(shown.chips[Stage.FAITHFULNESS], Qt.Key.Key_Enter)
    assert shown.session.stage is Stage.FAITHFULNESS
    shown.all.setFocus()
    QTest.keyClick(shown.all, Qt.Key.Key_Return)
    assert shown.all.isChecked()


def test_a_comment_is_changed_and_removed_before_the_marks_are_in(desk, judge, hands, qtbot):
    reviewer, shown = begun(desk, judge, hands, qtbot)
    assert not shown.chips[Stage.COMMENTS].isVisible()
    reviewer.comment("Say wen.")
    reviewer.comment("And where.")
    mark_what_is_asked(reviewer)
    reviewer.step_to(Stage.COMMENTS)
    assert shown.session.review.blind
    assert [row.title for row in shown.panel.list.rows.rows] == ["Say wen.", "And where."]
    reviewer.type("e")
    dialog = shown.comments.dialog
    assert dialog.text.toPlainText() == "Say wen."
    dialog.text.setPlainText("Say when.")
    dialog.go.click()
    reviewer.settle()
    assert [one.text for one in shown.session.review.comments] == ["Say when.", "And where."]
    reviewer.press(Qt.Key.Key_Down)
    shown.panel.buttons[1].click()
    assert [one.text for one in shown.session.review.comments] == ["Say when."]
    reviewer.ctrl(Qt.Key.Key_Z)
    assert len(shown.session.review.comments) == 2
    reviewer.step_to(Stage.COMMENTS)
    reviewer.press(Qt.Key.Key_Up)
    reviewer.press(Qt.Key.Key_Delete)
    assert [one.text for one in shown.session.review.comments] == ["And where."]
    reviewer.press(Qt.Key.Key_Delete)
    assert shown.panel.title.text() == "There are no comments. C adds one at any question."
    reviewer.hand_in()
    assert shown.session.stage is Stage.DIFFERENCES
