"""Metrics over similarities of vectors: of word pieces (BERTScore), sentences (SBERTScore) and terms (MIST).

The arithmetic only; where the vectors come from decides what they see. A contradiction, another number or another
person has nearly the vectors of the truth: none of these notices them reliably.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
ALPHA = 1.0  # best of 0.1 to 1.5 in Ben Abacha et al. (2023), 4.3.1


@dataclass(frozen=True, slots=True)
class Match:
    """How much of the text is in the reference (precision) and the other way round (recall)."""

    precision: float
    recall: float

    @property
    def f1(self) -> float:
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0


def greedy_match(
    similarity: ArrayLike, text_weights: ArrayLike | None = None, reference_weights: ArrayLike | None = None
) -> Match | None:
    """BERTScore's matching: ``similarity[i, j]`` (-1..1) of the text's piece i and the reference's piece j.

    P = Σ w_i max_j s_ij / Σ w_i over the text, R the same over the reference; weights 1, or inverse document
    frequencies. Zhang et al. (2020). With sentences in place of pieces it is SBERTScore. 0 where the text is empty or
    all weights are 0, None where the reference is empty.
    """
    s = np.asarray(similarity, dtype=float)
    if s.shape[1] == 0:
        return None
    if s.shape[0] == 0:
        return Match(0.0, 0.0)
    return Match(_weighted(s.max(axis=1), text_weights), _weighted(s.max(axis=0), reference_weights))


def medical_match(similarity: ArrayLike, text_weights: ArrayLike, reference_weights: ArrayLike) -> Match | None:
    """MedBERTScore: P = (1/|text|) Σ w_i max_j s_ij with w = 1 + α for pieces of clinical terms, else 1; R likewise.

    Divided by the number of pieces, as Ben Abacha et al. (2023), 4.3.1, print it, so -2..2 for α = 1, and a text grows
    with its share of clinical terms alone. Which words are clinical is the lexicon's opinion.
    """
    s = np.asarray(similarity, dtype=float)
    if s.shape[1] == 0:
        return None
    if s.shape[0] == 0:
        return Match(0.0, 0.0)
    return Match(
        float(np.mean(np.asarray(text_weights, dtype=float) * s.max(axis=1))),
        float(np.mean(np.asarray(reference_weights, dtype=float) * s.max(axis=0))),
    )


def mist(similarity: ArrayLike) -> float | None:
    """MIST's form: (1/|R|) Σ over the text's terms of max over the reference's of the cosine; ``similarity[i, j]`` of
    the text's term i and the reference's j.

    Ben Abacha et al. (2023), 4.1, equation 1, as printed: above 1 where the text has more terms than the reference.
    The paper's vectors are embeddings of UMLS' knowledge graph; ours are the shipped encoder's of the terms' words.
    None where the reference has no term. What is said about a term (denied, when, how much) is not seen.
    """
    s = np.asarray(similarity, dtype=float)
    if s.shape[1] == 0:
        return None
    return float(s.max(axis=1).sum() / s.shape[1]) if s.shape[0] else 0.0


def inverse_document_frequency(documents: Sequence[Sequence[str]]) -> dict[str, float]:
    """log((N + 1) / (n + 1)) for a piece in n of N documents, as BERTScore has it; "" is for a piece in none."""
    counts: dict[str, int] = {}
    for document in documents:
        for piece in set(document):
            counts[piece] = counts.get(piece, 0) + 1
    total = len(documents) + 1
    return {piece: math.log(total / (count + 1)) for piece, count in counts.items()} | {"": math.log(total)}


def weights_of(pieces: Sequence[str], frequencies: Mapping[str, float]) -> Floats:
    """The pieces' weights by ``inverse_document_frequency``."""
    return np.array([frequencies.get(piece, frequencies[""]) for piece in pieces], dtype=float)


@dataclass(frozen=True, slots=True)
class Window:
    """Words ``start`` to ``end`` are encoded together; those from ``first`` to ``last`` are taken from it."""

    start: int
    end: int
    first: int
    last: int


def windows(lengths: Sequence[int], size: int, overlap: int) -> tuple[Window, ...]:
    """Cut words of so many pieces into windows of at most ``size`` pieces that overlap by ``overlap`` or a word less.

    The sliding windows of Ben Abacha et al. (2023), 4.3.2 (512 and 100). Each word is taken from one window: of the
    overlap the first half from the earlier, the second from the later, so that every word is read with some context on
    both sides. Raises ValueError where a word is longer than a window less its overlap.
    """
    if any(length > size - overlap for length in lengths):
        raise ValueError("a word is longer than a window")
    ends = np.cumsum([0, *lengths])
    spans: list[tuple[int, int]] = []
    start = 0
    while True:
        end = int(np.searchsorted(ends, ends[start] + size, side="right")) - 1
        spans.append((start, end))
        if end >= len(lengths):
            break
        start = max(start + 1, int(np.searchsorted(ends, ends[end] - overlap, side="left")))
    cuts = [0, *((later + end) // 2 for (_, end), (later, _) in itertools.pairwise(spans)), len(lengths)]
    return tuple(Window(s, e, cuts[n], cuts[n + 1]) for n, (s, e) in enumerate(spans))


def ensemble(columns: Sequence[Sequence[float | None]]) -> list[float | None]:
    """MIST-Comb's form: the mean of the metrics' z-scores over the set, ``columns[metric][text]``.

    Ben Abacha et al. (2023), 4.4, with the population's standard deviation. Only comparable within one set. None for a
    text that lacks one of them, and for all where a metric does not vary.
    """
    known = [n for n, row in enumerate(zip(*columns, strict=True)) if None not in row]
    total: list[float | None] = [None] * (len(columns[0]) if columns else 0)
    table = np.array([[column[n] for n in known] for column in columns], dtype=float)
    spread = table.std(axis=1, keepdims=True) if known else np.zeros((0, 1))
    if not known or not spread.all():
        return total
    for n, value in zip(known, ((table - table.mean(axis=1, keepdims=True)) / spread).mean(axis=0), strict=True):
        total[n] = float(value)
    return total


def _weighted(best: Floats, weights: ArrayLike | None) -> float:
    w = np.ones(len(best)) if weights is None else np.asarray(weights, dtype=float)
    return float((w * best).sum() / w.sum()) if w.sum() else 0.0
