"""What is known of a client besides the session at hand: earlier notes, the treatment plan, whose notes are about."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.plan import TreatmentPlan


@dataclass(frozen=True, slots=True)
class EarlierNote:
    """A note of the same client before this one; ``label`` is its user's own. ``day`` is None where nobody knows."""

    note: Note
    day: date | None = None
    label: str = ""


@dataclass(frozen=True, slots=True)
class Background:
    """``earlier``: latest first; ``looked_for``: where there is none, there is none in the place that was looked in.
    ``same_day``: of this note's day, one of them perhaps this note in another version. ``others``: names of other
    clients, as the library has them. ``today``: None where nobody asks whether a date lies ahead. ``templates``:
    sentences that are the practice's own and not copied, as ``silencing.template`` calls them. ``warnings``: what could
    not be compared, and why."""

    earlier: tuple[EarlierNote, ...] = ()
    same_day: tuple[EarlierNote, ...] = ()
    others: tuple[str, ...] = ()
    today: date | None = None
    plan: TreatmentPlan | None = None
    templates: tuple[str, ...] = ()
    looked_for: bool = False
    warnings: tuple[str, ...] = ()
