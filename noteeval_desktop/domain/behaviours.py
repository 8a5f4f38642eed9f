"""What a therapist does in a session, counted after motivational interviewing."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Behaviour(StrEnum):
    OPEN_QUESTION = "open question"
    CLOSED_QUESTION = "closed question"
    SIMPLE_REFLECTION = "simple reflection"
    COMPLEX_REFLECTION = "complex reflection"
    INPUT = "therapist input"


@dataclass(frozen=True, slots=True)
class MiCounts:
    """Counts over a session; ``talk_share`` is the therapist's share of all words (0..1).

    ``turns`` pairs a turn's index with what it does; a turn may do several things, or none.
    """

    counts: tuple[tuple[Behaviour, int], ...]
    talk_share: float | None
    turns: tuple[tuple[int, tuple[Behaviour, ...]], ...]

    def count(self, *behaviours: Behaviour) -> int:
        return sum(number for behaviour, number in self.counts if behaviour in behaviours)

    @property
    def reflections_to_questions(self) -> float | None:
        questions = self.count(Behaviour.OPEN_QUESTION, Behaviour.CLOSED_QUESTION)
        reflections = self.count(Behaviour.SIMPLE_REFLECTION, Behaviour.COMPLEX_REFLECTION)
        return reflections / questions if questions else None
