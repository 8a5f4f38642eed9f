"""A therapist's way with a language model on this computer: the sample, the built-in judge, a server that replays.

`FILM=FOLDER` takes pictures on the way; ``benchmarks/film_strip.py`` sets it, with the look.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from noteeval_desktop.engines.remote import nearby
from noteeval_desktop.judges import builtin
from noteeval_desktop.judges.llm.entrance import load_entrance
from noteeval_desktop.paths import resources
from noteeval_desktop.research.benchmark_recorded import answers_in
from noteeval_desktop.ui.judging.chooser import JudgeChooser
from noteeval_desktop.ui.shell.main_window import MainWindow
from tests.openai_server import Behaviour, Endpoint, serve
from tests.recorded.replay import MODELS, Replay

RECORDED = Path(__file__).parents[2] / "recorded"
pytestmark = [pytest.mark.here, pytest.mark.first_start, pytest.mark.timeout(600)]
WRONG = "He reports drinking four times in the past week"


@dataclass
class Walk:
    """With mouse and keys; ``said``: what the status line said at work, each once and in order."""

    window: MainWindow
    qtbot: QtBot
    said: list[str]
    taken: int = 0

    def click(self, widget: QWidget) -> None:
        assert widget.isVisible()
        QTest.mouseClick(widget, Qt.MouseButton.LeftButton)

    def press(self, within: QWidget, text: str) -> None:
        self.click(next(b for b in within.findChildren(QPushButton) if b.isVisible() and b.text() == text))

    def click_in_note(self, text: str) -> None:
        editor = self.window.workspace.editor
        cursor = QTextCursor(editor.document().find(text))
        cursor.setPosition(cursor.selectionStart() + 2)
        editor.setTextCursor(cursor)
        editor.ensureCursorVisible()
        QTest.mouseClick(editor.viewport(), Qt.MouseButton.LeftButton, pos=editor.cursorRect(cursor).center())

    @property
    def underlined(self) -> list[str]:
        marks = self.window.workspace.editor.seen_marks
        return [selection.cursor.selectedText() for highlight, selection in marks if highlight.words]

    def rest(self) -> None:
        busy = self.window.jobs, self.window.session._timer
        self.qtbot.waitUntil(lambda: not busy[0].busy and not busy[1].isActive(), timeout=100_000)

    def check(self) -> None:
        with self.qtbot.waitSignal(self.window.session.evaluation_finished, timeout=100_000):
            buttons = self.window.header.findChildren(QToolButton)
            self.click(next(b for b in buttons if b.accessibleName() == "Check again"))
        self.rest()

    def shoot(self, name: str, widget: QWidget | None = None) -> None:
        if "FILM" in os.environ:
            self.qtbot.wait(150)
            self.taken += 1
            folder = Path(os.environ["FILM"])
            folder.mkdir(parents=True, exist_ok=True)
            assert (widget or self.window).grab().save(str(folder / f"walk-{self.taken:02}-{name}.png"))


@pytest.fixture
def walk(make_window, encoder, encoder_path, rubric, tmp_path, monkeypatch, qtbot) -> Walk:
    """The window at its first start, after the sample's first check. No judge loads an encoder of its own."""
    monkeypatch.delattr("noteeval_desktop.judges.making.LlamaEmbedder")
    width, height, theme = os.environ.get("FILM_LOOK", "1280 800 light").split()
    models = tmp_path / "home" / "models"
    models.mkdir(parents=True)
    (models / encoder_path.name).symlink_to(encoder_path)
    window = make_window(theme, lambda: builtin.load(encoder, rubric))
    window.resize(int(width), int(height))
    window.activateWindow()
    said: list[str] = []
    for working in (window.session.engine_advanced, window.session.progress_made):
        working.connect(lambda _: said.append(window.status.text))
    walking = Walk(window, qtbot, said)
    with qtbot.waitSignal(window.session.evaluation_finished, timeout=100_000):
        walking.click(window.empty.sample_button)
    walking.rest()
    return walking


