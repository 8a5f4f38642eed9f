"""Which windows of the talk could decide a claim: by meaning and shared words for the judge's own reading, and as
labelled claims taught for a second judge, which reads with other eyes."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sequence
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
WINDOWS = 5
# Of which so many are read: two more cost as much again and find the deciding turn of three claims in a hundred.
READ = 3
# Of the corpus' claims a deciding turn is in the best three windows for 92 in 100, in five for 95; the meaning alone
# finds 86 and 91.
_PASSAGE_WEIGHT, _WORDS_WEIGHT = 0.3, 0.8
_SPEAKERS = {Role.CLIENT: "Client", Role.THERAPIST: "Therapist", Role.OTHER: "Other"}


@dataclass(frozen=True)
class Window:
    """Up to three passages in a row, around ``centre``; ``score`` is how near it comes to the claim."""

    centre: int
    passages: tuple[int, ...]
    score: float


def window_scores(vector: Floats, stems: Iterable[str], session: SessionIndex) -> tuple[Floats, Floats]:
    """(passages,) twice: how near the window around each passage comes to a claim whose ``vector`` is (dim,), of unit
    length, and the share of its words, weighted by rarity, that the window holds."""
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
    held /= total
    scores = session.windows @ vector + _PASSAGE_WEIGHT * (session.vectors @ vector) + _WORDS_WEIGHT * held
    return np.asarray(scores, dtype=np.float32), held


def best_windows(scores: Floats, count: int = WINDOWS) -> tuple[Window, ...]:
    """The ``count`` best, best first; centres are at least two passages apart."""
    chosen: list[int] = []
    for index in np.argsort(-scores, kind="stable").tolist():
        if all(abs(index - other) > 1 for other in chosen):
            chosen.append(index)
            if len(chosen) == count:
                break
    return tuple(Window(index, _around(index, len(scores)), float(scores[index])) for index in chosen)


def _around(centre: int, count: int) -> tuple[int, ...]:
    return tuple(range(max(0, centre - 1), min(count, centre + 2)))


def window_text(passages: Sequence[int], session: SessionIndex) -> str:
    """As the reader was taught: ``Client: … Therapist: …``."""
    own = (session.passages[index] for index in passages)
    return " ".join(f"{_SPEAKERS[passage.role]}: {passage.text}" for passage in own)


@dataclass(frozen=True)
class Retriever:
    """A window's log-odds are ``weights`` (features,) of its ``features``, and how much of what ``claims`` (dim, rank)
    sees in a claim ``windows`` (dim, rank) sees in it; ``encoder`` fingerprints whose vectors these are.

    The judge's own decision does not use it: with these windows it was no better on authors unseen.
    """

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
    ) -> Iterator[tuple[Window, ...]]:
        """The best for each sentence, best first; none for an empty session. Raises Cancelled, ModelError."""
        seen = session.windows @ self.windows
        for vector, told in features(sentences, session, embedder, lexicon, cancel):
            yield best_windows(np.asarray(told @ self.weights + seen @ (vector @ self.claims), dtype=np.float32))


def load_retriever(folder: Path, encoder: str) -> Retriever:
    """Raises ModelError where it is missing, damaged, or learned with another encoder."""
    kept = arrays(folder / FILE)
    weights, claims, windows = (kept[name].astype(np.float32) for name in ("weights", "claims", "windows"))
    retriever = Retriever(weights, claims, windows, str(kept["encoder"]))
    if retriever.encoder != encoder:
        raise ModelError("The retriever was trained with another encoder. Install again.")
    return retriever


def features(
    sentences: Sequence[Sentence],
    session: SessionIndex,
    embedder: Embedder,
    lexicon: ClaimLexicon,
    cancel: threading.Event | None = None,
) -> Iterator[tuple[Floats, Floats]]:
    """For each sentence its vector (dim,), and (passages, 9) of the window around each passage: nearness in meaning,
    shared words, word pieces found in the passage and in the window (after ColBERT), length, place, who speaks."""
    texts = [expand(sentence.text) for sentence in sentences]
    tokens = embedder.token_embeddings(texts, cancel)
    count = len(session.passages)
    place = np.arange(count) / max(1, count - 1)
    length = np.log1p([len(passage.words) for passage in session.passages])
    for sentence, text, vector, (names, pieces) in zip(
        sentences, texts, embedder.embed(texts, cancel), tokens, strict=True
    ):
        alike = np.zeros((len(pieces), count), dtype=np.float32)
        if len(pieces) and len(session.pieces):
            alike[:, session.spoken[0]] = session.nearest(pieces)
        rarity = np.array([np.log((count + 1) / (1 + session.holding.get(name, 0))) + 0.1 for name in names])
        rarity /= rarity.sum() if len(names) else 1.0
        padded = np.pad(alike, ((0, 0), (1, 1)))
        around = np.maximum(np.maximum(padded[:, :-2], padded[:, 1:-1]), padded[:, 2:])
        columns = (
            session.windows @ vector,
            session.vectors @ vector,
            window_scores(vector, lexicon.content_stems(text), session)[1],
            rarity @ alike,
            rarity @ around,
            length,
            (Section.PLAN in sentence.sections) * place,
            place,
            session.clients,
        )
        yield vector, np.stack([np.asarray(column, dtype=np.float32) for column in columns], axis=1)
