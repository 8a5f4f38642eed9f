"""Trains the head that links a note's sentences to a treatment plan, and compares designs on the author left out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.linear_model import LogisticRegression
from threadpoolctl import threadpool_limits

from noteeval_desktop.engines import models
from noteeval_desktop.engines.embedder import Embedder, LlamaEmbedder
from noteeval_desktop.judges.builtin.learned import Linear, Scaler
from noteeval_desktop.judges.builtin.plan_links import PlanHead, features_of, with_speaks
from noteeval_desktop.judges.builtin.text.words import claim_lexicon
from noteeval_desktop.research.benchmark_plans import PlannedNote, read_planned_notes

Floats = NDArray[np.float64]
OPEN = Path(__file__).parent / "plans" / "open"
_FOLDS = 5
_SPEAKS, _LINKS = 3.0, 0.1
# Three of five links to a goal that are asked about are right: a person says which.
RIGHT = 0.6
_LIKENESS = 1


@dataclass(frozen=True)
class Lesson:
    """``linked`` (sentences, lines)."""

    note: PlannedNote
    features: Floats
    vectors: Floats
    linked: Floats


def lesson(note: PlannedNote, embedder: Embedder) -> Lesson:
    lexicon = claim_lexicon()
    sentences = note.case.note.sentences
    texts = [sentence.text for sentence in sentences]
    features, vectors = features_of(texts, [one.section for one in sentences], note.plan, embedder, lexicon)
    linked = np.array([[(s.id, line.id) in note.links for line in note.plan.lines] for s in sentences], float)
    return Lesson(note, features, vectors, linked)


def _linear(model: LogisticRegression) -> Linear:
    return Linear(model.coef_.astype(np.float32), model.intercept_.astype(np.float32))


def _speaks(own: Sequence[Lesson]) -> Linear:
    vectors = np.vstack([one.vectors for one in own])
    return _linear(
        LogisticRegression(C=_SPEAKS, max_iter=400).fit(vectors, np.concatenate([o.linked.max(1) for o in own]))
    )


def _folds(own: Sequence[Lesson]) -> list[set[str]]:
    clients = sorted({one.note.client for one in own})
    return [set(clients[fold::_FOLDS]) for fold in range(_FOLDS)]


def _joined(own: Sequence[Lesson]) -> list[Floats]:
    """Each note's features, with what a head says that has not seen its client."""
    found: dict[int, Floats] = {}
    for unseen in _folds(own):
        speaks = _speaks([one for one in own if one.note.client not in unseen])
        for number, one in enumerate(own):
            if one.note.client in unseen:
                found[number] = with_speaks(one.features, speaks.values(one.vectors)[:, 0])
    return [found[number] for number in range(len(own))]


def fit(own: Sequence[Lesson], fingerprint: str, threshold: float = RIGHT) -> PlanHead:
    rows = np.vstack([joined.reshape(-1, joined.shape[2]) for joined in _joined(own)])
    target = np.concatenate([one.linked.ravel() for one in own])
    scaler = Scaler(rows.mean(axis=0).astype(np.float32), (rows.std(axis=0) + 1e-6).astype(np.float32))
    links = LogisticRegression(C=_LINKS, max_iter=600).fit(scaler(rows), target)
    return PlanHead(_speaks(own), scaler, _linear(links), threshold, fingerprint)


def threshold_of(chances: Floats, linked: Floats, right: float = RIGHT) -> float:
    """The least chance from which on so many of the links are right."""
    order = np.argsort(-chances)
    share = np.cumsum(linked[order]) / np.arange(1, len(order) + 1)
    good = np.flatnonzero(share >= right)
    return float(chances[order][good[-1]]) if len(good) else 1.0


Design = Callable[[Sequence[Lesson], Sequence[Lesson]], list[Floats]]


def _by_likeness(_own: Sequence[Lesson], unseen: Sequence[Lesson]) -> list[Floats]:
    return [one.features[:, :, _LIKENESS] for one in unseen]


def _by_head(own: Sequence[Lesson], unseen: Sequence[Lesson]) -> list[Floats]:
    head = fit(own, "")
    return [head.probabilities(one.features, one.vectors) for one in unseen]


