"""A screen before the head for danger by meaning: which sentences must be embedded on their own to be decided."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from noteeval_desktop import paths
from noteeval_desktop.judges.builtin.risk.head import Floats, RiskHead


@dataclass(frozen=True)
class RiskScreen:
    """A sentence passes where ``seen @ weights > threshold``; ``weights`` is (dim + 1,). Trained by
    ``train_risk_screen``, whose threshold loses no phrasing in any of 2,478 passages, and one when held out."""

    weights: Floats
    threshold: float
    fingerprint: str

    def passes(self, vectors: Floats, head: RiskHead) -> NDArray[np.bool_]:
        """(n,): could the sentences with these vectors in their passages, (n, dim), mean danger on their own?"""
        return np.asarray(seen(vectors, head) @ self.weights > self.threshold)


def seen(vectors: Floats, head: RiskHead) -> Floats:
    """(n, dim + 1): vectors in passages, and how far the head, made for others, puts them on the side of danger."""
    return np.column_stack([vectors, head.margins(vectors)]).astype(np.float32)


@cache
def risk_screen() -> RiskScreen | None:
    """The screen that ships with the program; None in a build without it, where every sentence is embedded."""
    path = paths.resources() / "heads" / "risk_screen.npz"
    if not path.is_file():
        return None
    with np.load(path, allow_pickle=False) as data:
        return RiskScreen(data["weights"], float(data["threshold"]), str(data["fingerprint"]))
