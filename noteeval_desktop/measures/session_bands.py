"""A session's responses beside those of AnnoMI's good and weak sessions, and beside the usual MI thresholds."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Sequence
from functools import cache
from statistics import mean

from noteeval_desktop import paths
from noteeval_desktop.domain.behaviours import Behaviour, MiCounts
from noteeval_desktop.domain.exchanges import Band, ScoredExchange
from noteeval_desktop.domain.verdicts import AFFECTIVE, COGNITIVE, Attribute

AFFECTIVE_MEAN, COGNITIVE_MEAN = "affective", "cognitive"
TO_QUESTIONS, COMPLEX, OPEN = "reflections_to_questions", "complex_reflections", "open_questions"
# Basic competence ("fair") and proficiency ("good"): Moyers, Manuel & Ernst, Motivational Interviewing Treatment
# Integrity coding manual 4.2.1 (2015), section on summary scores. Experts' opinion there, without norms. It has none
# for open questions: those are of MITI 3.1.1 (Moyers et al., 2010).
THRESHOLDS = {TO_QUESTIONS: (1.0, 2.0), COMPLEX: (0.4, 0.5), OPEN: (0.5, 0.7)}
_FEWEST = 3  # of what a share is taken: below that, one turn would move it across every band


def session_values(exchanges: Sequence[ScoredExchange], counts: MiCounts | None) -> dict[str, float]:
    """By measure, those that the session has enough of: two means over its exchanges (1..5), a ratio, two shares."""
    found = {}
    for name, attributes in ((AFFECTIVE_MEAN, AFFECTIVE), (COGNITIVE_MEAN, COGNITIVE)):
        means = [value for exchange in exchanges if (value := _mean(exchange, attributes)) is not None]
        if means:
            found[name] = mean(means)
    if counts is not None:
        opened, closed = counts.count(Behaviour.OPEN_QUESTION), counts.count(Behaviour.CLOSED_QUESTION)
        simple, complex_ = counts.count(Behaviour.SIMPLE_REFLECTION), counts.count(Behaviour.COMPLEX_REFLECTION)
        if opened + closed >= _FEWEST:
            found[TO_QUESTIONS] = (simple + complex_) / (opened + closed)
            found[OPEN] = opened / (opened + closed)
        if simple + complex_ >= _FEWEST:
            found[COMPLEX] = complex_ / (simple + complex_)
    return found


def bands_of(exchanges: Sequence[ScoredExchange], counts: MiCounts | None) -> tuple[Band, ...]:
    """None for a session in which an exchange is unsafe: it has no place among good ones."""
    if any(exchange.unsafe for exchange in exchanges):
        return ()
    table = _quantiles()
    return tuple(
        Band(
            name,
            value,
            share_at_or_below(table[name]["high"], value),
            share_at_or_below(table[name]["low"], value),
            *THRESHOLDS.get(name, (None, None)),
        )
        for name, value in session_values(exchanges, counts).items()
    )


def share_at_or_below(quantiles: Sequence[float], value: float) -> float:
    """0..1, of equally spaced quantiles from the lowest to the highest; between two of them in proportion."""
    place = bisect_right(quantiles, value)
    if place in (0, len(quantiles)):
        return float(bool(place))
    low, high = quantiles[place - 1], quantiles[place]
    return (place - 1 + (value - low) / (high - low)) / (len(quantiles) - 1)


def _mean(exchange: ScoredExchange, attributes: Sequence[Attribute]) -> float | None:
    scores = [score for attribute in attributes if (score := exchange.score(attribute)) is not None]
    return mean(scores) if len(scores) == len(attributes) else None


@cache
def _quantiles() -> dict[str, dict[str, list[float]]]:
    table: dict[str, dict[str, list[float]]] = json.loads(
        (paths.resources() / "response_bands.json").read_text(encoding="utf-8")
    )["quantiles"]
    return table
