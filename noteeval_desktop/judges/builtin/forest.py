"""A forest of regression trees as plain arrays, so that judging needs numpy alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


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
