"""The cases in the library: a list without clinical text, found by search and filters, and what can be done."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QLineEdit,
    QMessageBox,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from noteeval_desktop.domain.review import CaseStatus
from noteeval_desktop.store.case_file import SUFFIX, Imported
from noteeval_desktop.store.library import Library
from noteeval_desktop.store.records import CaseQuery, CaseSummary, SortBy
from noteeval_desktop.ui.judging.alive import while_alive
from noteeval_desktop.ui.library import words, work
from noteeval_desktop.ui.library.access import Access
from noteeval_desktop.ui.library.dialogs import LabelCase, NewPassphrase, OnePassphrase
from noteeval_desktop.ui.plain import PlainLabel, tooltip
from noteeval_desktop.ui.theme import HIT, UNIT

_COLUMNS = ("Label", "Client", "Status", "Scores", "Judge", "Tags", "Changed")
_SORTS = (SortBy.LABEL, SortBy.CLIENT, SortBy.STATUS, SortBy.COMPLETENESS, SortBy.JUDGE, None, SortBy.CHANGED)
_WIDTHS = (210, 100, 90, 310, 100, 130, 100)
_CASE_FILES = f"Encrypted cases (*{SUFFIX})"
_LOCK_AFTER = (5, 15, 30, 60)
_PAUSE_MS = 150
_ID = Qt.ItemDataRole.UserRole


class LibraryWindow(QDialog):
    """``open_asked(id)``, ``gone(id)`` once a case was deleted; ``minutes_chosen(int)`` before locking."""

    open_asked = Signal(str)
    gone = Signal(str)
    lock_asked = Signal()
    minutes_chosen = Signal(int)
    listed = Signal()

    def __init__(self, access: Access, lock_minutes: int, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Library")
        self._access = access
        self._cases: dict[str, CaseSummary] = {}
        self._query = CaseQuery()
        self._sort, self._descending = SortBy.CHANGED, True
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_PAUSE_MS)
        self._timer.timeout.connect(self.refresh)
        self.asking: QDialog | None = None
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * UNIT, 2 * UNIT, 2 * UNIT, 2 * UNIT)
        layout.addLayout(self._filters())
        layout.addWidget(self._list(), 1)
        self.said = PlainLabel("", look="muted", wrap=True)
        layout.addWidget(self.said)
        layout.addLayout(self._buttons(lock_minutes))
        self.resize(1080, 560)
        self._enable()
        self.refresh()

    # Its parts

    def _filters(self) -> QHBoxLayout:
        self.search = QLineEdit()
        self.search.setPlaceholderText("Search labels, sessions, notes and findings")
        self.search.setAccessibleName("Search the library")
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(lambda _: self._timer.start())
        self.status, self.tag = QComboBox(), QComboBox()
        self.status.setAccessibleName("Status")
        self.status.addItem("Any status", None)
        for status, name in words.STATUS_NAMES.items():
            self.status.addItem(name, status)
        self.tag.setAccessibleName("Tag")
        self.tag.addItem("Any tag", "")
        self.archived = QCheckBox("Archived")
        self.status.activated.connect(lambda _: self.refresh())
        self.tag.activated.connect(lambda _: self.refresh())
        self.archived.toggled.connect(lambda _: self.refresh())
        QShortcut(QKeySequence.StandardKey.Find, self, self.search.setFocus)
        row = QHBoxLayout()
        row.setSpacing(UNIT)
        row.addWidget(self.search, 1)
        for part in (self.status, self.tag, self.archived):
            part.setMinimumHeight(HIT)
            row.addWidget(part)
        return row

    def _list(self) -> QTreeWidget:
        self.list = QTreeWidget()
        self.list.setAccessibleName("Cases")
        self.list.setHeaderLabels(_COLUMNS)
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        self.list.setAllColumnsShowFocus(True)
        for column, width in enumerate(_WIDTHS):
            self.list.setColumnWidth(column, width)
        header = self.list.header()
        header.setSectionsClickable(True)
        header.setSortIndicatorShown(True)
        header.setSortIndicator(_SORTS.index(SortBy.CHANGED), Qt.SortOrder.DescendingOrder)
        header.sectionClicked.connect(self._sort_by)
        self.list.itemSelectionChanged.connect(self._enable)
        self.list.itemActivated.connect(lambda *_: self._open())
        QShortcut(QKeySequence.StandardKey.Delete, self.list, self._delete, context=Qt.ShortcutContext.WidgetShortcut)
        return self.list

    def _buttons(self, lock_minutes: int) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(UNIT)
        self.open_it = self._button(row, "Open", self._open)
        self.open_it.setProperty("look", "primary")
        self.labels = self._button(row, "Labels…", self._change_labels)
        self.duplicate = self._button(row, "Duplicate", self._duplicate)
        self.archive = self._button(row, "Archive", self._archive)
        self.delete = self._button(row, "Delete…", self._delete)
        self.export = self._button(row, "Export…", self._export)
        self.take_in = self._button(row, "Import…", self._import)
        row.addStretch(1)
        self.minutes = QComboBox()
        self.minutes.setAccessibleName("Lock the library when nobody is there")
        self.minutes.setMinimumHeight(HIT)
        for minutes in sorted({*_LOCK_AFTER, lock_minutes}):
            self.minutes.addItem(f"Lock after {minutes} min", minutes)
        self.minutes.setCurrentIndex(self.minutes.findData(lock_minutes))
        self.minutes.activated.connect(lambda _: self.minutes_chosen.emit(self.minutes.currentData()))
        row.addWidget(self.minutes)
        self.lock = self._button(row, "Lock now", self.lock_asked.emit)
        return row

    def _button(self, row: QHBoxLayout, text: str, act: Callable[[], object]) -> QPushButton:
        button = QPushButton(text)
        button.setAutoDefault(False)
        button.setMinimumHeight(HIT + 4)
        button.clicked.connect(lambda: act())
        row.addWidget(button)
        return button

    # The list

    def refresh(self) -> None:
        query = CaseQuery(
            text=self.search.text(),
            tag=self.tag.currentData() or "",
            statuses=(CaseStatus(self.status.currentData()),) if self.status.currentData() else (),
            archived=self.archived.isChecked(),
            sort=self._sort,
            descending=self._descending,
        )

        def show(found: work.Found) -> None:
            if self._query is query:
                self._show(found)

        self._query = query
        self._run(lambda library: work.find(library, query), show)

    def _show(self, found: work.Found) -> None:
        chosen = self._chosen_id()
        self._cases = {case.id: case for case in found.cases}
        self.list.clear()
        for case in found.cases:
            item = QTreeWidgetItem(_cells(case))
            item.setData(0, _ID, case.id)
            item.setSizeHint(0, QSize(0, HIT))
            item.setToolTip(4, tooltip(case.judge or ""))
            item.setToolTip(0, tooltip(case.labels.label))
            self.list.addTopLevelItem(item)
            if case.id == chosen:
                self.list.setCurrentItem(item)
        first = self.list.topLevelItem(0)
        if self.list.currentItem() is None and first is not None:
            self.list.setCurrentItem(first)
        self._show_tags(found.tags)
        self.said.setText(words.shown(len(found.cases), found.total) if found.total else self._nothing())
        self._enable()
        self.listed.emit()

    def _nothing(self) -> str:
        filtered = self.search.text().strip() or self.tag.currentData() or self.status.currentData()
        if filtered:
            return "No case fits. Clear the search, or choose any status and any tag."
        if self.archived.isChecked():
            return "Nothing is archived."
        return "No cases yet. Open one and choose “Keep this case…” in the File menu, or import a case file."

    def _show_tags(self, tags: tuple[str, ...]) -> None:
        chosen = self.tag.currentData()
        self.tag.clear()
        self.tag.addItem("Any tag", "")
        for tag in tags:
            self.tag.addItem(tag, tag)
        self.tag.setCurrentIndex(max(self.tag.findData(chosen), 0))

    def _sort_by(self, column: int) -> None:
        sort = _SORTS[column]
        if sort is None:
            return
        self._descending = not self._descending if sort is self._sort else sort is SortBy.CHANGED
        self._sort = sort
        order = Qt.SortOrder.DescendingOrder if self._descending else Qt.SortOrder.AscendingOrder
        self.list.header().setSortIndicator(column, order)
        self.refresh()

    def _chosen_id(self) -> str:
        item = self.list.currentItem()
        return item.data(0, _ID) if item is not None else ""

    def chosen(self) -> CaseSummary | None:
        return self._cases.get(self._chosen_id())

    def _enable(self) -> None:
        for button in (self.open_it, self.labels, self.duplicate, self.archive, self.delete, self.export):
            button.setEnabled(self.chosen() is not None)
        self.archive.setText("Bring back" if self.archived.isChecked() else "Archive")

    # What can be done

    def _open(self) -> None:
        if (case := self.chosen()) is not None:
            self.open_asked.emit(case.id)

    def _duplicate(self) -> None:
        if (case := self.chosen()) is not None:
            self._run(lambda library: library.cases.duplicate(case.id), lambda _: self.refresh())

    def _archive(self) -> None:
        if (case := self.chosen()) is not None:
            self._run(lambda library: library.cases.set_archived(case.id, not case.archived), lambda _: self.refresh())

    def _delete(self) -> None:
        case = self.chosen()
        if case is None or not self._sure(case):
            return

        def deleted(unchanged: tuple[str, ...]) -> None:
            self.gone.emit(case.id)
            self.refresh()
            if unchanged:
                names = ", ".join(unchanged)
                self._say(f"Deleted. Damaged backups could not be changed and may still hold it, encrypted: {names}.")

        self._say("Deleting…")
        self._run(lambda library: library.delete(case.id), deleted)

    def _sure(self, case: CaseSummary) -> bool:
        box = QMessageBox(self)
        box.setWindowTitle("Delete the case")
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(f"Delete “{case.labels.label}” for good?")
        box.setInformativeText("The session, every revision and the scores go, from the backups too.")
        go = box.addButton("Delete", QMessageBox.ButtonRole.DestructiveRole)
        box.setDefaultButton(box.addButton("Keep it", QMessageBox.ButtonRole.RejectRole))
        box.exec()
        return box.clickedButton() is go

    def _change_labels(self) -> None:
        case = self.chosen()
        if case is None:
            return
        old = case.labels
        asks = LabelCase(self, "Change", (old.label, old.clinician, old.client, ", ".join(old.tags)))

        def change() -> None:
            label, clinician, client = (field.text().strip() for field in (asks.label, asks.clinician, asks.client))
            labels = replace(old, label=label, clinician=clinician, client=client, tags=asks.tag_list)
            self._answer(asks, lambda library: library.cases.set_labels(case.id, labels), lambda _: self.refresh())

        self._ask(asks, change)

    def _export(self) -> None:
        case = self.chosen()
        if case is None:
            return
        name, _ = QFileDialog.getSaveFileName(self, "Export the case", f"case{SUFFIX}", _CASE_FILES)
        if name:
            self.export_to(case.id, Path(name if name.endswith(SUFFIX) else name + SUFFIX))

    def export_to(self, case_id: str, path: Path) -> None:
        explained = "The file is encrypted under a passphrase of its own. Tell it to the reader by another way."
        asks = NewPassphrase(self, "Export the case", explained, "Export")

        def export() -> None:
            passphrase = asks.first.text()
            self._answer(
                asks,
                lambda library: library.export_case(case_id, path, passphrase, self._access.cost),
                lambda _: self._say(f"Exported {path.name}."),
            )

        self._ask(asks, export)

    def _import(self) -> None:
        name, _ = QFileDialog.getOpenFileName(self, "Import a case", "", _CASE_FILES)
        if name:
            self.import_from(Path(name))

    def import_from(self, path: Path) -> None:
        asks = OnePassphrase(self, "Import a case", "The passphrase that the file was exported with.", "Import")

        def imported(result: Imported) -> None:
            self.refresh()
            new = result.status_before is None
            self._say("The case was taken in." if new else "The case was here already; what is new in it was added.")

        def take_in() -> None:
            passphrase = asks.passphrase.text()
            self._answer(asks, lambda library: library.import_case(path, passphrase), imported)

        self._ask(asks, take_in)

    # Asking and telling

    def _ask(self, asks: LabelCase | NewPassphrase | OnePassphrase, act: Callable[[], object]) -> None:
        asks.asked.connect(act)
        asks.finished.connect(asks.deleteLater)
        self.asking = asks
        asks.open()

    def _answer(
        self,
        asks: LabelCase | NewPassphrase | OnePassphrase,
        act: Callable[[Library], object],
        done: Callable[..., object],
    ) -> None:
        def finished(result: object) -> None:
            asks.accept()
            done(result)

        def failed(error: Exception) -> None:
            asks.show_problem(words.problem(error))

        self._access.run(act, while_alive(self, finished), while_alive(asks, failed))

    def _run(self, act: Callable[[Library], object], done: Callable[..., object]) -> None:
        def failed(error: Exception) -> None:
            self._say(words.problem(error))

        self._access.run(act, while_alive(self, done), while_alive(self, failed))

    def _say(self, said: str) -> None:
        self.said.setText(said)
        self.said.setAccessibleName(said)


def _cells(case: CaseSummary) -> list[str]:
    return [
        case.labels.label,
        case.labels.client,
        words.STATUS_NAMES[case.status],
        words.scores(case.scores),
        words.judge(case.judge or ""),
        ", ".join(case.labels.tags),
        f"{case.changed.astimezone():%d %b %Y}",
    ]
