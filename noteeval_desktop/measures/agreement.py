"""Agreement between raters and correlation between scores, with 95 % intervals from resampling whole clusters.

Sources: Krippendorff, Content Analysis (2018), chapter 12 (alpha; nominal, ordinal and interval differences);
Cohen (1960, with weights 1968); Fleiss (1971); McGraw and Wong (1996, ICC); Efron and Tibshirani (1993), chapter 13
(percentile intervals). Agreement comes from counts that add up over clusters, so that a resample is a sum and not a new
pass over the ratings. Where a figure is undefined (no variance, one class only, nothing to compare) it is nan, and None
in what is shown, never 0.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import fmean
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Statistic = Callable[[Floats, Floats], float]
ROUNDS = 1000


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with the limits of its interval; nan where undefined."""

    value: float
    low: float
    high: float


def pearson(a: ArrayLike, b: ArrayLike) -> float:
    """Pearson's r of two equally long series; nan under two values or without variance."""
    x, y = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    if len(x) < 2 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return float("nan")
    return float(np.corrcoef(x, y)[0, 1])


def auc(labels: ArrayLike, scores: ArrayLike, weights: ArrayLike | None = None) -> float:
    """Area under the ROC curve of ``scores`` for 0/1 ``labels``; ties count half; nan with one class only.

    With ``labels`` as shares (0..1) each case counts as ``label`` positive and ``1 - label`` negative.
    """
    y, s = np.asarray(labels, dtype=float), np.asarray(scores, dtype=float)
    w = np.ones_like(y) if weights is None else np.asarray(weights, dtype=float)
    positive, negative = w * y, w * (1 - y)
    if positive.sum() == 0 or negative.sum() == 0:
        return float("nan")
    _, rank = np.unique(s, return_inverse=True)
    per_rank_positive = np.bincount(rank, positive)
    per_rank_negative = np.bincount(rank, negative)
    below = np.cumsum(per_rank_negative) - per_rank_negative
    wins = float((per_rank_positive * (below + per_rank_negative / 2)).sum())
    return wins / float(positive.sum() * negative.sum())


def resamples(
    clusters: Iterable[Hashable], rounds: int = ROUNDS, seed: int = 0, strata: Iterable[Hashable] | None = None
) -> Iterator[NDArray[np.int64]]:
    """Each time as many whole ``clusters`` as there are, of each of the ``strata`` (by default one), drawn with
    replacement: the places of their members."""
    members: dict[Hashable, dict[Hashable, list[int]]] = {}
    of = itertools.repeat("") if strata is None else strata
    for index, (cluster, stratum) in enumerate(zip(clusters, of, strict=False)):
        members.setdefault(stratum, {}).setdefault(cluster, []).append(index)
    groups = [[np.array(places) for places in own.values()] for own in members.values()]
    random = np.random.default_rng(seed)
    for _ in range(rounds if groups else 0):
        yield np.concatenate([own[i] for own in groups for i in random.integers(0, len(own), len(own))])


def limits(values: Iterable[float]) -> tuple[float, float]:
    """The middle 95 % of the values that are defined; nan where none is."""
    known = [value for value in values if not np.isnan(value)]
    low, high = np.quantile(known, [0.025, 0.975]) if known else (np.nan, np.nan)
    return float(low), float(high)


def bootstrap(
    statistic: Statistic,
    a: ArrayLike,
    b: ArrayLike,
    clusters: Iterable[Hashable],
    *,
    rounds: int = ROUNDS,
    seed: int = 0,
    strata: Iterable[Hashable] | None = None,
) -> Estimate:
    """``statistic(a, b)`` with a percentile interval from ``resamples`` (one label a value)."""
    x, y = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    drawn = (statistic(x[picked], y[picked]) for picked in resamples(clusters, rounds, seed, strata))
    return Estimate(statistic(x, y), *limits(drawn))


