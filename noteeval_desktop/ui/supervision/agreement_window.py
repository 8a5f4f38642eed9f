"""How far people agree with one another and each judge with them, so that one sees whom to trust for what."""

from __future__ import annotations

import threading

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QHBoxLayout,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.ui.library import words as library_words
from noteeval_desktop.ui.library.access import Access
from noteeval_desktop.ui.supervision import agreement_words as words
from noteeval_desktop.ui.supervision import work
from noteeval_desktop.ui.supervision.agreement import Line, Report, report
from noteeval_desktop.ui.supervision.tuning_words import TUNE
from noteeval_desktop.ui.widgets.jobs import Emit, JobRunner, Lane, while_alive
from noteeval_desktop.ui.widgets.plain import PlainLabel, name_choice
from noteeval_desktop.ui.widgets.theme import HIT, UNIT, open_at

_COLUMNS = ("", words.JUDGEMENTS_COMPARED, words.EQUAL, "κ", words.ALPHA_BETWEEN_PEOPLE)
_WIDTHS = (280, 185, 70, 60, 180)
_JUDGE_WIDTH = 180


class AgreementWindow(QDialog):
    """``tune_asked``: the judge is to be tuned to what was settled."""

    tune_asked = Signal()

    def __init__(self, access: Access, jobs: JobRunner, rubric: Rubric, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(words.AGREEMENT_BETWEEN_RATERS)
        self._access, self._jobs, self._rubric = access, jobs, rubric
        self._closed = threading.Event()
        self.report: Report | None = None
        self.tags = QComboBox()
        name_choice(self.tags, words.WHICH_CASES)
        self.tags.setMinimumHeight(HIT)
        self.tags.addItem(words.ALL_CASES, "")
        self.tags.activated.connect(lambda _: self._read())
        self.said = PlainLabel("", wrap=True)
        self.tree = QTreeWidget()
        self.tree.setAccessibleName(words.AGREEMENT_BY_DIMENSION_SECTION)
        self.tree.setUniformRowHeights(True)
        self.tree.setAllColumnsShowFocus(True)
        self.tree.hide()
        self.how = PlainLabel(words.HOW_TO_READ_AGREEMENT, look="muted", wrap=True)
        head = QHBoxLayout()
        head.addWidget(self.said, 1)
        head.addWidget(self.tags)
        self.tune = QPushButton(TUNE)
        self.tune.setMinimumHeight(HIT)
        self.tune.setAutoDefault(False)
        self.tune.clicked.connect(self.tune_asked)
        head.addWidget(self.tune)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * UNIT, 2 * UNIT, 2 * UNIT, 2 * UNIT)
        layout.setSpacing(UNIT)
        layout.addLayout(head)
        layout.addWidget(self.tree, 1)
        layout.addWidget(self.how)
        open_at(self, 1080, 640)
        self.finished.connect(lambda _: self._closed.set())
        access.run(work.tags, while_alive(self, self._show_tags), while_alive(self, self._fail))
        self._read()

    def _show_tags(self, tags: tuple[str, ...]) -> None:
        for tag in tags:
            self.tags.addItem(words.tagged(tag), tag)
        self.tags.setVisible(bool(tags))

    def _read(self) -> None:
        self.said.setText(words.READING_THE_REVIEWS)
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
            self.said.setText(words.NO_REVIEWS)
            return
        self.said.setText(words.COUNTING)
        rubric = self._rubric

        def count(cancel: threading.Event, emit: Emit) -> object:
            return report(rated, rubric)

        self._jobs.submit(Lane.LOCAL, "agreement", count, while_alive(self, self._show), while_alive(self, self._fail))

    def _show(self, found: object) -> None:
        assert isinstance(found, Report)
        self.report = found
        self.said.setText(words.agreement_over(found.notes, found.shared, found.raters))
        self.tree.setHeaderLabels([*_COLUMNS, *(words.alpha_with(judge) for judge in found.judges)])
        header = self.tree.header()
        header.setStretchLastSection(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        for column, width in enumerate((*_WIDTHS, *(_JUDGE_WIDTH for _ in found.judges))):
            self.tree.setColumnWidth(column, width)
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
            for column in range(1, item.columnCount()):
                item.setTextAlignment(column, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
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
        self.said.setText(library_words.problem(error))


def _cells(line: Line) -> list[str]:
    people, judges = line.figures[:3], line.figures[3:]
    told = [f"★ {figure}" if number == line.best else figure for number, figure in enumerate(judges)]
    return [line.name, str(line.count), *people, *told]
