"""The table of notes: lines in an order and under a filter of their own.

Qt's sort and filter proxy over Qt's standard model took 1.4 s a result with 5,000 notes, this some milliseconds
(tests/benchmarks/bench_many.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from noteeval_desktop.domain.note_rows import NoteRow, aliases, urgency
from noteeval_desktop.domain.phrases import percent, tr
from noteeval_desktop.present.vocabulary import COPIED
from noteeval_desktop.ui.many.entries import Entry, State
from noteeval_desktop.ui.widgets.plain import tooltip

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
    tr("Goals of the plan touched"),
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
            return (
                tr("{count} open").format(count=len(entry.row.open_risks)) if entry.row.open_risks else tr("none open")
            )
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
        known = row.checked
        person, risks = self._person(row.clinician), len(row.open_risks)
        texts = (row.id, person, row.clinician, row.source, row.month)
        counts = (len(row.mandatory), len(row.wrong))
        state, marks = _STATES[entry.state], " ".join(_marks(entry, row))
        return _Line(
            shown=(
                "✗" if entry.state is State.FAILED else f"⚠ {risks}" if risks else "",
                tr("Note {place}").format(place=place + 1),
                *texts,
                *("" if share is None else percent(share) for share in row.shares),
                *(str(count) if known else "" for count in counts),
                "" if row.copied is None else percent(row.copied),
                _goals(row),
                state,
            ),
            sorts=(
                urgency(row),
                place,
                *(text.casefold() for text in texts),
                *(_LAST if share is None else share for share in row.shares),
                *(count if known else _LAST for count in counts),
                _LAST if row.copied is None else row.copied,
                _LAST if row.goals is None else sum(row.goals[1:]) / max(1, row.goals[0]),
                state,
            ),
            found=(
                f"note {place + 1} {person} {row.source} {row.month} {marks}".casefold(),
                f"{row.id} {row.clinician} {row.source} {row.month} {marks}".casefold(),
            ),
        )

    def _person(self, name: str) -> str:
        """As in the overview, where everybody is known."""
        if name and name not in self._people:
            self._people[name] = aliases([*self._people, name])[name]
        return self._people.get(name, "")


def _goals(row: NoteRow) -> str:
    if row.goals is None:
        return ""
    goals, sure, perhaps = row.goals
    said = tr("{sure} of {goals}, perhaps {perhaps} more") if perhaps else tr("{sure} of {goals}")
    return said.format(sure=sure, goals=goals, perhaps=perhaps)


def _marks(entry: Entry, row: NoteRow) -> list[str]:
    marks = {
        "§risk": row.open_risks,
        "§mandatory": row.mandatory,
        "§claim": row.wrong,
        "§waiting": entry.state in (State.WAITING, State.CHECKING, State.STOPPED),
        "§failed": entry.state in (State.FAILED, State.PARTLY),
    }
    return [mark for mark, there in marks.items() if there]
