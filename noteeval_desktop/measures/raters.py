"""Agreement between two or more raters, with intervals from resampling whole cases.

Sources: Krippendorff, Content Analysis (2018), chapter 12 (alpha; nominal, ordinal and interval differences);
Cohen (1960); Fleiss (1971); Efron and Tibshirani (1993), chapter 13 (percentile intervals). Every figure comes from
counts that add up over cases, so that a resample of the cases is a sum and not a new pass over the ratings. Where a
figure is undefined it is None, never 0.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Level(StrEnum):
    NOMINAL = "nominal"
    ORDINAL = "ordinal"
    INTERVAL = "interval"


@dataclass(frozen=True, slots=True)
class Thing:
    """Something that was rated: one value a rater, None where not rated. ``cluster`` is what it was drawn with.

    Values are numbers, or anything that compares equal when it is the same (nominal only).
    """

    cluster: str
    values: tuple[Hashable | None, ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure with its 95 % interval; None where undefined."""

    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Agreement:
    """``raw`` is the share of pairs of ratings that are equal; ``cohen`` is None but for two raters.

    ``cohen`` and ``fleiss`` are over the things that every rater rated, ``raw`` and ``alpha`` over those with two
    ratings or more (``things`` of them).
    """

    things: int
    raters: int
    level: Level
    raw: Figure
    cohen: Figure
    fleiss: Figure
    alpha: Figure


def agree(things: Sequence[Thing], level: Level = Level.NOMINAL, *, rounds: int = 1000, seed: int = 0) -> Agreement:
    """Raises ValueError where things have different numbers of raters."""
    raters = {len(thing.values) for thing in things}
    if len(raters) > 1:
        raise ValueError("every thing needs one entry a rater")
    count = raters.pop() if raters else 0
    counts = _count(things, count)
    weights = _resamples(len(counts.pairs), rounds, seed)
    alpha = _alpha(np.tensordot(weights, counts.pairs, 1), counts.values, level)
    return Agreement(
        things=counts.things,
        raters=count,
        level=level,
        raw=_figure(_raw(np.tensordot(weights, counts.agreeing, 1))),
        cohen=_figure(_cohen(np.tensordot(weights, counts.table, 1)) if count == 2 else np.full(len(weights), np.nan)),
        fleiss=_figure(_fleiss(np.tensordot(weights, counts.full, 1), np.tensordot(weights, counts.totals, 1), count)),
        alpha=_figure(alpha),
    )


def alpha(things: Sequence[Thing]) -> float:
    """Krippendorff's, for nominal data, not rounded; nan where undefined."""
    counts = _count(things, len(things[0].values) if things else 0)
    return float(_alpha(counts.pairs.sum(0)[None], counts.values, Level.NOMINAL)[0])


def cohen(things: Sequence[Thing]) -> float:
    """Cohen's kappa of two raters, not rounded; nan where undefined."""
    return float(_cohen(_count(things, 2).table.sum(0)[None])[0])


@dataclass(frozen=True, slots=True)
class _Counts:
    """Sums per cluster (first axis). ``values``: the ratings' numbers in order, or their ranks where none."""

    things: int
    values: Floats
    pairs: Floats  # (clusters, k, k): Krippendorff's coincidences
    agreeing: Floats  # (clusters, 2): pairs of equal ratings, pairs
    table: Floats  # (clusters, k, k): the first rater's value by the second's
    full: Floats  # (clusters, 2): Fleiss' sum of agreement, things rated by all
    totals: Floats  # (clusters, k): ratings by value, over things rated by all


