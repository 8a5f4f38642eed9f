"""The lines of the library's list: labels and figures, never what was said or written."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QTreeWidget, QTreeWidgetItem, QWidget

from noteeval_desktop.domain.review import SCORED
from noteeval_desktop.present import standing
from noteeval_desktop.present.vocabulary import STANDING_NAMES
from noteeval_desktop.store.records import CaseSummary, Pending, SortBy
from noteeval_desktop.ui.library import words
from noteeval_desktop.ui.widgets.plain import tooltip
from noteeval_desktop.ui.widgets.theme import HIT, UNIT
from noteeval_desktop.ui.widgets.words import CLIENT, CLINICIAN, JUDGE, SESSION

# Name, what sorts by it, width in pixels.
_COLUMNS: tuple[tuple[str, SortBy | None, int], ...] = (
    (words.LABEL, SortBy.LABEL, 160),
    (CLINICIAN, SortBy.CLINICIAN, 100),
    (CLIENT, SortBy.CLIENT, 90),
    (SESSION, SortBy.SESSION, 90),
    (words.STATUS, SortBy.STATUS, 130),
    (words.COVERED, SortBy.COMPLETENESS, 72),
    (words.NEEDED, SortBy.CONCISENESS, 72),
    (words.SUPPORTED, SortBy.FAITHFULNESS, 84),
    (words.OPEN_RISKS, SortBy.OPEN_RISKS, 90),
    (JUDGE, SortBy.JUDGE, 84),
    (words.TAGS, None, 90),
    (words.CHANGED, SortBy.CHANGED, 96),
)
_SORTS = [sort for _, sort, _ in _COLUMNS]
_MOST_FIRST = (SortBy.CHANGED, SortBy.SESSION, SortBy.OPEN_RISKS)
_ID = Qt.ItemDataRole.UserRole
_LABEL, _CLINICIAN, _STATUS, _SHARES, _JUDGE = 0, 1, 4, (5, 6, 7, 8), 9
_HIDDEN = "hidden"


class CaseList(QTreeWidget):
    """``sorted`` when another order was chosen; ``more_asked`` when the end of what is shown came into view."""

    sorted = Signal()
    more_asked = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.sort, self.descending = SortBy.CHANGED, True
        self._cases: dict[str, CaseSummary] = {}
        self.setAccessibleName(words.CASES)
        self.setHeaderLabels([name for name, _, _ in _COLUMNS])
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setAllColumnsShowFocus(True)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        for column, (_, _, width) in enumerate(_COLUMNS):
            self.setColumnWidth(column, width)
        widest = max(self.fontMetrics().horizontalAdvance(name) for name in STANDING_NAMES.values())
        self.setColumnWidth(_STATUS, widest + self.fontMetrics().horizontalAdvance(words.UNSAVED) + 2 * UNIT)
        header = self.header()
        header.setSectionsClickable(True)
        header.setSortIndicatorShown(True)
        header.setSortIndicator(_SORTS.index(SortBy.CHANGED), Qt.SortOrder.DescendingOrder)
        header.sectionClicked.connect(self.sort_by)
        bar = self.verticalScrollBar()
        bar.valueChanged.connect(lambda value: self.more_asked.emit() if value == bar.maximum() else None)

    def sort_by(self, column: int) -> None:
        """A second time turns it round."""
        sort = _SORTS[column]
        if sort is None:
            return
        self.descending = not self.descending if sort is self.sort else sort in _MOST_FIRST
        self.sort = sort
        order = Qt.SortOrder.DescendingOrder if self.descending else Qt.SortOrder.AscendingOrder
        self.header().setSortIndicator(column, order)
        self.sorted.emit()

    def show_cases(self, cases: Sequence[CaseSummary]) -> None:
        """In place of those shown before; the chosen one stays chosen where it is still there."""
        chosen = self.chosen()
        self._cases = {}
        self.clear()
        self.add_cases(cases)
        first = self.topLevelItem(0)
        if chosen is not None and chosen.id in self._cases:
            self.choose(chosen.id)
        elif first is not None:
            self.setCurrentItem(first)

    def add_cases(self, cases: Sequence[CaseSummary]) -> None:
        items = []
        for case in cases:
            if case.id not in self._cases:
                items.append(_item(case))
            self._cases[case.id] = case
        self.addTopLevelItems(items)

    def choose(self, case_id: str) -> None:
        for row in range(self.topLevelItemCount()):
            item = self.topLevelItem(row)
            if item is not None and item.data(0, _ID) == case_id:
                self.setCurrentItem(item)

    def chosen(self) -> CaseSummary | None:
        item = self.currentItem()
        return self._cases.get(item.data(0, _ID)) if item is not None else None

    @property
    def shown(self) -> int:
        return len(self._cases)


def _item(case: CaseSummary) -> QTreeWidgetItem:
    item = QTreeWidgetItem(_cells(case))
    item.setData(0, _ID, case.id)
    item.setSizeHint(0, QSize(0, HIT))
    item.setToolTip(_JUDGE, tooltip(case.judge or ""))
    item.setToolTip(_LABEL, tooltip(case.labels.label))
    said = standing.said(case.stand)
    _explain(item, _STATUS, f"{said} {words.WHY_UNSAVED}" if case.unsaved else said)
    for column in (_CLINICIAN, *_SHARES):
        if item.text(column) == _HIDDEN:
            _explain(item, column, words.WHY_HIDDEN)
    return item


def _explain(item: QTreeWidgetItem, column: int, text: str) -> None:
    """A cell's tooltip is read out by nothing."""
    item.setToolTip(column, tooltip(text))
    item.setData(column, Qt.ItemDataRole.AccessibleDescriptionRole, text)


def _status(case: CaseSummary) -> str:
    return f"{STANDING_NAMES[case.stand.standing]}{words.UNSAVED if case.unsaved else ''}"


def _cells(case: CaseSummary) -> list[str]:
    labels, scores = case.labels, dict(case.scores)
    clinician = _HIDDEN if case.pending is Pending.UNDER_WAY and labels.clinician else labels.clinician
    # The library does not give the shares out either while a blind review is pending.
    shares = [_HIDDEN if case.pending and case.judge else words.share(scores.get(dimension)) for dimension in SCORED]
    return [
        labels.label,
        clinician,
        labels.client,
        words.day(labels.session_date),
        _status(case),
        *shares,
        _HIDDEN if case.pending and case.judge else "" if case.open_risks is None else str(case.open_risks),
        words.judge(case.judge or ""),
        ", ".join(labels.tags),
        words.day(case.changed.astimezone()),
    ]
