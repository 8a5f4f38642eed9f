"""How far people agree with one another and each judge with them, so that one sees whom to trust for what."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QComboBox, QDialog, QTreeWidget, QTreeWidgetItem, QWidget

from noteeval_desktop import checklists
from noteeval_desktop.domain.phrases import counted, listed, tr
from noteeval_desktop.ui.library.access import Access
from noteeval_desktop.ui.supervision import work
from noteeval_desktop.ui.supervision.agreement import FEWEST_FOR_INTERVAL, Line, Report, report
from noteeval_desktop.ui.widgets.jobs import JobRunner, Lane, problem, while_alive
from noteeval_desktop.ui.widgets.parts import button, column, row
from noteeval_desktop.ui.widgets.plain import PlainLabel, name_choice
from noteeval_desktop.ui.widgets.theme import HIT, open_at

_COLUMNS = ("", tr("Judgements compared"), tr("Equal"), "κ", tr("α between people"))
_WIDTHS = (280, 185, 70, 60, 180)
_JUDGE_WIDTH = 180


class AgreementWindow(QDialog):
    """``tune_asked``: the judge is to be tuned to what was settled."""

    tune_asked = Signal()

    def __init__(self, access: Access, jobs: JobRunner, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Agreement between raters"))
        self._access, self._jobs = access, jobs
        self._closed = threading.Event()
        self.report: Report | None = None
        self.tags = QComboBox()
        name_choice(self.tags, tr("Which cases"))
        self.tags.setMinimumHeight(HIT)
        self.tags.addItem(tr("All cases"), "")
        self.tags.activated.connect(lambda _: self._read())
        self.said = PlainLabel("", wrap=True)
        self.tree = QTreeWidget()
        self.tree.setAccessibleName(tr("Agreement by dimension, section and item"))
        self.tree.setUniformRowHeights(True)
        self.tree.setAllColumnsShowFocus(True)
        self.tree.hide()
        self.how = PlainLabel(
            tr(
                "Equal: the share of marks that are the same. κ: agreement beyond chance (Cohen’s for two people, "
                "Fleiss’ for more). α: Krippendorff’s alpha; 1 is full agreement, 0 what chance would give, below 0 "
                "less than that. In brackets, from five notes on, the interval that 95 of 100 samples of such notes "
                "would give. ★ marks the judge that agrees most with the people. “–”: too little to say. Later "
                "rounds are left out: their marks were in part carried over from what was settled. So are reviews "
                "of notes that had been opened with the judge’s marks before."
            ),
            look="muted",
            wrap=True,
        )
        self.tune = button(tr("Tune the judge…"), self.tune_asked.emit, height=HIT)
        head = row((self.said, 1), self.tags, self.tune)
        column(head, (self.tree, 1), self.how, on=self, margins=(2,), spacing=1)
        open_at(self, 1080, 640)
        self.finished.connect(lambda _: self._closed.set())
        access.run(
            lambda library: library.cases.choices("tag"),
            while_alive(self, self._show_tags),
            while_alive(self, self._fail),
        )
        self._read()

    def _show_tags(self, tags: tuple[str, ...]) -> None:
        for tag in tags:
            self.tags.addItem(tr("Tagged “{tag}”").format(tag=tag), tag)
        self.tags.setVisible(bool(tags))

    def _read(self) -> None:
        self.said.setText(tr("Reading the reviews…"))
        self.tree.hide()
        tag, closed = self.tags.currentData(), self._closed
        self._access.run(
            lambda library: work.rated(library, tag, closed.is_set),
            while_alive(self, self._count),
            while_alive(self, self._fail),
        )

    def _count(self, rated: tuple[work.Rated, ...]) -> None:
        """The bootstrap takes its time: in the judges' lane, since the disk's has others to serve."""
        if not rated:
            self.said.setText(tr("Nobody has submitted marks for these cases yet. Finish a review first."))
            return
        self.said.setText(tr("Counting…"))
        shown, failed = while_alive(self, self._show), while_alive(self, self._fail)
        self._jobs.call(Lane.LOCAL, "agreement", lambda: report(rated, checklists.all_known()), shown, failed)

    def _show(self, found: Report) -> None:
        self.report = found
        by = tr("Checklist: {names}.").format(names=", ".join(found.checklists)) if found.checklists else ""
        self.said.setText(" ".join(filter(None, (agreement_over(found.notes, found.shared, found.raters), by))))
        self.tree.setHeaderLabels([*_COLUMNS, *(tr("α with {judge}").format(judge=judge) for judge in found.judges)])
        header = self.tree.header()
        header.setStretchLastSection(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        for place, width in enumerate((*_WIDTHS, *(_JUDGE_WIDTH for _ in found.judges))):
            self.tree.setColumnWidth(place, width)
        self._fill(found.lines)
        self.tree.show()
        self._give_names_what_is_left(len(found.judges))
        self.tree.setFocus()

    def _give_names_what_is_left(self, judges: int) -> None:
        """With many judges the figures scroll."""
        layout = self.layout()
        if layout is not None:
            layout.activate()
        figures = sum(_WIDTHS[1:]) + judges * _JUDGE_WIDTH
        self.tree.setColumnWidth(0, max(_WIDTHS[0], self.tree.viewport().width() - figures))

    def _fill(self, lines: tuple[Line, ...]) -> None:
        self.tree.clear()
        above: list[QTreeWidgetItem] = []
        for line in lines:
            item = QTreeWidgetItem(_cells(line))
            item.setSizeHint(0, QSize(0, HIT - 4))
            for place in range(1, item.columnCount()):
                item.setTextAlignment(place, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            above = above[: line.depth]
            if above:
                above[-1].addChild(item)
            else:
                self.tree.addTopLevelItem(item)
            above.append(item)
        for number in range(self.tree.topLevelItemCount()):
            top = self.tree.topLevelItem(number)
            if top is not None:
                top.setExpanded(True)
        first = self.tree.topLevelItem(0)
        if first is not None:
            self.tree.setCurrentItem(first)

    def _fail(self, error: Exception) -> None:
        self.said.setText(problem(error))


def _cells(line: Line) -> list[str]:
    people, judges = line.figures[:3], line.figures[3:]
    told = [f"★ {figure}" if number == line.best else figure for number, figure in enumerate(judges)]
    return [line.name, str(line.count), *people, *told]


def agreement_over(notes: int, shared: int, raters: Sequence[str]) -> str:
    """ "12 notes, marked by Kim and Dr. Ünal."."""
    said = tr("{notes}, marked by {raters}.").format(notes=counted(notes, "note"), raters=listed(raters).rstrip("."))
    if len(raters) == 1:
        alone = tr("Between people there is nothing to compare until a second one marks.")
    else:
        alone = tr("No note was marked by two of them, so between people there is nothing to compare yet.")
    few = tr("Too few for intervals.") if notes < FEWEST_FOR_INTERVAL else ""
    return " ".join(filter(None, (said, "" if shared else alone, few)))
