"""Vectors of what is said sentence by sentence, taken from the pass that reads whole passages.

Encoding every sentence once more on its own would double the time that a session takes. Its word pieces were read
with their passage already, and their mean is a vector of the sentence as it was meant there (late chunking, Günther
et al., 2024). It is not the vector of the sentence on its own: over AnnoMI their cosine is 0.72 on average.
"""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from noteeval_desktop.documents.sentences import split_line
from noteeval_desktop.domain.text import Span
from noteeval_desktop.engines.bert import DIMENSIONS
from noteeval_desktop.engines.embedder import Embedder
from noteeval_desktop.judges.builtin.session_index import passage_spans

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class SentenceVectors:
    """``vectors`` is (sentences, dim), of unit length where ``told`` and zeros elsewhere.

    ``told`` (sentences,) is False for a sentence that is its whole passage, whose own vector the embedder remembers
    from reading the passage, and for the few that no single passage holds; these are to be embedded on their own.
    """

    vectors: Floats
    told: NDArray[np.bool_]


def sentence_spans(text: str) -> list[Span]:
    """The sentences of a turn, line by line."""
    spans, start = [], 0
    for line in text.split("\n"):
        spans += [span.shifted(start) for span in split_line(line, plain=True)]
        start += len(line) + 1
    return spans


def read_in_context(
    texts: Sequence[str],
    sentences: Sequence[Sequence[Span]],
    embedder: Embedder,
    cancel: threading.Event | None = None,
) -> SentenceVectors:
    """Vectors for the ``sentences`` of each text, text by text. Raises Cancelled and what the embedder raises."""
    passages: list[str] = []
    segments: list[tuple[int, int | None, str]] = []  # passage, sentence if it is one, text
    first = 0
    for text, spans in zip(texts, sentences, strict=True):
        starts = [span.start for span in spans]
        for passage in passage_spans(text):
            near = range(bisect_left(starts, passage.start), bisect_left(starts, passage.end))
            inside = [(first + number, spans[number]) for number in near if spans[number].end <= passage.end]
            if len(inside) > 1:
                segments += (
                    (len(passages), number, part) for number, part in _cut(text, passage, inside) if part != " "
                )
                passages.append(passage.of(text))
        first += len(spans)
    # Segments are found in their passage by their pieces, and left out where those are not the passage's own there, as
    # in one that is cut at the encoder's limit.
    vectors, told = np.zeros((first, DIMENSIONS), dtype=np.float32), np.zeros(first, dtype=bool)
    read = embedder.token_embeddings(passages, cancel)
    own = embedder.pieces([part for _, _, part in segments], cancel)
    at = [0] * len(passages)
    for (holder, which, _), pieces in zip(segments, own, strict=True):
        start, end = at[holder], at[holder] + len(pieces)
        at[holder] = end
        names, rows = read[holder]
        if which is not None and pieces and names[start:end] == pieces:
            mean = rows[start:end].mean(axis=0)
            vectors[which] = mean / max(float(np.linalg.norm(mean)), 1e-9)
            told[which] = True
    return SentenceVectors(vectors, told)


def vectors_of(texts: Sequence[str], embedder: Embedder, cancel: threading.Event | None = None) -> dict[str, Floats]:
    """For each text (sentences, dim): its sentences read in context, and embedded where they have no such vector."""
    texts = list(dict.fromkeys(texts))
    sentences = [sentence_spans(text) for text in texts]
    read = read_in_context(texts, sentences, embedder, cancel)
    said = [span.of(text) for text, spans in zip(texts, sentences, strict=True) for span in spans]
    left = np.flatnonzero(~read.told)
    vectors = read.vectors.copy()
    vectors[left] = embedder.embed([said[number] for number in left.tolist()], cancel)
    ends = np.cumsum([len(spans) for spans in sentences])
    return dict(zip(texts, np.split(vectors, ends[:-1]), strict=True)) if texts else {}


def _cut(text: str, passage: Span, inside: Sequence[tuple[int, Span]]) -> Iterator[tuple[int | None, str]]:
    """The passage's sentences with their numbers and, with None, what stands between them: ends of others."""
    at = passage.start
    for number, span in inside:
        yield None, text[at : span.start]
        yield number, span.of(text)
        at = span.end
    yield None, text[at : passage.end]
