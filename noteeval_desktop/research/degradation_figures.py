"""What scores of notes that got worse step by step say of whoever gave them: monotonicity and discrimination.

After SySDEM (Nizar et al.), 3.2 and 5: a score should be lower for a degraded note, and the lower the more is wrong.
Intervals are percentiles of a thousand resamples of whole notes, with a seed of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noteeval_desktop.research.correlation import ROUNDS

Floats = NDArray[np.float64]
_TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class Step:
    """A note's score as it was (``intact``), one level less degraded (``before``) and at this level (``degraded``).

    Higher is better. One of ``note``'s seeds."""

    note: str
    intact: float
    before: float
    degraded: float


def level_figures(steps: Sequence[Step], seed: int = 0) -> dict[str, Any]:
    """Of one score at one level: ``violations``, the share of degraded notes that score higher than the intact one;
    ``violations_of_level_before``, higher than one level less degraded; ``unnoticed``, the same as the intact one;
    ``drop``, the mean of intact less degraded, each note counting the same, with a 95 % ``interval``; its ``quartiles``
    with least and most; ``auc``, how likely any intact note scores higher than any degraded one, ties half.

    What it does not see: whether a score is right, and whether a drop is as large as the harm. None for no steps.
    """
    if not steps:
        return {"notes": 0, "degraded": 0}
    names = list(dict.fromkeys(step.note for step in steps))
    drops = np.array([step.intact - step.degraded for step in steps])
    means = np.array([np.mean([d for d, s in zip(drops, steps, strict=True) if s.note == name]) for name in names])
    intact = {step.note: step.intact for step in steps}
    return {
        "notes": len(names),
        "degraded": len(steps),
        "violations": float(np.mean(drops < -_TOLERANCE)),
        "violations_of_level_before": float(np.mean([s.degraded > s.before + _TOLERANCE for s in steps])),
        "unnoticed": float(np.mean(np.abs(drops) <= _TOLERANCE)),
        "drop": float(means.mean()),
        "interval": resampled_mean(means, seed),
        "quartiles": [float(q) for q in np.quantile(drops, [0, 0.25, 0.5, 0.75, 1])],
        "auc": auc(list(intact.values()), [step.degraded for step in steps]),
    }


def auc(better: Sequence[float], worse: Sequence[float]) -> float | None:
    """Mann and Whitney (1947): the share of pairs in which the better one has the higher score, ties half; 0..1."""
    if not better or not worse:
        return None
    difference = np.asarray(better, dtype=float)[:, None] - np.asarray(worse, dtype=float)[None, :]
    return float(np.mean((difference > _TOLERANCE) + 0.5 * (np.abs(difference) <= _TOLERANCE)))


def resampled_mean(values: Sequence[float] | Floats, seed: int = 0) -> list[float] | None:
    """The 95 % interval of the mean; None for fewer than two values."""
    if len(values) < 2:
        return None
    rng = np.random.default_rng(seed)
    drawn = np.asarray(values, dtype=float)[rng.integers(0, len(values), (ROUNDS, len(values)))].mean(axis=1)
    low, high = np.quantile(drawn, [0.025, 0.975])
    return [float(low), float(high)]
