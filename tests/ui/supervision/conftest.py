"""Windows over real encrypted libraries, and a reviewer's hands on the keyboard."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest

from noteeval_desktop.domain.risk import RiskFinding, RiskKind, Stance
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import Citation
from noteeval_desktop.store.library import Library
from noteeval_desktop.ui.library.case_acts import CaseFile
from noteeval_desktop.ui.supervision.endings import AskRater
from noteeval_desktop.ui.supervision.passes import Stage
from noteeval_desktop.ui.supervision.window import ReviewWindow
from tests.ui.library.conftest import CHEAP, PASSPHRASE, Hands, desk, hands

__all__ = ["desk", "hands"]
ITEMS = 23
ASKED = Citation(2, Span(0, 41), "Do you ever think about ending your life?")
RISK = RiskFinding((2,), ASKED, RiskKind.SUICIDE, Stance.ASKED)
TRAVEL = "a passphrase of the case"


def imported(library: Library, case_id: str, so: bool = True) -> None:
    with library._database.writing() as db:
        db.execute('UPDATE "case" SET imported = ? WHERE id = ?', [int(so), case_id])


def unseen(library: Library) -> None:
    """As though the judge's marks had been shown to nobody here."""
    with library._database.writing() as db:
        db.execute("DELETE FROM seen_note")


