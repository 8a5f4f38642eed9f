"""Once the library is locked, nothing of a case is in memory, and nothing of a kept one outside the library."""

from __future__ import annotations

import gc
import json
import threading
import types
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox

from noteeval_desktop.domain.decisions import DecisionKind
from noteeval_desktop.domain.transcript import Role
from noteeval_desktop.engines.embedder import LlamaEmbedder
from noteeval_desktop.judges import builtin
from noteeval_desktop.store import keyed_file
from noteeval_desktop.store.cases import Cases
from noteeval_desktop.store.drafts import DraftStore
from noteeval_desktop.store.errors import LibraryFull
from noteeval_desktop.store.keyed_file import FileKeys
from tests.ui_steps import type_at_end, wait_idle
from tests.ui_texts import NOTE, SESSION


def _word() -> str:
    """One that stands in no constant, so that whatever holds it has it from the case."""
    return "".join(reversed("newliz")) + "qvar"


def _in_python(word: str) -> Iterator[str]:
    for holder in gc.get_objects():
        if isinstance(holder, types.FrameType):
            continue
        for held in gc.get_referents(holder):
            if isinstance(held, str) and word in held.lower():
                yield f"{type(holder).__module__}.{type(holder).__name__} holds {held[:40]!r}"


def _in_qt(word: str) -> Iterator[str]:
    for widget in QApplication.allWidgets():
        about = widget.metaObject()
        for number in range(about.propertyCount()):
            value = about.property(number).read(widget)
            if isinstance(value, str) and word in value.lower():
                yield f"{type(widget).__name__}.{about.property(number).name()!r}"


def _everywhere(word: str) -> list[str]:
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    return [*_in_python(word), *_in_qt(word)]


def _put_on_desk(window, qtbot, word: str) -> None:
    with qtbot.waitSignal(window.session.evaluation_finished, timeout=60_000):
        window.files.open_transcript(f"{SESSION}\nClient: My {word} is heavy, sometimes I want to die of the {word}.")
        window.files.open_note(f"{NOTE}\nAssessment:\nThe {word} is four times heavier.")
    wait_idle(window, qtbot)


def _look_at_everything(window, qtbot, word: str) -> None:
    """What leaves traces: every tab and card, both searches, windows, a copied turn, a decision, an edit."""
    for number in range(7):
        window.workspace.findings.show_tab(number)
        window.workspace.step(1)
    window.workspace.note_search.field.setText(word)
    window.workspace.transcript.search.field.setText(word)
    window.workspace.transcript.view.selectAll()
    window.workspace.transcript.copy_selected()
    window.commands["preview"].trigger()
    window.session.decide(DecisionKind.DISMISS, window.session.findings()[0].key, f"The {word} is meant.")
    type_at_end(window, f" And a second {word}.")
    wait_idle(window, qtbot)


def _lock(window, hands) -> None:
    window.commands["lock"].trigger()
    hands.settle(window)


@pytest.mark.parametrize("kept", [True, False])
def test_no_word_of_the_case_stays_in_memory_when_the_library_is_locked(window, hands, qtbot, kept):
    word, desk = _word(), hands.cheap(window)
    _put_on_desk(desk, qtbot, word)
    hands.keep(desk)
    if not kept:
        _put_on_desk(desk, qtbot, word)
    _look_at_everything(desk, qtbot, word)
    if kept:
        desk.library.show_history()
        qtbot.waitUntil(lambda: desk.library.history_window is not None)
    assert _everywhere(word)
    _lock(desk, hands)
    found = _everywhere(word)
    assert found == [], "\n".join(found)
    with qtbot.waitSignal(desk.session.note_opened):
        hands.unlock(desk)
    hands.settle(desk)
    assert word in desk.workspace.editor.note_text()


def test_no_word_stays_in_the_judge_that_ships(make_window, hands, qtbot, rubric, encoder_path):
    word, desk = _word(), hands.cheap(make_window(load=lambda: builtin.load(LlamaEmbedder(encoder_path), rubric)))
    _put_on_desk(desk, qtbot, word)
    hands.keep(desk)
    _look_at_everything(desk, qtbot, word)
    _lock(desk, hands)
    found = _everywhere(word)
    assert found == [], "\n".join(found)
    with qtbot.waitSignal(desk.session.evaluation_finished, timeout=60_000):
        hands.unlock(desk)
    assert desk.session.evaluation.complete


