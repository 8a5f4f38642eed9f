"""Checks that are stopped, or that a later one makes stale."""

from __future__ import annotations

import threading

from PySide6.QtCore import Qt

from noteeval_desktop.errors import Cancelled
from tests.ui_steps import type_at_end, wait_idle
from tests.ui_texts import NOTE, SESSION


def test_a_stale_check_is_dropped(opened, judge, qtbot) -> None:
    gate, entered, real = threading.Event(), threading.Event(), judge.cover

    def slow(case, cancel):
        entered.set()
        gate.wait(10)
        yield from real(case, cancel)

    finished = []
    opened.session.evaluation_finished.connect(finished.append)
    judge.cover = slow
    type_at_end(opened, "First.")
    opened.session.check()
    assert entered.wait(5)
    judge.cover = real
    type_at_end(opened, " Second.")
    opened.session.check()
    gate.set()
    wait_idle(opened, qtbot)
    assert [evaluation.case.note.text.count("Second.") for evaluation in finished] == [1]


def test_cancelling_a_check_keeps_what_was_shown(opened, judge, qtbot) -> None:
    entered, real = threading.Event(), judge.cover

    def endless(case, cancel):
        entered.set()
        cancel.wait(10)
        yield from ()

    judge.cover = endless
    type_at_end(opened, "\nAdded.")
    opened.session.check()
    assert entered.wait(5)
    qtbot.waitUntil(lambda: opened.status.cancel.isVisible())
    qtbot.mouseClick(opened.status.cancel, Qt.MouseButton.LeftButton)
    wait_idle(opened, qtbot)
    assert opened.session.evaluation is not None
    assert not opened.status.cancel.isVisible()
    assert "still shown" in opened.banner.text
    judge.cover = real
    opened.session.check()
    assert opened.banner.text == "", "what was said of the check before is over"
    wait_idle(opened, qtbot)


def test_a_first_check_that_is_stopped_promises_nothing_that_is_shown(window, judge, qtbot) -> None:
    entered = threading.Event()

    def endless(case, cancel):
        entered.set()
        cancel.wait(10)
        yield from ()

    judge.cover = endless
    window.session.paste_transcript(SESSION)
    window.session.open_note(NOTE)
    qtbot.waitUntil(entered.is_set)
    window.commands["cancel"].trigger()
    wait_idle(window, qtbot)
    assert window.banner.text == "Stopped. Nothing has been checked yet; “Check again” starts."


def test_a_check_that_is_stopped_while_the_judge_is_loading_says_so(make_window, judge, qtbot) -> None:
    loading, loaded = threading.Event(), threading.Event()

    def load():
        loading.set()
        loaded.wait(10)
        raise Cancelled

    window = make_window(load=load)
    window.session.paste_transcript(SESSION)
    window.session.open_note(NOTE)
    qtbot.waitUntil(loading.is_set)
    window.commands["cancel"].trigger()
    loaded.set()
    wait_idle(window, qtbot)
    assert window.banner.text == "Stopped. Nothing has been checked yet; “Check again” starts."
    window.session.check()
    window.opening.close_unasked()
    wait_idle(window, qtbot)
    assert window.banner.text == "", "nothing is said of a case that is closed"
