"""Ctrl+S on a case that is kept also writes the file that its note came from, and always says what it did."""

from __future__ import annotations

from datetime import date

import docx
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog

from noteeval_desktop.store import drafts
from tests.ui_steps import type_at_end, wait_idle
from tests.ui_texts import NOTE, SESSION


@pytest.fixture
def from_files(window, hands, qtbot, tmp_path):
    session, note = tmp_path / "session.txt", tmp_path / "note.md"
    session.write_text(SESSION, "utf-8")
    note.write_text(NOTE, "utf-8")
    with qtbot.waitSignal(window.session.evaluation_finished, timeout=10_000):
        window.opening.open_files([session, note])
    wait_idle(window, qtbot)
    return hands.cheap(window)


def _save(window, hands) -> str:
    window.commands["save_note"].trigger()
    hands.settle(window)
    return window.banner.text


def test_it_writes_the_library_and_the_file(from_files, hands, tmp_path):
    hands.keep(from_files)
    type_at_end(from_files, " Günstig 🙂.")
    assert _save(from_files, hands) == "Saved in the library and in note.md."
    assert (tmp_path / "note.md").read_text("utf-8").rstrip().endswith("Günstig 🙂.")
    type_at_end(from_files, " Again.")
    assert _save(from_files, hands) == "Saved in the library and in note.md."
    assert (tmp_path / "note.md").read_text("utf-8").rstrip().endswith("Again.")


def test_saving_in_the_question_before_the_end_writes_both(from_files, hands, qtbot, tmp_path):
    hands.keep(from_files)
    type_at_end(from_files, " More.")
    asks = from_files.unsaved.question = from_files.unsaved._question()
    assert "Save writes note.md and keeps it in the library" in asks.said.text()
    with qtbot.waitSignal(asks.accepted, timeout=10_000):
        asks.go.click()
    from_files.unsaved.question = None
    assert (tmp_path / "note.md").read_text("utf-8").rstrip().endswith("More.")
    assert from_files.unsaved.parts == ()


@pytest.mark.parametrize("kept", [True, False])
def test_a_file_that_another_program_changed_is_left_alone(from_files, hands, tmp_path, kept):
    if kept:
        hands.keep(from_files)
    (tmp_path / "note.md").write_text("Plan:\nSomebody else was here.\n", "utf-8")
    type_at_end(from_files, " More.")
    said = _save(from_files, hands)
    assert said.startswith("Saved in the library, but not in its file. ") is kept
    assert "changed in another program" in said
    assert "Save note as…" in said
    assert "Somebody else" in (tmp_path / "note.md").read_text("utf-8")


@pytest.fixture
def the_day_after(hands, make_window, qtbot):
    """Closes the window, and opens its case from the library in another."""

    def reopen(window):
        window.close()
        later = hands.cheap(make_window())
        listed = _list(later, hands)
        with qtbot.waitSignal(later.session.note_opened, timeout=10_000):
            QTest.keyClick(listed.list, Qt.Key.Key_Return)
        wait_idle(later, qtbot)
        return later

    return reopen


@pytest.fixture
def reopened(from_files, hands, the_day_after):
    hands.keep(from_files)
    return the_day_after(from_files)


def _list(window, hands):
    QTest.mouseClick(window.empty.library_button, Qt.MouseButton.LeftButton)
    hands.unlock(window)
    listed = window.library.list_window
    listed.list.setFocus()
    return listed


def test_a_case_that_is_opened_again_knows_its_file(reopened, hands, tmp_path):
    for more in (" Günstig 🙂.", " Again."):
        type_at_end(reopened, more)
        assert _save(reopened, hands) == "Saved in the library and in note.md."
        assert (tmp_path / "note.md").read_text("utf-8").rstrip().endswith(more.strip())


def test_a_file_that_was_saved_to_last_is_known_too_and_not_the_one_before(
    reopened, hands, the_day_after, monkeypatch, tmp_path
):
    other = tmp_path / "other.md"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(other), ""))
    type_at_end(reopened, " Elsewhere.")
    reopened.commands["save_note_as"].trigger()
    hands.settle(reopened)
    later = the_day_after(reopened)
    assert "Elsewhere." in later.workspace.editor.note_text()
    type_at_end(later, " More.")
    assert _save(later, hands) == "Saved in the library and in other.md."
    assert "Elsewhere. More." in other.read_text("utf-8")
    assert "Elsewhere." not in (tmp_path / "note.md").read_text("utf-8")


