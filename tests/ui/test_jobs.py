from __future__ import annotations

import threading

import pytest
from PySide6.QtCore import QThread
from shiboken6 import delete

from noteeval_desktop.errors import Cancelled, InputError
from noteeval_desktop.ui.widgets.jobs import JobRunner, Lane


def never(*_: object) -> None:
    pytest.fail("it was not to be called")


@pytest.fixture
def jobs(qapp):
    runner = JobRunner()
    yield runner
    assert runner.shut_down()


def test_results_arrive_on_the_gui_thread(jobs, qtbot, qapp) -> None:
    got = []

    def work(cancel, emit):
        emit({1: "integer keys survive"})
        return QThread.currentThread() is qapp.thread()

    def done(elsewhere):
        got.append((elsewhere, QThread.currentThread() is qapp.thread()))

    events = []
    jobs.submit(Lane.LOCAL, "a", work, done, got.append, events.append)
    qtbot.waitUntil(lambda: bool(got))
    assert got == [(False, True)]
    assert events == [{1: "integer keys survive"}]


def test_an_error_is_delivered_as_a_value(jobs, qtbot) -> None:
    got = []

    def work(cancel, emit):
        raise InputError("note.pdf", "has no text", "Export it as text.")

    jobs.submit(Lane.DISK, "a", work, pytest.fail, got.append)
    qtbot.waitUntil(lambda: bool(got))
    assert str(got[0]) == "note.pdf: has no text. Export it as text."
    assert not jobs.busy


def test_a_newer_job_makes_the_older_one_stale(jobs, qtbot) -> None:
    started, got = threading.Event(), []

    def slow(cancel, emit):
        started.set()
        cancel.wait(5)
        emit("late")
        return "old"

    first = jobs.submit(Lane.LOCAL, "check", slow, got.append, got.append, got.append)
    assert started.wait(5)
    second = jobs.submit(Lane.LOCAL, "check", lambda cancel, emit: "new", got.append, got.append)
    qtbot.waitUntil(lambda: bool(got))
    qtbot.wait(50)
    assert got == ["new"]
    assert first.cancel.is_set()
    assert second.revision == first.revision + 1


def test_cancelling_reaches_the_work(jobs, qtbot) -> None:
    started, got = threading.Event(), []

    def work(cancel, emit):
        started.set()
        if cancel.wait(5):
            raise Cancelled

    jobs.submit(Lane.LOCAL, "check", work, pytest.fail, got.append)
    assert started.wait(5)
    jobs.cancel("check")
    qtbot.waitUntil(lambda: bool(got))
    assert isinstance(got[0], Cancelled)


def test_a_model_takes_one_job_at_a_time(jobs, qtbot) -> None:
    running, most, done = [], [], []

    def work(cancel, emit):
        running.append(1)
        most.append(len(running))
        cancel.wait(0.02)
        running.pop()

    for name in "abc":
        jobs.submit(Lane.LOCAL, name, work, done.append, pytest.fail)
    qtbot.waitUntil(lambda: len(done) == 3)
    assert max(most) == 1


def test_closing_stops_what_runs_and_starts_nothing_more(qapp) -> None:
    runner, started = JobRunner(), threading.Event()

    def work(cancel, emit):
        started.set()
        cancel.wait(30)

    runner.submit(Lane.REMOTE, "a", work, never, never)
    assert started.wait(5)
    assert runner.shut_down()
    assert runner.submit(Lane.DISK, "b", never, never, never).cancel.is_set()


@pytest.mark.parametrize("shut_down", [True, False])
def test_work_that_outlives_its_runner_ends_in_silence(qapp, shut_down: bool) -> None:
    runner, started, release, said = JobRunner(), threading.Event(), threading.Event(), []

    def work(cancel, emit):
        started.set()
        release.wait(10)
        emit("late")
        said.append("to the end")

    runner.submit(Lane.LOCAL, "a", work, never, never, never)
    assert started.wait(5)
    if shut_down:
        assert not runner.shut_down(10)
    threading.Timer(0.2, release.set).start()
    delete(runner)
    assert said == ["to the end"]


def test_a_runner_may_go_while_its_work_is_about_to_speak(qapp, monkeypatch) -> None:
    """Nothing that is looked at before can tell: it may be deleted a moment after."""
    runner, release, failed = JobRunner(), threading.Event(), []
    monkeypatch.setattr(threading, "excepthook", failed.append)
    monkeypatch.setattr(threading.Event, "is_set", lambda _: False)  # as it stood a moment before

    def work(cancel, emit):
        release.wait(10)
        try:
            emit("late")
        except RuntimeError as error:
            failed.append(error)

    runner.submit(Lane.LOCAL, "a", work, never, never, never)
    threading.Timer(0.2, release.set).start()
    delete(runner)
    assert failed == []
