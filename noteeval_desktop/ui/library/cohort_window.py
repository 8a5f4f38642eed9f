"""Everybody's notes week by week: a line a clinician, a column a week, and the row of the scorecard to look at."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QComboBox, QTableWidget, QTableWidgetItem, QWidget

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.ui.library import cohort
from noteeval_desktop.ui.library.access import Access
from noteeval_desktop.ui.library.page import Page
from noteeval_desktop.ui.widgets.parts import row
from noteeval_desktop.ui.widgets.plain import PlainLabel, name_choice, tooltip
from noteeval_desktop.ui.widgets.theme import HIT

_CASE_ROLE = Qt.ItemDataRole.UserRole


class CohortWindow(Page):
    """``open_asked(str)``: a case's id; ``shown`` after each reading."""

    open_asked = Signal(str)
    shown = Signal()

    def __init__(self, access: Access, rubric: Rubric, parent: QWidget) -> None:
        super().__init__(
            access,
            tr("Team over time"),
            tr(
                "The notes of everybody in your library, one column a week. The supervisor's settled "
                "marks are shown; where the judge's count, alone or with them, ≈ says so. It "
                "describes notes, not people."
            ),
            parent,
        )
        self.cohort: cohort.Cohort | None = None
        self.row = QComboBox()
        name_choice(self.row, tr("What to look at"))
        self.row.setMinimumHeight(HIT)
        self.row.currentTextChanged.connect(lambda _: self._fill())
        self.body.addLayout(row(PlainLabel(tr("What to look at")), (self.row, 1)))
        self.table = QTableWidget()
        self.table.setAccessibleName(tr("Clinicians by week"))
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setTabKeyNavigation(False)
        self.table.itemActivated.connect(lambda _: self._open())
        self.table.currentItemChanged.connect(lambda *_: self._enable())
        self.body.addWidget(self.table, 1)
        self.open_it = self.button(tr("Open the case"), self._open)
        self.finish(900, 560)
        self._enable()
        self.run(lambda library: cohort.load(library, rubric), self._show)

    def _show(self, found: cohort.Cohort) -> None:
        self.cohort = found
        self.row.addItems(found.rows)
        self.table.setVisible(bool(found.clinicians))
        self._fill()
        if not found.clinicians:
            self.say(
                tr(
                    "No note with a clinician has been checked or reviewed yet. Add clinicians under "
                    "“Labels…” in the library."
                )
            )
        self.shown.emit()

    def _fill(self) -> None:
        found, shown = self.cohort, self.row.currentText()
        if found is None:
            return
        self.table.clear()
        self.table.setRowCount(len(found.clinicians))
        self.table.setColumnCount(len(found.weeks))
        self.table.setVerticalHeaderLabels(list(found.clinicians))
        self.table.setHorizontalHeaderLabels([f"{monday.day} {monday:%b}" for monday in found.weeks])
        for line, clinician in enumerate(found.clinicians):
            for column, monday in enumerate(found.weeks):
                cell = found.cells.get((shown, clinician, monday))
                item = QTableWidgetItem(cell.said if cell else "–")
                item.setTextAlignment(Qt.AlignmentFlag.AlignCenter)
                said = f"{cell.said}, {cell.hint}" if cell else tr("no note")
                item.setData(
                    Qt.ItemDataRole.AccessibleTextRole,
                    tr("{clinician}, week of {day} {monday:%b}, {row}: {said}").format(
                        clinician=clinician, day=monday.day, monday=monday, row=shown, said=said
                    ),
                )
                if cell:
                    item.setToolTip(tooltip(cell.hint))
                    item.setData(_CASE_ROLE, cell.case)
                self.table.setItem(line, column, item)
        self._enable()

    def _case(self) -> str:
        item = self.table.currentItem()
        return (item.data(_CASE_ROLE) or "") if item is not None else ""

    def _enable(self) -> None:
        self.open_it.setEnabled(bool(self._case()))

    def _open(self) -> None:
        if case := self._case():
            self.open_asked.emit(case)
