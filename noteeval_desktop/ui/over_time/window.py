"""One window for what many notes show: a page a question, each read from the library when it is first looked at."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QDialog,
    QHeaderView,
    QPushButton,
    QTabWidget,
    QTreeWidget,
    QWidget,
)

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.domain.thresholds import Thresholds
from noteeval_desktop.measures.tuning import thresholds
from noteeval_desktop.present.thread import ThreadState
from noteeval_desktop.report.charts import step
from noteeval_desktop.store.library import Library
from noteeval_desktop.ui.library.access import Access
from noteeval_desktop.ui.over_time import figures
from noteeval_desktop.ui.over_time.figures import Found, Table
from noteeval_desktop.ui.widgets.choosing import save_file
from noteeval_desktop.ui.widgets.dialogs import Listing, line
from noteeval_desktop.ui.widgets.jobs import Lane
from noteeval_desktop.ui.widgets.line_chart import LineChart
from noteeval_desktop.ui.widgets.parts import button, column, row
from noteeval_desktop.ui.widgets.plain import PlainLabel, name_choice, tooltip
from noteeval_desktop.ui.widgets.theme import HIT, UNIT, open_at
from noteeval_desktop.ui.widgets.words import CLIENT, CLINICIAN, CLOSE, EXPORT, exported

_CASE_ROLE = Qt.ItemDataRole.UserRole
_LEFT, _RIGHT = (
    side | Qt.AlignmentFlag.AlignVCenter for side in (Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight)
)


class Page(QWidget):
    """A choice, where there is one to make, what is said of it, a table, and what it means.

    ``load`` gets the library and the value chosen. ``shown(Found)``; ``open_asked(str)``: a case's id.
    """

    shown, open_asked = Signal(object), Signal(str)

    def __init__(
        self,
        access: Access,
        load: Callable[[Library, str], Found],
        name: str,
        about: str,
        choosing: str = "",
        opens: bool = False,
        lane: Lane = Lane.DISK,
    ) -> None:
        super().__init__()
        self.access, self._load, self._lane = access, load, lane
        self.found: Found | None = None
        self.choosing, self.choice = PlainLabel(choosing), QComboBox()
        name_choice(self.choice, choosing)
        self.choice.setMinimumHeight(HIT)
        self.choice.activated.connect(lambda _: self._choose())
        self.said = PlainLabel("", wrap=True)
        self.table = Listing(name, ())
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectItems)
        self.table.setAllColumnsShowFocus(False)
        self.table.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.table.header().setStretchLastSection(False)
        self.buttons = row(None, spacing=1)
        head = row(self.choosing, (self.choice, 1))
        self.body = column(head, self.said, (self.table, 1), on=self, margins=(2,), spacing=1)
        # Where there is nothing to show, the words stay together at the top.
        self.body.addStretch()
        self.body.addWidget(PlainLabel(about, look="muted", wrap=True))
        self.body.addLayout(self.buttons)
        self.open_it = self.button(tr("Open the case"), lambda: self.open_asked.emit(self.case()))
        self.open_it.setVisible(opens)
        if opens:
            self.table.itemActivated.connect(lambda *_: self.open_it.click())
        self.table.currentItemChanged.connect(lambda *_: self.open_it.setEnabled(bool(self.case())))

    def button(self, text: str, does: Callable[[], object]) -> QPushButton:
        made = button(text, does)
        made.setEnabled(False)
        self.buttons.addWidget(made)
        return made

    def case(self) -> str:
        """Of what is looked at; empty for none."""
        item = self.table.currentItem()
        return item.data(self.table.currentColumn(), _CASE_ROLE) or "" if item is not None else ""

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self.found is None:
            self.read()

    def _choose(self) -> None:
        assert self.found is not None
        if self.choice.currentData() in self.found.tables:
            self._show_table()
        else:
            self.read()

    def read(self) -> None:
        """What is chosen, anew."""
        chosen = self.choice.currentData() or ""
        self.said.setText(tr("Reading the library…"))
        self.table.hide()
        self.access.run_for(self, lambda library: self._load(library, chosen), self._show, self.said.say, self._lane)

    def _show(self, found: Found) -> None:
        self.found = found
        self.choice.clear()
        for value, name in found.choices:
            self.choice.addItem(name, value)
        self.choice.setCurrentIndex(max(0, self.choice.findData(found.chosen)))
        for part in (self.choosing, self.choice):
            part.setVisible(bool(found.choices))
        self.said.setText(found.said)
        self._show_table()
        self.shown.emit(found)

    def _show_table(self) -> None:
        assert self.found is not None
        shown = self.found.tables.get(self.choice.currentData() or "", Table())
        _fill(self.table, shown)
        self.table.setVisible(bool(shown.lines))


def _fill(table: QTreeWidget, shown: Table) -> None:
    """The first column names; figures stand at the right of the others."""
    table.clear()
    table.setHeaderLabels(shown.headings)
    table.header().setDefaultAlignment(_RIGHT)
    table.headerItem().setTextAlignment(0, _LEFT)
    table.setRootIsDecorated(any(one.depth for one in shown.lines))
    above = [table.invisibleRootItem()]
    for one in shown.lines:
        made = line([cell if isinstance(cell, str) else cell.text for cell in one.cells])
        made.setSizeHint(0, QSize(table.fontMetrics().horizontalAdvance(made.text(0)) + 2 * UNIT, HIT))
        for number, cell in enumerate(one.cells):
            made.setTextAlignment(number, _RIGHT if number else _LEFT)
            if not isinstance(cell, str):
                made.setToolTip(number, tooltip(cell.hint))
                made.setData(number, Qt.ItemDataRole.AccessibleTextRole, cell.spoken)
                made.setData(number, _CASE_ROLE, cell.case)
        above[one.depth + 1 :] = [made]
        above[one.depth].addChild(made)
    table.expandToDepth(0)
    if (first := table.topLevelItem(0)) is not None:
        table.setCurrentItem(first)


class ClinicianPage(Page):
    """With a chart of the scores; chart and table as files."""

    def __init__(self, access: Access, rubric: Rubric) -> None:
        about = tr(
            "How the notes of one clinician were marked, session by session. It describes notes, not people: a note "
            "depends on its session, and a trend over a few notes means little."
        )
        missing, load = tr("Checklist items that are often missing"), partial(figures.one_clinician, rubric=rubric)
        self.chart = LineChart(tr("Completeness, conciseness and faithfulness over time"), 220, 100)
        super().__init__(access, load, missing, about, CLINICIAN)
        self.open_it.show()
        self._rubric = rubric
        self.chart.looked_at.connect(self._look_at)
        self.chart.chosen.connect(lambda number: self.open_asked.emit(self.case()))
        self.body.insertWidget(1, self.chart)
        self.said.setMinimumHeight(2 * self.said.fontMetrics().lineSpacing())
        self.as_pdf = self.button(tr("Export as PDF…"), lambda: self._choose_file("pdf"))
        self.as_csv = self.button(tr("Export as CSV…"), lambda: self._choose_file("csv"))
        self.shown.connect(self._draw)

    def case(self) -> str:
        return self.found.progress.slots[self.chart.at].case if self.found and self.chart.at >= 0 else ""

    def _draw(self, found: Found) -> None:
        slots = found.progress.slots
        along = [step(number, slots) for number in range(len(slots))]
        said = [figures.said(slot) for slot in slots]
        self.chart.show_points(along, partial(figures.drawn, slots), said.__getitem__, figures.described(slots))
        self.open_it.setEnabled(False)
        for each in (self.as_pdf, self.as_csv):
            each.setEnabled(bool(slots))

    def _look_at(self, number: int) -> None:
        self.said.setText(self.chart.accessibleDescription())
        self.open_it.setEnabled(True)

    def _choose_file(self, kind: str) -> None:
        if name := save_file(self, EXPORT, f"notes-over-time.{kind}", f"{kind.upper()} (*.{kind})"):
            self.export_to(Path(name), kind)

    def export_to(self, path: Path, kind: str) -> None:
        assert self.found is not None
        progress, clinician, rubric = self.found.progress, self.found.chosen, self._rubric

        def write(_: Library) -> None:
            # Here, not above: laying out a PDF loads a library that the window does without.
            from noteeval_desktop.report.draw_pdf import write_pdf
            from noteeval_desktop.report.progress_page import progress_page, write_progress_csv

            if kind == "pdf":
                write_pdf(progress_page(progress, clinician), path)
            else:
                write_progress_csv(progress, path, rubric)

        def written(_: object) -> None:
            self.access.note_export(f"notes-over-time.{kind}")
            self.said.say(exported(path.name))

        self.access.run_for(self, write, written, self.said.say)


class OverTimeWindow(QDialog):
    """``open_asked(str)``: a case's id. ``tuned``: Thresholds; those that ship where the reader goes back."""

    open_asked, tuned = Signal(str), Signal(object)

    def __init__(self, access: Access, rubric: Rubric, now: Thresholds, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Over time"))
        closed = threading.Event()
        self.finished.connect(lambda _: closed.set())
        self._now = now
        self.clinician = ClinicianPage(access, rubric)
        everybody = tr(
            "The notes of everybody in your library, one column a week. The supervisor's settled marks are shown; ≈ "
            "marks values that rest wholly or partly on the judge's marks. It describes notes, not people."
        )
        load, name = partial(figures.team, rubric=rubric), tr("Clinicians by week")
        self.team = Page(access, load, name, everybody, tr("What to look at"), opens=True)
        explained = tr(
            "Equal: the share of marks that are the same. κ: agreement beyond chance (Cohen’s for two people, "
            "Fleiss’ for more). α: Krippendorff’s alpha; 1 is full agreement, 0 what chance would give, below 0 less "
            "than that. In brackets, from five notes on, the interval that 95 of 100 samples of such notes would "
            "give. ★ marks the judge that agrees most with the people. “–”: too little to say. Later rounds are left "
            "out: their marks were in part carried over from what was settled. So are reviews of notes that had been "
            "opened with the judge’s marks before."
        )
        load, name = (
            partial(figures.agreement, cancelled=closed.is_set),
            tr("Agreement by dimension, section and item"),
        )
        # The bootstrap takes its time: in the judges' lane, since the disk's has others to serve.
        self.agreement = Page(access, load, name, explained, tr("Which cases"), lane=Lane.LOCAL)
        how = tr(
            "The judge says yes once it is sure enough. Here that cutoff is chosen so that fewer of its marks differ "
            "from what was settled (better: no longer differs). It is suggested only if it also does better on notes "
            "other than those it was chosen on. Risk, and anything that could do much harm, is judged as before. "
            "Scorecards say that the judge is tuned. The command line uses the judge as it came."
        )
        load, name = partial(figures.tuning, now=now, cancelled=closed.is_set), tr("Tune the built-in judge")
        self.tuning = Page(access, load, name, how, lane=Lane.LOCAL)
        self.back = self.tuning.button(tr("Back to how it came"), lambda: self._tune(Thresholds()))
        self.use = self.tuning.button(tr("Use these"), self._use)
        self.back.setEnabled(bool(now))
        self.tuning.shown.connect(self._suggest)
        signs = ", ".join(f"{state.value.sign} {state.value.name}" for state in list(ThreadState)[:5])
        plan = tr(
            "The goals of the plan that the client’s last note was checked with. {signs}. The quick check finds only a "
            "part: what it guesses can be confirmed under “Treatment plan…”."
        ).format(signs=signs)
        self.goals = Page(access, figures.goals, tr("Goals note by note"), plan, CLIENT, opens=True)
        self.tabs = QTabWidget()
        self.tabs.tabBar().setAccessibleName(self.windowTitle())
        for page, title in (
            (self.clinician, tr("One clinician")),
            (self.team, tr("Team")),
            (self.goals, tr("Treatment plan")),
            (self.agreement, tr("Agreement")),
            (self.tuning, tr("Judge tuning")),
        ):
            page.open_asked.connect(self.open_asked)
            self.tabs.addTab(page, title)
        column((self.tabs, 1), row(None, button(CLOSE, self.reject)), on=self, margins=(2,), spacing=1)
        open_at(self, 1080, 760)

    def _suggest(self, found: Found) -> None:
        better = any(one.threshold is not None for one in found.proposals)
        self.use.setEnabled(better and thresholds(found.proposals) != self._now)

    def _use(self) -> None:
        assert self.tuning.found is not None
        self._tune(thresholds(self.tuning.found.proposals))

    def _tune(self, chosen: Thresholds) -> None:
        self.tuned.emit(chosen)
        self.accept()
