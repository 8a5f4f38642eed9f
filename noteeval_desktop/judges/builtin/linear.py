"""Logistic heads and the scaling of what they look at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
# A sentence unlike everything in training (2,000-word notes, lists) must not run away with a linear head.
_FAR = 4.0
_CERTAIN = 0.005


def logit(probability: NDArray[Any]) -> Floats:
    clipped = np.clip(np.asarray(probability, dtype=float), _CERTAIN, 1 - _CERTAIN)
    return np.asarray(np.log(clipped / (1 - clipped)))


def sigmoid(value: NDArray[Any]) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.clip(np.asarray(value, dtype=float), -30, 30))))


@dataclass(frozen=True)
class Linear:
    """One logistic head a row: ``weights`` (heads, features), ``bias`` (heads,)."""

    weights: NDArray[np.float32]
    bias: NDArray[np.float32]

    def probabilities(self, inputs: Floats, head: int) -> Floats:
        """(rows,) for (rows, features)."""
        return sigmoid(inputs @ self.weights[head].astype(float) + float(self.bias[head]))

    def values(self, inputs: Floats) -> Floats:
        """(rows, heads): log-odds."""
        return np.asarray(inputs @ self.weights.astype(float).T + self.bias)


@dataclass(frozen=True)
class Scaler:
    mean: NDArray[np.float32]
    scale: NDArray[np.float32]

    def __call__(self, values: Floats) -> Floats:
        return np.asarray(np.clip((values - self.mean) / self.scale, -_FAR, _FAR), dtype=float)
