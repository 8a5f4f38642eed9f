"""Notes whose session no file name tells: a session is chosen for each, or the note is left out."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from noteeval_desktop.ui.many import words
from noteeval_desktop.ui.many.matching import Matched, numbered
from noteeval_desktop.ui.widgets.dialogs import line, table
from noteeval_desktop.ui.widgets.plain import PlainLabel, menu_text, name_choice
from noteeval_desktop.ui.widgets.theme import HIT, UI_SIZE, UNIT, zoomed
from noteeval_desktop.ui.widgets.words import NOTE, SESSION


class MatchPage(QWidget):
    """``settled(tuple of Pair)`` when the notes that are to be reviewed are known."""

    settled = Signal(object)
    given_up = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._found = Matched(())
        self._sessions: list[Path] = []
        self._chosen: dict[Path, Path] = {}
        heading = PlainLabel(words.UNMATCHED)
        heading.setFont(zoomed(self.font(), UI_SIZE + 4, heading.font().Weight.DemiBold))
        self.said = PlainLabel("", wrap=True)
        self.notes = table(words.UNMATCHED, ((NOTE, 420), (SESSION, 420)))
        self.notes.currentItemChanged.connect(lambda *_: self._show_choice())
        self.session = QComboBox()
        name_choice(self.session, words.ITS_SESSION)
        self.session.setMinimumHeight(HIT)
        self.session.activated.connect(self._choose)
        back, self.go = QPushButton(words.BACK), QPushButton(words.REVIEW_THESE)
        self.go.setProperty("look", "primary")
        back.clicked.connect(self.given_up)
        self.go.clicked.connect(lambda: self.settled.emit(self.pairs()))
        choice, acts = QHBoxLayout(), QHBoxLayout()
        choice.addWidget(PlainLabel(words.ITS_SESSION))
        choice.addWidget(self.session, 1)
        acts.addStretch(1)
        for button in (back, self.go):
            button.setAutoDefault(False)
            button.setMinimumHeight(HIT + 4)
            acts.addWidget(button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(3 * UNIT, 3 * UNIT, 3 * UNIT, 2 * UNIT)
        for widget in (heading, self.said):
            layout.addWidget(widget)
        layout.addWidget(self.notes, 1)
        layout.addLayout(choice)
        layout.addLayout(acts)

    def show_found(self, found: Matched) -> None:
        self._found, self._chosen = found, {}
        self._sessions = sorted({*found.unused, *(pair.transcript for pair in found.pairs)})
        counts = words.found(len(found.pairs), len(found.lone), len(found.unused))
        self.said.setText(f"{counts} {words.UNMATCHED_SAID}")
        self.session.clear()
        self.session.addItem(words.LEAVE_OUT)
        for path in self._sessions:
            self.session.addItem(menu_text(path.name))
        self.notes.clear()
        self.notes.addTopLevelItems([line((note.name, words.LEAVE_OUT), note) for note in found.lone])
        self.notes.setCurrentIndex(self.notes.model().index(0, 0))
        self.go.setEnabled(bool(found.pairs))

    def _show_choice(self) -> None:
        row = self._row()
        session = self._chosen.get(self._found.lone[row]) if row >= 0 else None
        self.session.setCurrentIndex(0 if session is None else self._sessions.index(session) + 1)

    def _choose(self, at: int) -> None:
        row = self._row()
        if row < 0:
            return
        note, item = self._found.lone[row], self.notes.topLevelItem(row)
        if at:
            self._chosen[note] = self._sessions[at - 1]
        else:
            self._chosen.pop(note, None)
        if item is not None:
            item.setText(1, self._sessions[at - 1].name if at else words.LEAVE_OUT)
        self.go.setEnabled(bool(self._found.pairs or self._chosen))

    def _row(self) -> int:
        item = self.notes.currentItem()
        return -1 if item is None else self.notes.indexOfTopLevelItem(item)

    def pairs(self) -> tuple[object, ...]:
        """Those that the names told, and those that were chosen, under one numbering."""
        if not self._chosen:
            return self._found.pairs
        matched = [(pair.transcript, pair.note) for pair in self._found.pairs]
        return numbered([*matched, *((session, note) for note, session in self._chosen.items())])