def test_a_check_that_is_still_running_shows_nothing_after_the_lock(desk, hands, qtbot, judge):
    hands.keep(desk)
    begun, go_on = threading.Event(), threading.Event()

    def need(case, cancel):
        begun.set()
        go_on.wait(10)
        yield from ()

    judge.need = need
    type_at_end(desk, " More.")
    qtbot.waitUntil(begun.is_set)
    desk.commands["lock"].trigger()
    go_on.set()
    hands.settle(desk)
    assert desk.session.evaluation is None
    assert desk.pages.currentWidget() is desk.empty
    assert not desk.status.cancel.isVisible()


# What lies on the disk


def _opened_outside(home: Path, keychain) -> list[str]:
    """The drafts, as whoever has this user's files would read them."""
    folder = home / "drafts"
    store = DraftStore(folder, FileKeys(folder, lambda: keychain))
    with store._open() as database:
        return [content for (content,) in database.execute("SELECT content FROM draft")]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def without_keychain(monkeypatch, make_window):
    monkeypatch.setattr(keyed_file, "FileKeys", lambda folder, _: FileKeys(folder, lambda: None))


@pytest.fixture
def bare(without_keychain, make_window, hands, qtbot):
    """A checked case in a window of a system that has no keychain."""
    desk = hands.cheap(make_window())
    _put_on_desk(desk, qtbot, "plain")
    return desk


def _save_draft(desk, qtbot) -> None:
    with qtbot.waitSignal(desk.autosave.saved, timeout=10_000):
        desk.autosave.save_now()


def test_a_kept_case_is_drafted_in_the_library_only(bare, hands, qtbot, home):
    _save_draft(bare, qtbot)
    assert len(_opened_outside(home, None)) == 1
    hands.keep(bare)
    assert _opened_outside(home, None) == []
    type_at_end(bare, " Typed after keeping.")
    _save_draft(bare, qtbot)
    kept = bare.library.access.library.cases.open(bare.library.kept.id).draft
    assert kept.text.endswith("Typed after keeping.")
    # That there is one, for the first screen after a crash: of the case its id, and no word.
    mark = json.dumps({"case": bare.library.kept.id})
    assert _opened_outside(home, None) == [mark]
    _lock(bare, hands)
    assert _opened_outside(home, None) == [mark]
    with qtbot.waitSignal(bare.session.note_opened):
        hands.unlock(bare)
    hands.settle(bare)
    assert bare.workspace.editor.note_text().endswith("Typed after keeping.")
    _save_draft(bare, qtbot)
    assert _opened_outside(home, None) == [mark]


def test_a_draft_in_the_library_survives_a_crash_and_goes_when_the_text_is_discarded(desk, hands, qtbot, make_window):
    hands.keep(desk)
    case_id = desk.library.kept.id
    type_at_end(desk, " Typed before the crash.")
    _save_draft(desk, qtbot)
    desk.library.access.take_out().lock()
    later = hands.cheap(make_window())
    later.library.access.use(lambda: later.library.open_case(case_id))
    with qtbot.waitSignal(later.session.note_opened):
        hands.unlock(later)
    hands.settle(later)
    assert later.workspace.editor.note_text().endswith("Typed before the crash.")
    assert later.unsaved.parts == ("the note",)
    later.commands["close_case"].trigger()
    hands.settle(later)
    assert later.library.access.library.cases.open(case_id).draft is None


def _crash(desk, qtbot) -> None:
    _save_draft(desk, qtbot)
    desk.outside.drafts._lock.release()
    desk.library.access.take_out().lock()


