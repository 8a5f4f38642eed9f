"""How far a judge agrees with people, a part of the scorecard at a time, and what may be said of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from noteeval_desktop.domain.evaluation import JudgeIdentity

FEWEST_OF_A_KIND, FEWEST_PLACES = 20, 30
_STRONG, _MODERATE = (0.6, 0.4), (0.4, 0.2)


class Level(StrEnum):
    STRONG = "strong"
    MODERATE = "moderate"
    WEAK = "weak"
    UNKNOWN = "not known"


@dataclass(frozen=True, slots=True)
class Agreement:
    """Krippendorff's alpha of the judge with each person over ``n`` places, with its 95 % interval; None where
    undefined. ``therapists``: alpha of the people with each other. ``rarer``: how many of the people's answers were of
    the rarer kind, None where not counted."""

    n: int
    alpha: float | None
    low: float | None
    high: float | None
    therapists: float | None = None
    rarer: int | None = None

    @property
    def level(self) -> Level:
        """Strong from alpha 0.6 (and at least 0.4 at the interval's lower end), moderate from 0.4 (0.2). Not known
        where there are too few places, or too few answers of one kind, to tell agreement from luck."""
        few = self.n < FEWEST_PLACES or (self.rarer is not None and self.rarer < FEWEST_OF_A_KIND)
        if few or self.alpha is None or self.low is None:
            return Level.UNKNOWN
        if self.alpha >= _STRONG[0] and self.low >= _STRONG[1]:
            return Level.STRONG
        return Level.MODERATE if self.alpha >= _MODERATE[0] and self.low >= _MODERATE[1] else Level.WEAK


Part = tuple[str, str]
"""Dimension, and an id of the checklist or a section; empty for all of it."""


@dataclass(frozen=True, slots=True)
class Noticed:
    """What a judge makes of notes that were made worse on purpose. ``kinds``: of error, how many sentences were made
    wrong so and the share that it called wrong; ``alarms``: the same of true sentences. ``version``: of the judge."""

    data: str
    version: str
    kinds: tuple[tuple[str, int, float | None], ...]
    alarms: tuple[int, float | None]


@dataclass(frozen=True, slots=True)
class Trust:
    """``kind`` of judge; every one of ``names`` stands in the model's name. ``data``: what the figures rest on."""

    kind: str
    names: tuple[str, ...]
    data: str
    parts: Mapping[Part, Agreement]
    noticed: tuple[Noticed, ...] = ()

    def is_of(self, judge: JudgeIdentity) -> bool:
        model = judge.model.casefold()
        kinds = ("local", "remote") if self.kind == "llm" else (self.kind,)
        return judge.kind in kinds and all(name in model for name in self.names)


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a judge of this ``version``: from published data, and from this practice's own reviews."""

    shipped: Trust | None = None
    own: Trust | None = None
    version: str = ""

    def level(self, part: Part) -> Level:
        """Of the published data; of the practice's own reviews where those say nothing."""
        found = (trust.parts[part].level for trust in (self.shipped, self.own) if trust and part in trust.parts)
        return next((level for level in found if level is not Level.UNKNOWN), Level.UNKNOWN)

    def agreements(self, part: Part) -> tuple[tuple[Trust, Agreement], ...]:
        return tuple((t, t.parts[part]) for t in (self.shipped, self.own) if t is not None and part in t.parts)


def known_of(judge: JudgeIdentity, shipped: Sequence[Trust], own: Sequence[Trust] = ()) -> Known:
    def first(trusts: Sequence[Trust]) -> Trust | None:
        return next((trust for trust in trusts if trust.is_of(judge)), None)

    return Known(first(shipped), first(own), judge.version)
