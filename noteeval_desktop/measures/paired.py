"""Two sets of notes of the same sessions: mean differences with percentile bootstrap intervals.

Source: Efron and Tibshirani (1993), chapter 13. Pairs are drawn, not notes: what makes a session hard stays in both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

ROUNDS = 2000


@dataclass(frozen=True, slots=True)
class Difference:
    """Means ``a`` and ``b`` over ``n`` pairs, ``mean`` of b − a, with its 95 % interval; None below two pairs."""

    n: int
    a: float | None
    b: float | None
    mean: float | None
    low: float | None
    high: float | None


def difference(a: Sequence[float | None], b: Sequence[float | None], *, seed: int = 0) -> Difference:
    """Over the pairs in which both are known; ``a`` and ``b`` are of one length."""
    known = [(x, y) for x, y in zip(a, b, strict=True) if x is not None and y is not None]
    if not known:
        return Difference(0, None, None, None, None, None)
    first, second = np.array(known, dtype=float).T
    gaps = second - first
    low = high = None
    if len(gaps) > 1:
        drawn = np.random.default_rng(seed)
        means = [float(gaps[drawn.integers(0, len(gaps), len(gaps))].mean()) for _ in range(ROUNDS)]
        low, high = (float(edge) for edge in np.quantile(means, [0.025, 0.975]))
    return Difference(len(gaps), float(first.mean()), float(second.mean()), float(gaps.mean()), low, high)
