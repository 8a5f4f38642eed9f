"""A note of the set and what became of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from noteeval_desktop.batch import Pair
from noteeval_desktop.domain.note_rows import NoteRow, NoteState


class State(StrEnum):
    WAITING = "waiting"
    CHECKING = "checking"
    DONE = "done"
    PARTLY = "partly"
    FAILED = "failed"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class Entry:
    """``pair`` is None for a result that came without its files; ``result`` is then the JSON file's path."""

    pair: Pair | None = None
    state: State = State.WAITING
    problem: str = ""
    row: NoteRow | None = None
    result: str = ""

    def as_row(self, place: int) -> NoteRow:
        """As it stands in every table; ``place`` in the set, from 0."""
        if self.row is not None:
            return replace(self.row, number=place + 1)
        pair = self.pair
        about = (pair.clinician, pair.source, pair.date[:7]) if pair is not None else ("", "", "")
        state = NoteState.NOT_CHECKED if self.state is State.FAILED else NoteState.WAITING
        return NoteRow(self.name, *about, complete=False, state=state, problem=self.problem, number=place + 1)

    @property
    def name(self) -> str:
        return self.row.id if self.row is not None else self.pair.id if self.pair is not None else ""

    def now(self, state: State, problem: str = "") -> Entry:
        return replace(self, state=state, problem=problem, row=None if state is State.WAITING else self.row)
