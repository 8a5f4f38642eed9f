"""A note of the set and what became of it; sets of notes are kept through a crash, as the store keeps them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from noteeval_desktop.batch import Pair
from noteeval_desktop.domain.note_rows import NoteRow, NoteState
from noteeval_desktop.store.sets import KeptSet, SetStore, Values


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


class RunStore(SetStore):
    """Raises OSError, NoteEvalError, sqlcipher3.Error."""

    def begin(self, pairs: Sequence[Pair]) -> str:
        """Returns the new set's id."""
        return self.add([_pair_to_json(pair) for pair in pairs], State.WAITING)

    def keep(self, run: str, place: int, entry: Entry, data: Values | None = None) -> None:
        row = asdict(entry.row) if entry.row is not None else None
        self.change(run, place, entry.state, entry.problem, row, data)

    def kept(self) -> tuple[KeptSet, ...]:
        """The newest first."""
        return self.sets((State.WAITING, State.CHECKING))

    def entries(self, run: str) -> tuple[Entry, ...]:
        """What was being checked when the program ended waits again."""
        return tuple(_entry(*note) for note in self.notes(run))


def _pair_to_json(pair: Pair) -> dict[str, Any]:
    plain = {name: str(value) if isinstance(value, Path) else value for name, value in asdict(pair).items()}
    others = [(str(one), day, isinstance(one, str)) for one, day in pair.others or ()]
    return plain | {"others": None if pair.others is None else others}


def _entry(pair: Values, state: str, problem: str, summary: Values | None) -> Entry:
    about = dict(pair)
    for name in ("transcript", "note", "reference", "plan"):
        about[name] = Path(about[name]) if about.get(name) else None
    others = about.get("others")
    about["others"] = (
        None if others is None else tuple((one if text[:1] == [True] else Path(one), day) for one, day, *text in others)
    )
    row = None
    if summary is not None:
        fields = dict(summary)
        sections = fields.pop("sections")
        fields["state"] = NoteState(fields.get("state", NoteState.CHECKED))
        fields = {name: tuple(value) if isinstance(value, list) else value for name, value in fields.items()}
        row = NoteRow(**fields, sections={name: tuple(shares) for name, shares in (sections or {}).items()})
    known = State(state)
    return Entry(Pair(**about), State.WAITING if known is State.CHECKING else known, problem, row)
