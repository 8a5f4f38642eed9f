"""Train the head for what a note lacks: ``python -m noteeval_desktop.judges.builtin.train_omissions MODEL DATA``.

A passage is worth a note's while as far as sentences that both therapists called faithful and gave an item rest on it,
over the three notes of a conversation. It is what a note lacks as far as a sentence that was taken out rests on it.
Weights that are tried on a conversation have seen neither its notes nor anything learned from them. Their threshold
does not come from it either, but from the other conversations, scored by heads that have seen it: one number.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from noteeval_desktop import paths
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.engines.embedder import Embedder, LlamaEmbedder
from noteeval_desktop.judges.builtin import load
from noteeval_desktop.judges.builtin.omission_features import Flags, Said, Talk, joined, read_said
from noteeval_desktop.judges.builtin.omission_head import OmissionHead, Worth, save
from noteeval_desktop.judges.builtin.omission_topics import topics
from noteeval_desktop.judges.builtin.omission_units import Units, read_units
from noteeval_desktop.judges.builtin.session_index import index_session
from noteeval_desktop.judges.builtin.words import ClaimLexicon, load_lexicon
from noteeval_desktop.judges.protocol import Judge
from noteeval_desktop.measures.tn_eval import LabelledNote, LabelledSentence, load_notes

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
REPEATS = 0.6
# Chosen over three ways to cut the folds; recall changes by 0.01 between a third and three times as much.
_RANK_STRENGTH = 0.003
_WORTH_STRENGTH = 0.3
# How much a passage counts that is in the complete note. With 0 the same recall, and 0.24 instead of 0.17 of the
# sentences have their closest turn cited while they are in the note; 8 and 20 cost more than they bring.
_CONTRAST = 3.0
_KINDS = 48
_FOLDS = 7
_INNER = 5
_SHARES = (1.0, 0.6)
# Dangers that no sentence answers come on top: 0.3 a note.
_FINDINGS = 3.8
_HALVINGS = 20


@dataclass(frozen=True)
class Removal:
    """A sentence taken out of a note: ``vector`` (dim,), ``kept`` the sentences left, ``share`` (passages,) in 0..1 how
    far it rests on each passage."""

    vector: Floats
    kept: Flags
    share: Doubles


@dataclass(frozen=True)
class Lesson:
    """One conversation: its session, and a ``Said`` with the removals for each of its notes."""

    talk: Talk
    notes: tuple[tuple[Said, tuple[Removal, ...]], ...]

    @property
    def units(self) -> Units:
        return self.talk.units

    @property
    def worth(self) -> Doubles:
        """(passages,) in 0..1: how far the notes' good sentences rest on each passage."""
        total = sum((r.share for _, removals in self.notes for r in removals), np.zeros(len(self.units.vectors)))
        return np.minimum(total / 3, 1.0)


def lessons(notes: Sequence[LabelledNote], embedder: Embedder, lexicon: ClaimLexicon) -> dict[str, Lesson]:
    found = {}
    for name in dict.fromkeys(note.conversation for note in notes):
        own = [note for note in notes if note.conversation == name]
        talk = Talk(read_units(index_session(own[0].case.transcript, embedder, lexicon)))
        found[name] = Lesson(talk, tuple(_lesson(note, talk, embedder, lexicon) for note in own))
    return found


def _lesson(
    note: LabelledNote, talk: Talk, embedder: Embedder, lexicon: ClaimLexicon
) -> tuple[Said, tuple[Removal, ...]]:
    said = read_said(talk, [labelled.sentence for labelled in note.sentences], embedder, lexicon)
    vectors = embedder.embed([labelled.sentence.text for labelled in note.sentences])
    removals = []
    for number, labelled in enumerate(note.sentences):
        if is_good(labelled):
            kept = vectors @ vectors[number] < REPEATS
            kept[number] = False
            removals.append(Removal(vectors[number], kept, _share(said, number)))
    return said, tuple(removals)


def is_good(labelled: LabelledSentence) -> bool:
    """Both therapists called it faithful and gave it an item."""
    return all(labelled.needed) and all(labelled.faithful)


def _share(said: Said, number: int) -> Doubles:
    closest = np.argsort(-said.closeness[:, number], kind="stable")[: len(_SHARES)]
    share = np.zeros(len(said.whole))
    share[closest] = _SHARES[: len(closest)]
    return share


def logistic(inputs: Floats, shares: Doubles, counts: Doubles, strength: float) -> tuple[Doubles, float]:
    """Weights and bias for soft labels: each row counts for both sides, ``counts`` times. Inputs are standardised and
    put back."""
    from sklearn.linear_model import LogisticRegression

    middle, spread = inputs.mean(axis=0), inputs.std(axis=0) + 1e-6
    scaled = (inputs - middle) / spread
    model = LogisticRegression(C=strength, max_iter=1_000)
    sides = np.repeat([1, 0], len(inputs))
    both = np.concatenate([counts * shares, counts * (1 - shares)])
    model.fit(np.vstack([scaled, scaled]), sides, sample_weight=both)
    weights = model.coef_[0] / spread
    return weights, float(model.intercept_[0] - middle @ weights)


