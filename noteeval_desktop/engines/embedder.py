"""Sentence vectors: the port and the encoder in llama.cpp."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Protocol

import numpy as np

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.engines.bert import DIMENSIONS, Bert, Remembered, Vectors, unit
from noteeval_desktop.engines.encoder_build import sha256_of_file
from noteeval_desktop.engines.manifest import REMEDY, read_manifest
from noteeval_desktop.engines.reader import LISTENER, READER, LlamaReader, Logits, layers_digest
from noteeval_desktop.errors import EncoderMissing

MAX_TOKENS = 256  # what the model was trained with; the rest of a longer text does not count
_REMEMBERED_VECTORS = 8_192  # 12 MB
_REMEMBERED_TOKENS = 49_152  # 75 MB: three hours of talk, which are read for dangers, claims and responses
TokenVectors = tuple[list[str], Vectors]


class Embedder(Protocol):
    """Texts to unit vectors. One call at a time computes; other threads wait."""

    @property
    def fingerprint(self) -> str:
        """Changes whenever a vector might."""
        ...

    @property
    def reader_fingerprint(self) -> str:
        """Changes whenever a logit of ``read`` might; begins with ``fingerprint``."""
        ...

    def embed(self, texts: Sequence[str], cancel: threading.Event | None = None) -> Vectors:
        """(n, 384) float32 rows of length 1, in the order of ``texts``; (0, 384) for none.

        Any text is allowed; what exceeds 256 word pieces does not count. Raises Cancelled, ModelError.
        """
        ...

    def token_embeddings(self, texts: Sequence[str], cancel: threading.Event | None = None) -> list[TokenVectors]:
        """For each text its word pieces (``##`` marks one inside a word) and their unit vectors (pieces, 384).

        Vectors are of the pieces in their context; texts may have none. Raises Cancelled, ModelError.
        """
        ...

    def pieces(self, texts: Sequence[str], cancel: threading.Event | None = None) -> list[list[str]]:
        """The word pieces of each text as in ``token_embeddings``; nothing is encoded. Raises Cancelled, ModelError."""
        ...

    def read(self, pairs: Sequence[tuple[str, str]], cancel: threading.Event | None = None) -> Logits:
        """(n, 3) logits of ``reader.CLASSES`` for (window of talk, claim) pairs, in their order; (0, 3) for none.

        What exceeds 160 word pieces is cut from the window's end. Raises Cancelled, ModelError.
        """
        ...

    def listen(self, pairs: Sequence[tuple[str, str]], cancel: threading.Event | None = None) -> Logits:
        """(n, outputs) logits of the listener for (what was said before, a turn) pairs, as ``risk.hearing`` reads them.

        What exceeds 160 word pieces is cut from the end of what was said before. Raises Cancelled, ModelError.
        """
        ...

    def hold(self, closing: ExitStack) -> Embedder:
        """Itself, for one more that closes it at the end of ``closing``. Raises ModelError once it is freed."""
        ...

    def close(self) -> None:
        """Free the model once all that hold it have closed it; later calls raise ModelError."""
        ...


class LlamaEmbedder:
    """The encoder in llama.cpp. ``threads``: how many texts at once; the cores, eight at most, when None.

    ``max_tokens``: what of a text counts, up to the 512 that the model has positions for. Raises ModelError when the
    file is missing, damaged or not such an encoder.
    """

    def __init__(self, model_path: Path, threads: int | None = None, max_tokens: int = MAX_TOKENS) -> None:
        digest = _checked_digest(model_path)
        self._bert = Bert(model_path, max_tokens, threads)
        self._vectors: Remembered[Vectors] = Remembered(_REMEMBERED_VECTORS)
        self._tokens: Remembered[TokenVectors] = Remembered(_REMEMBERED_TOKENS)
        self._path, self._threads = model_path, threads
        self._readers: dict[str, LlamaReader] = {}
        self._holders, self._counting = 1, threading.Lock()
        self._fingerprint = f"{model_path.stem}:{digest[:16]}:f32:{max_tokens}"

    @property
    def fingerprint(self) -> str:
        return self._fingerprint

    @property
    def reader_fingerprint(self) -> str:
        return f"{self._fingerprint}:{layers_digest(READER)[:16]}"

    def embed(self, texts: Sequence[str], cancel: threading.Event | None = None) -> Vectors:
        with self._bert.turn(cancel):
            keys, found, missing = self._vectors.sorted_out([self._bert.ids(text) for text in texts])
            for key, _ids, states in self._bert.states(missing, cancel):
                found[key] = unit(states.mean(axis=0))
                self._vectors.put(key, found[key], 1)
        return np.stack([found[key] for key in keys]) if keys else np.zeros((0, DIMENSIONS), np.float32)

    def token_embeddings(self, texts: Sequence[str], cancel: threading.Event | None = None) -> list[TokenVectors]:
        with self._bert.turn(cancel):
            keys, found, missing = self._tokens.sorted_out([self._bert.ids(text) for text in texts])
            for key, ids, states in self._bert.states(missing, cancel):
                found[key] = ([self._bert.piece(token) for token in ids[1:-1]], unit(states[1:-1]))
                self._tokens.put(key, found[key], len(ids))
                self._vectors.put(key, unit(states.mean(axis=0)), 1)  # comes with it, costs nothing
        return [found[key] for key in keys]

    def pieces(self, texts: Sequence[str], cancel: threading.Event | None = None) -> list[list[str]]:
        with self._bert.turn(cancel):
            return [[self._bert.piece(token) for token in self._bert.ids(text)[1:-1]] for text in texts]

    def read(self, pairs: Sequence[tuple[str, str]], cancel: threading.Event | None = None) -> Logits:
        """The model is loaded at the first call, and written before it where it is not there yet."""
        return self._together(READER, pairs, cancel)

    def listen(self, pairs: Sequence[tuple[str, str]], cancel: threading.Event | None = None) -> Logits:
        """As ``read``."""
        return self._together(LISTENER, pairs, cancel)

    def _together(self, layers: str, pairs: Sequence[tuple[str, str]], cancel: threading.Event | None) -> Logits:
        with self._bert.turn(cancel):
            self._bert.require_open()
            if layers not in self._readers:
                self._readers[layers] = LlamaReader(self._path, layers, self._threads)
        return self._readers[layers].read(pairs, cancel)

    def hold(self, closing: ExitStack) -> Embedder:
        with self._counting:
            self._bert.require_open()
            self._holders += 1
        closing.callback(self.close)
        return self

    def close(self) -> None:
        with self._counting:
            self._holders -= 1
            if self._holders > 0:
                return
            for reader in self._readers.values():
                reader.close()
            self._bert.close()


def _checked_digest(path: Path) -> str:
    """SHA-256 of the file. A damaged encoder must not reach llama.cpp, where it could end the whole program."""
    if not path.is_file():
        missing = tr("{file}: the sentence encoder is missing. {remedy}")
        raise EncoderMissing(missing.format(file=path.name, remedy=REMEDY))
    digest, published = sha256_of_file(path), read_manifest().encoder
    if path.name == published.file and digest != published.sha256:
        damaged = tr("{file}: the sentence encoder is damaged. {remedy}")
        raise EncoderMissing(damaged.format(file=path.name, remedy=REMEDY))
    return digest