def mean_interval(
    values: ArrayLike, clusters: Sequence[Hashable] | None = None, *, rounds: int = ROUNDS, seed: int = 0
) -> list[float] | None:
    """The 95 % interval of the mean, over whole ``clusters`` (by default single values); None for fewer than two."""
    own = np.asarray(values, dtype=float)
    if (len(own) if clusters is None else len(set(clusters))) < 2:
        return None
    if clusters is None:
        return list(limits(_means(own, rounds, seed)))
    return list(limits(float(own[picked].mean()) for picked in resamples(clusters, rounds, seed)))


def _means(own: NDArray[np.float64], rounds: int, seed: int) -> Iterator[float]:
    """The very numbers of ``resamples`` over single values, which one at a time take 15 times as long."""
    random, at_once = np.random.default_rng(seed), 1 + 1_000_000 // len(own)
    for begun in range(0, rounds, at_once):
        yield from own[random.integers(0, len(own), (min(at_once, rounds - begun), len(own)))].mean(axis=1)


def ratio(part: float, whole: float) -> float | None:
    """None of nothing."""
    return part / whole if whole else None


def known_mean(values: Iterable[float | None]) -> float | None:
    """Over those that are known; None where none is."""
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def known_means(rows: Sequence[Mapping[str, float | None]]) -> dict[str, float | None]:
    """Of each figure of the first row the mean over the rows that have it, None where none has."""
    return {name: known_mean(row[name] for row in rows) for name in (rows[0] if rows else ())}


def share(hits: Sequence[tuple[Hashable, float]]) -> dict[str, Any]:
    """Of (cluster, hit): ``share``, the mean of the hits (None of nothing), ``of`` how many, ``interval``: its 95 %
    interval from whole clusters (None where there is one only)."""
    values, clusters = [float(hit) for _, hit in hits], [cluster for cluster, _ in hits]
    mean = float(np.mean(values)) if values else None
    return {"share": mean, "of": len(values), "interval": mean_interval(values, clusters)}


@dataclass(frozen=True, slots=True)
class Difference:
    """Means ``a`` and ``b`` over ``n`` pairs, ``mean`` of b − a, with its 95 % interval; None below two pairs.

    ``effect``: the mean in standard deviations of the differences (Cohen's d of paired values; None without variance).
    ``p``: two-sided, by ``permutation_p``.
    """

    n: int
    a: float | None
    b: float | None
    mean: float | None
    low: float | None
    high: float | None
    effect: float | None = None
    p: float | None = None


def difference(
    a: Sequence[float | None],
    b: Sequence[float | None],
    clusters: Sequence[Hashable] | None = None,
    *,
    seed: int = 0,
) -> Difference:
    """Of two sets of notes of the same sessions, over the pairs in which both are known; ``a`` and ``b`` are of one
    length. Pairs are drawn, not notes: what makes a session hard stays in both. ``clusters``: what pairs are drawn
    with, by default each alone."""
    labels: Sequence[Hashable] = range(len(a)) if clusters is None else clusters
    known = [(x, y, one) for x, y, one in zip(a, b, labels, strict=True) if x is not None and y is not None]
    if not known:
        return Difference(0, None, None, None, None, None)
    first, second = np.array([pair[:2] for pair in known], dtype=float).T
    gaps, own = second - first, [label for *_, label in known]
    low, high = mean_interval(gaps, own, rounds=2 * ROUNDS, seed=seed) or (None, None)
    spread = float(gaps.std(ddof=1)) if len(gaps) > 1 else 0.0
    effect = float(gaps.mean()) / spread if spread > 1e-12 else None
    p = permutation_p(gaps, own, seed=seed) if len(set(own)) > 1 else None
    return Difference(len(gaps), float(first.mean()), float(second.mean()), float(gaps.mean()), low, high, effect, p)


