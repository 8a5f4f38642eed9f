"""Cut, copy, paste and undo where the focus is; the note for the record system; who is who, and back again."""

from __future__ import annotations

import html

import pytest
from PySide6.QtCore import QEvent, QMimeData, Qt
from PySide6.QtGui import QAction, QGuiApplication, QHelpEvent, QInputMethodEvent, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip

from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import Role
from noteeval_desktop.ui.widgets.parts import MenuButton
from tests.ui_steps import choose_part, type_at_end, wait_idle
from tests.ui_texts import NOTE

CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def clipboard():
    return QGuiApplication.clipboard()


def _edit_menu(window) -> dict[str, QAction]:
    menu = next(action.menu() for action in window.menuBar().actions() if action.text() == "&Edit")
    return {action.text(): action for action in menu.actions()}


def test_the_edit_menu_cuts_copies_and_pastes_the_note(opened, clipboard) -> None:
    editor, menu = opened.workspace.editor, _edit_menu(opened)
    editor.setFocus()
    menu["Select all"].trigger()
    menu["Copy"].trigger()
    assert clipboard.text().startswith("Subjective:")
    menu["Cut"].trigger()
    assert editor.note_text() == ""
    menu["Paste"].trigger()
    assert editor.note_text() == NOTE
    for _ in range(2):
        menu["Undo"].trigger()
    assert editor.note_text() == NOTE
    menu["Redo"].trigger()
    assert editor.note_text() == ""


def test_the_keys_copy_from_the_session_and_from_a_search(opened, clipboard) -> None:
    pane = opened.workspace.transcript
    pane.view.setFocus()
    QTest.keyClick(pane.view, Qt.Key.Key_A, CTRL)
    QTest.keyClick(pane.view, Qt.Key.Key_C, CTRL)
    assert clipboard.text().startswith("Therapist: How have the evenings been?")
    opened.workspace.note_search.open_search()
    QTest.keyClicks(opened.workspace.note_search.field, "drinks")
    _edit_menu(opened)["Select all"].trigger()
    _edit_menu(opened)["Copy"].trigger()
    assert clipboard.text() == "drinks"


def test_a_finding_is_copied_from_its_list(opened, clipboard) -> None:
    rows = opened.workspace.findings.lists[opened.workspace.findings.tabs.currentIndex()]
    rows.setFocus()
    rows.setCurrentIndex(next(rows.model().index(n) for n, row in enumerate(rows.rows.rows) if not row.heading))
    QTest.keyClick(rows, Qt.Key.Key_C, CTRL)
    assert clipboard.text() == rows.currentIndex().data()


def test_text_of_a_record_system_is_pasted_clean(opened, clipboard) -> None:
    editor = opened.workspace.editor
    editor.setFocus()
    copied = QMimeData()
    copied.setText("\uf0b7\tSleeps\u00a0badly, “as ever” \r\n•\u2007Eats.\n\n\n\nCalm.")
    copied.setHtml("<ul><li>Sleeps badly</li></ul>")
    clipboard.setMimeData(copied)
    QTest.keyClick(editor, Qt.Key.Key_A, CTRL)
    QTest.keyClick(editor, Qt.Key.Key_V, CTRL)
    assert editor.note_text() == "- Sleeps badly, “as ever”\n- Eats.\n\nCalm."


def test_one_click_copies_the_note_plain_and_formatted(opened, clipboard, qtbot) -> None:
    opened.files.open_note("## Subjective\nSleeps < 5 h 🙂.\n- One\n\n**Plan:** Next week.")
    wait_idle(opened, qtbot)
    qtbot.mouseClick(opened.workspace.copy_button, Qt.MouseButton.LeftButton)
    copied = clipboard.mimeData()
    assert copied.text() == "Subjective\nSleeps < 5 h 🙂.\n- One\n\nPlan: Next week."
    assert "<b>Subjective</b>" in copied.html()
    assert "<p>Sleeps &lt; 5 h 🙂.</p><ul><li>One</li></ul>" in copied.html()
    assert "Copied" in opened.workspace.copy_button.text()
    assert opened.status.text.startswith("The note was copied · ")
    type_at_end(opened, "More.")
    wait_idle(opened, qtbot)
    assert "copied" not in opened.status.text
    assert not opened.banner.isVisible()


