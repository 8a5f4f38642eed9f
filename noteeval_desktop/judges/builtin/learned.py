"""What was trained and ships, as plain arrays: logistic heads, scaling, regression forests, and their files."""

from __future__ import annotations

import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noteeval_desktop.errors import ModelError


def arrays(path: Path) -> dict[str, NDArray[Any]]:
    """What an ``.npz`` holds, by name. Raises ModelError where it is missing or damaged."""
    try:
        # An open file, since numpy leaves open what turns out to be no archive.
        with path.open("rb") as file, np.load(file, allow_pickle=False) as kept:
            return dict(kept)
    except (OSError, EOFError, ValueError, KeyError, zipfile.BadZipFile, zlib.error) as error:
        raise ModelError(
            f"{path.name}: a file of the built-in judge cannot be read ({type(error).__name__}). Install again."
        ) from error


@dataclass(frozen=True)
class Forest:
    """All trees' nodes in one array each; ``roots`` are where the trees begin.

    A node sends a row to ``left`` when its ``feature`` is at most ``threshold``, else to ``left + 1``; where
    ``feature`` is -1 the node is a leaf and ``value`` its answer.
    """

    roots: NDArray[np.int32]
    feature: NDArray[np.int16]
    threshold: NDArray[np.float32]
    left: NDArray[np.int32]
    value: NDArray[np.float32]

    def predict(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """The trees' mean answer for each of (rows, features)."""
        values = rows.astype(np.float32)
        node = np.tile(self.roots, (len(rows), 1))
        which = np.arange(len(rows))[:, None]
        while True:
            feature = self.feature[node]
            inner = feature >= 0
            if not inner.any():
                return np.asarray(self.value[node].astype(float).mean(axis=1))
            beyond = values[which, np.maximum(feature, 0)] > self.threshold[node]
            node = np.where(inner, self.left[node] + beyond, node)


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
