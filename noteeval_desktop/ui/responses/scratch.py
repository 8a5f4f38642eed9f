"""The window for pairs: what a client said, responses to it, scored as they are typed and set side by side."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import (
    QDialog,
    QGridLayout,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QSplitter,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from noteeval_desktop.domain.phrases import counted
from noteeval_desktop.domain.verdicts import ResponseVerdict
from noteeval_desktop.errors import Cancelled, NoteEvalError
from noteeval_desktop.judges.protocol import Exchange, Judge
from noteeval_desktop.ui.case.engaged import SCORE_RESPONSES, Engaged, EngineNews, Testing
from noteeval_desktop.ui.judging.status import testing
from noteeval_desktop.ui.responses import words
from noteeval_desktop.ui.responses.pairs import (
    LETTERS,
    MOST_RESPONSES,
    Pairs,
    comparison,
    exchanges_of_pairs,
    one_by_one,
    read_pairs,
)
from noteeval_desktop.ui.responses.raters_page import RatersPage
from noteeval_desktop.ui.responses.set_page import SetPage, Shown
from noteeval_desktop.ui.responses.side_by_side import SideBySide
from noteeval_desktop.ui.responses.words import TRIAGE
from noteeval_desktop.ui.widgets.choosing import open_file
from noteeval_desktop.ui.widgets.jobs import Emit, JobRunner, Lane
from noteeval_desktop.ui.widgets.plain import PlainLabel
from noteeval_desktop.ui.widgets.theme import HIT, UNIT, open_at
from noteeval_desktop.ui.widgets.words import STOPPED

DEBOUNCE_MS = 500
SCORING = words.SCORING
TO_WRITE = words.WRITE_BOTH
NOT_SENT = words.CANNOT_ASK
ASKING = words.NOTHING_SENT_BEFORE
FEWEST_RESPONSES = 2


class ScratchWindow(QDialog):
    """``engaged`` tells which judge is in use; nothing that is typed here is kept."""

    def __init__(self, parent: QWidget, jobs: JobRunner, engaged: Callable[[], Engaged]) -> None:
        super().__init__(parent)
        self.setWindowTitle(words.COMPARE_RESPONSES)
        self._jobs, self._engaged = jobs, engaged
        self.verdicts: tuple[ResponseVerdict, ...] = ()
        self.message = _field(words.WHAT_THE_CLIENT_SAID, words.WHAT_THE_CLIENT_SAID_HINT)
        self.responses: list[QPlainTextEdit] = []
        self._removed: list[str] = []
        self.said = PlainLabel(TO_WRITE, look="muted", wrap=True)
        self.table = SideBySide(words.RESPONSES_SIDE_BY_SIDE)
        self.raters = RatersPage(jobs)
        self.set = SetPage(jobs, lambda exchanges, shown: self._score(exchanges, shown, self.set.said), self._fail_set)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(DEBOUNCE_MS)
        self._timer.timeout.connect(self._score_if_live)
        self.message.textChanged.connect(self._timer.start)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.addWidget(self._writing())
        split.addWidget(self._results())
        split.setSizes([420, 660])
        split.setHandleWidth(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * UNIT, 2 * UNIT, 2 * UNIT, 2 * UNIT)
        layout.addWidget(split)
        for _ in range(FEWEST_RESPONSES):
            self.add_response()
        open_at(self, 140 * UNIT, 90 * UNIT)

    def _writing(self) -> QWidget:
        side, inner = QWidget(), QWidget()
        self._list = QVBoxLayout(inner)
        self._list.setContentsMargins(0, 0, UNIT, 0)
        self._list.addWidget(PlainLabel(words.THE_CLIENT, look="heading"))
        self._list.addWidget(self.message)
        scroll = QScrollArea()
        scroll.setObjectName("around")
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidgetResizable(True)
        scroll.setWidget(inner)
        self.add_button = _button(words.ADD_A_RESPONSE, self.add_response)
        self.remove_button = _button(words.REMOVE_THE_LAST_RESPONSE, self.remove_response)
        self.undo_button = _button(words.UNDO_REMOVING, self.undo_removing)
        self.load_button = _button(words.LOAD, self._choose_file)
        self.score_button = _button(words.SCORE, self.score)
        self.score_button.setToolTip(words.SCORE_THE_RESPONSES_NOW_CTRL)
        self.score_button.setShortcut("Ctrl+Return")
        self.score_button.setProperty("look", "primary")
        buttons = QGridLayout()
        buttons.setContentsMargins(0, 0, UNIT, 0)  # below the texts
        under = (self.add_button, self.remove_button, self.undo_button, self.load_button, self.score_button)
        for number, button in enumerate(under):
            button.setAutoDefault(False)
            buttons.addWidget(button, *divmod(number, 2))
        layout = QVBoxLayout(side)
        layout.setContentsMargins(0, 0, 2 * UNIT, 0)
        layout.addWidget(scroll, 1)
        layout.addLayout(buttons)
        return side

    def _results(self) -> QWidget:
        side, compared = QTabWidget(), QWidget()
        inside = QVBoxLayout(compared)
        inside.setSpacing(UNIT)
        inside.addWidget(PlainLabel(TRIAGE, look="muted", wrap=True))
        inside.addWidget(self.said)
        inside.addWidget(self.table, 1)
        side.addTab(compared, words.SIDE_BY_SIDE)
        side.addTab(self.set, words.A_SET)
        side.addTab(self.raters, words.RATERS)
        return side

    def add_response(self) -> None:
        if len(self.responses) >= MOST_RESPONSES:
            return
        letter = LETTERS[len(self.responses)]
        field = _field(words.response(letter), words.response_hint(letter))
        field.textChanged.connect(self._timer.start)
        field.textChanged.connect(self._enable)
        self.responses.append(field)
        self._list.addWidget(PlainLabel(words.response(letter), look="heading"))
        self._list.addWidget(field)
        self._enable()

    def remove_response(self) -> None:
        """The last one; what was written in it comes back by ``undo_removing``."""
        field = self.responses.pop()
        if field.toPlainText().strip():
            self._removed.append(field.toPlainText())
            self.said.setText(words.removed(LETTERS[len(self.responses)]))
            self._timer.start()
        for _ in ("field", "heading"):
            item = self._list.takeAt(self._list.count() - 1)
            if item is not None and (gone := item.widget()) is not None:
                gone.hide()
                gone.deleteLater()
        self._enable()

    def undo_removing(self) -> None:
        text = self._removed.pop()
        self.add_response()
        self.responses[-1].setPlainText(text)

    def _enable(self) -> None:
        room = len(self.responses) < MOST_RESPONSES
        self.add_button.setEnabled(room)
        self.remove_button.setEnabled(len(self.responses) > FEWEST_RESPONSES)
        self.undo_button.setEnabled(room and bool(self._removed))

    # Loading

    def _choose_file(self) -> None:
        kinds = words.MESSAGE_FILES
        chosen = open_file(self, words.LOAD_A_MESSAGE_AND_ITS_RESPONSES, kinds)
        if chosen:
            self.load(Path(chosen))

    def load(self, path: Path) -> None:
        def work(cancel: threading.Event, emit: Emit) -> object:
            return read_pairs(path)

        self._jobs.submit(Lane.DISK, "load responses", work, self.show_pairs, self._fail)

    def show_pairs(self, pairs: object) -> None:
        assert isinstance(pairs, Pairs)
        self.message.setPlainText(pairs.message)
        while len(self.responses) < len(pairs.responses):
            self.add_response()
        for number, field in enumerate(self.responses):
            field.setPlainText(pairs.responses[number] if number < len(pairs.responses) else "")

    # Scoring

    def _score_if_live(self) -> None:
        if self._engaged().live:
            self.score()
        else:
            self.said.setText(words.PRESS_SCORE_WHEN_THE_TEXTS)

    def score(self) -> None:
        """Off the GUI thread; a newer request makes an older one stale."""
        self._timer.stop()
        filled = [n for n, field in enumerate(self.responses) if field.toPlainText().strip()]
        pairs = Pairs(self.message.toPlainText().strip(), tuple(self.responses[n].toPlainText() for n in filled))
        if not pairs.message or not pairs.responses:
            self.said.setText(TO_WRITE)
            return
        self._score(exchanges_of_pairs(pairs), lambda found: self._show(found, filled), self.said)

    def _score(self, exchanges: tuple[Exchange, ...], shown: Shown, said: PlainLabel) -> None:
        """By the judge in use, after a yes to what is sent where it sends anything."""
        engaged = self._engaged()
        gate = engaged.pairs
        if gate is not None:
            said.setText(ASKING)
            ask = partial(
                self._ask, engaged.lane, lambda _cancel, _emit: gate.cleared(exchanges), exchanges, shown, said
            )
            gate.ask(exchanges, ask, said.setText, self)
        elif engaged.lane is Lane.REMOTE:
            said.setText(NOT_SENT)
        else:
            self._ask(engaged.lane, engaged.judge, exchanges, shown, said)

    def _ask(
        self,
        lane: Lane,
        judge: Callable[[threading.Event, Emit], Judge],
        exchanges: tuple[Exchange, ...],
        shown: Shown,
        said: PlainLabel,
    ) -> None:
        def work(cancel: threading.Event, emit: Emit) -> object:
            return one_by_one(judge(cancel, emit), exchanges, cancel)

        def tell(news: object) -> None:
            match news:
                case EngineNews(Testing(done, total)):
                    said.setText(words.testing_here(testing(done, total)))
                case EngineNews():
                    said.setText(SCORING)

        def take(found: object) -> None:
            assert isinstance(found, tuple)
            shown(found)

        said.setText(SCORING)
        self._jobs.submit(lane, SCORE_RESPONSES, work, take, partial(self._fail, said=said), tell)

    def _show(self, found: tuple[ResponseVerdict, ...], filled: list[int]) -> None:
        self.verdicts = found
        self.said.setText(words.responses_scored(counted(len(found), "response")))
        self.table.show_table([words.response(LETTERS[n]) for n in filled], comparison(found))
        self.raters.show_verdicts(dict(zip(filled, found, strict=True)))

    def _fail_set(self, error: Exception) -> None:
        self._fail(error, self.set.said)

    def _fail(self, error: Exception, said: PlainLabel | None = None) -> None:
        """Our own errors as they are; any other only by its type, since its text may quote what was typed."""
        if isinstance(error, Cancelled):
            (said or self.said).setText(STOPPED)
            return
        own = isinstance(error, NoteEvalError)
        (said or self.said).setText(str(error) if own else words.failed(type(error).__name__))

    def done(self, result: int) -> None:
        self._timer.stop()
        self._jobs.cancel(SCORE_RESPONSES)
        super().done(result)


def show_scratch(parent: QWidget, jobs: JobRunner, engaged: Callable[[], Engaged]) -> ScratchWindow:
    """One window for as long as ``parent`` is there, so that a job that ends late still finds it."""
    window = parent.findChild(ScratchWindow) or ScratchWindow(parent, jobs, engaged)
    window.show()
    window.raise_()
    window.message.setFocus()
    return window


def _field(name: str, hint: str) -> QPlainTextEdit:
    field = QPlainTextEdit()
    field.setAccessibleName(name)
    field.setPlaceholderText(hint)
    field.setTabChangesFocus(True)
    field.setMinimumHeight(11 * UNIT)
    return field


def _button(text: str, act: Callable[[], object]) -> QPushButton:
    button = QPushButton(text)
    button.setMinimumHeight(HIT)
    button.clicked.connect(lambda: act())
    return button
