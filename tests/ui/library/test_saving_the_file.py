"""Ctrl+S on a case that is kept also writes the file that its note came from, and always says what it did."""

from __future__ import annotations

from datetime import date

import pytest

from noteeval_desktop.ui.case import drafts
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


def test_a_file_that_is_gone_is_written_again(from_files, hands, tmp_path):
    hands.keep(from_files)
    (tmp_path / "note.md").unlink()
    type_at_end(from_files, " More.")
    _save(from_files, hands)
    assert (tmp_path / "note.md").read_text("utf-8").rstrip().endswith("More.")


def test_a_case_without_a_file_says_that_none_was_written(desk, hands):
    hands.keep(desk)
    desk.session.note_path = None
    type_at_end(desk, " More.")
    assert _save(desk, hands).startswith("Saved in the library. No file was written")


def test_a_note_that_a_crash_left_as_a_draft_finds_its_file_again_and_leaves_recent(
    from_files, hands, make_window, qtbot, tmp_path
):
    type_at_end(from_files, " More.")
    draft = drafts._from_json(drafts._to_json(from_files.autosave._draft()))
    later = hands.cheap(make_window())
    qtbot.waitUntil(lambda: bool(later._recent), timeout=10_000)
    with qtbot.waitSignal(later.session.evaluation_finished, timeout=10_000):
        later.opening.recover(draft)
    hands.keep(later)
    qtbot.waitUntil(lambda: not later._recent, timeout=10_000)
    assert len(later._kept) == 1
    assert _save(later, hands) == "Saved in the library and in note.md."
    assert "More." in (tmp_path / "note.md").read_text("utf-8")


def test_the_sample_is_never_written_over_after_a_crash(window, make_window, qtbot):
    with qtbot.waitSignal(window.session.evaluation_finished, timeout=10_000):
        window.opening.open_sample()
    draft = drafts._from_json(drafts._to_json(window.autosave._draft()))
    later = make_window()
    with qtbot.waitSignal(later.session.evaluation_finished, timeout=10_000):
        later.opening.recover(draft)
    assert later.session.note_path is None


def test_the_labels_begin_with_what_the_head_of_the_note_says_and_the_label_names_nobody(desk, hands) -> None:
    desk.workspace.editor.setPlainText(f"Client: Renée Ç.   Date: 2026-11-17\n\n{NOTE}")
    desk.commands["keep_case"].trigger()
    hands.make(desk)
    hands.settle(desk)
    asks = desk.library.labelling
    assert (asks.client.text(), asks.labels.session_date) == ("Renée Ç.", date(2026, 11, 17))
    assert "Renée" not in asks.label.text()
