"""Trains the heads on how a danger is answered: ``python -m models.training.crisis`` makes heads/danger.npz again.

The danger: situations of the pairs, exchanges written for it (models/training/exchanges), phrasings of the risk head,
against their look-alikes and talk of the corpus that is far from any danger. The answers: those of the pairs, whole
and their first and last turn, phrases.json, and against them ordinary answers of the corpus.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from models.training.crisis.reading import HERE, OPEN, Pair, read_pairs
from models.training.datasets import CORPUS
from models.training.exchanges import reading as exchanges
from noteeval_desktop import paths
from noteeval_desktop.domain.exchanges import HARMS
from noteeval_desktop.domain.risk import RiskKind
from noteeval_desktop.domain.transcript import Role, Turn
from noteeval_desktop.engines import models
from noteeval_desktop.engines.embedder import Embedder, LlamaEmbedder
from noteeval_desktop.judges.builtin.linear import Linear
from noteeval_desktop.judges.builtin.responses.danger import DangerHeads, answer_row, said_row
from noteeval_desktop.judges.builtin.responses.features import client_words, is_backchannel, marked
from noteeval_desktop.judges.builtin.text.in_context import vectors_of
from noteeval_desktop.judges.protocol import exchanges_of
from noteeval_desktop.research.labelled import read_sessions, transcript_of

Floats = NDArray[np.float64]
TRAINING = HERE.parent
PHRASES: dict[str, list[str]] = json.loads((HERE / "phrases.json").read_text(encoding="utf-8"))
# Of the corpus' turns far from any danger so many are taken as one in a session, and in a message on its own; second
# where the answer itself does harm, as few ordinary ones are taken to do.
FALSE = ((0.003, 0.02), (0.05, 0.3))
_ONE_IN, _FAR = 2, 6
_STRENGTH = {"said": 3.0, "answers": 3.0}


@dataclass(frozen=True)
class Rows:
    """``target`` is NaN where a row teaches nothing of a head."""

    inputs: Floats
    target: Floats
    weights: Floats


def told(turns: Sequence[Turn], embedder: Embedder) -> Floats:
    last, earlier = client_words(turns)
    read = vectors_of([*last, *earlier], embedder)
    return said_row([read[text] for text in last], [read[text] for text in earlier])


def _turns(said: Sequence[tuple[str, str]]) -> tuple[Turn, ...]:
    return tuple(
        Turn(n, who, Role.THERAPIST if who == "T" else Role.CLIENT, text) for n, (who, text) in enumerate(said)
    )


def dangers(pairs: Sequence[Pair], embedder: Embedder) -> Rows:
    found = [(pair.said, 1.0, 3.0) for pair in pairs]
    for path in sorted((TRAINING / "exchanges").glob("*.txt")):
        for one in exchanges.read(path):
            turns = _turns(one.turns[: one.says + 1])
            if turns[-1].role is Role.CLIENT and (one.look_alike or one.meaning != "hypothetical"):
                found.append((turns, float(not one.look_alike and one.meaning == "now"), 2.0))
    found += [(_turns([("C", text)]), kind, weight) for text, kind, weight in _phrasings()]
    inputs = np.array([told(turns, embedder) for turns, _, _ in found])
    return Rows(inputs, np.array([[y] for _, y, _ in found]), np.array([w for _, _, w in found]))


def _phrasings() -> Iterator[tuple[str, float, float]]:
    yield from ((text, 0.0, 8.0) for text in PHRASES["no_danger"])
    data = json.loads((TRAINING / "risk_sentences.json").read_text(encoding="utf-8"))
    yield from ((text, 1.0, 1.0) for texts in data["danger"].values() for text in texts)
    yield from ((text, 0.0, 1.0) for text in data["contrast"])
    for path in sorted((TRAINING / "risk_phrases").glob("*.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            rows = [(row["text"], row.get("kind", "")) for row in csv.DictReader(file)]
        yield from ((text, float(bool(kind)), 1.0) for text, kind in rows if not kind or kind in set(RiskKind))


@dataclass(frozen=True)
class Calm:
    """What is said far from any danger, whether by one half of the authors, and what the therapist answers."""

    rows: Floats
    half: NDArray[np.bool_]
    answers: tuple[str, ...]


def calm(embedder: Embedder) -> Calm:
    rows, half, answered = [], [], []
    sessions = list(read_sessions(CORPUS))
    authors = sorted({session.author for session in sessions})
    for session in sessions:
        transcript = transcript_of(session)
        risks = [risk.turn - 1 for risk in session.risk if risk.stance != "figurative"]
        for one in exchanges_of(transcript)[::_ONE_IN]:
            end = one.turn or 0
            if one.context[-1].role is not Role.THERAPIST and all(abs(end - 1 - risk) > _FAR for risk in risks):
                rows.append(told(one.context, embedder))
                half.append(authors.index(session.author) % 2 == 0)
                answered.append(one.response)
    return Calm(np.array(rows), np.array(half), tuple(answered))


def answers(pairs: Sequence[Pair], ordinary: Sequence[str], embedder: Embedder) -> Rows:
    """Targets: takes it up, points to help, does harm, and each of the HARMS."""
    found: list[tuple[str, float, float, str, float]] = []
    for pair in pairs:
        safe, unsafe = ([turn.text for turn in own if turn.role is Role.THERAPIST] for own in (pair.safe, pair.unsafe))
        partly = float(pair.fault == "partly")
        found += [("\n".join(safe), 1.0, 1.0, "", 2.0), ("\n".join(unsafe), partly, 0.0, pair.fault, 2.0)]
        if len(safe) > 1:
            found += [(safe[0], 1.0, np.nan, "", 1.0), (safe[-1], np.nan, 1.0, "", 1.0)]
        if partly:
            found += [(unsafe[0], 1.0, 0.0, "", 1.0), (unsafe[-1], 0.0, 0.0, "", 1.0)]
    for name, texts in PHRASES.items():
        if name == "no_danger":
            continue
        found += [(text, float("takes_up" in name), float("help" in name), name, 1.0) for text in texts]
    # An ordinary question may be one about a danger where one was said.
    found += [(t, 0.0, 0.0, "", 0.02 if "?" in t else 0.1) for t in ordinary if not is_backchannel(t)]
    read = vectors_of([text for text, *_ in found], embedder)
    inputs = np.array([answer_row(read[text], [one.marks for one in marked(text)]) for text, *_ in found])
    target = np.array([[up, to, fault in HARMS, *(fault == kind for kind in HARMS)] for _, up, to, fault, _ in found])
    return Rows(inputs, target.astype(float), np.array([weight for *_, weight in found]))


def _fitted(rows: Rows, strength: float) -> Linear:
    weights, bias = [], []
    for column in rows.target.T:
        known = ~np.isnan(column)
        line = LogisticRegression(C=strength, max_iter=500)
        line.fit(rows.inputs[known], column[known], sample_weight=rows.weights[known])
        weights.append(line.coef_[0])
        bias.append(line.intercept_[0])
    return Linear(np.array(weights, dtype=np.float32), np.array(bias, dtype=np.float32))


def _against(rows: Rows, others: Floats, weight: float = 1.0) -> Rows:
    return Rows(
        np.vstack([rows.inputs, others]),
        np.vstack([rows.target, np.zeros((len(others), 1))]),
        np.r_[rows.weights, np.full(len(others), weight)],
    )


def fit(pairs: Sequence[Pair], quiet: Calm, embedder: Embedder) -> DangerHeads:
    """The limits are those of authors unseen: the mean of what either half says of the other."""
    said, others, half = dangers(pairs, embedder), quiet.rows, quiet.half
    limits = []
    for seen in (half, ~half):
        odds = _fitted(_against(said, others[seen], 2.0), _STRENGTH["said"]).values(others[~seen])[:, 0]
        limits.append([[np.quantile(odds, 1 - share) for share in own] for own in FALSE])
    return DangerHeads(
        _fitted(_against(said, others), _STRENGTH["said"]),
        _fitted(answers(pairs, quiet.answers, embedder), _STRENGTH["answers"]),
        np.mean(limits, axis=0),
        embedder.fingerprint,
    )


def save(heads: DangerHeads, path: Path) -> None:
    lines = {"said": heads.said, "answers": heads.answers}
    np.savez_compressed(
        path,
        allow_pickle=False,
        **{f"{name}_weights": line.weights for name, line in lines.items()},
        **{f"{name}_bias": line.bias for name, line in lines.items()},
        limits=heads.limits,
        fingerprint=np.array(heads.fingerprint),
    )


def main() -> None:
    with closing(LlamaEmbedder(models.encoder_path())) as embedder:
        pairs = [pair for path in OPEN for pair in read_pairs(path)]
        heads = fit(pairs, calm(embedder), embedder)
    save(heads, paths.resources() / "heads" / "danger.npz")
    print(f"a danger is taken as said from {heads.limits.round(2).tolist()} on")


if __name__ == "__main__":
    main()
