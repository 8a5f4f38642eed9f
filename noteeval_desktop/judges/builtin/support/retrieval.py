"""Which windows of the talk could decide a claim: near in meaning and words, weighed as labelled claims taught."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from noteeval_desktop.domain.note import Section, Sentence
from noteeval_desktop.domain.transcript import Role
from noteeval_desktop.engines.embedder import Embedder
from noteeval_desktop.errors import ModelError
from noteeval_desktop.judges.builtin.files import arrays
from noteeval_desktop.judges.builtin.session_index import SessionIndex
from noteeval_desktop.judges.builtin.text.note_lexicon import expand
from noteeval_desktop.judges.builtin.text.words import ClaimLexicon

Floats = NDArray[np.float32]
FILE = "retrieval.npz"
FEATURES = 9
WINDOWS = 5
# Of which so many are read: two more cost as much again and find the deciding turn of two claims in a hundred.
READ = 3
# How near a window comes before anybody was taught: its own meaning, its middle passage's, shared words.
UNTAUGHT = np.array([1.0, 0.3, 0.8], dtype=np.float32)
_SPEAKERS = {Role.CLIENT: "Client", Role.THERAPIST: "Therapist", Role.OTHER: "Other"}


@dataclass(frozen=True)
class Window:
    """Up to three passages in a row, around ``centre``. ``closeness`` is how near it comes to the claim, untaught;
    ``odds`` (a logarithm) is how surely it decides the claim, against the other windows."""

    centre: int
    passages: tuple[int, ...]
    closeness: float
    odds: float


@dataclass(frozen=True)
class Found:
    """A claim beside the passages of a session. ``vector`` (dim,) and ``alike`` (its word pieces, passages; 0 where a
    passage has none) are cosines' halves and cosines, ``rarity`` (word pieces,) sums to 1; for the window around each
    passage, ``held`` is the share of the claim's words in it, and ``closeness`` and ``odds`` are as in ``Window``;
    ``windows`` are the best, best first."""

    text: str
    names: tuple[str, ...]
    vector: Floats
    alike: Floats
    rarity: Floats
    held: Floats
    closeness: Floats
    odds: Floats
    windows: tuple[Window, ...]


@dataclass(frozen=True)
class Retriever:
    """A window's log-odds are ``weights`` (features,) of its ``features``, and how much of what ``claims`` (dim, rank)
    sees in a claim ``windows`` (dim, rank) sees in it; ``encoder`` fingerprints whose vectors these are."""

    weights: Floats
    claims: Floats
    windows: Floats
    encoder: str

    def __call__(
        self,
        sentences: Sequence[Sentence],
        session: SessionIndex,
        embedder: Embedder,
        lexicon: ClaimLexicon,
        cancel: threading.Event | None = None,
    ) -> list[Found]:
        """One a sentence, in order; for an empty session none has windows. Raises Cancelled, ModelError."""
        texts = [expand(sentence.text) for sentence in sentences]
        tokens = embedder.token_embeddings(texts, cancel)
        vectors = embedder.embed(texts, cancel)
        seen = session.once("retrieval", lambda: session.windows @ self.windows)
        found = []
        for sentence, text, vector, (names, pieces) in zip(sentences, texts, vectors, tokens, strict=True):
            held = _held(lexicon.content_stems(text), session)
            alike, rarity = _alike(pieces, session), _rarity(names, session)
            told = features(vector, alike, rarity, held, Section.PLAN in sentence.sections, session)
            closeness = told[:, : len(UNTAUGHT)] @ UNTAUGHT
            odds = np.asarray(told @ self.weights + seen @ (vector @ self.claims), dtype=np.float32)
            windows = best_windows(odds, closeness)
            found.append(Found(text, tuple(names), vector, alike, rarity, held, closeness, odds, windows))
        return found


def untaught(dimension: int, encoder: str) -> Retriever:
    """One that goes by closeness alone."""
    nothing = np.zeros((dimension, 1), dtype=np.float32)
    return Retriever(np.pad(UNTAUGHT, (0, FEATURES - len(UNTAUGHT))), nothing, nothing, encoder)


def load_retriever(folder: Path, encoder: str) -> Retriever:
    """Raises ModelError where it is missing, damaged, or learned with another encoder."""
    kept = arrays(folder / FILE)
    weights, claims, windows = (kept[name].astype(np.float32) for name in ("weights", "claims", "windows"))
    retriever = Retriever(weights, claims, windows, str(kept["encoder"]))
    if retriever.encoder != encoder:
        raise ModelError("The retriever was trained with another encoder. Install again.")
    return retriever


def features(vector: Floats, alike: Floats, rarity: Floats, held: Floats, plan: bool, session: SessionIndex) -> Floats:
    """(passages, 9) of the window around each: nearness in meaning, shared words, pieces of words found in the passage
    and in the window (after ColBERT), length, place in the session, whether the client speaks."""
    count = len(session.passages)
    place = np.arange(count) / max(1, count - 1)
    padded = np.pad(alike, ((0, 0), (1, 1)))
    around = np.maximum(np.maximum(padded[:, :-2], padded[:, 1:-1]), padded[:, 2:])
    length = np.log1p([len(passage.words) for passage in session.passages])
    columns = (
        session.windows @ vector,
        session.vectors @ vector,
        held,
        rarity @ alike,
        rarity @ around,
        length,
        plan * place,
        place,
        session.clients,
    )
    return np.stack([np.asarray(column, dtype=np.float32) for column in columns], axis=1)


def _alike(pieces: Floats, session: SessionIndex) -> Floats:
    alike = np.zeros((len(pieces), len(session.passages)), dtype=np.float32)
    if len(pieces) and len(session.pieces):
        alike[:, session.spoken[0]] = session.nearest(pieces)
    return alike


def _rarity(names: Sequence[str], session: SessionIndex) -> Floats:
    count = len(session.passages)
    weights = np.array([np.log((count + 1) / (1 + session.holding.get(name, 0))) + 0.1 for name in names])
    return np.asarray(weights / weights.sum() if len(weights) else weights, dtype=np.float32)


def _held(stems: Iterable[str], session: SessionIndex) -> Floats:
    """(passages,) The share of the claim's words, weighted by rarity, that the window around each holds."""
    count = len(session.passages)
    held = np.zeros(count, dtype=np.float32)
    total = 1e-6
    for stem in frozenset(stems):
        places = session.by_stem.get(stem, ())
        weight = float(np.log1p(count / (1 + len(places))))
        total += weight
        around = np.zeros(count, dtype=bool)
        for step in (-1, 0, 1):
            there = np.asarray(places, dtype=np.int64) + step
            around[there[(there >= 0) & (there < count)]] = True
        held[around] += weight
    return held / np.float32(total)


def best_windows(odds: Floats, closeness: Floats, count: int = WINDOWS) -> tuple[Window, ...]:
    """The ``count`` of the best ``odds``, best first; centres are at least two passages apart."""
    chosen: list[int] = []
    for index in np.argsort(-odds, kind="stable").tolist():
        if all(abs(index - other) > 1 for other in chosen):
            chosen.append(index)
            if len(chosen) == count:
                break
    return tuple(
        Window(index, _around(index, len(odds)), float(closeness[index]), float(odds[index])) for index in chosen
    )


def _around(centre: int, count: int) -> tuple[int, ...]:
    return tuple(range(max(0, centre - 1), min(count, centre + 2)))


def window_text(passages: Sequence[int], session: SessionIndex) -> str:
    """As the reader was taught: ``Client: … Therapist: …``."""
    own = (session.passages[index] for index in passages)
    return " ".join(f"{_SPEAKERS[passage.role]}: {passage.text}" for passage in own)
