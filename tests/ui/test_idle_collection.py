from __future__ import annotations

import gc
import threading
import weakref

import pytest

from noteeval_desktop.ui.widgets.jobs import IdleCollection, JobRunner, Lane


class Ring:
    """Garbage that only a collection finds."""

    def __init__(self) -> None:
        self.own = self


@pytest.fixture
def jobs(qapp):
    runner = JobRunner()
    yield runner
    assert runner.shut_down()


@pytest.fixture
def collection(jobs, monkeypatch):
    monkeypatch.setattr("noteeval_desktop.ui.widgets.jobs._IDLE_MS", 30)
    before = gc.get_threshold()
    yield lambda: IdleCollection(jobs, jobs)
    gc.set_threshold(*before)
    gc.unfreeze()


def old_garbage() -> weakref.ref[Ring]:
    """As old as what a session leaves behind: the frequent collections of young objects pass it over."""
    ring = Ring()
    gc.collect()
    return weakref.ref(ring)


def test_garbage_goes_once_nothing_runs(jobs, collection, qtbot, monkeypatch) -> None:
    go_on, done, collected = threading.Event(), [], []
    collect = IdleCollection._collect

    def noticed(one: IdleCollection) -> None:
        collected.append(one.parent())  # an earlier test's window may still collect as well
        collect(one)

    monkeypatch.setattr(IdleCollection, "_collect", noticed)
    collection()
    garbage = old_garbage()
    jobs.submit(Lane.LOCAL, "judge", lambda *_: go_on.wait(), done.append, done.append)
    qtbot.wait(150)
    kept = jobs not in collected
    go_on.set()  # whatever was found: the pool waits for its job
    assert kept
    qtbot.waitUntil(lambda: bool(done))
    qtbot.waitUntil(lambda: garbage() is None)


def test_garbage_goes_in_the_end_where_something_always_runs(jobs, collection, qtbot, monkeypatch) -> None:
    monkeypatch.setattr("noteeval_desktop.ui.widgets.jobs._AT_LATEST_MS", 60)
    go_on, done = threading.Event(), []
    collection()
    jobs.submit(Lane.LOCAL, "judge", lambda *_: go_on.wait(), done.append, done.append)
    for garbage in (old_garbage(), old_garbage()):
        qtbot.waitUntil(lambda garbage=garbage: garbage() is None)
    go_on.set()
    qtbot.waitUntil(lambda: bool(done))
