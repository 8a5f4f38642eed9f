"""What is judged together: a session and the note about it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum

from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.plan import TreatmentPlan
from noteeval_desktop.domain.transcript import Transcript


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


@dataclass(frozen=True, slots=True)
class Case:
    """``right_session``: somebody said that the session is the note's, however little of it the session holds.
    ``background``: what else is known of the client; None where nobody gave any, and what asks for it is not asked."""

    transcript: Transcript
    note: Note
    label: str = ""
    right_session: bool = field(default=False, compare=False)
    background: Background | None = field(default=None, compare=False)

    @property
    def plan(self) -> TreatmentPlan | None:
        return self.background.plan if self.background is not None else None

    @property
    def plan_texts(self) -> tuple[str, ...]:
        return tuple(line.text for line in self.plan.lines) if self.plan is not None else ()

    @property
    def warnings(self) -> tuple[str, ...]:
        told = self.background.warnings if self.background else ()
        return self.transcript.warnings + self.note.warnings + told
