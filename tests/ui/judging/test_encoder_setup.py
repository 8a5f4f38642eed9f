"""Starting without the encoder: a button that sets it up, with progress, a way to stop, and an error that helps."""

from __future__ import annotations

import threading

import pytest
from PySide6.QtWidgets import QPushButton

from noteeval_desktop.engines import models
from noteeval_desktop.errors import Cancelled, EncoderMissing, ModelError
from tests.ui_texts import NOTE, SESSION


class Index:
    """Builds the encoder as far as it is let; ``problem`` is raised, ``stopped`` says that it was cancelled."""

    def __init__(self) -> None:
        self.there, self.problem = False, ""
        self.go, self.stopped = threading.Event(), threading.Event()

    def build(self, progress, cancel) -> None:
        progress("Downloading, 84 MB in all", 0.25)
        while not self.go.wait(0.01):
            if cancel.is_set():
                self.stopped.set()
                raise Cancelled
        if self.problem:
            raise ModelError(self.problem)
        self.there = True


@pytest.fixture
def index(monkeypatch) -> Index:
    index = Index()
    monkeypatch.setattr(models, "build_encoder", index.build)
    return index


@pytest.fixture
def window(make_window, judge, index, qtbot):
    def load():
        if not index.there:
            raise EncoderMissing("The sentence encoder is not on this computer yet. Run `noteeval models build`.")
        return judge

    window = make_window(load=load)
    window.session.paste_transcript(SESSION)
    window.session.open_note(NOTE)
    qtbot.waitUntil(
        lambda: window.banner.text.startswith("One thing is missing"),
        timeout=10_000,
    )
    return window


def begin(window, qtbot):
    next(button for button in window.banner.buttons if button.text() == "Set it up…").click()
    dialog = window.encoder.dialog
    assert dialog.bar.isHidden()
    dialog.go.click()
    qtbot.waitUntil(lambda: dialog.bar.value() == 250)
    assert dialog.bar.isVisible()
    assert dialog.said.text() == "Downloading, 84 MB in all"
    return dialog


def test_the_button_sets_it_up_and_the_case_is_checked(window, index, qtbot) -> None:
    begin(window, qtbot)
    with qtbot.waitSignal(window.session.evaluation_finished, timeout=10_000):
        index.go.set()
    assert window.banner.text == "Ready: notes can be checked on this computer."


def test_cancel_stops_the_download_and_leaves_the_offer(window, index, qtbot) -> None:
    dialog = begin(window, qtbot)
    dialog.skip.click()
    assert index.stopped.wait(5)
    assert window.banner.text.startswith("One thing is missing")


def test_what_went_wrong_is_said_and_can_be_tried_again(window, index, qtbot) -> None:
    dialog = begin(window, qtbot)
    index.problem = "No connection. Connect to the network and try again."
    index.go.set()
    qtbot.waitUntil(lambda: dialog.said.text() == index.problem)
    index.problem = ""
    assert dialog.go.text() == "Try again"
    with qtbot.waitSignal(window.session.evaluation_finished, timeout=10_000):
        dialog.go.click()


def test_at_the_start_it_is_offered_only_where_it_is_missing(make_window, index, qtbot, monkeypatch, tmp_path) -> None:
    file = tmp_path / "encoder.gguf"
    monkeypatch.setattr(models, "encoder_path", lambda: file)
    window = make_window()
    window.encoder.look()
    qtbot.waitUntil(lambda: window.banner.text.startswith("One thing is missing"))
    assert [type(button) for button in window.banner.buttons] == [QPushButton]
    window.banner.hide()
    file.touch()
    window.encoder.look()
    qtbot.waitUntil(lambda: not window.jobs.busy)
    assert window.banner.text == ""
