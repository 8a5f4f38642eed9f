"""Danger by meaning: a linear head over sentence vectors, for what no list of phrases foresees."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from noteeval_desktop import paths
from noteeval_desktop.domain.risk import RiskKind
from noteeval_desktop.engines.embedder import Embedder

_FEWEST_WORDS = 3


@dataclass(frozen=True)
class RiskHead:
    """``weights`` (kinds + 1, dim), ``bias`` (kinds + 1); the last row stands for no danger.

    A sentence is reported where the probability of its likeliest kind exceeds ``threshold`` (0..1).
    """

    weights: NDArray[np.float32]
    bias: NDArray[np.float32]
    threshold: float
    fingerprint: str

    def probabilities(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        """(n, kinds + 1), rows summing to 1."""
        logits = vectors @ self.weights.T + self.bias
        raised = np.exp(logits - logits.max(axis=1, keepdims=True))
        return np.asarray(raised / raised.sum(axis=1, keepdims=True), dtype=np.float32)

    def kinds(
        self, sentences: Sequence[str], embedder: Embedder, cancel: threading.Event | None
    ) -> list[RiskKind | None]:
        """The kind that each sentence means, or None; all None with an embedder that the head was not trained for."""
        if not sentences or embedder.fingerprint != self.fingerprint:
            return [None] * len(sentences)
        table = self.probabilities(embedder.embed(sentences, cancel))
        names = tuple(RiskKind)
        danger = 1 - table[:, -1]
        return [
            names[int(row[:-1].argmax())] if risk > self.threshold and len(words.split()) >= _FEWEST_WORDS else None
            for row, risk, words in zip(table, danger, sentences, strict=True)
        ]


@cache
def risk_head() -> RiskHead | None:
    """The head that ships with the program; None in a build without it, where the lexicon looks alone."""
    path = paths.resources() / "heads" / "risk.npz"
    if not path.is_file():
        return None
    with np.load(path, allow_pickle=False) as data:
        return RiskHead(data["weights"], data["bias"], float(data["threshold"]), str(data["fingerprint"]))
