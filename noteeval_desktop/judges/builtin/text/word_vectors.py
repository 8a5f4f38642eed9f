"""The vectors of a text's words in their context, from those of its word pieces."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from noteeval_desktop.judges.builtin.text.words import Word

Floats = NDArray[np.float32]
# A piece that is found only far behind the last is of a text that was written otherwise ("SI" as "suicidal ideation").
_FAR = 12


def word_vectors(text: str, words: Sequence[Word], names: Sequence[str], pieces: Floats) -> Floats:
    """(words, dim), of unit length: the mean of each word's pieces; zeros for words that have none in ``names``."""
    vectors = np.zeros((len(words), pieces.shape[1]), dtype=np.float32)
    if not words:
        return vectors
    starts = [word.span.start for word in words]
    ends = [word.span.end for word in words]
    folded, at = _letters(text), 0
    for name, piece in zip(names, pieces, strict=True):
        letters = name.removeprefix("##")
        found = folded.find(letters, at)
        if found < 0 or found > at + _FAR:
            continue
        at = found + len(letters)
        owner = bisect_right(starts, found) - 1
        if owner >= 0 and found < ends[owner]:
            vectors[owner] += piece
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(lengths, 1e-9), dtype=np.float32)


def _letters(text: str) -> str:
    """``text`` in lower case, without accents, letter for letter."""
    if text.isascii():
        return text.lower()
    return "".join((unicodedata.normalize("NFD", letter.lower()) or letter)[0] for letter in text)
