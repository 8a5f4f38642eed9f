"""The README's "Your own note", with keys and mouse: copied in, put right, copied out, saved on quitting."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog

from noteeval_desktop.domain.transcript import Role
from noteeval_desktop.ui.case.unsaved import Unsaved
from tests.ui_steps import choose_part, type_at_end, wait_idle

CTRL = Qt.KeyboardModifier.ControlModifier
COUPLE = """Dr. Lee: How have the evenings been for you two? 🙂
Ana: I lie awake and worry about work. I don't know how to tell Ben.
Ben: I drink twice a week now. It used to be every night.
Dr. Lee: What do you notice when Ana is awake? Would you like to say more?
Ben: I get up and leave the room."""
DAP = "DATA\n•\tBen drinks four times a week.\n\nASSESSMENT\nOriented x3.\n\nPLAN\nNext session in a week."


def test_an_own_note_of_a_couple_is_copied_in_and_out_and_saved_on_quitting(window, qtbot, monkeypatch, tmp_path: Path):
    clipboard = QGuiApplication.clipboard()
    clipboard.setText(COUPLE)
    QTest.keyClick(window, Qt.Key.Key_N, CTRL)
    qtbot.waitUntil(lambda: window.session.transcript is not None, timeout=10_000)
    clipboard.setText(DAP)
    with qtbot.waitSignal(window.session.evaluation_finished, timeout=10_000):
        QTest.keyClick(window, Qt.Key.Key_V, CTRL)
    wait_idle(window, qtbot)
    assert [window.session.transcript.role_of(name) for name in ("Dr. Lee", "Ana", "Ben")] == [
        Role.THERAPIST,
        Role.CLIENT,
        Role.CLIENT,
    ]
    window.resize(1900, 900)
    qtbot.waitUntil(lambda: len(window.workspace.transcript.strip._chips) == 3)
    choose_part(window, 2, "Partner")
    wait_idle(window, qtbot)
    assert window.session.transcript.speakers == ("Dr. Lee", "Ana", "Ben (partner)")
    type_at_end(window, " Tuesday.")
    wait_idle(window, qtbot)
    qtbot.mouseClick(window.workspace.copy_button, Qt.MouseButton.LeftButton)
    assert clipboard.text().endswith("PLAN\nNext session in a week. Tuesday.")
    assert "- Ben drinks" in clipboard.text()
    _save_on_quitting(window, qtbot, monkeypatch, tmp_path / "note.md")


def _save_on_quitting(window, qtbot, monkeypatch, path: Path) -> None:
    """The session was pasted, so that quitting asks; the note goes to a file with Ctrl+S, and the rest is given up."""
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    asked: list[str] = []

    def answer(unsaved: Unsaved, asks) -> int:
        asked.append(", ".join(unsaved.parts))
        asks.open()
        next(button for button in asks.findChildren(type(asks.go)) if button.text() == "Discard").click()
        return asks.result()

    monkeypatch.setattr(Unsaved, "ask", answer)
    QTest.keyClick(window, Qt.Key.Key_S, CTRL)
    qtbot.waitUntil(lambda: not window.unsaved.note, timeout=10_000)
    QTest.keyClick(window, Qt.Key.Key_Q, CTRL)
    assert asked == ["the session"]
    assert not window.isVisible()
    assert path.read_text("utf-8").endswith("Tuesday.")
