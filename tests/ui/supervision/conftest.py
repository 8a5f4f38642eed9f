"""Windows over real encrypted libraries, and a reviewer's hands on the keyboard."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from noteeval_desktop.ui.supervision.dialogs import AskRater
from noteeval_desktop.ui.supervision.round import Stage
from noteeval_desktop.ui.supervision.window import ReviewWindow
from tests.ui.library.conftest import desk, hands

__all__ = ["desk", "hands"]
ITEMS = 23


class Reviewer:
    """Opens a review and marks by keys alone."""

    def __init__(self, window, qtbot, name: str = "Dr. Žižek 🙂") -> None:
        self.window, self._qtbot, self.name = window, qtbot, name

    def settle(self) -> None:
        self._qtbot.waitUntil(lambda: not self.window.jobs.busy, timeout=20_000)

    def open(self, case_id: str) -> ReviewWindow:
        supervision = self.window.supervision
        before = len(supervision.reviews)
        supervision.review_case(case_id)
        self.settle()
        if len(supervision.reviews) == before:
            asks = supervision.dialog
            assert isinstance(asks, AskRater)
            asks.name.setText(self.name)
            QTest.keyClick(asks.name, Qt.Key.Key_Return)
            self.settle()
        self.shown = supervision.reviews[-1]
        self._qtbot.waitExposed(self.shown)
        return self.shown

    def type(self, keys: str) -> None:
        QTest.keyClicks(self.shown.panel.list, keys)

    def press(self, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        QTest.keyClick(self.shown.panel.list, key, modifier)

    def ctrl(self, key: Qt.Key) -> None:
        """A shortcut, which only the active window hears."""
        self.shown.activateWindow()
        self._qtbot.waitUntil(self.shown.isActiveWindow)
        QTest.keyClick(self.shown, key, Qt.KeyboardModifier.ControlModifier)

    def mark_everything(self) -> None:
        """Everything present and needed but what the judge of the tests sees otherwise, and one thing more."""
        self.type("y" * ITEMS)
        sentences = self.shown.round.marking.passes[1].places
        for _ in sentences:
            self.type("1")
            self.press(Qt.Key.Key_Return)
        assert self.shown.round.stage is Stage.FAITHFULNESS
        for _ in sentences:
            self.type("s")
        assert self.shown.round.stage is Stage.RATINGS
        self.type("4434")
        self.settle()

    def hand_in(self) -> None:
        self.ctrl(Qt.Key.Key_Return)
        asks = self.shown.endings.dialog
        assert asks is not None
        QTest.keyClick(asks, Qt.Key.Key_Return)
        self.settle()
