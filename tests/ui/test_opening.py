"""What comes onto the desk: own files over the sample, mixed-up files, drops, pastes, old encodings."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QMimeData, QPoint, QPointF, Qt, QTimer, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QFileDialog,
    QInputDialog,
    QMessageBox,
    QPlainTextEdit,
    QPushButton,
    QToolButton,
)

from noteeval_desktop.domain.text import fingerprint
from noteeval_desktop.domain.transcript import cite
from noteeval_desktop.ui.case.files import ask_text, unusual_words
from noteeval_desktop.ui.case.unsaved import Unsaved
from noteeval_desktop.ui.editor import transcript_pane
from tests.report.test_files import kill_a_save
from tests.ui_texts import NOTE, SESSION


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    session, note = tmp_path / "one.txt", tmp_path / "two.txt"
    session.write_text(SESSION, "utf-8")
    note.write_text(NOTE, "utf-8")
    return session, note


def drop(widget, paths) -> QDropEvent:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    event = QDropEvent(
        QPointF(20, 20), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    widget.dropEvent(event)
    return event


def checked(window, qtbot, act) -> None:
    with qtbot.waitSignal(window.session.evaluation_finished, timeout=20_000):
        act()
    qtbot.waitUntil(lambda: not window.jobs.busy)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_two_dropped_files_are_told_apart_by_what_they_say(window, files, qtbot, order) -> None:
    checked(window, qtbot, lambda: drop(window, [files[n] for n in order]))
    assert window.workspace.editor.note_text().startswith("Subjective:")
    assert window.session.transcript.turns[0].text.startswith("How have the evenings")


@pytest.mark.parametrize(
    ("names", "session"),
    [(("a.vtt", "b.txt"), 0), (("a.txt", "b.vtt"), 1), (("a.txt", "b.txt"), 0)],
)
def test_of_two_files_that_say_neither_the_session_is_not_lost(window, tmp_path, qtbot, names, session) -> None:
    captions = "WEBVTT\n\n00:01.000 --> 00:03.000\n<v Ruth>How did you sleep? 🙂\n"
    paths = [tmp_path / name for name in names]
    for number, path in enumerate(paths):
        said = captions if path.suffix == ".vtt" else "How did you sleep?"
        path.write_text(said if number == session else "Slept badly. We talked about work.\n", "utf-8")
    window.opening.open_files(paths)
    qtbot.waitUntil(lambda: window.session.ready and not window.jobs.busy, timeout=20_000)
    assert window.session.transcript.turns[0].text.startswith("How did you sleep?")
    assert window.session.note_text.startswith("Slept badly.")


def test_each_target_takes_its_file(window, files, qtbot) -> None:
    drop(window.empty.transcript, files[:1])
    qtbot.waitUntil(lambda: window.session.transcript is not None, timeout=10_000)
    checked(window, qtbot, lambda: drop(window.empty.note, files[1:]))
    assert window.pages.currentWidget() is window.workspace


def test_own_files_over_the_sample_leave_nothing_of_it(window, files, qtbot) -> None:
    checked(window, qtbot, window.opening.open_sample)
    assert "Sample" in window.header._case.text()
    window.files.open_transcript(files[0])
    qtbot.waitUntil(lambda: window.session.transcript is not None, timeout=10_000)
    assert window.session.note_text is None
    checked(window, qtbot, lambda: window.files.open_note(files[1]))
    assert window.header._case.text() == files[1].stem


def test_mixed_up_files_are_swapped_with_one_click(window, files, qtbot) -> None:
    window.files.open_transcript(files[1])
    qtbot.waitUntil(lambda: "looks like a note" in window.banner.text, timeout=10_000)
    window.files.open_note(files[0])
    qtbot.waitUntil(lambda: "looks like a session" in window.banner.text, timeout=10_000)
    button = next(b for b in window.banner.buttons if b.text() == "Swap them")
    checked(window, qtbot, button.click)
    assert window.workspace.editor.note_text().startswith("Subjective:")
    assert len(window.session.transcript.turns) == 6


def test_pasted_texts_are_swapped_too(window, qtbot) -> None:
    window.files.open_transcript(NOTE)
    qtbot.waitUntil(lambda: "looks like a note" in window.banner.text, timeout=10_000)
    next(b for b in window.banner.buttons if b.text() == "Use it as the note").click()
    qtbot.waitUntil(lambda: window.session.note_text is not None, timeout=10_000)
    assert window.session.transcript is None
    checked(window, qtbot, lambda: window.files.open_transcript(SESSION))


def test_captions_dropped_on_the_note_are_offered_as_the_session(window, tmp_path, qtbot) -> None:
    path = tmp_path / "call.vtt"
    path.write_text(
        "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ruth>How are you?\n\n00:03.000 --> 00:04.000\n<v Dan>Well.\n"
    )
    window.files.open_note(path)
    qtbot.waitUntil(lambda: bool(window.banner.buttons), timeout=10_000)
    window.banner.buttons[0].click()
    qtbot.waitUntil(lambda: window.session.transcript is not None, timeout=10_000)
    assert window.session.note_text is None


@pytest.mark.parametrize(("text", "lands"), [(SESSION, "transcript"), (NOTE, "note_text")])
def test_pasting_on_the_first_screen_knows_a_note_from_a_session(window, qtbot, text, lands) -> None:
    QGuiApplication.clipboard().setText(text)
    window.empty.setFocus()
    qtbot.keyClick(window.empty, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: getattr(window.session, lands) is not None, timeout=10_000)


@pytest.mark.parametrize("right", [True, False])
def test_an_old_encoding_is_confirmed_before_it_is_used(window, tmp_path, qtbot, monkeypatch, right) -> None:
    path, asked = tmp_path / "old.txt", []
    path.write_bytes("Therapist: D\xe9j\xe0 vu?\nClient: Caf\xe9 au lait.".encode("cp1252"))

    def answer(box) -> None:
        asked.append(box.informativeText())
        monkeypatch.setattr(box, "clickedButton", lambda: box.buttons()[0] if right else None)

    monkeypatch.setattr(QMessageBox, "exec", answer)
    window.files.open_transcript(path)
    qtbot.waitUntil(lambda: bool(asked), timeout=10_000)
    qtbot.waitUntil(lambda: not window.jobs.busy)
    assert "Déjà" in asked[0]
    assert (window.session.transcript is not None) is right


def test_only_words_that_could_be_spoiled_are_shown() -> None:
    assert unusual_words("plain café plain café naïve") == ("café", "naïve")


def test_a_table_of_sessions_asks_which(window, tmp_path, qtbot, monkeypatch) -> None:
    head = "transcript_id,topic,utterance_id,interlocutor,utterance_text"
    rows = [f'{n},topic {n},{u},{who},"Words {n} {u}"' for n in (0, 7) for u, who in enumerate(("therapist", "client"))]
    path = tmp_path / "many.csv"
    path.write_text("\n".join([head, *rows]))
    shown = []

    def pick(parent, title, said, names, *rest):
        shown.extend(names)
        return names[1], True

    monkeypatch.setattr(QInputDialog, "getItem", pick)
    window.files.open_transcript(path)
    qtbot.waitUntil(lambda: window.session.transcript is not None, timeout=20_000)
    assert len(shown) == 2
    assert window.session.transcript.turns[0].text == "Words 7 0"


def test_a_recent_case_opens_from_the_menu_without_its_name(window, files, qtbot) -> None:
    checked(window, qtbot, lambda: drop(window, files))
    qtbot.waitUntil(lambda: window.recent_menu.isEnabled(), timeout=10_000)
    (action,) = window.recent_menu.actions()
    assert "one" not in action.text()
    checked(window, qtbot, action.trigger)


def test_a_long_session_is_measured_and_a_citation_in_it_is_shown(window, qtbot) -> None:
    turns = "\n".join(
        f"{'Therapist' if n % 2 else 'Client'}: {'眠れない café 🙂 work ' * (n % 30 + 1)}{n}" for n in range(800)
    )
    checked(window, qtbot, lambda: (window.files.open_transcript(turns), window.files.open_note(NOTE)))
    pane = window.workspace.transcript
    pane.scroll_to(700)
    qtbot.waitUntil(lambda: not pane._measuring.isActive(), timeout=20_000)
    shown = pane.view.visualRect(pane.model.index(700))
    assert pane.view.viewport().rect().intersects(shown)
    window.resize(1500, 900)
    qtbot.waitUntil(lambda: not pane._measuring.isActive(), timeout=20_000)
    assert pane.view.viewport().rect().intersects(pane.view.visualRect(pane.model.index(700)))


def test_the_turn_that_was_asked_for_is_in_view_once_the_session_is_measured(window, qtbot, monkeypatch) -> None:
    turns = "\n".join(f"{'Therapist' if n % 2 else 'Client'}: {'Iiii. ' * (n % 30 + 1)}{n}" for n in range(400))
    checked(window, qtbot, lambda: (window.files.open_transcript(turns), window.files.open_note(NOTE)))
    pane = window.workspace.transcript
    monkeypatch.setattr(transcript_pane, "MEASURE_SECONDS", 0)  # one turn at a time
    pane.set_reading_size(20)
    pane.scroll_to(300)
    qtbot.waitUntil(lambda: len(pane.delegate._heights) > 200, timeout=20_000)
    pane.view.doItemsLayout()  # as Qt does when the window changes its size: by heights that are half guessed
    qtbot.waitUntil(lambda: not pane._measuring.isActive(), timeout=20_000)
    assert pane.view.viewport().rect().intersects(pane.view.visualRect(pane.model.index(300)))


def test_saving_the_sample_asks_for_a_file_and_never_writes_over_it(window, qtbot, tmp_path, monkeypatch) -> None:
    before = window.outside.sample[1].read_bytes()
    checked(window, qtbot, window.opening.open_sample)
    asked = []
    chosen = tmp_path / "own.md"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: asked.append(True) or (str(chosen), ""))
    window.workspace.editor.insertPlainText("My own line. ")
    assert window.session.note_path is None
    window.commands["save_note"].trigger()
    qtbot.waitUntil(chosen.exists)
    assert asked
    assert window.outside.sample[1].read_bytes() == before


@pytest.mark.parametrize("target", ["transcript", "note"])
def test_two_files_dropped_on_one_target_are_both_taken(window, files, qtbot, target) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in files])
    where, over = QPoint(20, 20), getattr(window.empty, target)
    left, none, copy = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, Qt.DropAction.CopyAction
    entering = QDragEnterEvent(where, copy, data, left, none)
    QApplication.sendEvent(over, entering)
    assert entering.isAccepted()
    event = QDropEvent(QPointF(where), copy, data, left, none)
    checked(window, qtbot, lambda: QApplication.sendEvent(over, event))
    assert window.workspace.editor.note_text().startswith("Subjective:")
    assert len(window.session.transcript.turns) == 6


@pytest.mark.parametrize("command", ["open_transcript", "open_note"])
def test_two_files_are_opened_in_one_dialog(window, files, qtbot, monkeypatch, command) -> None:
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: ([str(path) for path in files], ""))
    checked(window, qtbot, window.commands[command].trigger)
    assert window.workspace.editor.note_text().startswith("Subjective:")


def test_a_case_is_made_from_the_clipboard_half_by_half_and_then_anew(window, qtbot) -> None:
    clipboard = QGuiApplication.clipboard()
    clipboard.setText(SESSION)
    qtbot.mouseClick(window.empty.clipboard_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.session.transcript is not None, timeout=10_000)
    clipboard.setText(NOTE.replace("Client 🙂", "•\u00a0Client 🙂"))
    checked(window, qtbot, lambda: qtbot.keyClick(window, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier))
    assert "- Client 🙂 drinks less" in window.workspace.editor.note_text()
    clipboard.setText("Therapist: Hello.\nClient: Hello to you.")
    window.commands["open_clipboard"].trigger()
    qtbot.waitUntil(lambda: window.session.transcript and len(window.session.transcript.turns) == 2, timeout=10_000)
    assert window.session.note_text is None


def test_an_empty_clipboard_is_said(window, qtbot) -> None:
    QGuiApplication.clipboard().clear()
    window.commands["open_clipboard"].trigger()
    assert "clipboard contains no text" in window.banner.text


@pytest.mark.parametrize("way", ["files", "open_note", "open_transcript"])
def test_what_would_be_replaced_unsaved_is_asked_about(window, files, qtbot, monkeypatch, way) -> None:
    checked(window, qtbot, lambda: (window.files.open_transcript(SESSION), window.files.open_note(NOTE)))
    asked = []
    monkeypatch.setattr(Unsaved, "ask", lambda unsaved, asks: asked.append(unsaved.parts) or 0)
    if way == "files":
        window.opening.open_files(list(files))
    else:
        getattr(window.files, way)(files[way == "open_note"])
    qtbot.waitUntil(lambda: not window.jobs.busy)
    assert asked == [("the note", "the session")]
    assert window.session.transcript.source_sha256 == fingerprint(SESSION)
    assert window.unsaved.parts == ("the note", "the session")


def test_a_session_that_joins_a_pasted_note_asks_nothing(window, files, qtbot, monkeypatch) -> None:
    monkeypatch.setattr(Unsaved, "ask", lambda *_: pytest.fail("asked"))
    window.files.open_note(NOTE)
    qtbot.waitUntil(lambda: window.session.note_text is not None, timeout=10_000)
    checked(window, qtbot, lambda: window.files.open_transcript(files[0]))


def test_a_new_session_of_as_many_turns_starts_at_the_top_without_the_old_marks(window, qtbot) -> None:
    def session(said: str) -> str:
        return "\n".join(f"{'Therapist' if n % 2 else 'Client'}: {said} {n}" for n in range(84))

    pane = window.workspace.transcript
    checked(window, qtbot, lambda: (window.files.open_transcript(session("Old")), window.files.open_note(NOTE)))
    pane.show_citations((cite(window.session.transcript.turns[60]),))
    qtbot.waitUntil(lambda: not pane._measuring.isActive(), timeout=20_000)
    assert pane.view.verticalScrollBar().value() > 0
    checked(window, qtbot, lambda: window.files.open_transcript(session("New")))
    qtbot.waitUntil(lambda: not pane._measuring.isActive(), timeout=20_000)
    assert pane.model.cited_turns() == ()
    assert pane.view.verticalScrollBar().value() == 0
    assert not pane.view.currentIndex().isValid()
    assert pane.view.selectedIndexes() == []


def test_another_note_of_the_session_starts_at_the_top_without_the_old_marks(window, files, qtbot, tmp_path) -> None:
    long = "\n".join(f"{'Therapist' if n % 2 else 'Client'}: Words {n}" for n in range(84))
    checked(window, qtbot, lambda: (window.files.open_transcript(long), window.files.open_note(NOTE + "More.\n" * 80)))
    pane, editor = window.workspace.transcript, window.workspace.editor
    pane.show_citations((cite(window.session.transcript.turns[60]),))
    editor.verticalScrollBar().setValue(editor.verticalScrollBar().maximum())
    checked(window, qtbot, lambda: window.files.open_note(files[1]))
    assert pane.model.cited_turns() == ()
    assert (pane.view.verticalScrollBar().value(), editor.verticalScrollBar().value()) == (0, 0)
    # Also while the turns of a long session are still being measured.
    checked(window, qtbot, lambda: window.files.open_note(NOTE + "More.\n" * 80))
    pane._measuring.start()
    pane.show_citations((cite(window.session.transcript.turns[60]),))
    pane.start_over()
    qtbot.waitUntil(lambda: not pane._measuring.isActive())
    assert pane.view.verticalScrollBar().value() == 0


def test_a_recent_case_opens_in_one_click(window, files, qtbot) -> None:
    checked(window, qtbot, lambda: drop(window, files))
    window.commands["close_case"].trigger()
    chip = next(b for b in window.empty.findChildren(QToolButton) if b.property("look") == "chip")
    checked(window, qtbot, lambda: qtbot.mouseClick(chip, Qt.MouseButton.LeftButton))
    assert window.workspace.editor.note_text().startswith("Subjective:")


def test_what_went_wrong_before_is_not_said_beside_what_opened_since(window, qtbot, tmp_path) -> None:
    broken = tmp_path / "session.vtt"
    broken.write_bytes(b"\x89PNG\r\n\x1a\n")
    window.files.open_transcript(broken)
    qtbot.waitUntil(lambda: "picture" in window.banner.text)
    with qtbot.waitSignal(window.session.note_opened, timeout=10_000):
        window.session.open_note(NOTE)
    assert not window.banner.text


def test_what_is_dropped_is_looked_at_off_the_gui_thread(window, qtbot, tmp_path, monkeypatch) -> None:
    looked, took, is_dir = [], [], Path.is_dir
    monkeypatch.setattr(window.many, "take", took.append)

    def watched(path: Path, **more: bool) -> bool:
        looked.append((path, threading.current_thread() is threading.main_thread()))
        return is_dir(path, **more)

    monkeypatch.setattr(Path, "is_dir", watched)
    window.take([tmp_path])
    qtbot.waitUntil(lambda: took == [[tmp_path]])
    assert [on_gui for path, on_gui in looked if path == tmp_path] == [False]


def test_what_was_pasted_is_used_and_cancel_stands_where_it_does_elsewhere(window, qtbot) -> None:
    seen = []

    def answer() -> None:
        dialog = next(w for w in QApplication.topLevelWidgets() if isinstance(w, QDialog) and w.isVisible())
        dialog.findChild(QPlainTextEdit).setPlainText("Therapist: Hello.")
        seen.extend(button.text() for button in dialog.findChildren(QPushButton))
        dialog.findChildren(QPushButton)[-1].click()

    QTimer.singleShot(50, answer)
    assert ask_text(window, "Paste", "") == "Therapist: Hello."
    assert seen == ["Cancel", "Use this text"]
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert [each for each in window.findChildren(QPlainTextEdit) if "Hello" in each.toPlainText()] == []


def test_what_a_killed_save_left_beside_a_note_is_gone_when_it_is_opened(window, qtbot, tmp_path: Path) -> None:
    note = tmp_path / "notes" / "note.txt"
    note.parent.mkdir()
    note.write_text(NOTE, "utf-8")
    kill_a_save(note, "report.replace_synced")
    assert len(list(note.parent.iterdir())) == 3
    with qtbot.waitSignal(window.session.note_opened):
        window.files.open_note(note)
    assert list(note.parent.iterdir()) == [note]