def test_a_file_that_was_changed_overnight_is_left_alone(reopened, hands, tmp_path):
    (tmp_path / "note.md").write_text("Plan:\nSomebody else was here.\n", "utf-8")
    type_at_end(reopened, " More.")
    said = _save(reopened, hands)
    assert said.startswith("Saved in the library, but not in its file. ")
    assert "changed in another program" in said
    assert "Somebody else" in (tmp_path / "note.md").read_text("utf-8")


@pytest.mark.parametrize("changed", [True, False])
def test_a_file_that_is_gone_or_changed_is_written_where_its_own_name_is_chosen(
    reopened, hands, monkeypatch, tmp_path, changed
):
    """The dialog has asked whether to replace it."""
    file = tmp_path / "note.md"
    file.write_text("Somebody else 🙂.", "utf-8") if changed else file.unlink()
    type_at_end(reopened, " More.")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(file), ""))
    reopened.commands["save_note_as"].trigger()
    hands.settle(reopened)
    assert file.read_text("utf-8").rstrip().endswith("More.")
    type_at_end(reopened, " Again.")
    assert _save(reopened, hands) == "Saved in the library and in note.md."


@pytest.mark.parametrize("again", [True, False])
def test_a_file_that_is_gone_is_not_made_again_and_that_is_said(from_files, hands, request, tmp_path, again):
    window = request.getfixturevalue("reopened") if again else from_files
    if not again:
        hands.keep(window)
    (tmp_path / "note.md").unlink()
    type_at_end(window, " More.")
    said = _save(window, hands)
    assert said.startswith("Saved in the library, but not in its file. ")
    assert "no longer there" in said
    assert "Save note as…" in said
    assert not (tmp_path / "note.md").exists()
    assert not window.unsaved.note


def test_a_word_note_of_a_case_that_is_opened_again_is_written_back_with_its_formatting(
    from_files, hands, the_day_after, qtbot, tmp_path
):
    file = tmp_path / "note.docx"
    made = docx.Document()
    made.add_paragraph().add_run("Plan:").bold = True
    made.add_paragraph("Meet on Friday.")
    made.save(str(file))
    with qtbot.waitSignal(from_files.session.evaluation_finished, timeout=20_000):
        from_files.files.open_note(file)
    hands.keep(from_files)
    later = the_day_after(from_files)
    type_at_end(later, " More.")
    assert _save(later, hands) == "Saved in the library and in note.docx."
    written = docx.Document(str(file))
    assert [one.text for one in written.paragraphs] == ["Plan:", "Meet on Friday. More."]
    assert written.paragraphs[0].runs[0].bold
    file.unlink()
    type_at_end(later, " Again.")
    assert "note.docx: it is no longer there" in _save(later, hands)


def test_a_case_without_a_file_says_that_none_was_written(desk, hands):
    hands.keep(desk)
    desk.session.note_path = None
    type_at_end(desk, " More.")
    assert _save(desk, hands).startswith("Saved in the library. No file was written")


def test_a_note_that_a_crash_left_as_a_draft_finds_its_file_again_and_leaves_recent(
    from_files, hands, make_window, qtbot, tmp_path
):
    type_at_end(from_files, " More.")
    draft = drafts._from_json(drafts._to_json(from_files.autosave.draft()))
    later = hands.cheap(make_window())
    qtbot.waitUntil(lambda: bool(later._recent), timeout=10_000)
    with qtbot.waitSignal(later.session.evaluation_finished, timeout=10_000):
        later.session.restore(draft)
    hands.keep(later)
    qtbot.waitUntil(lambda: not later._recent, timeout=10_000)
    assert len(later._kept) == 1
    assert _save(later, hands) == "Saved in the library and in note.md."
    assert "More." in (tmp_path / "note.md").read_text("utf-8")


def test_the_sample_is_never_written_over_after_a_crash(window, make_window, qtbot):
    with qtbot.waitSignal(window.session.evaluation_finished, timeout=10_000):
        window.opening.open_sample()
    draft = drafts._from_json(drafts._to_json(window.autosave.draft()))
    later = make_window()
    with qtbot.waitSignal(later.session.evaluation_finished, timeout=10_000):
        later.session.restore(draft)
    assert later.session.note_path is None


def test_the_labels_begin_with_what_the_head_of_the_note_says_and_the_label_names_nobody(desk, hands) -> None:
    desk.workspace.editor.setPlainText(f"Client: Renée Ç.   Date: 2026-11-17\n\n{NOTE}")
    desk.commands["keep_case"].trigger()
    hands.make(desk)
    hands.settle(desk)
    asks = desk.library.labelling
    assert (asks.client.text(), asks.labels.session_date) == ("Renée Ç.", date(2026, 11, 17))
    assert "Renée" not in asks.label.text()
