"""An embedder without a model: vectors from hashed words."""

from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Sequence
from contextlib import ExitStack
from functools import cache

import numpy as np
import numpy.typing as npt

from noteeval_desktop.engines.bert import DIMENSIONS, Vectors, encoder_closed, unit
from noteeval_desktop.engines.embedder import MAX_TOKENS, Embedder, TokenVectors
from noteeval_desktop.engines.reader import CLASSES, Logits
from noteeval_desktop.errors import Cancelled, ModelError


class FakeEmbedder:
    """Vectors from hashed words: the same for the same words, near when many are shared."""

    fingerprint = "fake:1"
    reader_fingerprint = "fake:1:1"

    def __init__(self) -> None:
        self._open = True

    def embed(self, texts: Sequence[str], cancel: threading.Event | None = None) -> Vectors:
        pooled = [_word_vectors(["", *pieces]).sum(axis=0) for pieces, _ in self.token_embeddings(texts, cancel)]
        return unit(np.stack(pooled)) if pooled else np.zeros((0, DIMENSIONS), np.float32)

    def token_embeddings(self, texts: Sequence[str], cancel: threading.Event | None = None) -> list[TokenVectors]:
        return [(pieces, _word_vectors(pieces)) for pieces in self.pieces(texts, cancel)]

    def pieces(self, texts: Sequence[str], cancel: threading.Event | None = None) -> list[list[str]]:
        if not self._open:
            raise ModelError(encoder_closed("fake"))
        if cancel is not None and cancel.is_set():
            raise Cancelled
        return [re.findall(r"\w+|[^\w\s]", text.lower())[: MAX_TOKENS - 2] for text in texts]

    def read(self, pairs: Sequence[tuple[str, str]], cancel: threading.Event | None = None) -> Logits:
        """Entailed as far as the claim's words stand in the window."""
        shares = [_shared(window, claim) for window, claim in pairs]
        return np.array([(4 * share - 2, 0.0, -2.0) for share in shares], np.float32).reshape(len(shares), len(CLASSES))

    def listen(self, pairs: Sequence[tuple[str, str]], cancel: threading.Event | None = None) -> Logits:
        """Hears nothing: no listener was trained upon these vectors."""
        return np.zeros((len(pairs), 1), np.float32)

    def hold(self, closing: ExitStack) -> Embedder:
        return self

    def close(self) -> None:
        self._open = False


def _word_vectors(said: Sequence[str]) -> Vectors:
    return unit(np.asarray([_word_vector(word) for word in said], dtype=np.float32).reshape(len(said), DIMENSIONS))


@cache
def _word_vector(word: str) -> npt.NDArray[np.float64]:
    key = hashlib.blake2b(word.encode("utf-8", "surrogatepass"), digest_size=16).digest()[:8]
    return np.random.default_rng(int.from_bytes(key, "little")).standard_normal(DIMENSIONS)


def _shared(window: str, claim: str) -> float:
    own = set(claim.lower().split())
    return len(own & set(window.lower().split())) / max(1, len(own))
