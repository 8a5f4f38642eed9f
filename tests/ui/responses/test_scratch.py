"""The window for pairs: scored while typing, off the GUI thread, and never sent."""

from __future__ import annotations

import threading

import pytest
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QPushButton

from noteeval_desktop.domain.verdicts import Attribute, ResponseVerdict
from noteeval_desktop.errors import Cancelled
from noteeval_desktop.ui.case.engaged import Engaged
from noteeval_desktop.ui.case.engaged import Testing as UnderTest
from noteeval_desktop.ui.responses.rows import TRIAGE
from noteeval_desktop.ui.responses.scratch import NOT_SENT, ScratchWindow
from noteeval_desktop.ui.widgets.jobs import JobRunner, Lane
from tests.scripted_judge import ScriptedJudge


class LengthJudge(ScriptedJudge):
    """The longer response is the better one."""

    threads: set[int]

    def respond(self, exchanges, cancel):
        self.threads = getattr(self, "threads", set()) | {threading.get_ident()}
        for exchange in exchanges:
            value = min(5, max(1, len(exchange.response.split())))
            yield ResponseVerdict(None, tuple((attribute, value) for attribute in Attribute))


@pytest.fixture
def judge_of_lengths() -> LengthJudge:
    return LengthJudge()


@pytest.fixture
def scratch(window, judge_of_lengths):
    window.session.engaged = Engaged(lambda tell: judge_of_lengths)
    window.commands["compare_responses"].trigger()
    return window.findChild(ScratchWindow)


def settled(scratch, qtbot) -> None:
    qtbot.waitUntil(lambda: not scratch._timer.isActive() and not scratch._jobs.busy, timeout=10_000)


def test_what_is_typed_is_scored_and_ranked_off_the_gui_thread(scratch, judge_of_lengths, qtbot) -> None:
    scratch.message.setPlainText("I am tired. 🙂")
    scratch.responses[0].setPlainText("Sleep.")
    scratch.responses[1].setPlainText("That sounds hard for you.")
    settled(scratch, qtbot)
    assert scratch.table.item(0, 0).text() == "2 of 2"
    assert scratch.table.item(0, 1).text() == "1 of 2"
    assert threading.get_ident() not in judge_of_lengths.threads


def test_before_anything_is_written_it_says_what_to_write(scratch) -> None:
    assert "Write what the client said" in scratch.said.text()
    assert not scratch.table.verticalScrollBar().isVisible()


def test_a_response_in_between_may_be_empty(scratch, qtbot) -> None:
    scratch.add_response()
    scratch.message.setPlainText("I am tired.")
    scratch.responses[2].setPlainText("Tell me more.")
    settled(scratch, qtbot)
    assert scratch.table.columnCount() == 1
    assert scratch.table.horizontalHeaderItem(0).text() == "Response C"
    assert set(scratch.raters.verdicts) == {2}


def test_without_a_message_nothing_is_asked(scratch, qtbot) -> None:
    scratch.responses[0].setPlainText("Sleep.")
    settled(scratch, qtbot)
    assert scratch.said.text().startswith("Write what the client said")
    assert scratch.table.rowCount() == 0


def test_a_remote_judge_is_not_asked(scratch, window, judge_of_lengths, qtbot) -> None:
    window.session.engaged = Engaged(lambda tell: judge_of_lengths, lane=Lane.REMOTE, live=False)
    scratch.message.setPlainText("I am tired.")
    scratch.responses[0].setPlainText("Sleep.")
    scratch.score_button.click()
    assert scratch.said.text() == NOT_SENT
    assert not hasattr(judge_of_lengths, "threads")


def test_a_slow_judge_waits_to_be_asked(scratch, window, judge_of_lengths, qtbot) -> None:
    window.session.engaged = Engaged(lambda tell: judge_of_lengths, live=False)
    scratch.message.setPlainText("I am tired.")
    scratch.responses[0].setPlainText("Sleep.")
    settled(scratch, qtbot)
    assert scratch.table.rowCount() == 0
    scratch.score_button.click()
    settled(scratch, qtbot)
    assert scratch.table.rowCount() > 6


def test_the_first_use_of_a_model_is_told_and_stops_with_the_window(scratch, window, judge_of_lengths, qtbot) -> None:
    stopped = threading.Event()

    def admit(cancel: threading.Event, tell) -> None:
        tell(UnderTest(2, 60))
        if cancel.wait(20):
            stopped.set()
            raise Cancelled

    window.session.engaged = Engaged(lambda tell: judge_of_lengths, live=False, admit=admit)
    scratch.message.setPlainText("I am tired.")
    scratch.responses[0].setPlainText("Sleep.")
    scratch.score_button.click()
    qtbot.waitUntil(lambda: "test question 3 of 60. Close this window to stop." in scratch.said.text())
    scratch.reject()
    settled(scratch, qtbot)
    assert stopped.is_set()
    assert scratch.said.text() == "Stopped."
    assert not hasattr(judge_of_lengths, "threads")


