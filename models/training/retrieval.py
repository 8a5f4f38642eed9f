"""Trains the retriever: which window of a session decides a claim, from the turns that authors wrote down.

A claim belongs to the windows that hold one of its turns, and to no other of its session: a softmax over them, with
nine weights on what is near in meaning and words, and a low-rank product of the claim's and the window's vectors.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from models.training import datasets
from models.training.authors import OF_DECISION, OF_READER
from models.training.datasets import ClaimSet
from noteeval_desktop import paths
from noteeval_desktop.engines import models
from noteeval_desktop.engines.embedder import DIMENSIONS, Embedder, LlamaEmbedder
from noteeval_desktop.judges.builtin.session_index import SessionIndex, index_session
from noteeval_desktop.judges.builtin.support.retrieval import FILE, Retriever, features
from noteeval_desktop.judges.builtin.text.words import ClaimLexicon, load_lexicon

Floats = NDArray[np.float32]
RANK = 48
PASSES, RATE, WEIGHTS_RATE, BATCH = 4, 3e-3, 0.03, 192


@dataclass(frozen=True)
class Query:
    """A claim, ``vector`` (dim,), beside a session's windows: ``told`` (windows, features), ``deciding`` (windows,)
    whether one holds a turn that decides it, ``windows`` (windows, dim)."""

    vector: Floats
    told: Floats
    deciding: NDArray[np.bool_]
    windows: Floats


def queries(sets: Iterable[ClaimSet], embedder: Embedder, lexicon: ClaimLexicon) -> Iterator[Query]:
    """Every claim of which somebody wrote down what decides it."""
    for own, session in indexed(sets, embedder, lexicon):
        turns = np.array([passage.turn for passage in session.passages])
        found = features(own.note.sentences, session, embedder, lexicon)
        for claim, (vector, told) in zip(own.claims, found, strict=True):
            spoken = np.isin(turns, claim.turns)
            if claim.target is not None and spoken.any():
                yield Query(vector, told, _around(spoken), session.windows)


def indexed(
    sets: Iterable[ClaimSet], embedder: Embedder, lexicon: ClaimLexicon
) -> Iterator[tuple[ClaimSet, SessionIndex]]:
    """A session with two notes is read once."""
    last: tuple[object, SessionIndex] | None = None
    for own in sets:
        if last is None or last[0] != own.transcript:
            last = (own.transcript, index_session(own.transcript, embedder, lexicon))
        yield own, last[1]


def _around(spoken: NDArray[np.bool_]) -> NDArray[np.bool_]:
    padded = np.pad(spoken, 1)
    return padded[:-2] | padded[1:-1] | padded[2:]


def fit(learned: Sequence[Query], encoder: str, seed: int = 0) -> Retriever:
    """Adam over ``PASSES``, the rate falling to nought."""
    every = np.concatenate([query.told for query in learned])
    mean, spread = every.mean(axis=0), every.std(axis=0) + 1e-6
    torch.manual_seed(seed)
    weights = torch.zeros(every.shape[1], requires_grad=True)
    claims, windows = (torch.nn.Parameter(torch.randn(DIMENSIONS, RANK) * 0.05) for _ in range(2))
    gain = torch.tensor(3.0, requires_grad=True)
    optimizer = torch.optim.AdamW(
        [
            {"params": [weights, gain], "lr": WEIGHTS_RATE, "weight_decay": 0.0},
            {"params": [claims, windows], "lr": RATE, "weight_decay": 0.01},
        ]
    )
    steps = PASSES * -(-len(learned) // BATCH)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: max(0.02, 1 - step / steps))
    for number in range(PASSES):
        order = np.random.default_rng(seed + number).permutation(len(learned))
        for start in range(0, len(order), BATCH):
            batch = [learned[i] for i in order[start : start + BATCH]]
            loss = torch.stack([_loss(query, mean, spread, weights, gain, claims, windows) for query in batch]).mean()
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            schedule.step()
    made = [part.detach().numpy().astype(np.float32) for part in (weights, gain * claims, windows)]
    return Retriever(made[0] / spread, made[1], made[2], encoder)


def _loss(query: Query, mean: Floats, spread: Floats, weights: torch.Tensor, gain: torch.Tensor, claims: torch.Tensor,
          windows: torch.Tensor) -> torch.Tensor:  # fmt: skip
    told = torch.from_numpy((query.told - mean) / spread)
    seen = torch.from_numpy(query.windows) @ (windows @ (torch.from_numpy(query.vector) @ claims))
    odds = told @ weights + gain * seen
    return torch.logsumexp(odds, 0) - torch.logsumexp(odds[torch.from_numpy(query.deciding)], 0)


def finds(retriever: Retriever, sets: Iterable[ClaimSet], embedder: Embedder, lexicon: ClaimLexicon) -> Floats:
    """(claims, 5) Whether a deciding turn is in the best one, two … five windows."""
    found = []
    for own, session in indexed(sets, embedder, lexicon):
        windows = retriever(own.note.sentences, session, embedder, lexicon)
        for claim, best in zip(own.claims, windows, strict=True):
            turns = [{session.passages[index].turn for index in window.passages} for window in best]
            if claim.target is not None and any(passage.turn in claim.turns for passage in session.passages):
                hits = [bool(spoken & set(claim.turns)) for spoken in turns]
                found.append([any(hits[:count]) for count in range(1, 6)])
    return np.array(found, dtype=np.float32)


def train(target: Path) -> None:
    """Write ``retrieval.npz`` into ``target``: learned from the reader's authors. Prints what it finds for the
    decision's, whom it never saw."""
    lexicon = load_lexicon(paths.resources() / "lexicons" / "claims.json")
    of_reader = [author for stage in OF_READER for author in stage]
    with closing(LlamaEmbedder(models.encoder_path())) as embedder:
        learned = list(queries(_sets(of_reader), embedder, lexicon))
        retriever = fit(learned, embedder.fingerprint)
        arrays = {name: getattr(retriever, name).astype(np.float16) for name in ("claims", "windows")}
        np.savez_compressed(target / FILE, weights=retriever.weights, encoder=retriever.encoder, **arrays)
        hits = finds(retriever, _sets(OF_DECISION), embedder, lexicon).mean(axis=0)
    print(f"{len(learned)} claims; deciding turn in the best 1 to 5 windows:", *(f"{hit:.3f}" for hit in hits))


def _sets(authors: Iterable[str]) -> Iterator[ClaimSet]:
    return (own for author in authors for own in datasets.corpus(datasets.CORPUS / author))
