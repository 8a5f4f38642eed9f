"""The notes of the set: found, filtered, sorted, and what can be done with one of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    QTimer,
    Signal,
    SignalInstance,
)
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from noteeval_desktop.domain.note_rows import aliases, urgency
from noteeval_desktop.domain.phrases import counted, percent, tr
from noteeval_desktop.present.vocabulary import COPIED
from noteeval_desktop.ui.many.run_store import Entry, State
from noteeval_desktop.ui.widgets.parts import button, choice, column, row, search_field
from noteeval_desktop.ui.widgets.plain import PlainLabel, explain, tooltip
from noteeval_desktop.ui.widgets.theme import HIT

_COLUMNS = (
    tr("Risk"),
    tr("Note"),
    tr("Note"),
    tr("Clinician"),
    tr("Clinician"),
    tr("Source"),
    tr("Month"),
    tr("Covered"),
    tr("Needed"),
    tr("Supported"),
    tr("Mandatory not found"),
    tr("Not supported"),
    COPIED,
    tr("Plan goals addressed"),
    tr("State"),
)
_STATES = {
    State.WAITING: "waiting",
    State.CHECKING: "checking…",
    State.DONE: "checked",
    State.PARTLY: tr("checked in part"),
    State.FAILED: tr("not checked"),
    State.STOPPED: "stopped",
}
RISK, NUMBER, NAME, CLINICIAN_NUMBER, CLINICIAN, SOURCE, MONTH = range(7)
SCORES = (7, 8, 9)
MANDATORY, WRONG, COPIED_SHARE, GOALS, STATE = range(10, 15)
_FIGURES = frozenset({*SCORES, MANDATORY, WRONG, COPIED_SHARE, GOALS})
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_DISPLAY, _ALIGNED = int(Qt.ItemDataRole.DisplayRole), int(Qt.ItemDataRole.TextAlignmentRole)
_SAID, _TIP = int(Qt.ItemDataRole.AccessibleTextRole), int(Qt.ItemDataRole.ToolTipRole)
_NOWHERE = QModelIndex()
_LAST = -1.0
Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class _Line:
    """What is shown and sorted by, a column; ``found`` is what is looked through, without names and with them."""

    shown: tuple[str, ...]
    sorts: tuple[float | str, ...]
    found: tuple[str, str]


class NotesModel(QAbstractTableModel):
    """``entries`` in the order of the set; lines as they are sorted and found."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.entries: list[Entry] = []
        self._lines: list[_Line] = []
        self._order: list[int] = []
        self._people: dict[str, str] = {}
        self._by, self._falling = RISK, True
        self._words: tuple[str, ...] = ()
        self._names = False

    # What Qt asks

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._order)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(_COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _DISPLAY) -> Any:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == _ALIGNED and section in _FIGURES:
            return _RIGHT
        return _COLUMNS[section] if role == _DISPLAY else None

    def data(self, index: Index, role: int = _DISPLAY) -> Any:
        column = index.column()
        if role == _DISPLAY:
            return self._lines[self._order[index.row()]].shown[column]
        if role == _ALIGNED:
            return _RIGHT if column in _FIGURES else None
        if role == _SAID and column == RISK:
            entry = self.entries[self._order[index.row()]]
            if entry.row is None or not entry.row.checked:
                return _STATES[entry.state]
            count = len(entry.row.open_risks)
            return tr("{count} open").format(count=count) if count else tr("none open")
        if role == _TIP and column in (RISK, STATE):
            return tooltip(self.entries[self._order[index.row()]].problem) or None
        return None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self._by, self._falling = column, order is Qt.SortOrder.DescendingOrder
        self._arrange(self._sorted(self._order))

    # What is in it

    def know(self, people: Sequence[str]) -> None:
        """All clinicians of the set, before its notes come, so that each has one number everywhere."""
        self._people = aliases(tuple(people))

    def clear(self) -> None:
        self.beginResetModel()
        self.entries, self._lines, self._order, self._people = [], [], [], {}
        self.endResetModel()

    def add(self, entries: Sequence[Entry]) -> None:
        begin = len(self.entries)
        self.entries += entries
        self._lines += [self._line(begin + n, entry) for n, entry in enumerate(entries)]
        fitting = [place for place in range(begin, len(self.entries)) if self._fits(place)]
        if fitting:
            self.beginInsertRows(_NOWHERE, len(self._order), len(self._order) + len(fitting) - 1)
            self._order += fitting
            self.endInsertRows()
            self._arrange(self._sorted(self._order))

    def change(self, place: int, entry: Entry) -> None:
        before = self._fits(place)
        self.entries[place], self._lines[place] = entry, self._line(place, entry)
        if self._fits(place) is not before:
            self._look()
            return
        if before:
            self._arrange(self._sorted(self._order))
            line = self._order.index(place)
            self.dataChanged.emit(self.index(line, 0), self.index(line, len(_COLUMNS) - 1))

    def place(self, index: Index) -> int:
        """Of the entry in a line of the table; -1 for none."""
        return self._order[index.row()] if index.isValid() else -1

    def line(self, place: int) -> int:
        """Where an entry stands; -1 where it is filtered out."""
        return self._order.index(place) if place in self._order else -1

    def tells(self, column: int) -> bool:
        """Whether any note of the set, shown or not, has something in it."""
        return any(line.shown[column] for line in self._lines)

    def find(self, text: str, kind: str, names: bool) -> None:
        """``kind`` is a mark as ``_marks`` gives; with ``names`` also by the names that are then shown."""
        self._words, self._names = tuple(part.casefold() for part in (*text.split(), kind) if part), names
        self._look()

    def _look(self) -> None:
        """Another set of lines: whoever shows them chooses the current one again."""
        found = self._sorted([place for place in range(len(self.entries)) if self._fits(place)])
        if found != self._order:
            self.beginResetModel()
            self._order = found
            self.endResetModel()

    def _fits(self, place: int) -> bool:
        found = self._lines[place].found[self._names]
        return all(word in found for word in self._words)

    def _sorted(self, places: list[int]) -> list[int]:
        lines, by = self._lines, self._by
        return sorted(places, key=lambda place: lines[place].sorts[by], reverse=self._falling)

    def _arrange(self, order: list[int]) -> None:
        if order == self._order:
            return
        self.layoutAboutToBeChanged.emit()
        before = self.persistentIndexList()
        lines = {place: line for line, place in enumerate(order)}
        after = [self.index(lines[self._order[index.row()]], index.column()) for index in before]
        self._order = order
        self.changePersistentIndexList(before, after)
        self.layoutChanged.emit()

    def _line(self, place: int, entry: Entry) -> _Line:
        row = entry.as_row(place)
        if row.clinician and row.clinician not in self._people:  # as in the overview, where everybody is known
            self._people[row.clinician] = aliases([*self._people, row.clinician])[row.clinician]
        person, risks = self._people.get(row.clinician, ""), len(row.open_risks)
        texts = (row.id, person, row.clinician, row.source, row.month)
        state = _STATES[entry.state]
        marks = {
            "§risk": row.open_risks,
            "§mandatory": row.mandatory,
            "§claim": row.wrong,
            "§waiting": entry.state in (State.WAITING, State.CHECKING, State.STOPPED),
            "§failed": entry.state in (State.FAILED, State.PARTLY),
        }
        marked = " ".join(mark for mark, there in marks.items() if there)
        goals: tuple[str, float] = ("", _LAST)
        if row.goals is not None:
            count, sure, perhaps = row.goals
            said = tr("{sure} of {goals}, perhaps {perhaps} more") if perhaps else tr("{sure} of {goals}")
            goals = said.format(sure=sure, goals=count, perhaps=perhaps), (sure + perhaps) / max(1, count)
        cells: tuple[tuple[str, float | str], ...] = (
            ("✗" if entry.state is State.FAILED else f"⚠ {risks}" if risks else "", urgency(row)),
            (tr("Note {place}").format(place=place + 1), place),
            *((text, text.casefold()) for text in texts),
            *map(_share, row.shares),
            *((str(len(found)), len(found)) if row.checked else ("", _LAST) for found in (row.mandatory, row.wrong)),
            _share(row.copied),
            goals,
            (state, state),
        )
        found = (
            f"note {place + 1} {person} {row.source} {row.month} {marked}".casefold(),
            f"{row.id} {row.clinician} {row.source} {row.month} {marked}".casefold(),
        )
        return _Line(tuple(shown for shown, _ in cells), tuple(by for _, by in cells), found)


