"""Train the head for what belongs in a note: ``python -m noteeval_desktop.judges.builtin.train_omissions MODEL DATA``.

A passage is worth a note's while as far as sentences that both therapists called faithful and gave an item rest on it,
over the three notes of a conversation. The threshold comes from heads that have not seen the conversation.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from noteeval_desktop import paths
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.engines.embedder import Embedder, LlamaEmbedder
from noteeval_desktop.judges.builtin import load
from noteeval_desktop.judges.builtin.omission_units import Units, read_units
from noteeval_desktop.judges.builtin.omissions import SAID_WEIGHT, OmissionHead, distinct
from noteeval_desktop.judges.builtin.session_index import SessionIndex, index_session
from noteeval_desktop.judges.builtin.words import ClaimLexicon, load_lexicon
from noteeval_desktop.judges.protocol import Judge
from noteeval_desktop.measures.tn_eval import LabelledNote, load_notes

Floats = NDArray[np.float32]
_STRENGTH = 0.3
_FOLDS = 7
_SHARES = (1.0, 0.6)
_RECALL_WEIGHT = 0.35
_FINDINGS = 5
_HALVINGS = 20


def sessions_of(notes: Sequence[LabelledNote], embedder: Embedder, lexicon: ClaimLexicon) -> dict[str, SessionIndex]:
    """The session of each conversation, indexed once."""
    first = {note.conversation: note for note in reversed(notes)}
    return {name: index_session(note.case.transcript, embedder, lexicon) for name, note in first.items()}


def worth_of(
    notes: Sequence[LabelledNote], units: Units, embedder: Embedder, lexicon: ClaimLexicon
) -> NDArray[np.float64]:
    """(passages,) in 0..1: how far the notes' good sentences rest on each passage."""
    worth = np.zeros(len(units.vectors))
    for note in notes:
        for labelled in note.sentences:
            if all(labelled.needed) and all(labelled.faithful):
                text = labelled.sentence.text
                closest = np.argsort(-_closeness(text, units, embedder, lexicon))[: len(_SHARES)]
                worth[closest] += np.array(_SHARES[: len(closest)]) / 3
    return np.minimum(worth, 1.0)


def _closeness(text: str, units: Units, embedder: Embedder, lexicon: ClaimLexicon) -> Floats:
    stems = set(lexicon.content_stems(text))
    shared = [len(stems & passage.stems) / max(len(stems), 1) for passage in units.session.passages]
    close = units.vectors @ embedder.embed([text])[0] + _RECALL_WEIGHT * np.array(shared)
    return np.asarray(close, dtype=np.float32)


def fit(inputs: Floats, worth: NDArray[np.float64], threshold: float, fingerprint: str) -> OmissionHead:
    """A logistic head for soft labels: each row counts for both sides."""
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=_STRENGTH, max_iter=1_000)
    sides = np.repeat([1, 0], len(inputs))
    model.fit(np.vstack([inputs, inputs]), sides, sample_weight=np.concatenate([worth, 1 - worth]))
    return OmissionHead(model.coef_[0].astype(np.float32), float(model.intercept_[0]), threshold, fingerprint)


def held_out(
    units: dict[str, Units], worth: dict[str, NDArray[np.float64]], fingerprint: str
) -> dict[str, OmissionHead]:
    """For each conversation a head that has not seen it."""
    names = list(units)
    heads: dict[str, OmissionHead] = {}
    for fold in range(_FOLDS):
        train = [name for number, name in enumerate(names) if number % _FOLDS != fold]
        inputs = np.vstack([units[name].features for name in train])
        head = fit(inputs, np.concatenate([worth[name] for name in train]), 0.0, fingerprint)
        heads |= {name: head for number, name in enumerate(names) if number % _FOLDS == fold}
    return heads


def threshold_of(
    notes: Sequence[LabelledNote], units: dict[str, Units], heads: dict[str, OmissionHead], embedder: Embedder
) -> float:
    """The score from which a complete note has ``_FINDINGS`` findings on average, by bisection."""
    scored = []
    for note in notes:
        own = units[note.conversation]
        vectors = embedder.embed([labelled.sentence.text for labelled in note.sentences])
        scored.append((heads[note.conversation].worth(own) - SAID_WEIGHT * (own.vectors @ vectors.T).max(axis=1), own))
    low, high = min(float(s.min()) for s, _ in scored), max(float(s.max()) for s, _ in scored)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        findings = np.mean([len(distinct(scores, own.vectors, middle)) for scores, own in scored])
        low, high = (middle, high) if findings > _FINDINGS else (low, middle)
    return high


def held_out_judges(notes: Sequence[LabelledNote], embedder: Embedder, rubric: Rubric) -> Callable[[str], Judge]:
    """For each conversation the built-in judge, with a head for omissions that has not seen it."""
    _, blind = trained(embedder, notes)
    judges = {name: load(embedder, rubric, head) for name, head in blind.items()}
    return judges.__getitem__


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path, help="the sentence encoder, a GGUF file")
    parser.add_argument("data", type=Path, help="tn_eval_dev.json")
    arguments = parser.parse_args()
    train(LlamaEmbedder(arguments.model), load_notes(arguments.data), paths.resources() / "heads" / "omissions.npz")


def train(embedder: Embedder, notes: Sequence[LabelledNote], target: Path) -> None:
    """Write the head to ``target``."""
    head, _ = trained(embedder, notes)
    np.savez(target, weights=head.weights, bias=head.bias, threshold=head.threshold, fingerprint=head.fingerprint)


def trained(embedder: Embedder, notes: Sequence[LabelledNote]) -> tuple[OmissionHead, dict[str, OmissionHead]]:
    """The head over all conversations and, for each, one that has not seen it; all with one threshold."""
    lexicon = load_lexicon(paths.resources() / "lexicons" / "claims.json")
    units = {name: read_units(session) for name, session in sessions_of(notes, embedder, lexicon).items()}
    worth = {
        name: worth_of([n for n in notes if n.conversation == name], own, embedder, lexicon)
        for name, own in units.items()
    }
    blind = held_out(units, worth, embedder.fingerprint)
    threshold = threshold_of(notes, units, blind, embedder)
    inputs = np.vstack([own.features for own in units.values()])
    head = fit(inputs, np.concatenate(list(worth.values())), threshold, embedder.fingerprint)
    return head, {name: replace(own, threshold=threshold) for name, own in blind.items()}


if __name__ == "__main__":
    main()
