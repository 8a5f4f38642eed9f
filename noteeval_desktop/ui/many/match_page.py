"""Which session goes with which note, by their names: seen before anything is checked, and put right where wrong."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from noteeval_desktop.batch import Pair
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
        self._sessions: list[Path] = []
        self._rows: list[tuple[Path, Path | None]] = []
        heading = PlainLabel(words.MATCHED)
        heading.setFont(zoomed(self.font(), UI_SIZE + 4, heading.font().Weight.DemiBold))
        self.said = PlainLabel("", wrap=True)
        self.notes = table(words.MATCHED, ((NOTE, 420), (SESSION, 420)))
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
        """Notes without a session come first."""
        self._rows = [*((note, None) for note in found.lone), *((pair.note, pair.transcript) for pair in found.pairs)]
        self._sessions = sorted({*found.unused, *(pair.transcript for pair in found.pairs)})
        counts = words.found(len(found.pairs), len(found.lone), len(found.unused))
        self.said.setText(f"{counts} {words.UNMATCHED_SAID if found.lone else words.MATCHED_SAID}")
        self.session.clear()
        self.session.addItem(words.LEAVE_OUT)
        for path in self._sessions:
            self.session.addItem(menu_text(path.name))
        self.notes.clear()
        self.notes.addTopLevelItems([line((note.name, _named(session))) for note, session in self._rows])
        self.notes.setCurrentIndex(self.notes.model().index(0, 0))
        self.go.setEnabled(bool(found.pairs))
        self.go.setFocus()

    def _show_choice(self) -> None:
        row = self._row()
        session = self._rows[row][1] if row >= 0 else None
        self.session.setCurrentIndex(0 if session is None else self._sessions.index(session) + 1)

    def _choose(self, at: int) -> None:
        row, item = self._row(), self.notes.currentItem()
        if item is None:
            return
        session = self._sessions[at - 1] if at else None
        self._rows[row] = self._rows[row][0], session
        item.setText(1, _named(session))
        self.go.setEnabled(bool(self.pairs()))

    def _row(self) -> int:
        item = self.notes.currentItem()
        return -1 if item is None else self.notes.indexOfTopLevelItem(item)

    def pairs(self) -> tuple[Pair, ...]:
        """In the order of the notes' names; behind them the sessions without a note, which are told as not checked."""
        made = numbered([(session, note) for note, session in sorted(self._rows) if session is not None])
        taken = {pair.transcript for pair in made}
        left = [session for session in self._sessions if session not in taken] if made else []
        # Numbered together, so that no two have the same id.
        alone = numbered([(pair.transcript, pair.note) for pair in made] + [(one, one) for one in left])[len(made) :]
        return (*made, *(replace(pair, problem=words.NO_NOTE_FOR_IT) for pair in alone))


def _named(session: Path | None) -> str:
    return words.LEAVE_OUT if session is None else session.name