def test_copying_a_note_that_is_not_finished_says_so_and_selects_what_is_to_write(opened, clipboard, qtbot) -> None:
    opened.files.open_note("Plan: 🙂 Next week. Risk: “no” [finish this sentence] Fine.")
    wait_idle(opened, qtbot)
    qtbot.mouseClick(opened.workspace.copy_button, Qt.MouseButton.LeftButton)
    assert "[finish this sentence] is selected" in opened.banner.text
    assert opened.workspace.editor.textCursor().selectedText() == "[finish this sentence]"
    QTest.keyClicks(opened.workspace.editor, "Safe.")
    assert opened.workspace.editor.note_text().endswith("“no” Safe. Fine.")


def test_a_role_is_chosen_by_its_name_and_undone(opened, qtbot) -> None:
    before = opened.session.transcript
    choose_part(opened, 1, "Partner")
    assert opened.session.transcript.speakers == ("Therapist", "Client (partner)")
    assert opened.workspace.transcript.strip._chips[1].accessibleName() == "Client (partner), Partner"
    choose_part(opened, 1, "Other")
    assert opened.session.transcript.role_of("Client") is Role.OTHER
    opened.workspace.editor.setFocus()
    for _ in range(2):
        QTest.keyClick(opened.workspace.editor, Qt.Key.Key_Z, CTRL)
    assert opened.session.transcript == before
    QTest.keyClick(opened.workspace.editor, Qt.Key.Key_Y, CTRL)
    assert opened.session.transcript.part_of("Client (partner)") == "partner"
    wait_idle(opened, qtbot)


def test_undo_takes_back_what_was_done_last(opened, qtbot) -> None:
    choose_part(opened, 1, "Other")
    opened.workspace.editor.setFocus()
    QTest.keyClicks(opened.workspace.editor, "x")
    QTest.keyClick(opened.workspace.editor, Qt.Key.Key_Z, CTRL)
    assert opened.workspace.editor.note_text() == NOTE
    assert opened.session.transcript.role_of("Client") is Role.OTHER
    wait_idle(opened, qtbot)


def test_what_an_input_method_composes_enters_the_note_once_it_is_chosen(opened) -> None:
    editor = opened.workspace.editor
    editor.moveCursor(QTextCursor.MoveOperation.End)
    before = editor.note_text()
    QGuiApplication.sendEvent(editor, QInputMethodEvent("にほ", []))
    assert editor.note_text() == before
    chosen = QInputMethodEvent()
    chosen.setCommitString("日本🙂")
    QGuiApplication.sendEvent(editor, chosen)
    assert editor.note_text() == before + "日本🙂"
    editor.undo()
    assert editor.note_text() == before


def test_what_is_said_of_a_mark_stays_until_esc_is_pressed(opened, qtbot) -> None:
    editor = opened.workspace.editor
    highlight, selection = editor.seen_marks[0]
    inside = QTextCursor(editor.document())
    inside.setPosition(selection.cursor.selectionStart() + 2)
    place = editor.cursorRect(inside).center()
    QApplication.sendEvent(
        editor.viewport(), QHelpEvent(QEvent.Type.ToolTip, place, editor.viewport().mapToGlobal(place))
    )
    qtbot.waitUntil(QToolTip.isVisible)
    assert highlight.said in html.unescape(QToolTip.text())
    QTest.keyClick(editor, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not QToolTip.isVisible())


def _dismiss(window) -> str:
    """By the mouse, in the card's menu."""
    workspace = window.workspace
    finding = next(finding for finding in window.session.findings() if not finding.can_attest)
    workspace.show_finding(finding.key)
    button = next(b for b in workspace.findings.card.findChildren(MenuButton))
    button.menu().actions()[0].trigger()
    return finding.key


