"""Nothing that is in no file and not in the library goes without a question."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import docx
import pytest
from docx.oxml import OxmlElement
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QFileDialog, QPushButton

from noteeval_desktop.domain.decisions import DecisionKind
from noteeval_desktop.domain.transcript import Role
from noteeval_desktop.store import drafts
from noteeval_desktop.ui.case.unsaved import Unsaved
from tests.ui_steps import type_at_end, wait_idle
from tests.ui_texts import NOTE, SESSION

Answer = Callable[[object], int]


class Asked:
    """What the question said, and what was answered."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.answer: Answer = lambda asks: QDialog.DialogCode.Rejected

    def __call__(self, unsaved: Unsaved, asks) -> int:
        self.said.append(", ".join(unsaved.parts))
        return self.answer(asks)


@pytest.fixture
def asked(monkeypatch) -> Asked:
    asked = Asked()
    monkeypatch.setattr(Unsaved, "ask", lambda unsaved, asks: asked(unsaved, asks))
    return asked


@pytest.fixture
def from_files(window, qtbot, tmp_path: Path):
    """A checked case whose session and note both are files: nothing of it is unsaved."""
    session, note = tmp_path / "session.txt", tmp_path / "note.md"
    session.write_text(SESSION, "utf-8")
    note.write_text(NOTE, "utf-8")
    with qtbot.waitSignal(window.session.evaluation_finished, timeout=10_000):
        window.opening.open_files([session, note])
    wait_idle(window, qtbot)
    return window


def _dismiss(window) -> None:
    key = window.session.findings()[0].key
    window.session.decide(DecisionKind.DISMISS, key, "Not so.")


def _attest(window) -> None:
    window.session.decide(DecisionKind.ATTEST, window.session.findings()[0].key, "Seen.")


def _type(window) -> None:
    type_at_end(window, "More.")


def _say_who(window) -> None:
    pane = window.workspace.transcript
    pane.strip.part_chosen.emit(window.session.transcript.speakers[0], Role.OTHER)


def test_a_case_of_two_files_closes_without_a_question(from_files, asked):
    assert from_files.close()
    assert asked.said == []


def test_answers_about_the_sample_are_no_loss_but_what_was_written_is(window, asked, qtbot) -> None:
    with qtbot.waitSignal(window.session.evaluation_finished, timeout=30_000):
        window.opening.open_sample()
    wait_idle(window, qtbot)
    _dismiss(window)
    assert window.unsaved.parts == ()
    _type(window)
    assert window.unsaved.parts == ("the note",)
    window.commands["close_case"].trigger()
    assert asked.said == ["the note"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (_dismiss, "your answers to suggestions"),
        (_attest, "your answers to suggestions"),
        (_type, "the note"),
        (_say_who, "changes to the session"),
    ],
)
@pytest.mark.parametrize("leave", ["quit", "close_case", "open_sample"])
def test_what_was_done_is_asked_about_before_it_is_lost(from_files, asked, change, said, leave):
    change(from_files)
    from_files.commands[leave].trigger()
    assert asked.said == [said]
    assert from_files.isVisible()
    assert from_files.session.label != "Sample case"
    assert from_files.session.transcript is not None
    asked.answer = lambda asks: QDialog.DialogCode.Accepted
    from_files.commands[leave].trigger()
    assert len(asked.said) == 2
    assert not from_files.isVisible() or from_files.session.transcript is None


