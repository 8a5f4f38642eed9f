"""Comments of a review: from the bank, one's own, and where they stand."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from noteeval_desktop.ui.supervision.comments import CommentDialog
from tests.ui.supervision.conftest import Reviewer


def test_comments_come_from_the_bank_and_own_ones_are_kept_there(desk, hands, qtbot):
    hands.keep(desk)
    reviewer = Reviewer(desk, qtbot)
    shown = reviewer.open(desk.library.kept.id)
    reviewer.type("c")
    dialog = shown.comments.dialog
    assert isinstance(dialog, CommentDialog)
    assert dialog.item.currentData() == "subjective-chief-complaint"
    first = dialog.list.item(0).text()
    QTest.keyClick(dialog.text, Qt.Key.Key_Down)
    QTest.keyClick(dialog.list, Qt.Key.Key_Return)
    assert dialog.text.toPlainText() == first
    dialog.text.setPlainText("Begin with the reason for coming. 🙂")
    dialog.keep.setChecked(True)
    dialog.go.click()
    reviewer.settle()
    comment = shown.session.review.comments[0]
    assert (comment.text, comment.item) == ("Begin with the reason for coming. 🙂", "subjective-chief-complaint")
    assert comment.quote == comment.span.of(shown.session.shown.note.text)
    reviewer.type("c")
    again = shown.comments.dialog
    assert again.list.item(0).text() == "Begin with the reason for coming. 🙂  (own)"
    again.list.setCurrentRow(0)
    again.edit.click()
    again.text.setPlainText("Begin with why the client comes.")
    again.go.click()
    reviewer.settle()
    own = desk.library.access.library.supervision.comments()
    assert [one.text for one in own] == ["Begin with why the client comes."]
    reviewer.type("c")
    last = shown.comments.dialog
    last.list.setCurrentRow(0)
    last.remove.click()
    reviewer.settle()
    assert desk.library.access.library.supervision.comments() == ()
    last.reject()


def test_a_comment_is_on_the_selected_words(desk, hands, qtbot):
    hands.keep(desk)
    reviewer = Reviewer(desk, qtbot)
    shown = reviewer.open(desk.library.kept.id)
    cursor = shown.note.textCursor()
    at = shown.note.toPlainText().encode("utf-16-le").index("four times".encode("utf-16-le")) // 2
    cursor.setPosition(at)
    cursor.setPosition(at + len("four times"), cursor.MoveMode.KeepAnchor)
    shown.note.setTextCursor(cursor)
    reviewer.comment("Twice, she says.")
    assert shown.session.review.comments[0].quote == "four times"
