"""Logistic regression: judging needs numpy alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
# Inputs count no further from their centre than this many of their scales.
FARTHEST = 3.0


@dataclass(frozen=True)
class Line:
    """``centre``, ``scale`` and ``weights`` are (inputs,), ``offset`` is ()."""

    centre: Floats
    scale: Floats
    weights: Floats
    offset: Floats

    def predict(self, inputs: Floats) -> Floats:
        """(n, inputs) -> (n,), probabilities."""
        return np.asarray(1.0 / (1.0 + np.exp(-(within(inputs, self.centre, self.scale) @ self.weights + self.offset))))


def within(inputs: Floats, centre: Floats, scale: Floats) -> Floats:
    """(n, inputs) in scales from their centre, cut at ``FARTHEST``."""
    return np.asarray(np.clip((inputs - centre) / scale, -FARTHEST, FARTHEST))
