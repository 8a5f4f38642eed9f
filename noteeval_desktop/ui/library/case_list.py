"""The lines of the library's list: labels and figures, never what was said or written."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QTreeWidgetItem, QWidget

from noteeval_desktop.domain.judge_names import model_name
from noteeval_desktop.domain.phrases import day, percent, tr
from noteeval_desktop.present import standing
from noteeval_desktop.present.vocabulary import STANDING_NAMES
from noteeval_desktop.store.records import CaseSummary, Pending, SortBy
from noteeval_desktop.ui.widgets.dialogs import Column, Rows
from noteeval_desktop.ui.widgets.plain import tooltip
from noteeval_desktop.ui.widgets.theme import UNIT
from noteeval_desktop.ui.widgets.words import CLIENT, CLINICIAN, JUDGE, SESSION

_HIDDEN = tr("hidden")


@dataclass(frozen=True)
class CaseColumn(Column[CaseSummary]):
    """``sort``: as in CaseQuery, "" for none; ``falling``: with the most first. ``hint`` is a cell's tooltip, and so is
    ``why``, which is read out as well."""

    sort: str = ""
    falling: bool = False
    hint: Callable[[CaseSummary], str] = lambda case: ""
    why: Callable[[CaseSummary], str] = lambda case: ""


def _status(case: CaseSummary) -> str:
    return f"{STANDING_NAMES[case.stand.standing]}{tr(', unsaved changes') if case.unsaved else ''}"


def _where_it_stands(case: CaseSummary) -> str:
    unsaved = tr(" The latest text is not saved as a revision yet. Open the case to continue.")
    return standing.said(case.stand) + (unsaved if case.unsaved else "")


def _figure(name: str, said: Callable[[float], str], case: CaseSummary) -> str:
    """Empty where nothing was judged. The library does not give it out either while a blind review is pending."""
    known = case.figures[name]
    return _HIDDEN if case.pending and case.judge else "" if known is None else said(known)


def _column_of(name: str, figure: str, width: int, said: Callable[[float], str], falling: bool = False) -> CaseColumn:
    return CaseColumn(name, width, partial(_figure, figure, said), figure, falling)


def _clinician(case: CaseSummary) -> str:
    clinician = case.labels.clinician
    return _HIDDEN if case.pending is Pending.UNDER_WAY and clinician else clinician


def _session(case: CaseSummary) -> str:
    return day(case.labels.session_date) if case.labels.session_date else ""


COLUMNS = (
    CaseColumn(tr("Label"), 160, lambda case: case.labels.label, SortBy.LABEL, hint=lambda case: case.labels.label),
    CaseColumn(CLINICIAN, 100, _clinician, SortBy.CLINICIAN),
    CaseColumn(CLIENT, 90, lambda case: case.labels.client, SortBy.CLIENT),
    CaseColumn(SESSION, 90, _session, SortBy.SESSION, falling=True),
    CaseColumn(tr("Status"), 130, _status, SortBy.STATUS, why=_where_it_stands),
    _column_of(tr("Covered"), "completeness", 72, percent),
    _column_of(tr("Needed"), "conciseness", 72, percent),
    _column_of(tr("Supported"), "faithfulness", 84, percent),
    _column_of(tr("Open risks"), "open_risks", 90, str, falling=True),
    CaseColumn(JUDGE, 84, lambda case: model_name(case.judge or ""), SortBy.JUDGE, hint=lambda case: case.judge or ""),
    CaseColumn(tr("Tags"), 90, lambda case: ", ".join(case.labels.tags)),
    CaseColumn(tr("Changed"), 96, lambda case: day(case.changed.astimezone()), SortBy.CHANGED, falling=True),
)


class CaseList(Rows[CaseSummary]):
    """``sorted`` when another order was chosen; ``more_asked`` when the end of what is shown came into view."""

    sorted = Signal()
    more_asked = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(tr("Cases"), COLUMNS)
        self.setParent(parent)
        self.sort, self.descending = str(SortBy.CHANGED), True
        self._cases: dict[str, CaseSummary] = {}
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        status = [column.sort for column in COLUMNS].index(SortBy.STATUS)
        widest = max(self.fontMetrics().horizontalAdvance(name) for name in STANDING_NAMES.values())
        unsaved = self.fontMetrics().horizontalAdvance(tr(", unsaved changes"))
        self.setColumnWidth(status, widest + unsaved + 2 * UNIT)
        header = self.header()
        header.setSectionsClickable(True)
        header.setSortIndicatorShown(True)
        header.setSortIndicator(len(COLUMNS) - 1, Qt.SortOrder.DescendingOrder)
        header.sectionClicked.connect(self.sort_by)
        bar = self.verticalScrollBar()
        bar.valueChanged.connect(lambda value: self.more_asked.emit() if value == bar.maximum() else None)

    def sort_by(self, column: int) -> None:
        """A second time turns it round."""
        chosen = COLUMNS[column]
        if not chosen.sort:
            return
        self.descending = not self.descending if chosen.sort == self.sort else chosen.falling
        self.sort = chosen.sort
        order = Qt.SortOrder.DescendingOrder if self.descending else Qt.SortOrder.AscendingOrder
        self.header().setSortIndicator(column, order)
        self.sorted.emit()

    def show_rows(self, values: Iterable[CaseSummary]) -> None:
        """In place of those shown before; the chosen one stays chosen where it is still there."""
        chosen = self.chosen()
        self._cases = {}
        self.clear()
        self.add_cases(values)
        first = self.topLevelItem(0)
        if chosen is not None and chosen.id in self._cases:
            self.choose(chosen.id)
        elif first is not None:
            self.setCurrentItem(first)

    def add_cases(self, cases: Iterable[CaseSummary]) -> None:
        new = {case.id: case for case in cases if case.id not in self._cases}
        self._cases |= new
        self.addTopLevelItems([self.line(case) for case in new.values()])

    def line(self, value: CaseSummary) -> QTreeWidgetItem:
        item = super().line(value)
        for number, column in enumerate(COLUMNS):
            why = column.why(value)
            if item.text(number) == _HIDDEN:
                why = tr("Shown after you submit your marks: this review is blind.")
            item.setToolTip(number, tooltip(why or column.hint(value)))
            if why:  # a cell's tooltip is read out by nothing
                item.setData(number, Qt.ItemDataRole.AccessibleDescriptionRole, why)
        return item

    def choose(self, case_id: str) -> None:
        for row in range(self.topLevelItemCount()):
            item = self.topLevelItem(row)
            if item is not None and item.data(0, Qt.ItemDataRole.UserRole).id == case_id:
                self.setCurrentItem(item)

    @property
    def shown(self) -> int:
        return len(self._cases)
