"""The window for pairs: what a client said, responses to it, scored as they are typed and set side by side."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QGridLayout, QPlainTextEdit, QSplitter, QTabWidget, QWidget

from noteeval_desktop.documents.response_sets import Pair, as_context, read_response_set
from noteeval_desktop.domain.phrases import are, counted, percent, tr
from noteeval_desktop.domain.verdicts import ResponseVerdict
from noteeval_desktop.errors import Cancelled
from noteeval_desktop.judges.protocol import Exchange, Judge
from noteeval_desktop.measures.responses import AttributeSummary, summaries
from noteeval_desktop.present.vocabulary import ATTRIBUTE_NAMES, NOT_CHECKED
from noteeval_desktop.ui.case.engaged import SCORE_RESPONSES, Engaged, EngineNews, Testing
from noteeval_desktop.ui.judging.status import testing
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
from noteeval_desktop.ui.responses.rows import TRIAGE
from noteeval_desktop.ui.responses.side_by_side import SideBySide
from noteeval_desktop.ui.widgets.choosing import open_file
from noteeval_desktop.ui.widgets.jobs import Emit, JobRunner, Lane, problem
from noteeval_desktop.ui.widgets.parts import Window, button, column, row, scrolling, writing
from noteeval_desktop.ui.widgets.plain import PlainLabel, explain, native
from noteeval_desktop.ui.widgets.theme import HIT, UNIT
from noteeval_desktop.ui.widgets.words import STOPPED

Shown = Callable[[tuple[ResponseVerdict, ...]], object]


def tell_failure(said: PlainLabel, error: Exception) -> None:
    """Our own errors as they are; any other only by its type, since its text may quote what was typed."""
    said.setText(STOPPED if isinstance(error, Cancelled) else problem(error, tr("Try again.")))


COLUMNS = (tr("3 or less"), tr("95 % interval"), tr("Above 3"), tr("Mean"), tr("Spread"))
# A number and its unit stay on one line.
_UNBROKEN = "\u00a0%"
HINT = tr("A CSV file with the columns context and response, or a JSON list of such objects.")


class SetPage(QWidget):
    """``score`` has exchanges scored off the GUI thread, hands the verdicts on and tells in a label how it goes."""

    def __init__(self, jobs: JobRunner, score: Callable[[tuple[Exchange, ...], Shown, PlainLabel], object]) -> None:
        super().__init__()
        self._jobs, self._score = jobs, score
        self.pairs: tuple[Pair, ...] = ()
        self.said = PlainLabel(HINT, look="muted", wrap=True)
        self.table = SideBySide(tr("How often each attribute scores 3 or less"))
        self.load_button = button(tr("Load a set…"), self._choose_file, height=HIT)
        self.score_button = button(tr("Score the set"), self.score, height=HIT)
        self.score_button.setEnabled(False)
        triage, buttons = PlainLabel(TRIAGE, look="muted", wrap=True), row(self.load_button, self.score_button, None)
        column(triage, buttons, self.said, (self.table, 1), on=self, spacing=1)

    def _choose_file(self) -> None:
        chosen = open_file(self, tr("Load a set of responses"), tr("Sets (*.csv *.json)"))
        if chosen:
            self.load(Path(chosen))

    def load(self, path: Path) -> None:
        def take(pairs: tuple[Pair, ...]) -> None:
            self.pairs = pairs
            self.table.show_table((), ())
            loaded = tr("{responses} {are} loaded. Score the set with the judge in use.")
            self.said.setText(loaded.format(responses=counted(len(pairs), "response"), are=are(len(pairs))))
            self.score_button.setEnabled(True)

        failed = partial(tell_failure, self.said)
        self._jobs.call(Lane.DISK, "load set", lambda: read_response_set(path), take, failed)

    def score(self) -> None:
        exchanges = tuple(Exchange(as_context(pair.context), pair.response) for pair in self.pairs)
        self._score(exchanges, self._show, self.said)

    def _show(self, verdicts: tuple[ResponseVerdict, ...]) -> None:
        scored = tr("{responses} scored. Most frequent low scores first.")
        self.said.setText(scored.format(responses=counted(len(verdicts), "response")))
        found = sorted(summaries(verdicts), key=lambda summary: -(summary.failure_frequency or 0.0))
        self.table.show_table(COLUMNS, [(ATTRIBUTE_NAMES[summary.attribute], _cells(summary)) for summary in found])


def _cells(summary: AttributeSummary) -> tuple[str, ...]:
    if summary.interval is None or summary.mean is None or summary.spread is None:
        return (NOT_CHECKED,) + ("–",) * (len(COLUMNS) - 1)
    low, high = summary.interval
    share = round(100 * summary.failures / summary.judged)
    cells = (
        tr("{failures} of {judged} ({round} %)").format(failures=summary.failures, judged=summary.judged, round=share),
        tr("{low} to {high}").format(low=percent(low), high=percent(high)),
        percent(summary.high_quality_share or 0.0),
        f"{summary.mean:.1f}",
        f"{summary.spread:.1f}",
    )
    return tuple(cell.replace(" %", _UNBROKEN) for cell in cells)


DEBOUNCE_MS = 500
SCORING = tr("Scoring…")
TO_WRITE = tr("Write what the client said, and at least one response.")
NOT_SENT = tr("Nothing was sent: this judge cannot ask for consent here. Choose a judge on this computer.")
ASKING = tr("Nothing is sent before you have seen it and agreed.")
FEWEST_RESPONSES = 2


class ScratchWindow(Window):
    """``engaged`` tells which judge is in use; nothing that is typed here is kept."""

    def __init__(self, parent: QWidget, jobs: JobRunner, engaged: Callable[[], Engaged]) -> None:
        super().__init__(parent, tr("Compare responses"), (140 * UNIT, 90 * UNIT))
        self._jobs, self._engaged = jobs, engaged
        self.verdicts: tuple[ResponseVerdict, ...] = ()
        self.message = _field(tr("What the client said"), tr("What the client said…"))
        self.responses: list[QPlainTextEdit] = []
        self._removed: list[str] = []
        self.said = PlainLabel(TO_WRITE, look="muted", wrap=True)
        self.table = SideBySide(tr("Responses side by side"))
        self.raters = RatersPage(jobs)
        self.set = SetPage(jobs, self._score)
        self._timer = QTimer(self, singleShot=True, interval=DEBOUNCE_MS)
        self._timer.timeout.connect(self._score_if_live)
        self.message.textChanged.connect(self._timer.start)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.addWidget(self._writing())
        split.addWidget(self._results())
        split.setSizes([420, 660])
        split.setHandleWidth(1)
        column(split, on=self, margins=(2,))
        for _ in range(FEWEST_RESPONSES):
            self.add_response()

    def _writing(self) -> QWidget:
        side, inner = QWidget(), QWidget()
        self._list = column(PlainLabel(tr("The client"), look="heading"), self.message, on=inner, margins=(0, 0, 1, 0))
        self.add_button = button(tr("Add a response"), self.add_response, height=HIT)
        self.remove_button = button(tr("Remove the last"), self.remove_response, height=HIT)
        self.undo_button = button(tr("Undo removing"), self.undo_removing, height=HIT)
        self.load_button = button(tr("Load…"), self._choose_file, height=HIT)
        self.score_button = button(tr("Score"), self.score, "primary", height=HIT)
        scores_now = tr("Score the responses now ({native})").format(native=native("Ctrl+Return"))
        explain(self.score_button, scores_now)
        self.score_button.setShortcut("Ctrl+Return")
        buttons = QGridLayout()
        buttons.setContentsMargins(0, 0, UNIT, 0)  # below the texts
        under = (self.add_button, self.remove_button, self.undo_button, self.load_button, self.score_button)
        for number, each in enumerate(under):
            buttons.addWidget(each, *divmod(number, 2))
        column((scrolling(inner), 1), buttons, on=side, margins=(0, 0, 2, 0))
        return side

    def _results(self) -> QWidget:
        side, compared = QTabWidget(), QWidget()
        column(PlainLabel(TRIAGE, look="muted", wrap=True), self.said, (self.table, 1), on=compared, spacing=1)
        side.addTab(compared, tr("Side by side"))
        side.addTab(self.set, tr("A set"))
        side.addTab(self.raters, tr("Raters"))
        return side

    def add_response(self) -> None:
        if len(self.responses) >= MOST_RESPONSES:
            return
        letter = LETTERS[len(self.responses)]
        field = _field(_response(letter), tr("Response {letter}…").format(letter=letter))
        field.textChanged.connect(self._timer.start)
        field.textChanged.connect(self._enable)
        self.responses.append(field)
        self._list.addWidget(PlainLabel(_response(letter), look="heading"))
        self._list.addWidget(field)
        self._enable()

    def remove_response(self) -> None:
        """The last one; what was written in it comes back by ``undo_removing``."""
        field = self.responses.pop()
        if field.toPlainText().strip():
            self._removed.append(field.toPlainText())
            self.said.setText(
                tr("Response {LETTERS} was removed. “Undo removing” brings it back.").format(
                    LETTERS=LETTERS[len(self.responses)]
                )
            )
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
        kinds = tr("Message and responses (*.txt *.md *.json);;All files (*)")
        chosen = open_file(self, tr("Load a message and its responses"), kinds)
        if chosen:
            self.load(Path(chosen))

    def load(self, path: Path) -> None:
        failed = partial(tell_failure, self.said)
        self._jobs.call(Lane.DISK, "load responses", lambda: read_pairs(path), self.show_pairs, failed)

    def show_pairs(self, pairs: Pairs) -> None:
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
            self.said.setText(tr("Press Score when the texts are ready."))

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
        def work(cancel: threading.Event, emit: Emit) -> tuple[ResponseVerdict, ...]:
            return one_by_one(judge(cancel, emit), exchanges, cancel)

        def tell(news: object) -> None:
            match news:
                case EngineNews(Testing(done, total)):
                    said.setText(tr("{testing}. Close this window to stop.").format(testing=testing(done, total)))
                case EngineNews():
                    said.setText(SCORING)

        said.setText(SCORING)
        self._jobs.submit(lane, SCORE_RESPONSES, work, shown, partial(tell_failure, said), tell)

    def _show(self, found: tuple[ResponseVerdict, ...], filled: list[int]) -> None:
        self.verdicts = found
        scored = tr("{responses} scored. Fewest low scores first.")
        self.said.setText(scored.format(responses=counted(len(found), "response")))
        self.table.show_table([_response(LETTERS[n]) for n in filled], comparison(found))
        self.raters.show_verdicts(dict(zip(filled, found, strict=True)))

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
    field = writing(name, hint=hint)
    field.setMinimumHeight(11 * UNIT)
    return field


def _response(letter: str) -> str:
    return tr("Response {letter}").format(letter=letter)