def _share(share: float | None) -> tuple[str, float]:
    return ("", _LAST) if share is None else (percent(share), share)


_KINDS = (
    (tr("All notes"), ""),
    (tr("Risk left open"), "§risk"),
    (tr("Mandatory item not found"), "§mandatory"),
    (tr("Statement not supported"), "§claim"),
    (tr("Not checked yet"), "§waiting"),
    (tr("Could not be checked"), "§failed"),
)
# The window at 1280 pixels holds them; figures are as wide as their headings.
_WIDTHS = (60, 80, 98, 100, 100, 75, 80, 0, 0, 0, 0, 0, 0, 0, 100)


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

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.model = NotesModel(self)
        self._names = False
        self.search = search_field(tr("Find a note, clinician or source"))
        self.kind = choice(tr("Which notes"), _KINDS, does=self._filter)
        self._soon = QTimer(self, singleShot=True, interval=150)
        self._soon.timeout.connect(self._filter)
        self.search.textChanged.connect(lambda _: self._soon.start())
        self.table = self._made_table()
        self.counted = PlainLabel("", look="muted")
        self.problem = PlainLabel("", look="muted", wrap=True)
        self.open_it = button(tr("Open the case"), lambda: self._emit(self.open_asked))
        self.stop_it = button(tr("Stop this note"), lambda: self._emit(self.stop_asked))
        self.retry_it = button(tr("Check again"), lambda: self._emit(self.retry_asked))
        top = row((self.search, 1), self.kind, self.counted)
        acts = row((self.problem, 1), self.stop_it, self.retry_it, self.open_it)
        column(top, (self.table, 1), acts, on=self, margins=(1,))
        self.show_names(False)
        self.enable()

    def _made_table(self) -> _Table:
        table = _Table(self)
        table.setModel(self.model)
        table.setAccessibleName(tr("Notes"))
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setTabKeyNavigation(False)
        table.setWordWrap(False)
        table.setShowGrid(False)
        table.setSortingEnabled(True)
        table.sortByColumn(RISK, Qt.SortOrder.DescendingOrder)
        # One height for all: Qt would otherwise ask each of thousands.
        table.verticalHeader().hide()
        table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        table.verticalHeader().setDefaultSectionSize(HIT)
        header = table.horizontalHeader()
        header.setStretchLastSection(True)
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.ensurePolished()  # its heading may need more, in a larger font and in the style of its window
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
            self.table.setCurrentIndex(self.model.index(line, RISK))

    def show_names(self, shown: bool) -> None:
        self._names = shown
        self._filter()

    def show_count(self) -> None:
        """With who and whence only where the set tells it."""
        for number, shown in (
            (NUMBER, not self._names),
            (NAME, self._names),
            (CLINICIAN_NUMBER, not self._names and self.model.tells(CLINICIAN)),
            (CLINICIAN, self._names and self.model.tells(CLINICIAN)),
            (SOURCE, self.model.tells(SOURCE)),
            (MONTH, self.model.tells(MONTH)),
            (COPIED_SHARE, self.model.tells(COPIED_SHARE)),
            (GOALS, self.model.tells(GOALS)),
        ):
            self.table.setColumnHidden(number, not shown)
        found, total = self.model.rowCount(), len(self.model.entries)
        notes = counted(total, "note")
        self.counted.setText(notes if found == total else tr("{of:,} of {notes}").format(of=found, notes=notes))

    def _filter(self) -> None:
        chosen = self.place()
        self.model.find(self.search.text(), self.kind.currentData() or "", self._names)
        self.choose(chosen)
        self.show_count()
        self.enable()

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
