"""Which turns of a long session bear on a sentence, and which sentences are asked about together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.engines.embedder import Embedder


class Retriever(Protocol):
    def closest(self, transcript: Transcript, texts: Sequence[str], count: int) -> list[tuple[int, ...]]:
        """For each text the numbers of the ``count`` turns closest to it, ascending, each with its neighbours, so that
        question and answer stay together."""
        ...


class WholeSession:
    """For a session that is short: every turn bears on it."""

    def closest(self, transcript: Transcript, texts: Sequence[str], count: int) -> list[tuple[int, ...]]:
        return [tuple(turn.index for turn in transcript.turns)] * len(texts)


class EmbeddingRetriever:
    """By cosine similarity of sentence embeddings."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    def closest(self, transcript: Transcript, texts: Sequence[str], count: int) -> list[tuple[int, ...]]:
        if not transcript.turns or not texts:
            return [()] * len(texts)
        turns = self._embedder.embed([turn.text for turn in transcript.turns])
        similarity = self._embedder.embed(list(texts)) @ turns.T
        best = np.argsort(-similarity, axis=1, kind="stable")[:, :count]
        return [_with_neighbours([int(index) for index in row], len(transcript.turns)) for row in best]


def _with_neighbours(turns: Sequence[int], count: int) -> tuple[int, ...]:
    around = {index + step for index in turns for step in (-1, 0, 1)}
    return tuple(sorted(index for index in around if 0 <= index < count))


def packed(chosen: Sequence[Sequence[int]], sizes: Sequence[int], room: int) -> list[tuple[list[int], list[int]]]:
    """Texts that share what they are read with: (places in ``chosen``, turns), no stretch longer than ``room``.

    Each text joins the stretch that grows least by its turns, so that few stretches are read, each once for many
    questions. ``sizes``: of all turns. What alone is too long for the room loses its longest turns, all but one.
    """
    stretches: list[tuple[list[int], set[int]]] = []
    for place, turns in enumerate(chosen):
        own = set(turns)
        while len(own) > 1 and sum(sizes[turn] for turn in own) > room:
            own.remove(max(own, key=lambda turn: (sizes[turn], turn)))
        grown = [(sum(sizes[turn] for turn in own - held), number) for number, (_, held) in enumerate(stretches)]
        fitting = [
            (growth, number)
            for growth, number in grown
            if growth + sum(sizes[turn] for turn in stretches[number][1]) <= room
        ]
        if fitting:
            members, held = stretches[min(fitting)[1]]
            members.append(place)
            held |= own
        else:
            stretches.append(([place], own))
    return [(members, sorted(held)) for members, held in stretches]