def permutation_p(gaps: ArrayLike, clusters: Iterable[Hashable], *, rounds: int = 10_000, seed: int = 0) -> float:
    """How often paired differences add up to as much, either way, when the signs of whole ``clusters`` are flipped
    (Fisher, The Design of Experiments, 1935, section 21): all flips where there are at most ``rounds`` of them, else so
    many drawn, with the data as one of them (Phipson and Smyth 2010), so that it is never 0."""
    _, place = np.unique(np.array([repr(one) for one in clusters]), return_inverse=True)
    sums = np.bincount(place, np.asarray(gaps, dtype=float))
    exact = 2 ** min(len(sums), 60) <= rounds
    random, count = np.random.default_rng(seed), 2 ** len(sums) if exact else rounds
    extreme = 0 if exact else 1
    for begin in range(0, count, 1000):
        drawn = np.arange(begin, min(begin + 1000, count))
        up = drawn[:, None] >> np.arange(len(sums)) & 1 if exact else random.integers(0, 2, (len(drawn), len(sums)))
        extreme += int((np.abs((2 * up - 1) @ sums) >= abs(sums.sum()) - 1e-9).sum())
    return extreme / (count if exact else count + 1)


def holm(values: Sequence[float | None]) -> list[float | None]:
    """p-values that hold for all together (Holm 1979), in the same order; None stays None and counts for nothing."""
    order = sorted((p, place) for place, p in enumerate(values) if p is not None)
    adjusted: list[float | None] = [None] * len(values)
    least = 0.0
    for rank, (p, place) in enumerate(order):
        least = adjusted[place] = max(least, min(1.0, (len(order) - rank) * p))
    return adjusted


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """What was said (``predicted``) and what was so (``observed``) among ``count`` cases."""

    predicted: float
    observed: float
    count: int


def reliability(labels: ArrayLike, probabilities: ArrayLike, bins: int = 10) -> tuple[ReliabilityBin, ...]:
    """The reliability curve over equally wide bins of probability; empty bins are left out. Labels may be shares."""
    y, p = np.asarray(labels, dtype=float), np.asarray(probabilities, dtype=float)
    which = np.minimum((p * bins).astype(int), bins - 1)
    return tuple(
        ReliabilityBin(float(p[which == k].mean()), float(y[which == k].mean()), int((which == k).sum()))
        for k in range(bins)
        if (which == k).any()
    )


def calibration_error(labels: ArrayLike, probabilities: ArrayLike, bins: int = 10) -> float:
    """Expected calibration error: mean |predicted - observed| over ``reliability``'s bins, weighted by their counts."""
    curve = reliability(labels, probabilities, bins)
    total = sum(part.count for part in curve)
    return sum(part.count * abs(part.predicted - part.observed) for part in curve) / total if total else float("nan")


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
    """An ``Estimate`` as it is shown: rounded, None where undefined."""

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


def agree(things: Sequence[Thing], level: Level = Level.NOMINAL, *, rounds: int = ROUNDS, seed: int = 0) -> Agreement:
    """Raises ValueError where things have different numbers of raters."""
    raters = {len(thing.values) for thing in things}
    if len(raters) > 1:
        raise ValueError("every thing needs one entry a rater")
    count = raters.pop() if raters else 0
    counts = _count(things, count)
    weights = cluster_weights(len(counts.pairs), rounds, seed)
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


def krippendorff_alpha(ratings: Sequence[Sequence[Hashable | None]]) -> float:
    """Krippendorff's alpha for nominal data, not rounded. ``ratings[rater][thing]``; None: not rated.

    Things with fewer than two ratings are left out; nan when only one value was ever given.
    """
    counts = _count([Thing("", unit) for unit in zip(*ratings, strict=True)], len(ratings))
    return float(_alpha(counts.pairs.sum(0)[None], counts.values, Level.NOMINAL)[0])


def cohen_kappa(a: Sequence[Hashable], b: Sequence[Hashable]) -> float:
    """Cohen's kappa of two raters over the same things, not rounded; nan when chance agreement is total."""
    return float(_cohen(_count([Thing("", pair) for pair in zip(a, b, strict=True)], 2).table.sum(0)[None])[0])


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


