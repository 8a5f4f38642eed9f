"""A set of notes that is paused, stopped, left and gone on with."""

from __future__ import annotations

import threading

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox

from noteeval_desktop.errors import Cancelled, ModelError
from noteeval_desktop.ui.many.run_store import State
from tests.ui.conftest import NoteJudge
from tests.ui.many.conftest import settle, until


class SlowJudge(NoteJudge):
    """Waits at each note until it is let on."""

    def __init__(self, items):
        super().__init__(items=items)
        self.go = threading.Semaphore(0)

    def need(self, case, cancel):
        while not self.go.acquire(timeout=0.01):
            if cancel.is_set():
                raise Cancelled
        yield from super().need(case, cancel)


@pytest.fixture
def slow(judge):
    return SlowJudge(judge.items)


@pytest.fixture
def slow_many(make_window, slow, qtbot):
    window = make_window(load=lambda: slow)
    window.commands["review_many"].trigger()
    return window.many


def checking(many):
    return [place for place, entry in enumerate(many.queue.entries) if entry.state is State.CHECKING]


def test_pause_and_going_on_lose_nothing(slow_many, slow, pairs, qtbot):
    many = slow_many
    many.open_paths([pairs / "pairs.csv"])
    until(qtbot, lambda: checking(many) == [0])
    slow.go.release()
    until(qtbot, lambda: checking(many) == [1])
    qtbot.mouseClick(many.window.go, Qt.MouseButton.LeftButton)
    until(qtbot, lambda: not many._jobs.busy)
    assert [entry.state for entry in many.queue.entries] == [State.DONE] + [State.WAITING] * 5
    assert many.window.go.text() == "Go on"
    slow.go.release(20)
    qtbot.mouseClick(many.window.go, Qt.MouseButton.LeftButton)
    settle(many, qtbot)
    assert all(entry.state is State.DONE for entry in many.queue.entries)
    assert not many.window.go.isVisible()


def test_closing_while_notes_are_checked_asks(slow_many, slow, pairs, qtbot, monkeypatch):
    many = slow_many
    many.open_paths([pairs / "pairs.csv"])
    until(qtbot, lambda: checking(many) == [0])
    for answer in (QMessageBox.StandardButton.No, QMessageBox.StandardButton.Yes):
        assert many.window.isVisible()
        assert many.queue.running
        monkeypatch.setattr(QMessageBox, "question", lambda *_, answer=answer: answer)
        qtbot.keyClick(many.window, Qt.Key.Key_Escape)
    assert many.window is None
    assert not many.queue.running


@pytest.mark.parametrize("ends", ["close", "lock"])
def test_what_closes_all_windows_does_not_ask(slow_many, slow, pairs, qtbot, monkeypatch, ends):
    many = slow_many
    many.open_paths([pairs / "pairs.csv"])
    until(qtbot, lambda: checking(many) == [0])
    monkeypatch.setattr(QMessageBox, "question", None)
    shown, main = many.window, many._shell
    if ends == "close":
        main.close()
    else:
        main.library.locking._close_windows()
    assert not shown.isVisible()
    assert many.window is None


def test_one_note_is_stopped_and_checked_again(slow_many, slow, pairs, qtbot):
    many = slow_many
    many.open_paths([pairs / "pairs.csv"])
    until(qtbot, lambda: checking(many) == [0])
    many.window.notes.choose(0)
    qtbot.mouseClick(many.window.notes.stop_it, Qt.MouseButton.LeftButton)
    until(qtbot, lambda: checking(many) == [1])
    slow.go.release(20)
    settle(many, qtbot)
    assert many.queue.entries[0].state is State.STOPPED
    many.window.notes.choose(0)
    qtbot.mouseClick(many.window.notes.retry_it, Qt.MouseButton.LeftButton)
    settle(many, qtbot)
    assert many.queue.entries[0].state is State.DONE


def test_a_set_goes_on_where_another_window_left_it(slow_many, slow, pairs, qtbot, make_window):
    many = slow_many
    many.open_paths([pairs / "pairs.csv"])
    slow.go.release(2)
    until(qtbot, lambda: checking(many) == [2])
    # As after a crash: nothing is said to the first window any more.
    second = make_window(load=lambda: slow)
    second.commands["review_many"].trigger()
    start = second.many.window.start
    until(qtbot, lambda: start.earlier.topLevelItemCount() == 1)
    assert start.open_it.text() == "Continue"
    assert "6 notes, 4 left to check" in start.earlier.topLevelItem(0).text(0)
    many.queue.pause()
    qtbot.mouseClick(start.open_it, Qt.MouseButton.LeftButton)
    until(qtbot, lambda: len(second.many.queue.entries) == 6)
    assert [entry.state for entry in second.many.queue.entries] == [State.DONE] * 2 + [State.WAITING] * 4
    assert second.many.queue.entries[0].row == many.queue.entries[0].row
    slow.go.release(20)
    qtbot.mouseClick(second.many.window.go, Qt.MouseButton.LeftButton)
    settle(second.many, qtbot)
    assert all(entry.state is State.DONE for entry in second.many.queue.entries)


def test_results_that_come_later_follow_into_the_folder(slow_many, slow, pairs, qtbot, tmp_path):
    many, out = slow_many, tmp_path / "out"
    out.mkdir()
    many.open_paths([pairs / "pairs.csv"])
    slow.go.release()
    until(qtbot, lambda: checking(many) == [1])
    many.save_results(out)
    until(qtbot, lambda: "The others follow" in many.window.news.text())
    assert [file.name for file in out.iterdir()] == ["Weber 00.json"]
    slow.go.release(20)
    settle(many, qtbot)
    assert len(list(out.iterdir())) == 6


def test_without_a_judge_it_pauses_and_fails_no_note(make_window, pairs, qtbot):
    def load():
        raise ModelError("The sentence encoder is not on this computer yet.")

    window = make_window(load=load)
    window.commands["review_many"].trigger()
    many = window.many
    many.open_paths([pairs / "pairs.csv"])
    until(qtbot, lambda: "encoder" in many.window.news.text())
    assert [entry.state for entry in many.queue.entries] == [State.WAITING] * 6


def test_another_judge_pauses_the_set(slow_many, slow, pairs, qtbot):
    many = slow_many
    many.open_paths([pairs / "pairs.csv"])
    until(qtbot, lambda: checking(many) == [0])
    many._shell.judging.judge_changed.emit("Another")
    assert many.window.news.text() == "Paused: the judge was changed. “Go on” checks the rest with the new one."
    assert not many.queue.running
    until(qtbot, lambda: not many._jobs.busy)
