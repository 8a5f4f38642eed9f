"""How far metrics follow people's scores: Pearson's r with intervals, Spearman's rho and Kendall's tau-b.

Sources: Efron and Tibshirani (1993), chapter 13 (percentile intervals); Spearman (1904); Kendall (1945). A correlation
says nothing of how far a metric's values are right, and one over a mixture of groups may come from the groups alone.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
ROUNDS = 1000


@dataclass(frozen=True, slots=True)
class Correlation:
    """Over ``n`` texts; None where undefined (fewer than three texts, or one of the two does not vary)."""

    n: int
    pearson: float | None
    low: float | None
    high: float | None
    spearman: float | None
    kendall: float | None

    def as_json(self) -> dict[str, Any]:
        interval = None if self.low is None or self.high is None else [self.low, self.high]
        return {
            "r": self.pearson,
            "interval": interval,
            "spearman": self.spearman,
            "kendall": self.kendall,
            "n": self.n,
        }


def correlate(
    metric: Sequence[float | None],
    targets: Mapping[str, Sequence[float]],
    clusters: Sequence[Hashable] | None = None,
    *,
    seed: int = 0,
) -> dict[str, Correlation]:
    """The metric's correlation with each target, over the texts that have it; 95 % intervals from resampling whole
    ``clusters`` (by default texts) a thousand times. Needs the package scipy.
    """
    known = [n for n, value in enumerate(metric) if value is not None]
    x = np.array([metric[n] for n in known], dtype=float)
    labels = [n if clusters is None else clusters[n] for n in known]
    weights = _resamples(labels, seed)
    return {
        name: _correlation(x, np.array([values[n] for n in known], dtype=float), weights)
        for name, values in targets.items()
    }


def _correlation(x: Floats, y: Floats, weights: Floats) -> Correlation:
    from scipy import stats

    if len(x) < 3 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return Correlation(len(x), None, None, None, None, None)
    resampled = _pearson(x, y, weights)
    resampled = resampled[np.isfinite(resampled)]
    low, high = np.quantile(resampled, [0.025, 0.975]) if len(resampled) else (np.nan, np.nan)
    return Correlation(
        n=len(x),
        pearson=float(np.corrcoef(x, y)[0, 1]),
        low=float(low) if np.isfinite(low) else None,
        high=float(high) if np.isfinite(high) else None,
        spearman=float(stats.spearmanr(x, y).statistic),
        kendall=float(stats.kendalltau(x, y).statistic),
    )


def _pearson(x: Floats, y: Floats, weights: Floats) -> Floats:
    """r under each row of ``weights`` (rounds, texts): a resample is a sum, not a new pass."""
    x, y = x - x.mean(), y - y.mean()
    total = weights.sum(axis=1)
    mx, my = weights @ x / total, weights @ y / total
    covariance = weights @ (x * y) / total - mx * my
    vx, vy = weights @ (x * x) / total - mx * mx, weights @ (y * y) / total - my * my
    with np.errstate(divide="ignore", invalid="ignore"):
        r: Floats = np.where((vx > 1e-12) & (vy > 1e-12), covariance / np.sqrt(vx * vy), np.nan)
    return r


def _resamples(labels: Sequence[Hashable], seed: int) -> Floats:
    """(ROUNDS, texts): how often each text is drawn with its cluster."""
    names = list(dict.fromkeys(labels))
    place = {name: n for n, name in enumerate(names)}
    if not names:
        return np.ones((1, 0))
    drawn = np.random.default_rng(seed).multinomial(len(names), np.full(len(names), 1 / len(names)), ROUNDS)
    return drawn[:, [place[label] for label in labels]].astype(float)