def _by_trees(own: Sequence[Lesson], unseen: Sequence[Lesson]) -> list[Floats]:
    rows, speaks = np.vstack([joined.reshape(-1, joined.shape[2]) for joined in _joined(own)]), _speaks(own)
    trees = ExtraTreesClassifier(300, min_samples_leaf=5, max_features=0.4, random_state=0, n_jobs=1)
    trees.fit(rows, np.concatenate([one.linked.ravel() for one in own]))
    found = []
    for one in unseen:
        joined = with_speaks(one.features, speaks.values(one.vectors)[:, 0])
        found.append(trees.predict_proba(joined.reshape(-1, joined.shape[2]))[:, 1].reshape(one.linked.shape))
    return found


DESIGNS: dict[str, Design] = {"likeness alone": _by_likeness, "trees": _by_trees, "logistic head": _by_head}


def compared(own: Sequence[Lesson]) -> str:
    """A line a design, each author read by heads that learned from the others: the area under the curve of links found
    and right, and what is found where so many are right, by line and by goal."""
    authors = sorted({one.note.author for one in own})
    rows = [
        f"{'':16}" + "".join(f"{what:>8}" for of in ("line", "goal") for what in (of, *(f"{r:.0%}" for r in _LEVELS)))
    ]
    for name, design in DESIGNS.items():
        told: list[tuple[Floats, Lesson]] = []
        for author in authors:
            unseen = [one for one in own if one.note.author == author]
            told += zip(design([one for one in own if one.note.author != author], unseen), unseen, strict=True)
        figures = [*_figures(told, _each_line), *_figures(told, _each_goal)]
        rows.append(f"{name:16}" + "".join(f"{figure:8.2f}" for figure in figures))
    return "\n".join(rows)


_LEVELS = (0.5, 0.7, 0.85)
Taken = Callable[[Lesson, Floats], Floats]


def _each_line(_one: Lesson, values: Floats) -> Floats:
    return values.ravel()


def _each_goal(one: Lesson, values: Floats) -> Floats:
    """(sentences x goals,): the greatest of a goal's lines."""
    lines = one.note.plan.lines
    own = [[n for n, line in enumerate(lines) if line.goal == goal.id] for goal in one.note.plan.goals]
    return np.concatenate([values[:, columns].max(axis=1) for columns in own])


def _figures(told: Sequence[tuple[Floats, Lesson]], taken: Taken) -> list[float]:
    chances = np.concatenate([taken(one, values) for values, one in told])
    linked = np.concatenate([taken(one, one.linked) for _, one in told])[np.argsort(-chances)]
    hits = np.cumsum(linked)
    right, found = hits / np.arange(1, len(hits) + 1), hits / hits[-1]
    area = float(np.sum(np.diff(found, prepend=0.0) * right))
    return [area, *(float(found[np.flatnonzero(right >= level)].max(initial=0.0)) for level in _LEVELS)]


def train(notes: Sequence[PlannedNote], embedder: Embedder) -> tuple[PlanHead, str]:
    """The head over all notes, its threshold from heads that had not seen the author; and the table."""
    own = [lesson(note, embedder) for note in notes]
    chances, linked = [], []
    for author in {one.note.author for one in own}:
        head = fit([one for one in own if one.note.author != author], "")
        for one in (one for one in own if one.note.author == author):
            chances.append(_each_goal(one, head.probabilities(one.features, one.vectors)))
            linked.append(_each_goal(one, one.linked))
    threshold = threshold_of(np.concatenate(chances), np.concatenate(linked))
    return fit(own, embedder.fingerprint, threshold), f"{compared(own)}\nthreshold {threshold:.3f}"


def main(target: Path) -> None:
    """Write the head and print the table."""
    with closing(LlamaEmbedder(models.encoder_path())) as embedder, threadpool_limits(1):
        head, table = train(read_planned_notes(OPEN), embedder)
    arrays = {
        f"{name}.{part}": value
        for name in ("speaks", "scaler", "links")
        for part, value in vars(getattr(head, name)).items()
    }
    np.savez_compressed(target, threshold=head.threshold, fingerprint=head.fingerprint, **arrays)  # type: ignore[arg-type]
    print(table)
