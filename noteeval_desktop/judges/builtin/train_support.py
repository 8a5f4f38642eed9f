"""Training of the faithfulness heads, and their cross-validation by conversation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.decomposition import PCA
from sklearn.ensemble import ExtraTreesRegressor

from noteeval_desktop.engines.embedder import Embedder
from noteeval_desktop.judges.builtin.claim_reader import ReadNote, read_note
from noteeval_desktop.judges.builtin.forest import Forest
from noteeval_desktop.judges.builtin.session_index import index_session
from noteeval_desktop.judges.builtin.support_heads import Limits, Projection, SupportHeads, change_inputs
from noteeval_desktop.judges.builtin.train_note import _as_arrays as as_forest
from noteeval_desktop.judges.builtin.words import ClaimLexicon
from noteeval_desktop.measures.agreement import krippendorff_alpha
from noteeval_desktop.measures.changes import ChangeKind
from noteeval_desktop.measures.degrade import degrade
from noteeval_desktop.measures.tn_eval import Answer, LabelledNote

Floats = NDArray[np.float64]
COMPONENTS = 12
FOLDS, INNER_FOLDS = 7, 3
TREES = 150
# (kind, seeds): numbers and negations have fewer places or more ways, so they are drawn more often.
_DRAWS = (
    (ChangeKind.NUMBER, (1, 2, 3)),
    (ChangeKind.NEGATION, (1, 2)),
    (ChangeKind.PERSON, (1,)),
    (ChangeKind.TERM, (1,)),
    (ChangeKind.FACT, (1,)),
)
_CHANGES = 5
_WEIGHT_OF_CHANGED = 0.6
# A little above the 10 % that we allow: some of these claims are observed ones, whose verdict is no alarm.
_FALSE_ALARMS = 0.108
_SURELY = 0.95


@dataclass(frozen=True)
class Rows:
    """Sentences as numbers, as they stand and in plain wording; (n, ...) each."""

    alone: Floats
    vectors: Floats
    topic: Floats
    topic_vectors: Floats

    def pick(self, chosen: NDArray[Any]) -> Rows:
        return Rows(self.alone[chosen], self.vectors[chosen], self.topic[chosen], self.topic_vectors[chosen])


@dataclass(frozen=True)
class Examples:
    """``labels`` (n, therapists); ``conversation``, ``note`` (n,); and what changed sentences have of it."""

    names: tuple[str, ...]
    rows: Rows
    labels: Floats
    conversation: NDArray[np.str_]
    note: NDArray[np.intp]
    changed: Rows
    changed_conversation: NDArray[np.str_]
    changed_kind: NDArray[np.str_]

    @property
    def conversations(self) -> list[str]:
        return sorted(set(self.conversation.tolist()))


def make(notes: Sequence[LabelledNote], embedder: Embedder, lexicon: ClaimLexicon) -> Examples:
    """Read every note, and every note with changes, against its session. Takes a minute or two."""
    parts: list[Rows] = []
    made: list[Rows] = []
    origin: list[tuple[str, str]] = []
    names: tuple[str, ...] = ()
    session, current = None, None
    for note in notes:
        if session is None or current != note.conversation:
            session, current = index_session(note.case.transcript, embedder, lexicon), note.conversation
        read = read_note(note.case.note.sentences, session, embedder, lexicon)
        names = read.names
        parts.append(_rows(read))
        for kind, seed in [(kind, seed) for kind, seeds in _DRAWS for seed in seeds]:
            worse = degrade(note.case.note, seed, 1 if kind is ChangeKind.FACT else _CHANGES, [kind])
            ids = {change.sentence for change in worse.changes}
            at = [i for i, sentence in enumerate(worse.note.sentences) if sentence.id in ids]
            read = read_note(worse.note.sentences, session, embedder, lexicon)
            made.append(_rows(read).pick(np.array(at, dtype=int)))
            origin += [(note.conversation, kind.value)] * len(at)
    return Examples(
        names=names,
        rows=_stacked(parts),
        labels=np.array([labelled.faithful for note in notes for labelled in note.sentences], dtype=float),
        conversation=np.repeat([note.conversation for note in notes], [len(note.sentences) for note in notes]),
        note=np.repeat(np.arange(len(notes)), [len(note.sentences) for note in notes]),
        changed=_stacked(made),
        changed_conversation=np.array([conversation for conversation, _ in origin]),
        changed_kind=np.array([kind for _, kind in origin]),
    )


def _rows(read: ReadNote) -> Rows:
    return Rows(read.alone, read.vectors, read.topic, read.topic_vectors)


def _stacked(parts: Sequence[Rows]) -> Rows:
    columns = zip(*(vars(part).values() for part in parts if len(part.alone)), strict=True)
    return Rows(*(np.vstack(column) for column in columns))


def fit(data: Examples, conversations: Sequence[str], seed: int = 0) -> SupportHeads:
    """Heads from these conversations, with limits chosen from answers held out within them."""
    inner = list(folds(conversations, INNER_FOLDS, seed + 1))
    own = np.isin(data.conversation, conversations)
    probability, changed = np.zeros(len(own)), np.zeros(len(own))
    for inside, outside in inner:
        heads = _fit(data, inside, seed, Limits(0.5, 0.5, 0.99))
        at = np.isin(data.conversation, outside)
        probability[at], changed[at] = answers(heads, data.rows.pick(at))
    return _fit(data, conversations, seed, _limits(data.labels[own], probability[own], changed[own]))


def answers(heads: SupportHeads, rows: Rows) -> tuple[Floats, Floats]:
    """Probability of faithful, and how changed each looks: (n,) each."""
    changed = heads.changed(rows.alone, rows.vectors, rows.topic)
    return heads.faithful(rows.topic, rows.topic_vectors, changed), changed


def flagged(heads: SupportHeads, probability: Floats, changed: Floats) -> NDArray[np.bool_]:
    return (probability < heads.limits.faithful) | (changed >= heads.limits.changed)


def _limits(labels: Floats, probability: Floats, changed: Floats) -> Limits:
    """The probability that agrees best with single therapists; what false alarms that leaves goes to changed claims."""

    def alpha(limit: float) -> float:
        said = [int(value) for value in probability >= limit]
        return float(
            np.mean([krippendorff_alpha([said, [int(v) for v in labels[:, j]]]) for j in range(labels.shape[1])])
        )

    faithful = max((float(limit) for limit in np.arange(0.4, 0.5, 0.02)), key=alpha)
    sound = labels.min(axis=1) == 1
    below = probability[sound] < faithful
    spare = max(0.0, _FALSE_ALARMS - float(below.mean()))
    rest = changed[sound][~below]
    limit = float(np.quantile(rest, 1 - spare / max(1e-6, 1 - below.mean())))
    return Limits(round(faithful, 4), round(limit, 4), round(float(np.quantile(changed, _SURELY)), 4))


def _fit(data: Examples, conversations: Sequence[str], seed: int, limits: Limits) -> SupportHeads:
    own, theirs = np.isin(data.conversation, conversations), np.isin(data.changed_conversation, conversations)
    rows, changed = data.rows.pick(own), data.changed.pick(theirs)
    share = data.labels[own].mean(axis=1)
    pca = PCA(COMPONENTS, random_state=0).fit(rows.topic_vectors)
    # The factor of 4 brings components of unit vectors near the features' spread.
    projection = Projection(pca.mean_.astype(np.float32), (4 * pca.components_).astype(np.float16).astype(np.float32))
    kinds = data.changed_kind[theirs]
    weights = np.array([1 / np.mean(kinds == kind) for kind in kinds])
    weights *= _WEIGHT_OF_CHANGED * len(share) / weights.sum()
    both = [change_inputs(part.alone, projection(part.vectors), part.topic) for part in (rows, changed)]
    return SupportHeads(
        names=data.names,
        projection=projection,
        faithful_forest=_forest(np.hstack([rows.topic, projection(rows.topic_vectors)]), share, None, seed),
        changed_forest=_forest(
            np.vstack(both),
            np.r_[np.zeros(len(share)), np.ones(len(kinds))],
            np.r_[np.ones(len(share)), weights],
            seed,
        ),
        limits=limits,
    )


def _forest(inputs: Floats, target: Floats, weights: Floats | None, seed: int) -> Forest:
    model = ExtraTreesRegressor(TREES, min_samples_leaf=3, max_features=0.3, random_state=seed, n_jobs=1)
    model.fit(inputs.astype(np.float32), target, sample_weight=weights)
    return as_forest(model)


def folds(conversations: Sequence[str], count: int, seed: int) -> list[tuple[list[str], list[str]]]:
    """(inside, outside) lists of conversations, shuffled by ``seed``."""
    order = np.random.default_rng(seed).permutation(sorted(set(conversations)))
    return [([c for i, c in enumerate(order) if i % count != k], list(order[k::count])) for k in range(count)]


@dataclass(frozen=True)
class HeldOut:
    """Answers about every sentence, and every changed one, by heads that never saw its conversation.

    ``doubted``: the probability is below the limit; ``flagged``: that, or the claim looks changed.
    """

    probability: Floats
    changed: Floats
    doubted: NDArray[np.bool_]
    flagged: NDArray[np.bool_]
    flagged_changed: NDArray[np.bool_]


def held_out(data: Examples, seed: int = 0, progress: Callable[[int, int], None] = lambda done, total: None) -> HeldOut:
    """Nested: limits too are learned within each fold."""
    count = len(data.conversation)
    probability, changed = np.zeros(count), np.zeros(count)
    doubts = np.zeros(count, dtype=bool)
    flags, flags_changed = np.zeros(count, dtype=bool), np.zeros(len(data.changed_kind), dtype=bool)
    for number, (inside, outside) in enumerate(folds(list(data.conversation), FOLDS, seed)):
        heads = fit(data, inside, seed)
        own, theirs = np.isin(data.conversation, outside), np.isin(data.changed_conversation, outside)
        probability[own], changed[own] = answers(heads, data.rows.pick(own))
        doubts[own] = probability[own] < heads.limits.faithful
        flags[own] = flagged(heads, probability[own], changed[own])
        flags_changed[theirs] = flagged(heads, *answers(heads, data.changed.pick(theirs)))
        progress(number + 1, FOLDS)
    return HeldOut(probability, changed, doubts, flags, flags_changed)


def cross_validated(
    data: Examples, seed: int = 0, progress: Callable[[int, int], None] = lambda done, total: None
) -> tuple[tuple[Answer, ...], ...]:
    """One tuple of answers a note, in the order of its sentences, each by heads that never saw its conversation."""
    found = held_out(data, seed, progress)
    answered = [Answer(float(p), not bool(f)) for p, f in zip(found.probability, found.flagged, strict=True)]
    return tuple(tuple(answered[i] for i in np.flatnonzero(data.note == note)) for note in np.unique(data.note))
