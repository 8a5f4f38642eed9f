"""The notes of the set: found, filtered, sorted, and what can be done with one of them."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal, SignalInstance
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHeaderView,
    QLineEdit,
    QTableView,
    QWidget,
)

from noteeval_desktop.domain.phrases import counted, tr
from noteeval_desktop.ui.many import notes_model
from noteeval_desktop.ui.many.entries import State
from noteeval_desktop.ui.many.notes_model import NotesModel
from noteeval_desktop.ui.widgets.parts import button, column, row
from noteeval_desktop.ui.widgets.plain import PlainLabel, explain, name_choice
from noteeval_desktop.ui.widgets.theme import HIT

_FIND = tr("Find a note, clinician or source")
# The window at 1280 pixels holds them; figures are as wide as their headings.
_WIDTHS = (60, 80, 98, 100, 100, 75, 80, 0, 0, 0, 0, 0, 0, 0, 100)
_AFTER_MS = 150


class _Table(QTableView):
    chosen = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.chosen.emit()
        else:
            super().keyPressEvent(event)


class NotesPage(QWidget):
    """``open_asked``, ``stop_asked`` and ``retry_asked`` carry places in the set."""

    open_asked = Signal(int)
    stop_asked = Signal(int)
    retry_asked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = NotesModel(self)
        self._names = False
        self.search, self.kind = QLineEdit(), QComboBox()
        self.search.setPlaceholderText(_FIND)
        self.search.setAccessibleName(_FIND)
        self.search.setClearButtonEnabled(True)
        name_choice(self.kind, tr("Which notes"))
        for name, mark in (
            (tr("All notes"), ""),
            (tr("Risk left open"), "§risk"),
            (tr("Mandatory item not found"), "§mandatory"),
            (tr("Statement not supported"), "§claim"),
            (tr("Not checked yet"), "§waiting"),
            (tr("Could not be checked"), "§failed"),
        ):
            self.kind.addItem(name, mark)
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(_AFTER_MS)
        self._soon.timeout.connect(self._filter)
        self.search.textChanged.connect(lambda _: self._soon.start())
        self.kind.activated.connect(lambda _: self._filter())
        self.table = self._made_table()
        self.counted = PlainLabel("", look="muted")
        self.problem = PlainLabel("", look="muted", wrap=True)
        self.open_it = button(tr("Open the case"), lambda: self._emit(self.open_asked))
        self.stop_it = button(tr("Stop this note"), lambda: self._emit(self.stop_asked))
        self.retry_it = button(tr("Check again"), lambda: self._emit(self.retry_asked))
        for widget in (self.search, self.kind, self.counted):
            widget.setMinimumHeight(HIT)
        top = row((self.search, 1), self.kind, self.counted)
        acts = row((self.problem, 1), self.stop_it, self.retry_it, self.open_it)
        column(top, (self.table, 1), acts, on=self, margins=(1,))
        self.show_names(False)
        self.enable()

    def _made_table(self) -> _Table:
        table = _Table()
        table.setModel(self.model)
        table.setAccessibleName(tr("Notes"))
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setTabKeyNavigation(False)
        table.setWordWrap(False)
        table.setShowGrid(False)
        table.setSortingEnabled(True)
        table.sortByColumn(notes_model.RISK, Qt.SortOrder.DescendingOrder)
        # One height for all: Qt would otherwise ask each of thousands.
        table.verticalHeader().hide()
        table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        table.verticalHeader().setDefaultSectionSize(HIT)
        header = table.horizontalHeader()
        for number, width in enumerate(_WIDTHS):
            table.setColumnWidth(number, max(width, header.sectionSizeHint(number)))
        header.setStretchLastSection(True)
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.ensurePolished()  # its heading may need more, in a larger font above all
        for number, width in enumerate(_WIDTHS):
            table.setColumnWidth(number, max(width, header.sectionSizeHint(number)))
        table.doubleClicked.connect(lambda _: self._emit(self.open_asked))
        table.chosen.connect(lambda: self._emit(self.open_asked))
        table.selectionModel().currentRowChanged.connect(lambda *_: self.enable())
        return table

    def _emit(self, signal: SignalInstance) -> None:
        place = self.place()
        if place >= 0:
            signal.emit(place)

    def place(self) -> int:
        return self.model.place(self.table.currentIndex())

    def choose(self, place: int) -> None:
        line = self.model.line(place)
        if line >= 0:
            self.table.setCurrentIndex(self.model.index(line, notes_model.RISK))

    def show_names(self, shown: bool) -> None:
        self._names = shown
        self._filter()

    def _show_columns(self) -> None:
        """Who and whence only where the set tells it."""
        for number, shown in (
            (notes_model.NUMBER, not self._names),
            (notes_model.NAME, self._names),
            (notes_model.CLINICIAN_NUMBER, not self._names and self.model.tells(notes_model.CLINICIAN)),
            (notes_model.CLINICIAN, self._names and self.model.tells(notes_model.CLINICIAN)),
            (notes_model.SOURCE, self.model.tells(notes_model.SOURCE)),
            (notes_model.MONTH, self.model.tells(notes_model.MONTH)),
            (notes_model.COPIED_SHARE, self.model.tells(notes_model.COPIED_SHARE)),
            (notes_model.GOALS, self.model.tells(notes_model.GOALS)),
        ):
            self.table.setColumnHidden(number, not shown)

    def _filter(self) -> None:
        chosen = self.place()
        self.model.find(self.search.text(), self.kind.currentData() or "", self._names)
        self.choose(chosen)
        self.show_count()
        self.enable()

    def show_count(self) -> None:
        self._show_columns()
        self.counted.setText(_shown(self.model.rowCount(), len(self.model.entries)))

    def enable(self) -> None:
        place = self.place()
        entry = self.model.entries[place] if place >= 0 else None
        ended = entry is not None and entry.state not in (State.WAITING, State.CHECKING)
        self.open_it.setEnabled(entry is not None and (entry.pair is not None or bool(entry.result)))
        self.stop_it.setEnabled(entry is not None and entry.pair is not None and not ended)
        self.retry_it.setEnabled(ended and entry is not None and entry.pair is not None)
        said = entry.problem if entry is not None else ""
        self.problem.setText(said)
        explain(self.problem, said)


def _shown(of: int, total: int) -> str:
    return (
        counted(total, "note") if of == total else tr("{of:,} of {notes}").format(of=of, notes=counted(total, "note"))
    )
