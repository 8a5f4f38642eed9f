"""The two fits that several heads share."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from noteeval_desktop.judges.builtin.learned import Scaler

Floats = NDArray[np.float64]


def scaler(values: Floats) -> Scaler:
    return Scaler(values.mean(axis=0).astype(np.float32), np.maximum(values.std(axis=0), 1e-2).astype(np.float32))


def logistic(inputs: Floats, shares: Floats, weights: Floats, c: float) -> tuple[Floats, float]:
    """Logistic regression on shares: each row counts as ``share`` yes and ``1 - share`` no."""
    total = float(shares.sum())
    if total == 0 or total == len(shares):
        chance = np.clip(total / len(shares), 0.5 / (len(shares) + 1), 1 - 0.5 / (len(shares) + 1))
        return np.zeros(inputs.shape[1]), float(np.log(chance / (1 - chance)))
    model = LogisticRegression(C=c, max_iter=500)
    answers = np.repeat([1, 0], len(shares))
    model.fit(
        np.vstack([inputs, inputs]), answers, sample_weight=np.concatenate([weights * shares, weights * (1 - shares)])
    )
    return np.asarray(model.coef_[0], dtype=float), float(model.intercept_[0])
