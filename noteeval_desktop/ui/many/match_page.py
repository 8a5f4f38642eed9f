"""Which session belongs to which note, where the files' names do not say it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from noteeval_desktop.batch import Pair
from noteeval_desktop.domain.phrases import are, counted, tr
from noteeval_desktop.ui.many.work import Matched, numbered
from noteeval_desktop.ui.widgets.dialogs import Listing, line
from noteeval_desktop.ui.widgets.parts import button, choice, column, row
from noteeval_desktop.ui.widgets.plain import PlainLabel, menu_text
from noteeval_desktop.ui.widgets.theme import UI_SIZE, zoomed
from noteeval_desktop.ui.widgets.words import NOTE, SESSION

_MATCHED = tr("Which session belongs to which note?")
_LEAVE_OUT = tr("Leave out")
_ITS_SESSION = tr("Session of the chosen note")


class MatchPage(QWidget):
    """``settled(tuple of Pair)`` when the notes that are to be reviewed are known."""

    settled = Signal(object)
    given_up = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._sessions: list[Path] = []
        self._rows: list[tuple[Path, Path | None]] = []
        heading = PlainLabel(_MATCHED)
        heading.setFont(zoomed(self.font(), UI_SIZE + 4, heading.font().Weight.DemiBold))
        self.said = PlainLabel("", wrap=True)
        self.notes = Listing(_MATCHED, ((NOTE, 420), (SESSION, 420)))
        self.notes.currentItemChanged.connect(lambda *_: self._show_choice())
        self.session = choice(_ITS_SESSION)
        self.session.activated.connect(self._choose)
        self.go = button(tr("Review these notes"), lambda: self.settled.emit(self.pairs()), "primary")
        column(
            heading,
            self.said,
            (self.notes, 1),
            row(PlainLabel(_ITS_SESSION), (self.session, 1)),
            row(None, button(tr("Back"), self.given_up.emit), self.go),
            on=self,
            margins=(3, 3, 3, 2),
        )

    def show_found(self, found: Matched) -> None:
        """Notes without a session come first."""
        matched = [(pair.note, pair.transcript) for pair in found.pairs if pair.note and pair.transcript]
        self._rows = [*((note, None) for note in found.lone), *matched]
        self._sessions = sorted({*found.unused, *(session for _, session in matched)})
        pairs, lone, unused = len(found.pairs), len(found.lone), len(found.unused)
        said = tr("{notes} with {are} session.").format(notes=counted(pairs, "note"), are=are(pairs, "its", "their"))
        if lone:
            said += tr(" {notes} without one.").format(notes=counted(lone, "note"))
        if unused:
            sessions = counted(unused, "session")
            said += tr(" {sessions} without a note {are} left out.").format(sessions=sessions, are=are(unused))
        choose = tr("Choose a session for each that has none, or leave it out.")
        check = tr("They were matched by the names of their files. Choose another session where that is wrong.")
        self.said.setText(f"{said} {choose if found.lone else check}")
        self.session.clear()
        self.session.addItem(_LEAVE_OUT)
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
        chosen = [(session, note) for note, session in sorted(self._rows) if session is not None]
        made, taken = numbered(chosen), {session for session, _ in chosen}
        left = [session for session in self._sessions if session not in taken] if made else []
        # Numbered together, so that no two have the same id.
        alone = numbered([*chosen, *((one, one) for one in left)])[len(made) :]
        return (*made, *(replace(pair, problem=tr("There is no note for this session.")) for pair in alone))


def _named(session: Path | None) -> str:
    return _LEAVE_OUT if session is None else session.name
