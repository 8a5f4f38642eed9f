"""When nobody is there the library locks: nothing stays to be seen, nothing is lost."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton

from noteeval_desktop.domain.decisions import DecisionKind
from noteeval_desktop.store.cases import Cases
from noteeval_desktop.store.errors import LibraryFull
from noteeval_desktop.store.library import Library, by_passphrase
from noteeval_desktop.ui.library.key_dialogs import RecoveryKey, Unlock
from noteeval_desktop.ui.library.locking import Inactivity
from tests.ui_texts import NOTE


def _click(button) -> None:
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def _visible_text(window):
    return window.workspace.editor.note_text() + "".join(t.text for t in (window.session.transcript or _Empty).turns)


class _Empty:
    turns = ()


def _type(window, text):
    window.workspace.editor.selectAll()
    window.workspace.editor.insertPlainText(text)


def test_locking_empties_views_and_clipboard_and_drops_the_key(desk, hands):
    hands.keep(desk)
    hands.list(desk)
    QGuiApplication.clipboard().setText("Client drinks")
    desk.commands["lock"].trigger()
    hands.settle(desk)
    assert desk.library.access.library is None
    assert _visible_text(desk) == ""
    assert desk.session.evaluation is None
    assert QGuiApplication.clipboard().text() == ""
    assert desk.library.list_window is None
    assert desk.pages.currentWidget() is desk.empty


@pytest.mark.parametrize("kept", [True, False])
def test_what_was_being_written_comes_back_after_unlocking(desk, hands, qtbot, kept):
    hands.keep(desk)
    if not kept:
        with qtbot.waitSignal(desk.session.note_opened):
            desk.session.open_note(NOTE)
    text = NOTE + "\nUnfinished wörds 🙂"
    _type(desk, text)
    desk.commands["lock"].trigger()
    hands.settle(desk)
    assert _visible_text(desk) == ""
    with qtbot.waitSignal(desk.session.note_opened):
        hands.unlock(desk)
    hands.settle(desk)
    assert desk.workspace.editor.note_text() == text
    assert desk.workspace.editor.document().isModified()
    assert (desk.library.kept is not None) == kept


@pytest.mark.parametrize("way", ["recent", "library"])
def test_it_comes_back_whichever_way_the_library_is_unlocked(desk, hands, qtbot, way):
    hands.keep(desk)
    _type(desk, NOTE + "\nUnfinished.")
    desk.commands["lock"].trigger()
    hands.dialog(desk, Unlock).reject()
    hands.settle(desk)
    if way == "recent":
        _click(
            next(
                one
                for one in desk.empty.findChildren(QToolButton)
                if one.text() == "Unlock to see kept cases…" and one.isVisible()
            )
        )
    else:
        _click(desk.empty.library_button)
    hands.unlock(desk)
    if way == "library":
        desk.library.list_window.close()
        _click(desk.banner.buttons[0])
    qtbot.waitUntil(lambda: desk.session.note_text is not None, timeout=10_000)
    assert desk.workspace.editor.note_text().endswith("Unfinished.")


@pytest.mark.parametrize("gone", [False, True])
def test_what_a_full_disk_did_not_take_comes_back_to_its_case(desk, hands, qtbot, monkeypatch, gone):
    hands.keep(desk)
    case_id = desk.library.kept.id
    text = NOTE + "\nTyped while the disk was full 🙂"
    _type(desk, text)

    def full(*_):
        raise LibraryFull("library.db")

    monkeypatch.setattr(Cases, "save_draft", full)
    desk.commands["lock"].trigger()
    hands.settle(desk)
    monkeypatch.undo()
    if gone:
        library = Library.open(hands.folder, by_passphrase(hands.passphrase))
        library.delete(case_id)
        library.lock()
    with qtbot.waitSignal(desk.session.note_opened):
        hands.unlock(desk)
    hands.settle(desk)
    assert desk.workspace.editor.note_text() == text
    assert desk.workspace.editor.document().isModified()
    assert (desk.library.kept is None) == gone
    if not gone:
        desk.commands["save_note"].trigger()
        hands.settle(desk)
        opened = desk.library.access.library.cases.open(case_id)
        assert opened.revisions[-1].note.text.endswith("full 🙂")


def test_a_draft_is_in_the_library_before_the_key_goes(desk, hands, qtbot):
    hands.keep(desk)
    _type(desk, NOTE + "\nUnfinished.")
    desk.commands["lock"].trigger()
    hands.settle(desk)
    assert desk.library.locking.away.draft is None


@pytest.mark.parametrize("leave", ["close_case", "library", "quit"])
def test_what_was_discarded_does_not_come_back_with_the_case(desk, hands, qtbot, monkeypatch, leave):
    hands.keep(desk)
    case_id, saved = desk.library.kept.id, desk.workspace.editor.note_text()
    _type(desk, NOTE + "\nNot wanted.")
    desk.commands["lock"].trigger()
    hands.settle(desk)
    with qtbot.waitSignal(desk.session.note_opened):
        hands.unlock(desk)
    hands.settle(desk)
    assert desk.library.access.library.cases.open(case_id).draft is not None
    monkeypatch.setattr(desk.unsaved, "settled", lambda: True)
    if leave == "quit":
        desk.close()
        library = Library.open(hands.folder, by_passphrase(hands.passphrase))
        assert library.cases.open(case_id).draft is None
        library.lock()
        return
    if leave == "close_case":
        desk.commands["close_case"].trigger()
    with qtbot.waitSignal(desk.session.note_opened):
        desk.library.open_case(case_id)
    hands.settle(desk)
    assert desk.workspace.editor.note_text() == saved
    assert not desk.workspace.editor.document().isModified()


@pytest.mark.parametrize(("minutes", "locks"), [(14.9, False), (15, True), (600, True)])
def test_it_locks_after_the_minutes_in_the_settings(desk, hands, minutes, locks):
    hands.keep(desk)
    watch = desk.library.locking.inactivity
    start = watch.clock()
    watch.clock = lambda: start + 60 * minutes + 1e-3
    watch._touched = start
    watch.look()
    assert (desk.library.access.library is None) == locks
    hands.settle(desk)


def test_a_touch_starts_the_time_anew_but_not_after_a_sleep(desk, hands):
    hands.keep(desk)
    watch = desk.library.locking.inactivity
    start = watch.clock()
    watch._touched = start
    for minute in (10, 20):
        watch.clock = lambda minute=minute: start + 60 * minute
        watch.eventFilter(desk, QEvent(QEvent.Type.MouseMove))
    assert desk.library.access.library is not None
    watch.clock = lambda: start + 60 * 50
    watch.eventFilter(desk, QEvent(QEvent.Type.MouseMove))
    assert desk.library.access.library is None
    hands.settle(desk)


def test_the_first_touch_after_a_look_is_noted_and_the_others_cost_nothing(desk, hands, monkeypatch):
    hands.keep(desk)
    watch = desk.library.locking.inactivity
    start, seen, look_at = watch.clock(), [], Inactivity.eventFilter
    monkeypatch.setattr(Inactivity, "eventFilter", lambda own, *event: seen.append(event) or look_at(own, *event))
    for minute in (1, 2):
        watch._timer.timeout.emit()
        watch.clock = lambda minute=minute: start + 60 * minute
        QTest.keyClicks(desk.workspace.editor, "on")
        assert watch._touched == start + 60 * minute
        seen.clear()
        watch.clock = lambda minute=minute: start + 60 * minute + 4
        QTest.keyClicks(desk.workspace.editor, " and on")
        assert (seen, watch._touched) == ([], start + 60 * minute)


def test_nothing_locks_while_nothing_is_unlocked(desk):
    assert not desk.commands["lock"].isEnabled()
    desk.library.lock()
    assert desk.session.evaluation is not None


def test_the_line_counts_the_suggestions_that_nobody_answered(desk):
    session = desk.session
    findings = session.all_findings
    count = len(findings)
    assert desk.library.ready.text() == f"{count} suggestions left"
    session.decide(DecisionKind.ATTEST, findings[0].key, "Seen.")
    session.decide(DecisionKind.DISMISS, findings[1].key, "Not so.")
    assert desk.library.ready.text() == f"{count - 2} suggestions left"
    for finding in findings[2:]:
        session.decide(DecisionKind.DISMISS, finding.key, "Not so.")
    assert desk.library.ready.text() == "Ready to submit: no suggestions left"


def test_a_new_recovery_key_does_not_stay_on_the_screen(desk, hands, qtbot):
    hands.keep(desk)
    page = hands.page(desk, "library_keys")
    page.recovery.click()
    page.asking.passphrase.setText(hands.passphrase)
    page.asking.go.click()
    hands.settle(desk)
    assert page.asking.isVisible()
    desk.library.locking.screen.left.emit()
    hands.settle(desk)
    qtbot.waitUntil(
        lambda: not any(isinstance(w, RecoveryKey) and w.isVisible() for w in QApplication.topLevelWidgets())
    )
