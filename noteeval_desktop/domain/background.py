"""What is known of a client besides the session at hand: earlier notes, the treatment plan, whose notes are about."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.plan import TreatmentPlan


class Visit(StrEnum):
    ANY = "any"
    FIRST = "first"
    LATER = "later"


@dataclass(frozen=True, slots=True)
class EarlierNote:
    """A note of the same client before this one; ``label`` is its user's own. ``day`` is None where nobody knows."""

    note: Note
    day: date | None = None
    label: str = ""


@dataclass(frozen=True, slots=True)
class Background:
    """``earlier``: latest first. ``same_day``: of this note's day, one of them perhaps this note in another
    version. ``visit``: which of the client's it is; ANY where nobody looked for earlier notes. ``others``: names of
    other clients, as the library has them. ``today``: None where nobody asks whether a date lies ahead.
    ``templates``: sentences that are the practice's own and not copied, as ``silencing.template`` calls them.
    ``warnings``: what could not be compared, and why."""

    earlier: tuple[EarlierNote, ...] = ()
    same_day: tuple[EarlierNote, ...] = ()
    visit: Visit = Visit.ANY
    others: tuple[str, ...] = ()
    today: date | None = None
    plan: TreatmentPlan | None = None
    templates: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
