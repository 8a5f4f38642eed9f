"""A loaded set of responses: how often each attribute fails, with intervals, before any mean."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtWidgets import QWidget

from noteeval_desktop.documents.response_sets import Pair, as_context, read_response_set
from noteeval_desktop.domain.phrases import are, counted, percent, tr
from noteeval_desktop.domain.verdicts import ResponseVerdict
from noteeval_desktop.judges.protocol import Exchange
from noteeval_desktop.measures.responses import AttributeSummary, summaries
from noteeval_desktop.present.vocabulary import ATTRIBUTE_NAMES
from noteeval_desktop.ui.responses.rows import TRIAGE
from noteeval_desktop.ui.responses.side_by_side import SideBySide
from noteeval_desktop.ui.widgets.choosing import open_file
from noteeval_desktop.ui.widgets.jobs import JobRunner, Lane
from noteeval_desktop.ui.widgets.parts import button, column, row
from noteeval_desktop.ui.widgets.plain import PlainLabel
from noteeval_desktop.ui.widgets.theme import HIT

Shown = Callable[[tuple[ResponseVerdict, ...]], object]
Ask = Callable[[tuple[Exchange, ...], Shown], object]
COLUMNS = (tr("3 or less"), tr("95 % interval"), tr("Above 3"), tr("Mean"), tr("Spread"))
# A number and its unit stay on one line.
_UNBROKEN = "\u00a0%"
HINT = tr("A CSV file with the columns context and response, or a JSON list of such objects.")


class SetPage(QWidget):
    """``ask`` scores exchanges off the GUI thread and hands the verdicts on; ``fail`` says what went wrong."""

    def __init__(self, jobs: JobRunner, ask: Ask, fail: Callable[[Exception], None]) -> None:
        super().__init__()
        self._jobs, self._ask, self._fail = jobs, ask, fail
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
        self._jobs.call(Lane.DISK, "load set", lambda: read_response_set(path), self._take, self._fail)

    def _take(self, pairs: tuple[Pair, ...]) -> None:
        self.pairs = pairs
        self.table.show_table((), ())
        self.said.setText(
            tr("{responses} {are} loaded. Score the set with the judge in use.").format(
                responses=counted(len(pairs), "response"), are=are(len(pairs))
            )
        )
        self.score_button.setEnabled(True)

    def score(self) -> None:
        self._ask(tuple(Exchange(as_context(pair.context), pair.response) for pair in self.pairs), self._show)

    def _show(self, verdicts: tuple[ResponseVerdict, ...]) -> None:
        self.said.setText(
            tr("{responses} scored. Most frequent low scores first.").format(
                responses=counted(len(verdicts), "response")
            )
        )
        self.table.show_table(COLUMNS, set_lines(verdicts))


def set_lines(verdicts: Sequence[ResponseVerdict]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """A line an attribute, the one that fails most often first."""
    found = sorted(summaries(verdicts), key=lambda summary: -(summary.failure_frequency or 0.0))
    return tuple((ATTRIBUTE_NAMES[summary.attribute], _cells(summary)) for summary in found)


def _cells(summary: AttributeSummary) -> tuple[str, ...]:
    if summary.interval is None or summary.mean is None or summary.spread is None:
        return (tr("not judged"),) + ("–",) * (len(COLUMNS) - 1)
    low, high = summary.interval
    cells = (
        (
            tr("{failures} of {judged} ({round} %)").format(
                failures=summary.failures, judged=summary.judged, round=round(100 * summary.failures / summary.judged)
            )
            if summary.judged
            else tr("not judged")
        ),
        tr("{low} to {high}").format(low=percent(low), high=percent(high)),
        percent(summary.high_quality_share or 0.0),
        f"{summary.mean:.1f}",
        f"{summary.spread:.1f}",
    )
    return tuple(cell.replace(" %", _UNBROKEN) for cell in cells)
