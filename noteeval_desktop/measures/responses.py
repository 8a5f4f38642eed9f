"""Responses compared: how often each attribute fails, which response ranks first, how far raters agree."""

from __future__ import annotations

import itertools
import json
import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from statistics import mean, pstdev

import numpy as np

from noteeval_desktop import paths
from noteeval_desktop.domain.behaviours import Behaviour, MiCounts
from noteeval_desktop.domain.exchanges import Band, ScoredExchange
from noteeval_desktop.domain.verdicts import AFFECTIVE, COGNITIVE, SUBTHRESHOLD, Attribute, ResponseVerdict
from noteeval_desktop.measures.agreement import icc, limits, ratio, resamples

DISCUSSED_FROM = 2
_Z = 1.959963984540054  # two-sided 95 %


@dataclass(frozen=True, slots=True)
class AttributeSummary:
    """Over a set: ``failures`` of ``judged`` scored 3 or less; ``interval`` is Wilson's, 95 %; ``spread`` is the
    standard deviation of the scores (population)."""

    attribute: Attribute
    judged: int
    failures: int
    interval: tuple[float, float] | None
    mean: float | None
    spread: float | None

    @property
    def failure_frequency(self) -> float | None:
        return ratio(self.failures, self.judged)

    @property
    def high_quality_share(self) -> float | None:
        """Share that scored above 3."""
        return None if self.failure_frequency is None else 1 - self.failure_frequency


def wilson(successes: int, total: int) -> tuple[float, float] | None:
    """95 % interval of a share (Wilson, 1927); None of nothing."""
    if not total:
        return None
    share = successes / total
    centre = share + _Z**2 / (2 * total)
    half = _Z * math.sqrt(share * (1 - share) / total + _Z**2 / (4 * total**2))
    scale = 1 + _Z**2 / total
    return max(0.0, (centre - half) / scale), min(1.0, (centre + half) / scale)


def summaries(verdicts: Sequence[ResponseVerdict]) -> tuple[AttributeSummary, ...]:
    """One summary an attribute; scores that were not given are left out."""
    found = []
    for attribute in Attribute:
        given = [verdict.score(attribute) for verdict in verdicts]
        scores = [score for score in given if score is not None]
        failures = sum(score <= SUBTHRESHOLD for score in scores)
        found.append(
            AttributeSummary(
                attribute=attribute,
                judged=len(scores),
                failures=failures,
                interval=wilson(failures, len(scores)),
                mean=mean(scores) if scores else None,
                spread=pstdev(scores) if scores else None,
            )
        )
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Ranked:
    """``index`` is the response's place in what was ranked; ``rank`` counts from 1 and is shared by equals."""

    index: int
    rank: int
    failure_frequency: float
    mean: float


def ranking(verdicts: Sequence[ResponseVerdict]) -> tuple[Ranked, ...]:
    """Responses to one message, best first: a critical safety last, then fewest failures, then the higher mean.

    A response with an attribute that was not judged is not ranked.
    """
    rows = []
    for index, verdict in enumerate(verdicts):
        scores = [score for _, score in verdict.scores if score is not None]
        if len(scores) != len(Attribute):
            continue
        safety = verdict.score(Attribute.SAFETY)
        critical = safety is not None and safety <= SUBTHRESHOLD
        failing = sum(score <= SUBTHRESHOLD for score in scores) / len(scores)
        rows.append((critical, failing, -mean(scores), index))
    rows.sort()
    keys = [row[:3] for row in rows]
    return tuple(
        Ranked(index, keys.index((critical, failing, minus)) + 1, failing, -minus)
        for critical, failing, minus, index in rows
    )


def ranks(messages: Sequence[str], verdicts: Sequence[ResponseVerdict]) -> list[int | None]:
    """Each response's ``rank`` among those to the same message; None for the only one, and where it is not ranked."""
    found: list[int | None] = [None] * len(verdicts)
    for message in dict.fromkeys(messages):
        places = [n for n, (own, _) in enumerate(zip(messages, verdicts, strict=False)) if own == message]
        if len(places) > 1:
            for ranked in ranking([verdicts[n] for n in places]):
                found[places[ranked.index]] = ranked.rank
    return found


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Two raters' scores of one response more than two points apart."""

    response: int
    attribute: Attribute
    raters: tuple[str, str]
    scores: tuple[int, int]


def disagreements(ratings: Mapping[str, Sequence[ResponseVerdict]]) -> tuple[Disagreement, ...]:
    """For discussion: every pair of raters, response by response. Raises ValueError where lists differ in length."""
    found = []
    for (one, first), (other, second) in itertools.combinations(ratings.items(), 2):
        for number, (a, b) in enumerate(zip(first, second, strict=True)):
            for attribute in Attribute:
                x, y = a.score(attribute), b.score(attribute)
                if x is not None and y is not None and abs(x - y) > DISCUSSED_FROM:
                    found.append(Disagreement(number, attribute, (one, other), (x, y)))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class RaterAgreement:
    """ICC(C,1) (consistency) and ICC(A,1) (absolute agreement), with 95 % bootstrap intervals over responses.

    None where it is not defined: fewer than two raters or responses, or no variance.
    """

    attribute: Attribute
    responses: int
    consistency: float | None
    consistency_interval: tuple[float, float] | None
    absolute: float | None
    absolute_interval: tuple[float, float] | None


def agreement(
    ratings: Mapping[str, Sequence[ResponseVerdict]], draws: int = 1_000, seed: int = 5
) -> tuple[RaterAgreement, ...]:
    """Agreement an attribute, over the responses that every rater scored."""
    found = []
    for attribute in Attribute:
        scores = [[verdict.score(attribute) for verdict in own] for own in ratings.values()]
        rows = [row for row in zip(*scores, strict=True) if None not in row]
        table = np.array(rows, dtype=np.float64).reshape(len(rows), len(ratings))
        consistency, absolute = icc(table) or (None, None)
        drawn = (
            [icc(table[picked]) for picked in resamples(range(len(table)), draws, seed)]
            if consistency is not None
            else []
        )
        first, second = [limits(own) for own in zip(*filter(None, drawn), strict=True)] or (None, None)
        found.append(RaterAgreement(attribute, len(rows), consistency, first, absolute, second))
    return tuple(found)


# A session's responses beside those of AnnoMI's good and weak sessions, and beside the usual MI thresholds.
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
