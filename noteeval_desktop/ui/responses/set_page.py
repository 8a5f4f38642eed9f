"""A loaded set of responses: how often each attribute fails, with intervals, before any mean."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from noteeval_desktop.documents.response_sets import Pair, as_context, read_response_set
from noteeval_desktop.domain.phrases import counted, percent
from noteeval_desktop.domain.verdicts import ResponseVerdict
from noteeval_desktop.judges.protocol import Exchange
from noteeval_desktop.measures.responses import AttributeSummary, summaries
from noteeval_desktop.present.vocabulary import ATTRIBUTE_NAMES
from noteeval_desktop.ui.responses import words
from noteeval_desktop.ui.responses.side_by_side import SideBySide
from noteeval_desktop.ui.widgets.choosing import open_file
from noteeval_desktop.ui.widgets.jobs import Emit, JobRunner, Lane
from noteeval_desktop.ui.widgets.plain import PlainLabel
from noteeval_desktop.ui.widgets.theme import HIT, UNIT

Shown = Callable[[tuple[ResponseVerdict, ...]], object]
Ask = Callable[[tuple[Exchange, ...], Shown], object]
COLUMNS = (words.THREE_OR_LESS, words.INTERVAL, words.ABOVE_THREE, words.MEAN, words.SPREAD)
# A number and its unit stay on one line.
_UNBROKEN = "\u00a0%"
HINT = words.SET_FORMAT


class SetPage(QWidget):
    """``ask`` scores exchanges off the GUI thread and hands the verdicts on; ``fail`` says what went wrong."""

    def __init__(self, jobs: JobRunner, ask: Ask, fail: Callable[[Exception], None]) -> None:
        super().__init__()
        self._jobs, self._ask, self._fail = jobs, ask, fail
        self.pairs: tuple[Pair, ...] = ()
        self.said = PlainLabel(HINT, look="muted", wrap=True)
        self.table = SideBySide(words.HOW_OFTEN_LOW)
        self.load_button = QPushButton(words.LOAD_A_SET)
        self.load_button.clicked.connect(self._choose_file)
        self.score_button = QPushButton(words.SCORE_THE_SET)
        self.score_button.setEnabled(False)
        self.score_button.clicked.connect(self.score)
        buttons = QHBoxLayout()
        for button in (self.load_button, self.score_button):
            button.setMinimumHeight(HIT)
            button.setAutoDefault(False)
            buttons.addWidget(button)
        buttons.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setSpacing(UNIT)
        layout.addWidget(PlainLabel(words.TRIAGE, look="muted", wrap=True))
        layout.addLayout(buttons)
        layout.addWidget(self.said)
        layout.addWidget(self.table, 1)

    def _choose_file(self) -> None:
        chosen = open_file(self, words.LOAD_A_SET_OF_RESPONSES, words.SET_FILES)
        if chosen:
            self.load(Path(chosen))

    def load(self, path: Path) -> None:
        def work(cancel: threading.Event, emit: Emit) -> object:
            return read_response_set(path)

        self._jobs.submit(Lane.DISK, "load set", work, self._take, self._fail)

    def _take(self, pairs: object) -> None:
        assert isinstance(pairs, tuple)
        self.pairs = pairs
        self.table.show_table((), ())
        self.said.setText(words.set_loaded(len(pairs)))
        self.score_button.setEnabled(True)

    def score(self) -> None:
        self._ask(tuple(Exchange(as_context(pair.context), pair.response) for pair in self.pairs), self._show)

    def _show(self, verdicts: tuple[ResponseVerdict, ...]) -> None:
        self.said.setText(words.set_scored(counted(len(verdicts), "response")))
        self.table.show_table(COLUMNS, set_lines(verdicts))


def set_lines(verdicts: Sequence[ResponseVerdict]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """A line an attribute, the one that fails most often first."""
    found = sorted(summaries(verdicts), key=lambda summary: -(summary.failure_frequency or 0.0))
    return tuple((ATTRIBUTE_NAMES[summary.attribute], _cells(summary)) for summary in found)


def _cells(summary: AttributeSummary) -> tuple[str, ...]:
    if summary.interval is None or summary.mean is None or summary.spread is None:
        return (words.NOT_JUDGED,) + ("–",) * (len(COLUMNS) - 1)
    low, high = summary.interval
    cells = (
        words.share_words(summary.failures, summary.judged),
        words.share_between(percent(low), percent(high)),
        percent(summary.high_quality_share or 0.0),
        f"{summary.mean:.1f}",
        f"{summary.spread:.1f}",
    )
    return tuple(cell.replace(" %", _UNBROKEN) for cell in cells)
