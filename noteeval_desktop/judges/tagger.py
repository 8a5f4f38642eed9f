"""Which words of a text may say who somebody is: nets over what the encoder, the lists and the rules see in a word.

Trained by ``python -m models.training identifiers`` on texts by several hands; what it reaches on another's stands in
models/training/identifiers/README.md.
"""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, pairwise

import numpy as np
from numpy.typing import NDArray

from noteeval_desktop import paths
from noteeval_desktop.domain.text import Span
from noteeval_desktop.engines.bert import DIMENSIONS, Remembered
from noteeval_desktop.engines.embedder import Embedder
from noteeval_desktop.errors import ModelError
from noteeval_desktop.judges.builtin.learned import Linear, arrays
from noteeval_desktop.privacy.identifiers import Tagged
from noteeval_desktop.privacy.masking import IdentifierKind
from noteeval_desktop.privacy.names import Word, words_of
from noteeval_desktop.privacy.word_features import WordFeatures

Floats = NDArray[np.float64]
KINDS = (
    IdentifierKind.PERSON,
    IdentifierKind.PLACE,
    IdentifierKind.ORGANISATION,
    IdentifierKind.NUMBER,
    IdentifierKind.DATE,
)
_TOKEN = re.compile(r"[^\W_]+|\S")  # as the encoder cuts
_MOST_WORDS = 100  # of a passage, which the encoder reads as a whole
_SHARPNESS = 8.0  # vectors of length 1, beside features of 0 and 1
_NEIGHBOURS = (-2, -1, 1, 2)
_REMEMBERED = 65_536  # words


@dataclass(frozen=True)
class Head:
    """``hidden`` and ``names`` are several nets side by side; ``kinds``: one of ``KINDS``, where it is any."""

    hidden: Linear
    names: Linear
    kinds: Linear
    fingerprint: str

    def chances(self, rows: Floats) -> Floats:
        """(words,) of (words, features): that it says who somebody is, 0..1."""
        inner = np.maximum(self.hidden.values(rows), 0)
        return self.names.probabilities(inner, 0)


@cache
def shipped_head() -> Head:
    """Raises ModelError."""
    data = arrays(paths.resources() / "heads" / "identifiers.npz")
    hidden, names, kinds = (
        Linear(data[f"{name}.weights"], data[f"{name}.bias"]) for name in ("hidden", "names", "kinds")
    )
    return Head(hidden, names, kinds, str(data["fingerprint"]))


class WordTagger:
    """Implements ``privacy.identifiers.Tagger``. Raises ModelError where the head is of another encoder."""

    def __init__(self, head: Head, embedder: Embedder, features: WordFeatures) -> None:
        if head.fingerprint != embedder.fingerprint:
            raise ModelError("identifiers.npz: made for another sentence encoder. Install again.")
        self._head, self._embedder, self._features = head, embedder, features
        self._known: Remembered[Tagged] = Remembered(_REMEMBERED)

    def tagged(self, texts: Sequence[str]) -> list[Tagged]:
        found = {text: self._known.get(_key(text)) for text in texts}
        pages = [(text, words_of(text)) for text, tags in found.items() if tags is None]
        for (text, words), rows in zip(pages, rows_of(pages, self._embedder, self._features), strict=True):
            kinds = [KINDS[kind] for kind in self._head.kinds.values(rows).argmax(axis=1)] if words else []
            chances = self._head.chances(rows).tolist() if words else []
            found[text] = known = Tagged(words, tuple(chances), tuple(kinds))
            self._known.put(_key(text), known, len(words))
        return [tags for text in texts if (tags := found[text]) is not None]


def _key(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def rows_of(pages: Sequence[tuple[str, Sequence[Word]]], embedder: Embedder, features: WordFeatures) -> list[Floats]:
    """For each (text, its words) what is known of a word and its neighbours: (words, features)."""
    found = []
    for (text, words), vectors in zip(pages, _vectors(pages, embedder), strict=True):
        own = features.of(text, words)
        around = np.pad(own, ((2, 2), (0, 0)))
        beside = [around[2 + step : 2 + step + len(words)] for step in _NEIGHBOURS]
        found.append(np.hstack([own, *beside, _SHARPNESS * vectors]))
    return found


def _vectors(pages: Sequence[tuple[str, Sequence[Word]]], embedder: Embedder) -> list[Floats]:
    """(words, 384) for each: the mean of a word's pieces, read in its passage; zeros where the passage was cut off."""
    passages = [(page, *cut) for page, (text, words) in enumerate(pages) for cut in _passages(text, words)]
    cuts = [list(_TOKEN.finditer(pages[page][0], span.start, span.end)) for page, _, span in passages]
    tokens = sorted({token.group() for cut in cuts for token in cut})
    sizes = dict(zip(tokens, map(len, embedder.pieces(tokens)), strict=True))
    read = embedder.token_embeddings([span.of(pages[page][0]) for page, _, span in passages])
    vectors = [np.zeros((len(words), DIMENSIONS)) for _, words in pages]
    for (page, numbers, _), cut, (_, rows) in zip(passages, cuts, read, strict=True):
        begins = [token.start() for token in cut]
        pieces = list(accumulate((sizes[token.group()] for token in cut), initial=0))
        for number in numbers:
            span = pages[page][1][number].span
            own = rows[pieces[bisect_left(begins, span.start)] : pieces[bisect_left(begins, span.end)]]
            if len(own):
                vectors[page][number] = own.mean(axis=0)
    return vectors


def _passages(text: str, words: Sequence[Word]) -> Iterable[tuple[range, Span]]:
    """Lines, long ones in parts: the numbers of their words, and where they stand."""
    first = [0]
    for number, word in enumerate(words):
        if number > first[-1] and ("\n" in word.gap or number - first[-1] >= _MOST_WORDS):
            first.append(number)
    edges = [words[number].span.start for number in first[1:]]
    for (start, end), (left, right) in zip(
        pairwise([*first, len(words)]), pairwise([0, *edges, len(text)]), strict=True
    ):
        if words:
            yield range(start, end), Span(left, right)
