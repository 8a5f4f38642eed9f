"""What is judged together: a session and the note about it."""

from __future__ import annotations

from dataclasses import dataclass

from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.transcript import Transcript


@dataclass(frozen=True, slots=True)
class Case:
    transcript: Transcript
    note: Note
    label: str = ""

    @property
    def warnings(self) -> tuple[str, ...]:
        return self.transcript.warnings + self.note.warnings