def cluster_weights(clusters: int, rounds: int = ROUNDS, seed: int = 0) -> Floats:
    """How often each of so many clusters counts: once in the first row (the data), as drawn in the others."""
    random = np.random.default_rng(seed)
    drawn = random.multinomial(clusters, np.full(clusters, 1 / clusters), rounds) if clusters else np.zeros((0, 0))
    return np.concatenate([np.ones((1, clusters)), drawn]).astype(float)


def _figure(samples: Floats) -> Figure:
    low, high = limits(samples[1:])
    return Figure(plain(samples[0]), plain(low), plain(high))


def plain(value: float) -> float | None:
    """To four places; None for nan."""
    return None if np.isnan(value) else round(float(value), 4)


def icc(table: Floats) -> tuple[float, float] | None:
    """ICC(C,1) and ICC(A,1) of (things, raters), two-way (McGraw & Wong, 1996); None where undefined."""
    n, k = table.shape
    if n < 2 or k < 2:
        return None
    grand = table.mean()
    rows = k * float(((table.mean(axis=1) - grand) ** 2).sum()) / (n - 1)
    columns = n * float(((table.mean(axis=0) - grand) ** 2).sum()) / (k - 1)
    rest = table - table.mean(axis=1, keepdims=True) - table.mean(axis=0, keepdims=True) + grand
    error = float((rest**2).sum()) / ((n - 1) * (k - 1))
    consistency = rows + (k - 1) * error
    absolute = consistency + k * (columns - error) / n
    if consistency <= 1e-12 or absolute <= 1e-12:
        return None
    return (rows - error) / consistency, (rows - error) / absolute


FIGURES = (
    *("raw", "cohen", "cohen_linear", "cohen_quadratic", "fleiss"),
    *("alpha_nominal", "alpha_ordinal", "alpha_interval", "icc_absolute", "icc_consistency", "mse", "f1"),
)
# Of tables of one value by another, over clusters or resamples: 320 MB.
_MOST_CELLS = 40_000_000


def rating_figures(
    things: Sequence[Thing], tolerance: float = 0.0, *, rounds: int = ROUNDS, seed: int = 0
) -> dict[str, Figure]:
    """``FIGURES``, with intervals from resampling clusters; what takes numbers is None where a value is none, and what
    takes a table of the values where there are too many different ones.

    ``cohen`` (without weights, with linear and quadratic ones), ``mse`` (mean squared difference) and ``f1`` are means
    over the pairs of raters, each over the things that both rated. ``f1`` takes one rater's values as found where the
    other's are at most ``tolerance`` away: 2 × found / the ratings of both. ``icc_*`` are ICC(A,1) and ICC(C,1) over
    the things that every rater rated; ``raw``, ``fleiss`` and ``alpha_*`` as in ``Agreement``. Raises ValueError as
    ``agree`` does.
    """
    raters = {len(thing.values) for thing in things}
    if len(raters) > 1:
        raise ValueError("every thing needs one entry a rater")
    count = raters.pop() if raters else 0
    given = {value for thing in things for value in thing.values if value is not None}
    numeric = all(isinstance(value, int | float) for value in given)
    place = {cluster: index for index, cluster in enumerate(dict.fromkeys(thing.cluster for thing in things))}
    weights = cluster_weights(len(place), rounds, seed)
    found: dict[str, Floats] = {}
    if len(given) ** 2 * max(len(weights), len(place)) <= _MOST_CELLS:
        found = _of_values(things, count, weights, numeric)
    if numeric and count > 1:
        rated = np.array([[np.nan if v is None else v for v in thing.values] for thing in things], dtype=float)
        found |= _of_numbers(rated, np.array([place[thing.cluster] for thing in things]), weights, tolerance)
    undefined = np.full(len(weights), np.nan)
    return {name: _figure(found.get(name, undefined)) for name in FIGURES}


