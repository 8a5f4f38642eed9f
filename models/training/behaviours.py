"""Train the heads for MI behaviours.

Labels are the mean over AnnoMI's annotators of an utterance. Thresholds and the reported F1 come from
cross-validation by session.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from noteeval_desktop.domain.behaviours import Behaviour
from noteeval_desktop.engines.embedder import Embedder
from noteeval_desktop.judges.builtin.responses.behaviours import Floats, features

_STRENGTH = 0.3
_FOLDS = 10
_SUBTYPE = {
    Behaviour.OPEN_QUESTION: ("question", "open"),
    Behaviour.CLOSED_QUESTION: ("question", "closed"),
    Behaviour.SIMPLE_REFLECTION: ("reflection", "simple"),
    Behaviour.COMPLEX_REFLECTION: ("reflection", "complex"),
    Behaviour.INPUT: ("therapist_input", None),
}


@dataclass(frozen=True)
class Utterances:
    """Therapists' utterances; ``labels`` (n, behaviours) are the share of annotators, 0..1."""

    texts: tuple[str, ...]
    sessions: tuple[str, ...]
    labels: NDArray[np.float64]


def read_utterances(path: Path) -> Utterances:
    """Read annomi_full.csv, several rows an utterance."""
    texts: dict[tuple[str, int], str] = {}
    marks: dict[tuple[str, int], list[list[float]]] = {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["interlocutor"] != "therapist":
                continue
            key = (row["transcript_id"], int(row["utterance_id"]))
            texts[key] = row["utterance_text"]
            marks.setdefault(key, []).append([_mark(row, *_SUBTYPE[behaviour]) for behaviour in Behaviour])
    keys = list(texts)
    labels = np.array([np.mean(marks[key], axis=0) for key in keys])
    return Utterances(tuple(texts[key] for key in keys), tuple(key[0] for key in keys), labels)


def _mark(row: dict[str, str], name: str, subtype: str | None) -> float:
    there = row[f"{name}_exists"] == "True"
    return float(there and (subtype is None or row[f"{name}_subtype"] == subtype))


def fit(inputs: Floats, labels: NDArray[np.float64]) -> tuple[Floats, Floats]:
    """Weights (behaviours, features) and biases of logistic heads for soft labels: each row counts for both sides."""
    from sklearn.linear_model import LogisticRegression

    weights, bias = [], []
    both = np.vstack([inputs, inputs])
    sides = np.repeat([1, 0], len(inputs))
    for column in labels.T:
        share = np.concatenate([column, 1 - column])
        kept = share > 0
        model = LogisticRegression(C=_STRENGTH, max_iter=1_000)
        model.fit(both[kept], sides[kept], sample_weight=share[kept])
        weights.append(model.coef_[0])
        bias.append(model.intercept_[0])
    return np.array(weights, dtype=np.float32), np.array(bias, dtype=np.float32)


def held_out(inputs: Floats, labels: NDArray[np.float64], sessions: Sequence[str]) -> Floats:
    """Probabilities (n, behaviours) by heads that have not seen the session."""
    names = list(dict.fromkeys(sessions))
    fold_of = np.array([names.index(session) % _FOLDS for session in sessions])
    table = np.zeros(labels.shape, dtype=np.float32)
    for fold in range(_FOLDS):
        weights, bias = fit(inputs[fold_of != fold], labels[fold_of != fold])
        table[fold_of == fold] = 1 / (1 + np.exp(-(inputs[fold_of == fold] @ weights.T + bias)))
    return table


def best_threshold(probabilities: Floats, truth: NDArray[np.bool_]) -> tuple[float, float]:
    """The threshold of the best F1, and that F1."""
    scores = [(f1(probabilities >= t, truth), float(t)) for t in np.linspace(0.1, 0.9, 33)]
    best = max(scores)
    return best[1], best[0]


def f1(said: NDArray[np.bool_], truth: NDArray[np.bool_]) -> float:
    hits = float((said & truth).sum())
    total = float(said.sum() + truth.sum())
    return 2 * hits / total if total else 0.0


def train(embedder: Embedder, data: Utterances, target: Path) -> dict[Behaviour, float]:
    """Write the heads to ``target``; returns the F1 of each behaviour, cross-validated by session."""
    inputs = features(data.texts, embedder)
    table, truth = held_out(inputs, data.labels, data.sessions), data.labels >= 0.5
    chosen = [best_threshold(table[:, i], truth[:, i]) for i in range(len(Behaviour))]
    weights, bias = fit(inputs, data.labels)
    target.parent.mkdir(exist_ok=True)
    thresholds = np.array([threshold for threshold, _ in chosen], dtype=np.float32)
    np.savez(target, weights=weights, bias=bias, thresholds=thresholds, fingerprint=embedder.fingerprint)
    return {behaviour: score for behaviour, (_, score) in zip(Behaviour, chosen, strict=True)}
