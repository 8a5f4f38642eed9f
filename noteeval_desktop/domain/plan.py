"""A client's treatment plan, and the golden thread: what of it a session and its note speak to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from noteeval_desktop.domain.text import Span


class GoalProgress(StrEnum):
    """How it goes with a goal, as a sentence says it."""

    BETTER = "better"
    SAME = "same"
    WORSE = "worse"
    MET = "met"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class PlanLine:
    """A goal, an objective or an intervention. ``id``: g1, g1.o2 (an objective of g1), i1; ``span`` in the plan's text,
    of which ``text`` is what stands there, its line breaks made spaces."""

    id: str
    text: str
    span: Span

    @property
    def goal(self) -> str:
        """The id of the goal that it belongs to; empty for an intervention."""
        return self.id.partition(".")[0] if self.id.startswith("g") else ""


@dataclass(frozen=True, slots=True)
class TreatmentPlan:
    """``lines``: each goal with its objectives behind it, then the interventions."""

    text: str
    lines: tuple[PlanLine, ...]

    @property
    def goals(self) -> tuple[PlanLine, ...]:
        return tuple(line for line in self.lines if line.goal == line.id)

    @property
    def interventions(self) -> tuple[PlanLine, ...]:
        return tuple(line for line in self.lines if not line.goal)


@dataclass(frozen=True, slots=True)
class PlanLink:
    """``place`` (a sentence's id, or a turn's index in digits) speaks to the plan's line ``line``. ``probability``:
    that a therapist would say so; None where a model or a person did, which alone is ``certain``."""

    place: str
    line: str
    progress: GoalProgress = GoalProgress.NONE
    probability: float | None = None

    @property
    def certain(self) -> bool:
        return self.probability is None


@dataclass(frozen=True, slots=True)
class Thread:
    """What the note's sentences and the session's turns speak to, in their order. ``read``: a model has read all of it,
    so that what nothing speaks to is left out; the quick check finds too little to say so."""

    plan: TreatmentPlan
    note: tuple[PlanLink, ...] = ()
    session: tuple[PlanLink, ...] = ()
    read: bool = False

    @property
    def untouched(self) -> tuple[PlanLine, ...]:
        """Goals to which nothing in the note speaks; none where nobody has read it for them."""
        touched = goals_in(self.note)
        return tuple(goal for goal in self.plan.goals if self.read and goal.id not in touched)

    @property
    def in_session_only(self) -> tuple[PlanLine, ...]:
        """Of the untouched goals those that the session speaks to."""
        heard = goals_in(self.session)
        return tuple(goal for goal in self.untouched if goal.id in heard)


def goals_in(links: Iterable[PlanLink]) -> frozenset[str]:
    """Ids of the goals that ``links`` lead to, by themselves or by an objective."""
    return frozenset(link.line.partition(".")[0] for link in links if link.line.startswith("g"))
