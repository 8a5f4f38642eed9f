"""Agreement between raters and correlation between scores, with intervals that respect clusters.

Alpha and kappa are those of ``raters``, not rounded and without intervals; percentile intervals are after Efron and
Tibshirani (1993), chapter 13. Where a figure is undefined (no variance, one class only, nothing to compare) it is nan,
never 0.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from noteeval_desktop.measures import raters

Floats = NDArray[np.float64]
Statistic = Callable[[Floats, Floats], float]


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


def cohen_kappa(a: Sequence[Hashable], b: Sequence[Hashable]) -> float:
    """Cohen's kappa of two raters over the same things; nan when chance agreement is total."""
    if len(a) != len(b):
        raise ValueError("both raters must rate the same things")
    return raters.cohen([raters.Thing("", pair) for pair in zip(a, b, strict=True)])


def krippendorff_alpha(ratings: Sequence[Sequence[Hashable | None]]) -> float:
    """Krippendorff's alpha for nominal data. ``ratings[rater][thing]``; None: not rated.

    Things with fewer than two ratings are left out; nan when only one value was ever given.
    """
    if len({len(row) for row in ratings}) > 1:
        raise ValueError("every rater needs one entry a thing")
    return raters.alpha([raters.Thing("", unit) for unit in zip(*ratings, strict=True)])


def bootstrap(
    statistic: Statistic,
    a: ArrayLike,
    b: ArrayLike,
    clusters: Sequence[Hashable],
    *,
    rounds: int = 1000,
    level: float = 0.95,
    seed: int = 0,
) -> Estimate:
    """``statistic(a, b)`` with a percentile interval from resampling whole ``clusters`` (one label a value)."""
    x, y = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    members: dict[Hashable, list[int]] = {}
    for index, cluster in enumerate(clusters):
        members.setdefault(cluster, []).append(index)
    groups = [np.array(indices) for indices in members.values()]
    random = np.random.default_rng(seed)
    values = []
    for _ in range(rounds if groups else 0):
        picked = np.concatenate([groups[i] for i in random.integers(0, len(groups), len(groups))])
        values.append(statistic(x[picked], y[picked]))
    known = [value for value in values if not np.isnan(value)]
    tail = (1 - level) / 2
    low, high = np.quantile(known, [tail, 1 - tail]) if known else (float("nan"), float("nan"))
    return Estimate(statistic(x, y), float(low), float(high))


def share(hits: Sequence[float], clusters: Sequence[Hashable], rounds: int = 1000) -> dict[str, Any]:
    """``share``: the mean of ``hits`` (None of nothing), ``of`` how many, ``interval``: its 95 % interval from whole
    ``clusters`` (None where there is one only)."""
    if not len(hits):
        return {"share": None, "of": 0, "interval": None}
    values = np.asarray(hits, dtype=float)
    if len(set(clusters)) == 1:
        return {"share": float(values.mean()), "of": len(values), "interval": None}
    found = bootstrap(lambda own, _: float(own.mean()), values, values, clusters, rounds=rounds)
    return {"share": found.value, "of": len(values), "interval": [found.low, found.high]}


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
