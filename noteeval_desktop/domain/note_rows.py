"""What is kept in view of each of many notes: a row, small enough for thousands, made from its evaluation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from statistics import fmean

DIMENSIONS = ("completeness", "conciseness", "faithfulness")
SMALLEST_GROUP = 5


_FIRST = 10**12


class NoteState(StrEnum):
    """NOT_CHECKED: it could not be: its session is in another language, a file cannot be read, there is no note."""

    CHECKED = "checked"
    IN_PART = "checked in part"
    NOT_CHECKED = "not checked"
    WAITING = "waiting"


@dataclass(frozen=True, slots=True)
class NoteRow:
    """``shares`` are the three scores in the order of ``DIMENSIONS`` (0..1; None: not judged), ``sections`` the same a
    section. ``missing`` and ``judged`` are ids of checklist items, ``mandatory`` those of ``missing`` that a note must
    hold. ``wrong`` has "verdict harm section" of each claim that the session contradicts or does not say.
    ``open_risks`` are the kinds of danger that came up and that the note does not address, ``risks`` how many came up.
    ``state``: a note that was not checked has nothing but its name and ``problem``, counts in no figure, and stands
    first. ``number``: its place in the set, from 1, the same in every table; 0 where there is no set.
    ``copied``: the share of its sentences that stand in the client's earlier notes; None where there were none.
    ``goals``: how many the client's treatment plan has, to how many the note speaks for certain, and to how many more
    perhaps, as the quick check guesses; None without a plan.
    ``session``: the transcript's hash. ``month`` as 2026-03; empty where unknown, as are ``clinician``, ``source`` and
    the ``checklist`` (name and version) that it was judged by. ``columns``: what its line of a list said besides.
    """

    id: str
    clinician: str = ""
    source: str = ""
    month: str = ""
    session: str = ""
    judge: str = ""
    shares: tuple[float | None, ...] = (None, None, None)
    sections: Mapping[str, tuple[float | None, ...]] | None = None
    missing: tuple[str, ...] = ()
    mandatory: tuple[str, ...] = ()
    judged: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()
    open_risks: tuple[str, ...] = ()
    risks: int = 0
    tokens: int = 0
    cost: float | None = None
    seconds: float = 0.0
    complete: bool = True
    state: NoteState = NoteState.CHECKED
    problem: str = ""
    number: int = 0
    checklist: str = ""
    copied: float | None = None
    goals: tuple[int, int, int] | None = None
    columns: Mapping[str, str] | None = None

    @property
    def checked(self) -> bool:
        return self.state in (NoteState.CHECKED, NoteState.IN_PART)


def urgency(row: NoteRow) -> int:
    """What could not be checked first, then open risks, then mandatory items not found, then claims that are not
    supported; what still waits, last."""
    if not row.checked:
        return _FIRST if row.state is NoteState.NOT_CHECKED else -1
    return len(row.open_risks) * 1_000_000 + len(row.mandatory) * 1_000 + len(row.wrong)


def middle(rows: list[NoteRow] | tuple[NoteRow, ...], dimension: int) -> float | None:
    """The mean of the notes in which it was judged; None where there is none."""
    known = [share for row in rows if (share := row.shares[dimension]) is not None]
    return fmean(known) if known else None


def grouped(rows: tuple[NoteRow, ...], by: str) -> dict[str, list[NoteRow]]:
    """By a field of text, in its order; rows without one are left out."""
    groups: dict[str, list[NoteRow]] = {}
    for row in rows:
        if name := getattr(row, by):
            groups.setdefault(name, []).append(row)
    return dict(sorted(groups.items()))


def aliases(names: list[str] | tuple[str, ...]) -> dict[str, str]:
    """Clinician 1, Clinician 2 … in the order of the names, so that a clinician is the same in every figure."""
    return {name: f"Clinician {number}" for number, name in enumerate(sorted({*names} - {""}), start=1)}