def test_the_window_says_what_is_not_saved_until_it_is_saved_or_undone(from_files, qtbot):
    editor, control = from_files.workspace.editor, Qt.KeyboardModifier.ControlModifier
    assert not from_files.isWindowModified()
    editor.setFocus()
    QTest.keyClicks(editor, "Calm. ")
    assert from_files.isWindowModified()
    assert from_files.status.text.startswith("Not saved yet: the note")
    QTest.keyClick(editor, Qt.Key.Key_S, control)
    qtbot.waitUntil(lambda: from_files.banner.text == "Saved note.md.")
    wait_idle(from_files, qtbot)
    assert not from_files.isWindowModified()
    assert "aved" not in from_files.status.text
    QTest.keyClicks(editor, "x")
    assert from_files.banner.text == "Saved note.md. The note has changed since then."
    assert from_files.isWindowModified()
    QTest.keyClick(editor, Qt.Key.Key_Z, control)
    assert not from_files.isWindowModified()
    assert "Not saved" not in from_files.status.text
    assert from_files.banner.text == "Saved note.md."
    _dismiss(from_files)
    assert "Not saved yet: your answers" in from_files.status.text
    from_files.session.bring_back(next(iter(from_files.session.decisions)))
    assert not from_files.isWindowModified()


def test_a_draft_does_not_read_as_saved(from_files, qtbot):
    _type(from_files)
    with qtbot.waitSignal(from_files.autosave.saved, timeout=10_000):
        from_files.autosave.save_now()
    wait_idle(from_files, qtbot)
    assert from_files.status.text.startswith("Not saved yet: the note · draft saved ")


def test_what_was_taken_back_is_not_asked_about(from_files, asked):
    _dismiss(from_files)
    from_files.session.bring_back(next(iter(from_files.session.decisions)))
    assert from_files.close()
    assert asked.said == []


def test_a_pasted_session_and_note_are_asked_about_and_drafted(window, qtbot, asked):
    window.files.open_transcript(SESSION)
    qtbot.waitUntil(lambda: window.session.transcript is not None)
    window.close()
    window.files.open_note(NOTE)
    qtbot.waitUntil(lambda: window.session.note_text is not None)
    window.close()
    assert asked.said == ["the session", "the note, the session"]
    with qtbot.waitSignal(window.autosave.saved, timeout=10_000):
        pass


def _crash(window, make_window, qtbot, before: Callable[[], object] = lambda: None):
    """The next window, with what the draft held. ``before`` it is brought back something happens on the disk."""
    with qtbot.waitSignal(window.autosave.saved, timeout=10_000):
        window.autosave.save_now()
    window.outside.drafts._lock.release()
    before()
    later = make_window()
    qtbot.waitUntil(lambda: "draft" in later.banner.text, timeout=10_000)
    with qtbot.waitSignal(later.session.evaluation_finished, timeout=10_000):
        QTest.mouseClick(later.banner.buttons[0], Qt.MouseButton.LeftButton)
    wait_idle(later, qtbot)
    return later


def test_a_draft_that_was_brought_back_is_unsaved_with_its_decisions(from_files, make_window, qtbot, asked):
    _dismiss(from_files)
    decided = from_files.session.decisions
    later = _crash(from_files, make_window, qtbot)
    assert later.session.decisions == decided
    later.close()
    assert asked.said == ["your answers to suggestions"]