def _worth(own: Sequence[Lesson]) -> Worth:
    from sklearn.cluster import KMeans
    from sklearn.linear_model import LogisticRegression

    inputs, shares = np.vstack([each.units.features for each in own]), np.concatenate([each.worth for each in own])
    model = LogisticRegression(C=_WORTH_STRENGTH, max_iter=1_000)
    model.fit(
        np.vstack([inputs, inputs]),
        np.repeat([1, 0], len(inputs)),
        sample_weight=np.concatenate([shares, 1 - shares]),
    )
    sentences = np.array([removal.vector for each in own for _, removals in each.notes for removal in removals])
    found = (
        KMeans(min(_KINDS, len(np.unique(sentences, axis=0))), n_init=1, max_iter=30, random_state=0)
        .fit(sentences)
        .cluster_centers_
    )
    kinds = found / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-9)
    return Worth(model.coef_[0].astype(np.float32), float(model.intercept_[0]), kinds.astype(np.float32))


def fit(own: Sequence[Lesson], fingerprint: str) -> OmissionHead:
    """The head over these conversations, without a threshold: the ranking sees each conversation's worth as heads
    that have not seen it give it."""
    examples = []
    for fold in range(_INNER):
        worth = _worth([each for number, each in enumerate(own) if number % _INNER != fold])
        for each in own[fold::_INNER]:
            examples += [_examples(said, removals, worth) for said, removals in each.notes if removals]
    rows, shares, counts = (np.concatenate(part) for part in zip(*examples, strict=True))
    rank, offset = logistic(rows, shares, counts, _RANK_STRENGTH)
    return OmissionHead(_worth(own), rank.astype(np.float32), offset, 0.0, fingerprint)


def _examples(said: Said, removals: Sequence[Removal], worth: Worth) -> tuple[Floats, Doubles, Doubles]:
    """Inputs, shares and counts: every passage beside each shortened note, and beside the complete note those that a
    sentence rests on, which are not missing there."""
    whole = np.ones(len(said.stems), dtype=bool)
    complete, worth_saying = _inputs(said, whole, worth), ~said.unreportable(whole)
    rows, shares, counts = [], [], []
    for removal in removals:
        shown = ~said.unreportable(removal.kept)
        there = worth_saying & (removal.share > 0)
        rows += [_inputs(said, removal.kept, worth)[shown], complete[there]]
        shares += [removal.share[shown], np.zeros(there.sum())]
        counts += [np.ones(shown.sum()), _CONTRAST * removal.share[there]]
    return np.vstack(rows), np.concatenate(shares), np.concatenate(counts)


def _inputs(said: Said, kept: Flags, worth: Worth) -> Floats:
    units = said.talk.units
    return joined(said.talk, said.features(kept), worth.of(units), worth.likeness(units))


def held_out(found: Mapping[str, Lesson], fingerprint: str, seed: int = 0) -> dict[str, OmissionHead]:
    """For each conversation a head that has not seen it; ``seed`` decides which conversations go together.

    The threshold comes from the conversations of the other folds, each scored by the head that has not seen it.
    """
    names = np.random.default_rng(seed).permutation(list(found)).tolist()
    folds = [names[fold::_FOLDS] for fold in range(min(_FOLDS, len(names)))]
    heads = [fit([each for name, each in found.items() if name not in own], fingerprint) for own in folds]
    scored = [[_complete(head, found[name]) for name in own] for head, own in zip(heads, folds, strict=True)]
    blind: dict[str, OmissionHead] = {}
    for number, own in enumerate(folds):
        others = [note for fold, group in enumerate(scored) if fold != number for notes in group for note in notes]
        blind |= dict.fromkeys(own, replace(heads[number], threshold=threshold_of(others)))
    return blind


def _complete(head: OmissionHead, lesson: Lesson) -> list[tuple[Floats, Talk]]:
    return [(head.scores(said, np.ones(len(said.stems), dtype=bool)), lesson.talk) for said, _ in lesson.notes]


def threshold_of(scored: Sequence[tuple[Floats, Talk]]) -> float:
    """The score from which a complete note has ``_FINDINGS`` findings on average, by bisection."""
    finite = np.concatenate([scores[np.isfinite(scores)] for scores, _ in scored])
    low, high = float(finite.min()), float(finite.max())
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        findings = np.mean([len(topics(scores, talk, middle)) for scores, talk in scored])
        low, high = (middle, high) if findings > _FINDINGS else (low, middle)
    return high


def held_out_judges(
    notes: Sequence[LabelledNote], embedder: Embedder, rubric: Rubric, seed: int = 0
) -> Callable[[str], Judge]:
    """For each conversation the built-in judge, with a head for omissions that has not seen it."""
    found = lessons(notes, embedder, load_lexicon(paths.resources() / "lexicons" / "claims.json"))
    judges = {name: load(embedder, rubric, head) for name, head in held_out(found, embedder.fingerprint, seed).items()}
    return judges.__getitem__


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path, help="the sentence encoder, a GGUF file")
    parser.add_argument("data", type=Path, help="tn_eval_dev.json")
    arguments = parser.parse_args()
    train(LlamaEmbedder(arguments.model), load_notes(arguments.data), paths.resources() / "heads" / "omissions.npz")


def train(embedder: Embedder, notes: Sequence[LabelledNote], target: Path) -> None:
    """Write the head over all conversations to ``target``; its threshold comes from heads that had not seen them."""
    found = lessons(notes, embedder, load_lexicon(paths.resources() / "lexicons" / "claims.json"))
    heads = held_out(found, embedder.fingerprint)
    threshold = threshold_of([note for name, each in found.items() for note in _complete(heads[name], each)])
    save(replace(fit(list(found.values()), embedder.fingerprint), threshold=threshold), target)


if __name__ == "__main__":
    main()