def _of_values(things: Sequence[Thing], raters: int, weights: Floats, numeric: bool) -> dict[str, Floats]:
    """What compares each value with each, for each row of weights of the clusters."""
    counts = _count(things, raters)
    pairs = np.tensordot(weights, counts.pairs, 1)
    kappas: dict[str, list[Floats]] = {}
    for a, b in itertools.combinations(range(raters), 2):
        two = _count([Thing(thing.cluster, (thing.values[a], thing.values[b])) for thing in things], 2)
        tables, gap = np.tensordot(weights, two.table, 1), np.abs(two.values[:, None] - two.values[None, :])
        kappas.setdefault("cohen", []).append(_cohen(tables))
        if numeric:
            kappas.setdefault("cohen_linear", []).append(_cohen(tables, gap))
            kappas.setdefault("cohen_quadratic", []).append(_cohen(tables, gap**2))
    levels = (Level.NOMINAL, Level.ORDINAL) if numeric else (Level.NOMINAL,)
    return {
        "raw": _raw(weights @ counts.agreeing),
        "fleiss": _fleiss(weights @ counts.full, weights @ counts.totals, raters),
        **{f"alpha_{level}": _alpha(pairs, counts.values, level) for level in levels},
        **{name: _mean_known(own) for name, own in kappas.items()},
    }


def _of_numbers(rated: Floats, at: NDArray[np.int64], weights: Floats, tolerance: float) -> dict[str, Floats]:
    """``rated``: (things, raters), nan where not rated; ``at``: each thing's cluster."""

    def summed(values: Floats) -> Floats:
        """Over the things, as each row of weights counts them."""
        return weights @ np.bincount(at, values, weights.shape[1])

    known = ~np.isnan(rated)
    m, total, squares = known.sum(1), np.nansum(rated, 1), np.nansum(rated**2, 1)
    paired = m > 1  # Krippendorff's alpha is over what can be paired
    n, all_values, all_squares = (summed(np.where(paired, own, 0.0)) for own in (m, total, squares))
    observed = summed(np.where(paired, 2 * (m * squares - total**2) / np.maximum(m - 1, 1), 0.0))
    alpha = 1 - (n - 1) * _divided(observed, 2 * (n * all_squares - all_values**2))
    errors, hits = [], []
    for a, b in itertools.combinations(range(rated.shape[1]), 2):
        both, gap = known[:, a] & known[:, b], np.nan_to_num(np.abs(rated[:, a] - rated[:, b]))
        errors.append(_divided(summed(gap**2), summed(both.astype(float))))
        near = both & (gap <= tolerance + 1e-9)
        hits.append(_divided(2 * summed(near.astype(float)), summed(known[:, [a, b]].sum(1).astype(float))))
    whole = known.all(1)
    drawn = [icc(np.repeat(rated[whole], row[at[whole]].astype(int), axis=0)) or (np.nan, np.nan) for row in weights]
    consistency, absolute = np.array(drawn).T
    return {
        "alpha_interval": alpha,
        "icc_absolute": absolute,
        "icc_consistency": consistency,
        "mse": _mean_known(errors),
        "f1": _mean_known(hits),
    }


def _mean_known(columns: Sequence[Floats]) -> Floats:
    """Of each row the mean of what is defined."""
    values = np.array(columns)
    return _divided(np.nansum(values, 0), (~np.isnan(values)).sum(0).astype(float))


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


def _cohen(tables: Floats, gaps: Floats | None = None) -> Floats:
    """``gaps``: how far apart two values are, in place of apart or not."""
    gaps = 1 - np.eye(tables.shape[1]) if gaps is None else gaps
    chance = _divided(tables.sum(2)[:, :, None] * tables.sum(1)[:, None, :], tables.sum((1, 2))[:, None, None])
    return 1 - _divided((tables * gaps).sum((1, 2)), (chance * gaps).sum((1, 2)))


def _fleiss(full: Floats, totals: Floats, raters: int) -> Floats:
    if raters < 2:
        return np.full(len(full), np.nan)
    observed = _divided(full[:, 0], full[:, 1])
    shares = _divided(totals, np.broadcast_to(totals.sum(1, keepdims=True), totals.shape))
    expected = (shares**2).sum(1)
    return _divided(observed - expected, 1 - expected)
