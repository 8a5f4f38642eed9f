"""Trains the heads on how a danger is answered: ``python -m models.training.crisis`` makes heads/danger.npz again.

Answers are those of the pairs, whole and their first and last turn, phrases.json, and against them ordinary answers of
the corpus. Whether a danger was said, the listener hears; from where on is told by talk of the corpus that is far from
any danger, of authors whom it has not learned from.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from models.training.authors import UNHEARD
from models.training.crisis.reading import HERE, OPEN, Pair, read_pairs
from models.training.datasets import CORPUS
from noteeval_desktop import paths
from noteeval_desktop.domain.exchanges import HARMS
from noteeval_desktop.domain.transcript import Role
from noteeval_desktop.engines import models
from noteeval_desktop.engines.embedder import Embedder, LlamaEmbedder
from noteeval_desktop.judges.builtin.learned import Linear
from noteeval_desktop.judges.builtin.responses.features import (
    DangerHeads,
    answer_row,
    danger_said,
    is_backchannel,
    marked,
)
from noteeval_desktop.judges.builtin.text.in_context import vectors_of
from noteeval_desktop.judges.protocol import exchanges_of
from noteeval_desktop.research.labelled import read_sessions, transcript_of

Floats = NDArray[np.float64]
PHRASES: dict[str, list[str]] = json.loads((HERE / "phrases.json").read_text(encoding="utf-8"))
# Of the corpus' turns far from any danger so many are taken as one in a session, and in a message on its own; second
# where the answer itself does harm, as few ordinary ones are taken to do.
FALSE = ((0.003, 0.02), (0.05, 0.3))
_ONE_IN, _FAR = 2, 6
_STRENGTH = 3.0


@dataclass(frozen=True)
class Rows:
    """``target`` is NaN where a row teaches nothing of a head."""

    inputs: Floats
    target: Floats
    weights: Floats


@dataclass(frozen=True)
class Calm:
    """What is heard far from any danger, in log-odds, and what the therapist answers."""

    odds: Floats
    answers: tuple[str, ...]


def calm(embedder: Embedder, unheard: Collection[str]) -> Calm:
    """``unheard``: authors that the listener has not learned from."""
    contexts, answered = [], []
    for session in read_sessions(CORPUS):
        transcript = transcript_of(session)
        risks = [risk.turn - 1 for risk in session.risk if risk.stance != "figurative"]
        for one in exchanges_of(transcript)[::_ONE_IN]:
            end = one.turn or 0
            if one.context[-1].role is not Role.THERAPIST and all(abs(end - 1 - risk) > _FAR for risk in risks):
                contexts += [one.context] if session.author in unheard else []
                answered.append(one.response)
    return Calm(np.array(danger_said(contexts, embedder)), tuple(answered))


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


def fit(pairs: Sequence[Pair], quiet: Calm, embedder: Embedder) -> DangerHeads:
    limits = [[np.quantile(quiet.odds, 1 - share) for share in own] for own in FALSE]
    return DangerHeads(
        _fitted(answers(pairs, quiet.answers, embedder), _STRENGTH), np.array(limits), embedder.fingerprint
    )


def save(heads: DangerHeads, path: Path) -> None:
    np.savez_compressed(
        path,
        allow_pickle=False,
        weights=heads.answers.weights,
        bias=heads.answers.bias,
        limits=heads.limits,
        fingerprint=np.array(heads.fingerprint),
    )


def main() -> None:
    with closing(LlamaEmbedder(models.encoder_path())) as embedder:
        pairs = [pair for path in OPEN for pair in read_pairs(path)]
        heads = fit(pairs, calm(embedder, UNHEARD), embedder)
    save(heads, paths.resources() / "heads" / "danger.npz")
    print(f"a danger is taken as said from {heads.limits.round(2).tolist()} on")


if __name__ == "__main__":
    main()