class Reviewer:
    """Opens a review and marks by keys alone."""

    def __init__(self, window, qtbot, name: str = "Dr. Žižek 🙂", asks_all: bool = True) -> None:
        """``asks_all``: marks everything, as the published protocol does, not only what must be judged."""
        self.window, self._qtbot, self.name, self.asks_all = window, qtbot, name, asks_all

    passphrase = PASSPHRASE

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
        if self.asks_all and self.shown.session.review.blind:
            self.shown.all.click()
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

    def step_to(self, stage: Stage) -> None:
        self.ctrl(Qt.Key[f"Key_{self.shown.session.stage_keys[stage]}"])

    def mark_everything(self) -> None:
        """Everything present and needed but what the judge of the tests sees otherwise, and one thing more."""
        self.type("y" * ITEMS)
        sentences = self.shown.session.passes[1].places
        for _ in sentences:
            self.type("1")
            self.press(Qt.Key.Key_Return)
        assert self.shown.session.stage is Stage.FAITHFULNESS
        for _ in sentences:
            self.type("s")
        assert self.shown.session.stage is Stage.RATINGS
        self.type("4434")
        self.settle()

    def mark_everything_from_the_start(self) -> None:
        self.ctrl(Qt.Key.Key_1)
        self.shown.go(0)
        self.mark_everything()

    def hand_in(self) -> None:
        self.ctrl(Qt.Key.Key_Return)
        asks = self.shown.endings.dialog
        assert asks is not None
        QTest.keyClick(asks, Qt.Key.Key_Return)
        self.settle()

    def mark_the_rest(self) -> None:
        """What a second round leaves open, one place after the other."""
        keys = {Stage.RISK: "y", Stage.COMPLETENESS: "y", Stage.CONCISENESS: "1"}
        keys |= {Stage.FAITHFULNESS: "s", Stage.RATINGS: "5"}
        self.ctrl(Qt.Key.Key_1)
        for _ in range(200):
            stage, place = self.shown.session.stage, self.shown.session.place
            if not self.shown.session.current.said(place, self.shown.session.review):
                self.type(keys[stage])
            elif not self.shown.session.next_open():
                return
        raise AssertionError("something stays open")

    def comment(self, text: str) -> None:
        self.type("c")
        dialog = self.shown.comments.dialog
        dialog.text.setPlainText(text)
        dialog.activateWindow()
        self._qtbot.waitUntil(dialog.isActiveWindow)
        QTest.keyClick(dialog.text, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        self.settle()

    def settle_all(self, key: str) -> None:
        self.step_to(Stage.DIFFERENCES)
        for _ in self.shown.session.found:
            self.type(key.lower())
        self.settle()
        assert self.shown.session.settled_count == len(self.shown.session.found)

    def answer(self, key: str) -> None:
        """The last step, the key, and Enter in the dialog that it opens."""
        self.step_to(Stage.ANSWER)
        self.type(key.lower())
        self.settle()
        QTest.keyClick(self.shown.endings.dialog, Qt.Key.Key_Return)
        self.settle()

    def sign(self, credentials: str) -> None:
        self.of_somebody_else()
        self.step_to(Stage.ANSWER)
        self.type("a")
        self.settle()
        asks = self.shown.endings.dialog
        asks.credentials.setText(credentials)
        asks.passphrase.setText(PASSPHRASE)
        QTest.keyClick(asks, Qt.Key.Key_Return)
        self.settle()
        # The same library stands for its author's again.
        imported(self.window.library.access.library, self.shown.session.shown.case_id, False)

    def of_somebody_else(self) -> None:
        """The note under review counts as one that was imported."""
        one, library = self.shown.session, self.window.library.access.library
        imported(library, one.shown.case_id)
        one.shown = replace(one.shown, own_note=False)
        self.shown.refresh()


def submit(window, hands) -> None:
    window.commands["submit"].trigger()
    hands.settle(window)
    window.supervision.dialog.go.click()
    hands.settle(window)


def send(window, hands, case_id: str, path: Path) -> None:
    """The encrypted file, by the window's own dialog."""
    sending = CaseFile(window, window.library.access, window.banner.say)
    sending.export_to(case_id, path)
    for field in (sending.asking.first, sending.asking.second):
        field.setText(TRAVEL)
    sending.asking.go.click()
    hands.settle(window)
    assert path.exists()


def receive(window, hands, path: Path) -> None:
    shown = hands.list(window)
    shown.acts.import_from(path)
    shown.acts.asking.passphrase.setText(TRAVEL)
    shown.acts.asking.go.click()
    hands.settle(window)
    shown.close()


@pytest.fixture
def supervisor(make_window, qtbot, tmp_path):
    """Another computer, with a library of its own."""
    hands = Hands(qtbot, tmp_path / "supervisor")
    Library.create(hands.folder, PASSPHRASE, cost=CHEAP)[0].lock()
    window = hands.cheap(make_window())
    window.commands["library"].trigger()
    hands.unlock(window)
    window.library.list_window.close()
    return window


@pytest.fixture
def there(qtbot, tmp_path) -> Hands:
    return Hands(qtbot, tmp_path / "supervisor")


def begun(desk, judge, hands, qtbot, label=None):
    """(the reviewer, its window): a short review of a note with a mention of risk, at the first question."""
    judge.dangers, judge.identity = (RISK,), replace(judge.identity, version="2")
    with qtbot.waitSignal(desk.session.evaluation_finished, timeout=10_000):
        desk.session.check()
    hands.keep(desk, **({"label": label} if label else {}))
    reviewer = Reviewer(desk, qtbot, "Dr. Zizek", asks_all=False)
    return reviewer, reviewer.open(desk.library.kept.id)


def mark_what_is_asked(reviewer) -> int:
    keys = {Stage.RISK: "n", Stage.COMPLETENESS: "y", Stage.FAITHFULNESS: "s", Stage.RATINGS: "4"}
    for count in range(60):
        place, session = reviewer.shown.session.place, reviewer.shown.session
        if session.current.said(place, session.review):
            if not reviewer.shown.session.next_open():
                return count
            continue
        reviewer.type(keys[reviewer.shown.session.stage])
    raise AssertionError("something stays open")


def author_opens(desk, hands, reviewer) -> str:
    """The case, after the review window was closed."""
    case_id = reviewer.shown.session.shown.case_id
    reviewer.shown.close()
    desk.library.open_case(case_id)
    hands.settle(desk)
    return case_id


def returned(desk, hands, reviewer) -> str:
    """The case, submitted by its author and returned for revision, in the author's window."""
    case_id = author_opens(desk, hands, reviewer)
    submit(desk, hands)
    reviewer.open(case_id)
    reviewer.answer("R")
    return author_opens(desk, hands, reviewer)


def change(desk, qtbot) -> None:
    with qtbot.waitSignal(desk.session.evaluation_finished, timeout=10_000):
        desk.workspace.editor.moveCursor(QTextCursor.MoveOperation.End)
        QTest.keyClicks(desk.workspace.editor, " Call on Monday.")