class Holding(Replay):
    """Waits with the answers that it ``holds`` until it is let go."""

    def __init__(self, holds: Callable[[str], bool] = lambda asked: False) -> None:
        self.holds = holds
        names = ("sample", "entrance", "mended")
        super().__init__({key: answer for name in names for key, answer in answers_in(RECORDED, name).items()})
        self.reached, self.go = threading.Event(), threading.Event()

    def __call__(self, body: dict, number: int) -> Behaviour:
        answer = super().__call__(body, number)
        if self.holds(self.asked[-1]):
            self.reached.set()
            assert self.go.wait(60)
        return answer


def chosen(walk: Walk, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> QWidget:
    """The button of the model that was found, in the list that the banner leads to."""
    monkeypatch.setattr(nearby, "SERVERS", (("Ollama", urlsplit(endpoint.url).port),))
    walk.shoot("after-the-first-check")
    walk.click(walk.window.banner.buttons[0])
    chooser = walk.window.findChildren(JudgeChooser)[-1]
    walk.qtbot.waitUntil(lambda: chooser.nearby.count() == 1, timeout=10_000)
    walk.shoot("choices", chooser)
    return chooser.nearby.itemAt(0).widget()


def test_from_the_first_choice_to_a_note_that_is_mended(walk, monkeypatch) -> None:
    window, replay = walk.window, Holding()
    with serve(replay, models=MODELS) as endpoint:
        button = chosen(walk, endpoint, monkeypatch)
        walk.said.clear()
        with walk.qtbot.waitSignal(window.session.evaluation_finished, timeout=100_000):
            walk.click(button)
        walk.rest()
        assert replay.unknown == []
        asked = load_entrance(resources() / "entrance.json").asked
        assert f"First use of this model: test question {asked} of {asked}" in walk.said
        assert any(said.startswith("Language model: comparing each statement") for said in walk.said)
        assert window.header.judge_button.accessibleName() == "Judge: recorded"
        assert "on this computer by recorded · nothing sent" in window.status.text
        assert "cost" not in window.status.text
        assert window.banner.text == ""
        walk.shoot("checked")

        assert "four times" not in walk.underlined
        walk.click_in_note(WRONG)
        assert "four times" in walk.underlined
        walk.shoot("wrong-words")
        walk.press(window.workspace.findings.card, "Use “twice”")
        walk.rest()
        assert "He reports drinking twice in the past week" in window.workspace.editor.note_text()
        walk.shoot("mended")
        before = len(replay.asked)
        walk.check()
        assert replay.unknown == []
        assert len(replay.asked) - before == 5, "only what the change touches is asked anew"
        doubted = [one.ranked.sentence.text for one in window.session.findings() if one.ranked and one.ranked.sentence]
        assert not [text for text in doubted if "drinking" in text]
        walk.shoot("checked-again")


@pytest.mark.parametrize(
    ("where", "holds"),
    [
        ("statements", lambda asked: '"claims"' in asked and "Daniel" in asked),
        ("test", lambda asked: '"claims"' in asked and "Daniel" not in asked),
    ],
)
def test_it_is_stopped_and_goes_on_where_it_was(walk, monkeypatch, where, holds) -> None:
    window, replay = walk.window, Holding(holds)
    with serve(replay, models=MODELS) as endpoint:
        walk.click(chosen(walk, endpoint, monkeypatch))
        walk.qtbot.waitUntil(replay.reached.is_set, timeout=100_000)
        walk.qtbot.wait(300)
        walk.shoot(f"at-work-{where}")
        walk.click(window.status.cancel)
        walk.rest()
        assert window.banner.text.startswith("Stopped.")
        assert window.session.findings(), "an early stop leaves no empty list"
        walk.shoot(f"stopped-{where}")
        replay.go.set()
        before = len(replay.asked)
        walk.check()
        assert len(replay.asked) - before < (12 if where == "statements" else 45)
        assert replay.unknown == []
        assert window.session.evaluation.complete