def _count(things: Sequence[Thing], raters: int) -> _Counts:
    values = sorted({v for thing in things for v in thing.values if v is not None}, key=_order)
    code = {value: index for index, value in enumerate(values)}
    place = {cluster: index for index, cluster in enumerate(dict.fromkeys(thing.cluster for thing in things))}
    c, k = len(place), len(code)
    pairs, table = np.zeros((c, k, k)), np.zeros((c, k, k))
    agreeing, full, totals = np.zeros((c, 2)), np.zeros((c, 2)), np.zeros((c, k))
    rated = 0
    for thing in things:
        at = place[thing.cluster]
        given = [code[value] for value in thing.values if value is not None]
        if len(given) < 2:
            continue
        rated += 1
        m = len(given)
        counts = np.bincount(given, minlength=k).astype(float)
        pairs[at] += (np.outer(counts, counts) - np.diag(counts)) / (m - 1)
        equal = float((counts * (counts - 1)).sum()) / 2
        agreeing[at] += (equal, m * (m - 1) / 2)
        if m == raters:
            table[at, given[0], given[1]] += 1
            full[at] += (equal / (m * (m - 1) / 2), 1)
            totals[at] += counts
    numbers = [float(v) if isinstance(v, int | float) else float(i) for i, v in enumerate(values)]
    return _Counts(rated, np.array(numbers), pairs, agreeing, table, full, totals)


def _order(value: Hashable) -> tuple[bool, float, str]:
    is_number = isinstance(value, int | float)
    return (not is_number, float(value) if isinstance(value, int | float) else 0.0, repr(value))


def _resamples(clusters: int, rounds: int, seed: int) -> Floats:
    """How often each cluster counts: once in the first row (the data), as drawn in the others."""
    random = np.random.default_rng(seed)
    drawn = random.multinomial(clusters, np.full(clusters, 1 / clusters), rounds) if clusters else np.zeros((0, 0))
    return np.concatenate([np.ones((1, clusters)), drawn]).astype(float)


def _figure(samples: Floats) -> Figure:
    known = samples[1:][~np.isnan(samples[1:])]
    low, high = np.quantile(known, [0.025, 0.975]) if len(known) else (np.nan, np.nan)
    return Figure(_plain(samples[0]), _plain(low), _plain(high))


def _plain(value: float) -> float | None:
    return None if np.isnan(value) else round(float(value), 4)


def _divided(top: Floats, bottom: Floats) -> Floats:
    result: Floats = np.divide(top, bottom, out=np.full(top.shape, np.nan), where=bottom > 1e-12)
    return result


def _raw(agreeing: Floats) -> Floats:
    return _divided(agreeing[:, 0], agreeing[:, 1])


def _alpha(pairs: Floats, values: Floats, level: Level) -> Floats:
    """1 - observed / expected difference, for each (k, k) of coincidences."""
    totals = pairs.sum(2)
    n = totals.sum(1)
    difference = _differences(totals, values, level)
    observed = (pairs * difference).sum((1, 2))
    expected = (totals[:, :, None] * totals[:, None, :] * difference).sum((1, 2))
    alpha: Floats = 1 - (n - 1) * _divided(observed, expected)
    return alpha


def _differences(totals: Floats, values: Floats, level: Level) -> Floats:
    """Squared differences between values, (samples, k, k); ordinal ones depend on how often each value was given."""
    k = len(values)
    if level is Level.NOMINAL:
        return np.broadcast_to(1 - np.eye(k), (len(totals), k, k))
    if level is Level.INTERVAL:
        return np.broadcast_to((values[:, None] - values[None, :]) ** 2, (len(totals), k, k))
    middles = np.cumsum(totals, axis=1) - totals / 2
    squared: Floats = (middles[:, :, None] - middles[:, None, :]) ** 2
    return squared


def _cohen(tables: Floats) -> Floats:
    n = tables.sum((1, 2))
    observed = _divided(np.trace(tables, axis1=1, axis2=2), n)
    expected = _divided((tables.sum(1) * tables.sum(2)).sum(1), n * n)
    return _divided(observed - expected, 1 - expected)


def _fleiss(full: Floats, totals: Floats, raters: int) -> Floats:
    if raters < 2:
        return np.full(len(full), np.nan)
    observed = _divided(full[:, 0], full[:, 1])
    shares = _divided(totals, np.broadcast_to(totals.sum(1, keepdims=True), totals.shape))
    expected = (shares**2).sum(1)
    return _divided(observed - expected, 1 - expected)
