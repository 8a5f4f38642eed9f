"""scikit-learn's trees as plain arrays, so that judging needs numpy alone."""

from __future__ import annotations

import numpy as np
from sklearn.ensemble import ExtraTreesRegressor

from noteeval_desktop.judges.builtin.learned import Forest


def as_forest(model: ExtraTreesRegressor) -> Forest:
    """Renumber each tree's nodes breadth first, so that a right child follows its left one."""
    roots: list[int] = []
    feature: list[int] = []
    threshold: list[float] = []
    left: list[int] = []
    value: list[float] = []
    for estimator in model.estimators_:
        tree = estimator.tree_
        start = len(feature)
        roots.append(start)
        order = [0]
        for node in order:
            if tree.children_left[node] >= 0:
                left.append(start + len(order))
                order += [int(tree.children_left[node]), int(tree.children_right[node])]
            else:
                left.append(0)
        feature += [int(tree.feature[n]) if tree.children_left[n] >= 0 else -1 for n in order]
        threshold += [float(tree.threshold[n]) for n in order]
        value += [float(tree.value[n].ravel()[0]) for n in order]
    return Forest(
        np.array(roots, dtype=np.int32),
        np.array(feature, dtype=np.int16),
        np.array(threshold, dtype=np.float32),
        np.array(left, dtype=np.int32),
        np.array(value, dtype=np.float16).astype(np.float32),
    )
