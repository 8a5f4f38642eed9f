"""What is judged together: a session and the note about it."""

from __future__ import annotations

from dataclasses import dataclass, field

from noteeval_desktop.domain.background import Background
from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.plan import TreatmentPlan
from noteeval_desktop.domain.transcript import Transcript


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
