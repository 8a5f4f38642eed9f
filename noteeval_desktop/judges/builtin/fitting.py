"""Fitting of the faithfulness heads' parts: forests, lines and the calibration. Needs the training extra."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import ExtraTreesRegressor
from sklearn.linear_model import LogisticRegression

from noteeval_desktop.judges.builtin.forest import Forest
from noteeval_desktop.judges.builtin.line import Line, within
from noteeval_desktop.judges.builtin.support_heads import Calibration, log_shares
from noteeval_desktop.judges.builtin.train_note import as_forest

Floats = NDArray[np.float64]
_LEAST_SCALE = 0.05


def fit_forest(inputs: Floats, target: Floats, weights: Floats | None, seed: int, trees: int) -> Forest:
    model = ExtraTreesRegressor(trees, min_samples_leaf=3, max_features=0.3, random_state=seed, n_jobs=1)
    model.fit(inputs.astype(np.float32), target, sample_weight=weights)
    return as_forest(model)


def fit_line(inputs: Floats, target: Floats, weights: Floats, strength: float) -> Line:
    """Centred and scaled on what was not changed; ``strength`` is the inverse of the penalty."""
    kept = inputs[target == 0.0]
    centre, scale = kept.mean(axis=0), np.maximum(kept.std(axis=0), _LEAST_SCALE)
    model = LogisticRegression(C=strength, max_iter=1000).fit(within(inputs, centre, scale), target, weights)
    return Line(centre, scale, model.coef_[0], model.intercept_[0])


def fit_calibration(raw: Floats, shares: Floats) -> Calibration:
    """Fitted to the share of therapists who called each claim faithful."""
    inputs = np.vstack([log_shares(raw)] * 2)
    target = np.r_[np.ones(len(raw)), np.zeros(len(raw))]
    model = LogisticRegression(C=np.inf, max_iter=1000).fit(inputs, target, np.r_[shares, 1.0 - shares])
    first, second = model.coef_[0]
    return round(float(first), 4), round(float(second), 4), round(float(model.intercept_[0]), 4)
