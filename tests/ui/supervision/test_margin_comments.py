"""A supervisor's comments stand in the margin of the trainee's note, at their sentence."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontMetrics, QTextCursor
from PySide6.QtWidgets import QToolTip

from noteeval_desktop.domain.review import Comment
from noteeval_desktop.domain.text import Span
from noteeval_desktop.ui.editor.note_editor import NoteEditor
from noteeval_desktop.ui.supervision.feedback_window import in_the_margin
from noteeval_desktop.ui.widgets.theme import UNIT
from tests.sample_evaluation import sample_evaluation
from tests.sample_review import sample_review
from tests.ui.supervision.conftest import Reviewer, submit

REVIEW = sample_review(sample_evaluation())


def test_a_comment_stands_in_the_margin_once_the_note_came_back(desk, hands, qtbot):
    hands.keep(desk)
    case_id = desk.library.kept.id
    submit(desk, hands)
    reviewer = Reviewer(desk, qtbot, "Dr. Zizek")
    shown = reviewer.open(case_id)
    reviewer.mark_everything()
    shown.go_to(shown.session.stages[2])
    shown.go(1)
    reviewer.comment("How often, by the session?")
    reviewer.hand_in()
    assert desk.workspace.editor.comments.now() == ()
    reviewer.answer("R")
    shown.close()
    desk.library.open_case(case_id)
    hands.settle(desk)
    editor = desk.workspace.editor
    qtbot.waitUntil(lambda: editor.comments.now() != ())
    (place, said), text = editor.comments.now()[0], editor.note_text()
    assert place.of(text) == "Client drinks four times a week."
    assert said == "Dr. Zizek: How often, by the session?"
    assert said in editor.accessibleDescription()
    cursor = QTextCursor(editor.document())
    cursor.insertText("🙂 Added. ")
    moved, _ = editor.comments.now()[0]
    assert moved.of(editor.note_text()) == "Client drinks four times a week."


def test_a_comment_is_found_where_its_words_went_and_not_where_they_are_gone():
    review = replace(REVIEW, comments=(Comment(Span(0, 4), "Calm", "Say how."),))
    assert in_the_margin(review, "Kim", "Calm, and calm again.") == ((Span(0, 4), "Kim: Say how."),)
    assert in_the_margin(review, "Kim", "Was Calm.") == ((Span(4, 8), "Kim: Say how."),)
    assert in_the_margin(review, "Kim", "Quiet.") == ()


def test_a_click_on_the_sign_shows_the_comment(qtbot, monkeypatch):
    editor = NoteEditor()
    qtbot.addWidget(editor)
    editor.set_note_text("Subjective:\nSleeps 🙂 badly.\n")
    editor.show_comments([(Span(12, 27), "Kim: How long?")])
    editor.show()
    shown = []
    monkeypatch.setattr(QToolTip, "showText", lambda where, said, *_: shown.append(said))
    line = editor.cursorRect(QTextCursor(editor.document().findBlockByNumber(1)))
    qtbot.mouseClick(editor._margin, Qt.MouseButton.LeftButton, pos=QPoint(UNIT, line.center().y()))
    assert ["How long?" in said for said in shown] == [True]
    editor.show_comments(())
    assert editor.comments.now() == ()


def test_the_signs_of_the_margin_grow_with_the_text(qtbot) -> None:
    editor = NoteEditor()
    qtbot.addWidget(editor)
    usual = (editor.sign_font.pixelSize(), editor.sign_width, editor.margin_width)
    editor.set_reading_size(28)
    grown = (editor.sign_font.pixelSize(), editor.sign_width, editor.margin_width)
    assert usual == (14, 16, 40)
    assert grown == (26, 30, 75)
    glyphs = QFontMetrics(editor.sign_font)
    assert all(glyphs.horizontalAdvance(sign) <= editor.sign_width for sign in "✗?◉–○+")
