"""Which turns of a long session bear on a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.engines.embedder import Embedder


class Retriever(Protocol):
    def closest(self, transcript: Transcript, texts: Sequence[str], count: int) -> tuple[int, ...]:
        """Turn numbers, ascending: the ``count`` closest to each text, each with its neighbours, so that
        question and answer stay together."""
        ...


class WholeSession:
    """For a session that is short: every turn bears on it."""

    def closest(self, transcript: Transcript, texts: Sequence[str], count: int) -> tuple[int, ...]:
        return tuple(turn.index for turn in transcript.turns)


class EmbeddingRetriever:
    """By cosine similarity of sentence embeddings."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    def closest(self, transcript: Transcript, texts: Sequence[str], count: int) -> tuple[int, ...]:
        if not transcript.turns or not texts:
            return ()
        turns = self._embedder.embed([turn.text for turn in transcript.turns])
        similarity = self._embedder.embed(list(texts)) @ turns.T
        best = np.argsort(-similarity, axis=1, kind="stable")[:, :count]
        chosen = {int(index) + step for index in best.ravel() for step in (-1, 0, 1)}
        return tuple(sorted(index for index in chosen if 0 <= index < len(transcript.turns)))