def test_an_unexpected_error_shows_its_kind_and_none_of_its_text(qtbot) -> None:
    def load(tell):
        raise ValueError("secret words")

    jobs = JobRunner()
    made = ScratchWindow(None, jobs, lambda: Engaged(load))
    qtbot.addWidget(made)
    made.message.setPlainText("I am tired.")
    made.responses[0].setPlainText("Sleep.")
    made.score()
    qtbot.waitUntil(lambda: "ValueError" in made.said.text())
    assert "secret" not in made.said.text()
    jobs.shut_down()


def test_a_file_fills_the_window(scratch, qtbot, tmp_path) -> None:
    path = tmp_path / "pair.txt"
    path.write_text("I am tired.\n---\nOne.\n---\nTwo now.\n---\nThree of them.", "utf-8")
    scratch.load(path)
    qtbot.waitUntil(lambda: len(scratch.responses) == 3, timeout=10_000)
    settled(scratch, qtbot)
    assert [field.toPlainText() for field in scratch.responses] == ["One.", "Two now.", "Three of them."]
    assert scratch.table.columnCount() == 3


def test_raters_and_the_judge_are_compared(scratch, qtbot) -> None:
    scratch.message.setPlainText("I am tired.")
    scratch.responses[0].setPlainText("Sleep.")
    settled(scratch, qtbot)
    page = scratch.raters
    head = "rater,response,guidance,informativeness,safety,empathy,helpfulness,interpretation"
    page.pasted.setPlainText(f"{head}\nKim,A,5,1,1,1,1,1")
    page.judge_button.click()
    qtbot.waitUntil(lambda: page.differences.count() > 0)
    settled(scratch, qtbot)
    assert page.differences.item(0).text() == "A, guidance: Kim 5, Judge 1"
    assert page.table.rowCount() == 6
    assert "Intervals are shown from 5 responses" in page.said.text()
    page.pasted.setPlainText("nonsense")
    page.compare_button.click()
    assert "no column named" in page.said.text()


def test_everything_has_a_name_room_for_a_finger_and_the_caution_beside_the_scores(scratch) -> None:
    for field in scratch.findChildren(QPlainTextEdit):
        assert field.accessibleName()
    for button in scratch.findChildren(QPushButton):
        assert button.text()
        assert not button.isVisible() or button.height() >= 28
    assert TRIAGE in [label.text() for label in scratch.findChildren(QLabel)]


def test_the_window_is_the_same_when_it_is_asked_for_again(scratch, window) -> None:
    scratch.close()
    window.commands["compare_responses"].trigger()
    assert window.findChildren(ScratchWindow) == [scratch]


def test_a_loaded_set_is_told_by_how_often_each_attribute_fails(scratch, qtbot, tmp_path) -> None:
    path = tmp_path / "set.csv"
    path.write_text("context,response\nI am tired.,Sleep.\nI am down.,Tell me more about that.\n", "utf-8")
    page = scratch.set
    assert not page.score_button.isEnabled()
    page.load(path)
    qtbot.waitUntil(page.score_button.isEnabled, timeout=10_000)
    page.score_button.click()
    qtbot.waitUntil(lambda: page.table.rowCount() == 6, timeout=10_000)
    assert page.table.item(0, 0).text() == "1 of 2 (50\u00a0%)"
    assert page.table.item(0, 2).text() == "50\u00a0%"
    assert page.said.text().startswith("2 responses scored.")
    page.load(tmp_path / "none.csv")
    qtbot.waitUntil(lambda: "none.csv" in page.said.text(), timeout=10_000)


def test_a_response_is_removed_also_when_written_and_comes_back(scratch, qtbot) -> None:
    assert not scratch.remove_button.isEnabled()
    scratch.add_response()
    scratch.responses[2].setPlainText("Tell me more.")
    scratch.remove_button.click()
    assert (len(scratch.responses), scratch.said.text()) == (
        2,
        "Response C was removed. “Undo removing” brings it back.",
    )
    assert (scratch.remove_button.isEnabled(), scratch.undo_button.isEnabled()) == (False, True)
    scratch.undo_button.click()
    assert [field.toPlainText() for field in scratch.responses][2:] == ["Tell me more."]
    assert not scratch.undo_button.isEnabled()
    scratch.add_response()
    scratch.remove_button.click()
    assert (len(scratch.responses), scratch.undo_button.isEnabled()) == (3, False)