def test_what_was_brought_back_and_saved_is_asked_about_no_more(from_files, make_window, qtbot, asked, tmp_path):
    type_at_end(from_files, " More.")
    later = _crash(from_files, make_window, qtbot)
    later.close()
    assert asked.said == ["the note"]
    QTest.keyClick(later, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    wait_idle(later, qtbot)
    assert (tmp_path / "note.md").read_text("utf-8").rstrip().endswith("More.")
    assert later.close()
    assert asked.said == ["the note"]


def test_what_was_saved_before_the_crash_is_asked_about_no_more(window, make_window, qtbot, asked, tmp_path):
    window.files.open_transcript(SESSION)
    file = tmp_path / "note.md"
    file.write_text(NOTE, "utf-8")
    with qtbot.waitSignal(window.session.evaluation_finished, timeout=10_000):
        window.files.open_note(file)
    later = _crash(window, make_window, qtbot)
    later.close()
    assert asked.said == ["the session"]


@pytest.mark.parametrize("gone", [True, False])
def test_after_a_crash_what_its_files_no_longer_hold_is_asked_about(
    from_files, make_window, qtbot, asked, tmp_path, gone
):
    def harm() -> None:
        for file in (tmp_path / "session.txt", tmp_path / "note.md"):
            file.unlink() if gone else file.write_text("Other words 🙂.", "utf-8")

    _dismiss(from_files)
    later = _crash(from_files, make_window, qtbot, harm)
    later.close()
    assert asked.said == ["the note, the session, your answers to suggestions"]


def test_several_drafts_are_listed_and_only_what_is_deleted_goes(make_window, qtbot, asked, monkeypatch):
    for text in ("One.", "Two.", "Three."):
        window = make_window()
        window.session.open_note(text)
        qtbot.waitUntil(lambda window=window: window.session.note_text is not None)
        with qtbot.waitSignal(window.autosave.saved, timeout=10_000):
            window.autosave.save_now()
        window.outside.drafts.park()
        window.outside.drafts._parked.popitem()[1].release()
    later = make_window()
    qtbot.waitUntil(lambda: "3 drafts" in later.banner.text, timeout=10_000)
    later.banner.buttons[0].click()
    qtbot.waitUntil(lambda: later.left_drafts.dialog is not None)
    shown = later.left_drafts.dialog
    assert shown.list.topLevelItemCount() == 3
    monkeypatch.setattr("noteeval_desktop.ui.case.left_drafts.sure", lambda *_: True)
    shown.delete.click()
    qtbot.waitUntil(lambda: shown.list.topLevelItemCount() == 2)
    with qtbot.waitSignal(later.session.note_opened):
        shown.bring.click()
    assert later.workspace.editor.note_text() in ("One.", "Two.", "Three.")
    assert later.workspace.editor.document().isModified()
    again = make_window()
    qtbot.waitUntil(lambda: "A draft from" in again.banner.text, timeout=10_000)


def test_control_s_in_the_question_saves_the_note_and_the_window_closes(from_files, asked, qtbot, tmp_path):
    _type(from_files)

    def press(asks) -> int:
        asks.open()
        asks.activateWindow()
        qtbot.waitUntil(asks.isActiveWindow)
        assert "Save writes note.md" in asks.said.text()
        with qtbot.waitSignal(asks.accepted, timeout=10_000):
            QTest.keyClick(asks, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
        return asks.result()

    asked.answer = press
    assert from_files.close()
    assert (tmp_path / "note.md").read_text("utf-8").rstrip().endswith("More.")


def test_the_question_saves_the_note_to_its_file_alone_where_one_wants_no_library(from_files, asked, qtbot, tmp_path):
    _type(from_files)
    _dismiss(from_files)

    def press(asks) -> int:
        assert "Save writes note.md and keeps the case" in asks.said.text()
        only = next(one for one in asks.findChildren(QPushButton) if one.text() == "Save only the note")
        with qtbot.waitSignal(asks.accepted, timeout=10_000):
            only.click()
        return asks.result()

    asked.answer = press
    assert from_files.close()
    assert (tmp_path / "note.md").read_text("utf-8").rstrip().endswith("More.")


def test_a_note_that_cannot_be_saved_keeps_the_window_open(from_files, asked, qtbot, monkeypatch):
    _type(from_files)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(from_files.files, "_write_note", full)

    def press(asks) -> int:
        asks.go.click()
        qtbot.waitUntil(lambda: "No space left" in asks.said.text())
        assert asks.go.isEnabled()
        return QDialog.DialogCode.Rejected

    asked.answer = press
    assert not from_files.close()


def test_giving_up_the_choice_of_a_file_leads_back_to_the_question(window, qtbot, asked, monkeypatch):
    window.files.open_note("Plan:\nRest.")
    qtbot.waitUntil(lambda: window.session.note_text is not None)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: ("", ""))

    def press(asks) -> int:
        asks.go.click()
        assert asks.go.isEnabled()
        return QDialog.DialogCode.Rejected

    asked.answer = press
    assert not window.close()


@pytest.fixture
def word_note(window, qtbot, tmp_path: Path) -> Path:
    """The note of a checked case, from a DOCX whose second paragraph holds a word in italics."""
    session, path = tmp_path / "session.txt", tmp_path / "note.docx"
    session.write_text(SESSION, "utf-8")
    made = docx.Document()
    made.add_heading("Subjective", 2)
    made.add_paragraph("Client drinks ").add_run("less").italic = True
    made.add_paragraph("Plan: Tuesday.")
    made.save(str(path))
    with qtbot.waitSignal(window.session.evaluation_finished, timeout=10_000):
        window.opening.open_files([session, path])
    wait_idle(window, qtbot)
    return path


def test_control_s_writes_a_word_note_back_with_its_formatting_again_and_again(window, word_note, qtbot, asked):
    for typed in (" Call 🙂.", " Walk."):
        type_at_end(window, typed)
        QTest.keyClick(window, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
        qtbot.waitUntil(lambda: not window.unsaved.note, timeout=20_000)
    made = docx.Document(str(word_note))
    assert made.paragraphs[2].text == "Plan: Tuesday. Call 🙂. Walk."
    assert made.paragraphs[1].runs[1].italic
    assert made.paragraphs[0].style.name == "Heading 2"
    assert window.close()
    assert asked.said == []


def test_a_word_note_that_a_crash_left_as_a_draft_is_written_back_with_its_formatting(
    window, word_note, make_window, qtbot
):
    type_at_end(window, " Call 🙂.")
    draft = drafts._from_json(drafts._to_json(window.autosave.draft()))
    again = make_window()
    with qtbot.waitSignal(again.session.evaluation_finished, timeout=10_000):
        again.session.restore(draft)
    again.commands["save_note"].trigger()
    qtbot.waitUntil(lambda: "Saved note.docx" in again.banner.text, timeout=20_000)
    made = docx.Document(str(word_note))
    assert made.paragraphs[2].text == "Plan: Tuesday. Call 🙂."
    assert made.paragraphs[1].runs[1].italic


def test_a_word_note_that_cannot_be_written_back_stays_whole_and_says_why(window, word_note, qtbot, asked):
    tracked = docx.Document(str(word_note))
    tracked.settings.element.append(OxmlElement("w:trackRevisions"))
    tracked.save(str(word_note))
    before = word_note.read_bytes()
    type_at_end(window, " Call.")
    window.commands["save_note"].trigger()
    qtbot.waitUntil(lambda: "tracks changes" in window.banner.text, timeout=20_000)
    assert word_note.read_bytes() == before
    assert not window.close()
    assert asked.said == ["the note"]


def test_a_word_note_is_saved_under_another_name_with_its_formatting(window, word_note, qtbot, monkeypatch, tmp_path):
    before, other = word_note.read_bytes(), tmp_path / "copy.docx"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(other), ""))
    type_at_end(window, " Call.")
    window.commands["save_note_as"].trigger()
    qtbot.waitUntil(lambda: not window.unsaved.note, timeout=20_000)
    assert docx.Document(str(other)).paragraphs[1].runs[1].italic
    assert word_note.read_bytes() == before
    assert window.session.note_path == other


def test_text_is_not_saved_as_a_word_document_that_it_is_not(from_files, qtbot, monkeypatch, tmp_path):
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "new.docx"), ""))
    _type(from_files)
    from_files.commands["save_note_as"].trigger()
    qtbot.waitUntil(lambda: "Word document" in from_files.banner.text, timeout=20_000)
    assert not (tmp_path / "new.docx").exists()
    assert from_files.session.note_path == tmp_path / "note.md"


def test_a_note_that_was_not_opened_is_not_what_save_writes_to(from_files, qtbot, monkeypatch, tmp_path):
    other = tmp_path / "other.md"
    other.write_text("Plan:\nOther.", "utf-8")
    monkeypatch.setattr(from_files.session, "_accepts", lambda read: False)
    from_files.files.open_note(other)
    wait_idle(from_files, qtbot)
    assert from_files.session.note_path == tmp_path / "note.md"
    assert from_files.workspace.editor.note_text() == NOTE