def _undo_in_menu(window) -> str:
    menu = next(action.menu() for action in window.menuBar().actions() if action.text() == "&Edit")
    menu.aboutToShow.emit()
    return menu.actions()[0].text()


def test_the_undo_key_takes_an_answer_back_right_after_it(opened, qtbot) -> None:
    key = _dismiss(opened)
    assert key in opened.session.decisions
    assert opened.status.text.startswith("Dismissed. Ctrl+Z undoes it.")
    assert _undo_in_menu(opened) == "Undo dismissing"
    QTest.keyClick(opened.focusWidget(), Qt.Key.Key_Z, CTRL)
    assert opened.session.decisions == {}
    assert opened.workspace.findings.chosen_key() == key
    assert "Dismissed" not in opened.status.text
    assert _undo_in_menu(opened) == "Undo"
    assert opened.workspace.editor.note_text() == NOTE


def test_undo_goes_through_text_and_answers_in_order_of_time_wherever_the_focus_is(opened, qtbot) -> None:
    editor, session = opened.workspace.editor, opened.session

    def press(keys) -> None:
        QTest.keyClick(opened.focusWidget(), keys, CTRL)

    def state() -> tuple[str, set[str], str]:
        return editor.note_text(), set(session.decisions), session.transcript.speakers[1]

    seen = [state()]
    type_at_end(opened, "x")
    seen.append(state())
    _dismiss(opened)
    seen.append(state())
    type_at_end(opened, "y")
    seen.append(state())
    choose_part(opened, 1, "Partner")
    seen.append(state())
    observed = next(finding for finding in session.findings() if finding.can_attest)
    opened.workspace.findings.card.attested.emit(observed.key)
    seen.append(state())
    assert len({repr(one) for one in seen}) == len(seen)
    for n, before in enumerate(reversed(seen[:-1])):
        (editor if n % 2 else opened.workspace.findings).setFocus()
        assert _undo_in_menu(opened) == ("Undo confirming", "Undo", "Undo", "Undo dismissing", "Undo")[n]
        press(Qt.Key.Key_Z)
        assert state() == before
    for after in seen[1:]:
        press(Qt.Key.Key_Y)
        assert state() == after
    press(Qt.Key.Key_Z)
    editor.setFocus()
    QTest.keyClicks(editor, "z")
    press(Qt.Key.Key_Y)
    assert observed.key not in session.decisions
    wait_idle(opened, qtbot)


def test_an_answer_that_is_taken_back_leaves_a_saved_note_saved(opened) -> None:
    document = opened.workspace.editor.document()
    opened.unsaved.note_kept(NOTE)
    _dismiss(opened)
    assert not document.isModified()
    opened.commands["undo"].trigger()
    assert not document.isModified()
    type_at_end(opened, "x")
    _dismiss(opened)
    opened.commands["undo"].trigger()
    assert document.isModified()


def test_a_link_holds_again_once_its_sentence_is_back(opened, qtbot) -> None:
    editor, session = opened.workspace.editor, opened.session
    risk = next(finding for finding in session.findings() if finding.can_link)
    opened.workspace.findings.card.linked.emit(risk.key, "Calm and oriented x3.")
    opened.commands["undo"].trigger()
    opened.commands["redo"].trigger()
    assert risk.key in session.decisions
    at = editor.note_text().index("Calm")
    editor.replace_passage(Span(at, at + len("Calm and oriented x3.")), "")
    wait_idle(opened, qtbot)
    assert risk.key not in session.decisions
    opened.commands["undo"].trigger()
    wait_idle(opened, qtbot)
    assert risk.key in session.decisions
    opened.commands["undo"].trigger()
    wait_idle(opened, qtbot)
    assert risk.key not in session.decisions


def test_what_was_brought_back_is_set_aside_again(opened) -> None:
    key = _dismiss(opened)
    decided = dict(opened.session.decisions)
    opened.session.bring_back(key)
    assert opened.status.text.startswith("Reopened.")
    opened.commands["undo"].trigger()
    assert opened.session.decisions == decided
    opened.commands["undo"].trigger()
    assert opened.session.decisions == {}