def test_after_a_crash_the_first_screen_offers_the_kept_case(desk, hands, qtbot, make_window):
    hands.keep(desk)
    type_at_end(desk, " Typed before the crash.")
    _crash(desk, qtbot)
    later = hands.cheap(make_window())
    qtbot.waitUntil(lambda: "A case in the library has unsaved changes" in later.banner.text, timeout=10_000)
    assert "Ünal" not in later.banner.text
    QTest.mouseClick(later.banner.buttons[0], Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(later.session.note_opened):
        hands.unlock(later)
    hands.settle(later)
    assert later.workspace.editor.note_text().endswith("Typed before the crash.")
    _save_draft(later, qtbot)
    later.commands["save_note"].trigger()
    hands.settle(later)
    assert later.outside.drafts.orphans() == ()
    assert later.outside.drafts._lock is None


def test_what_the_library_holds_stands_in_the_list_of_drafts_and_is_not_deleted_there(desk, hands, qtbot, make_window):
    hands.keep(desk)
    type_at_end(desk, " Typed before the crash.")
    _crash(desk, qtbot)
    later = hands.cheap(make_window())
    later.commands["drafts"].trigger()
    qtbot.waitUntil(lambda: later.left_drafts.dialog is not None)
    shown = later.left_drafts.dialog
    assert shown.list.topLevelItem(0).text(1) == "a case in the library"
    assert (shown.bring.isEnabled(), shown.delete.isEnabled()) == (True, False)


def test_after_a_crash_the_list_says_which_case_has_unsaved_changes(desk, hands, qtbot, make_window):
    hands.keep(desk)
    type_at_end(desk, " Typed before the crash.")
    _save_draft(desk, qtbot)
    desk.library.access.take_out().lock()
    later = hands.cheap(make_window())
    later.commands["library"].trigger()
    hands.unlock(later)
    hands.settle(later)
    shown = later.library.list_window.list
    assert [shown.topLevelItem(0).text(column) for column in (0, 4)] == ["Frau Ünal 🙂", "Draft, unsaved changes"]
    assert shown.columnWidth(4) > shown.fontMetrics().horizontalAdvance("Draft, unsaved changes") + 8


def test_without_a_keychain_the_user_is_told_what_protects_the_draft(bare, qtbot):
    bare.banner.hide()
    _save_draft(bare, qtbot)
    assert "anyone who can open your files can read the draft" in bare.banner.text
    assert [button.text() for button in bare.banner.buttons] == ["Keep this case…"]
    assert "without a passphrase" in bare.status.text
    bare.banner.hide()
    _save_draft(bare, qtbot)
    assert bare.banner.text == ""


def test_with_a_keychain_nothing_is_said_of_protection(desk, qtbot):
    _save_draft(desk, qtbot)
    assert "draft saved" in desk.status.text
    assert "passphrase" not in desk.status.text + desk.banner.text


def test_an_unkept_case_survives_the_lock_and_the_end_of_the_window(desk, hands, qtbot, make_window):
    hands.keep(desk)
    _put_on_desk(desk, qtbot, "unkept")
    desk.session.decide(DecisionKind.DISMISS, desk.session.findings()[0].key, "Not so.")
    _lock(desk, hands)
    desk.close()
    for lock in desk.outside.drafts._parked.values():
        lock.release()  # as the end of its process does
    later = make_window()
    qtbot.waitUntil(lambda: "A draft from" in later.banner.text, timeout=10_000)
    with qtbot.waitSignal(later.session.evaluation_finished, timeout=10_000):
        later.banner.buttons[0].click()
    assert "unkept" in later.workspace.editor.note_text()
    assert len(later.session.decisions) == 1


def test_speakers_of_a_kept_case_are_kept_at_once(desk, hands, qtbot):
    hands.keep(desk)
    case_id = desk.library.kept.id
    first = desk.session.transcript.speakers[0]
    desk.workspace.transcript.strip.part_chosen.emit(first, Role.OTHER)
    hands.settle(desk)
    assert desk.unsaved.parts == ()
    assert desk.library.access.library.cases.read(case_id).transcript.role_of(first) is Role.OTHER


def test_saving_in_the_question_keeps_the_whole_case_in_the_library(desk, hands, qtbot, monkeypatch):
    desk.session.decide(DecisionKind.DISMISS, desk.session.findings()[0].key, "Not so.")

    def save(unsaved, asks) -> int:
        asks.open()
        assert "in your encrypted library" in asks.said.text()
        asks.go.click()
        hands.make(desk)
        hands.label(desk, "Kept on leaving")
        qtbot.waitUntil(lambda: not asks.isVisible())
        return asks.result()

    monkeypatch.setattr("noteeval_desktop.ui.case.unsaved.Unsaved.ask", save)
    assert desk.unsaved.settled()
    library, case_id = desk.library.access.library, desk.library.kept.id
    opened = library.cases.read(case_id)
    assert [len(review.answers) for review in opened.reviews] == [1]
    assert desk.unsaved.parts == ()


def test_what_neither_the_library_nor_the_disk_took_is_asked_about_on_closing(desk, hands, qtbot, monkeypatch):
    hands.keep(desk)
    type_at_end(desk, " Nowhere else.")

    def full(*_):
        raise LibraryFull("library.db")

    monkeypatch.setattr(Cases, "save_draft", full)
    _lock(desk, hands)
    asked = []
    monkeypatch.setattr(QMessageBox, "exec", lambda box: asked.append(box.defaultButton().text()))
    assert not desk.close()
    assert asked == ["Stay"]
    monkeypatch.undo()
    desk.library.locking.away = None


def test_the_clipboard_is_empty_after_locking(desk, hands):
    hands.keep(desk)
    desk.workspace.transcript.view.selectAll()
    desk.workspace.transcript.copy_selected()
    assert QGuiApplication.clipboard().text()
    _lock(desk, hands)
    assert QGuiApplication.clipboard().text() == ""
