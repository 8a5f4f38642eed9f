"""Sentence vectors: the port, the encoder in llama.cpp, and a stand-in for tests."""

from __future__ import annotations

import hashlib
import os
import re
import sys
import threading
from collections import OrderedDict, deque
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

import llama_cpp
import numpy as np
import numpy.typing as npt

from noteeval_desktop.engines import native
from noteeval_desktop.engines.encoder_build import sha256_of_file
from noteeval_desktop.engines.manifest import read_manifest
from noteeval_desktop.errors import Cancelled, ModelError

DIMENSIONS = 384
_WORD_PIECE = 3  # llama.cpp's LLAMA_VOCAB_TYPE_WPM
MAX_TOKENS = 256  # what the model was trained with; the rest of a longer text does not count

_REMEMBERED_VECTORS = 8_192  # 12 MB
_REMEMBERED_TOKENS = 49_152  # 75 MB: three hours of talk, which are read for dangers, claims and responses
_MOST_THREADS = 8  # beyond, memory is the limit
_ROUND = 256  # texts whose states are held at once: at most 100 MB
_NICENESS = 5

Vectors = npt.NDArray[np.float32]
TokenVectors = tuple[list[str], Vectors]
Value = TypeVar("Value")


class Embedder(Protocol):
    """Texts to unit vectors. One call at a time computes; other threads wait."""

    @property
    def fingerprint(self) -> str:
        """Changes whenever a vector might."""
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

    def close(self) -> None:
        """Free the model; later calls raise ModelError."""
        ...


class _Remembered(Generic[Value]):
    """The values used last, up to a total weight. Keys are digests: no text is kept alive."""

    def __init__(self, capacity: int) -> None:
        self._capacity, self._total = capacity, 0
        self._values: OrderedDict[bytes, tuple[int, Value]] = OrderedDict()

    def get(self, key: bytes) -> Value | None:
        if key not in self._values:
            return None
        self._values.move_to_end(key)
        return self._values[key][1]

    def put(self, key: bytes, value: Value, weight: int) -> None:
        self._total += weight - self._values.pop(key, (0, None))[0]
        self._values[key] = (weight, value)
        while self._total > self._capacity:
            self._total -= self._values.popitem(last=False)[1][0]


class LlamaEmbedder:
    """The encoder in llama.cpp. ``threads``: how many texts at once; the cores, eight at most, when None.

    ``max_tokens``: what of a text counts, up to the 512 that the model has positions for. Raises ModelError when the
    file is missing, damaged or not such an encoder.
    """

    def __init__(self, model_path: Path, threads: int | None = None, max_tokens: int = MAX_TOKENS) -> None:
        self._name, self._max_tokens = model_path.name, max_tokens
        digest = _checked_digest(model_path)
        self._model = native.load_model(model_path)
        self._vocab = llama_cpp.llama_model_get_vocab(self._model)
        if (
            llama_cpp.llama_model_n_embd(self._model) != DIMENSIONS
            or llama_cpp.llama_vocab_type(self._vocab) != _WORD_PIECE
        ):
            llama_cpp.llama_model_free(self._model)
            raise ModelError(f"{self._name}: not the sentence encoder. Run `noteeval models build`.")
        self._seats: list[_Seat] = []
        try:
            for _ in range(threads or min(os.cpu_count() or 1, _MOST_THREADS)):
                self._seats.append(_Seat(self._model, self._name, max_tokens))
        except ModelError:
            self._free()
            raise
        self._pool = ThreadPoolExecutor(len(self._seats), "encoder", _stand_back)
        self._lock = threading.Lock()
        self._open = True
        self._piece = lru_cache(maxsize=None)(partial(_piece, self._vocab))
        self._vectors: _Remembered[Vectors] = _Remembered(_REMEMBERED_VECTORS)
        self._tokens: _Remembered[TokenVectors] = _Remembered(_REMEMBERED_TOKENS)
        self._fingerprint = f"{model_path.stem}:{digest[:16]}:f32:{max_tokens}"

    @property
    def fingerprint(self) -> str:
        return self._fingerprint

    def embed(self, texts: Sequence[str], cancel: threading.Event | None = None) -> Vectors:
        with _Turn(self._lock, cancel):
            self._require_open()
            tokenised = [self._ids(text) for text in texts]
            keys = [_key_of(ids) for ids in tokenised]
            found = {key: vector for key in keys if (vector := self._vectors.get(key)) is not None}
            missing = {key: ids for key, ids in zip(keys, tokenised, strict=True) if key not in found}
            for key, _ids, states in self._compute(missing, cancel):
                found[key] = _unit(states.mean(axis=0))
                self._vectors.put(key, found[key], 1)
        return np.stack([found[key] for key in keys]) if keys else np.zeros((0, DIMENSIONS), np.float32)

    def token_embeddings(self, texts: Sequence[str], cancel: threading.Event | None = None) -> list[TokenVectors]:
        with _Turn(self._lock, cancel):
            self._require_open()
            tokenised = [self._ids(text) for text in texts]
            keys = [_key_of(ids) for ids in tokenised]
            found = {key: value for key in keys if (value := self._tokens.get(key)) is not None}
            missing = {key: ids for key, ids in zip(keys, tokenised, strict=True) if key not in found}
            for key, ids, states in self._compute(missing, cancel):
                found[key] = ([self._piece(token) for token in ids[1:-1]], _unit(states[1:-1]))
                self._tokens.put(key, found[key], len(ids))
                self._vectors.put(key, _unit(states.mean(axis=0)), 1)  # comes with it, costs nothing
        return [found[key] for key in keys]

    def pieces(self, texts: Sequence[str], cancel: threading.Event | None = None) -> list[list[str]]:
        with _Turn(self._lock, cancel):
            self._require_open()
            return [[self._piece(token) for token in self._ids(text)[1:-1]] for text in texts]

    def close(self) -> None:
        with self._lock:
            if self._open:
                self._open = False
                self._pool.shutdown()
                self._free()

    def _free(self) -> None:
        for seat in self._seats:
            seat.free()
        llama_cpp.llama_model_free(self._model)

    def _require_open(self) -> None:
        if not self._open:
            raise ModelError(f"{self._name}: the encoder was closed. Start the program again.")

    def _compute(
        self, missing: dict[bytes, list[int]], cancel: threading.Event | None
    ) -> Iterator[tuple[bytes, list[int], Vectors]]:
        """Yield (key, token ids with [CLS] and [SEP], their last hidden states), text by text.

        By length, because llama.cpp keeps its graph while the length stays. One text a call, because a vector
        must not depend on what else was asked: packed into batches of 512 with flash attention, vectors of the
        same text differed by 2e-4 a component, for a gain of 16 % (245 sentences a second and core, not 211).
        """
        shortest_first = sorted(missing.items(), key=lambda item: len(item[1]))
        for start in range(0, len(shortest_first), _ROUND):
            waiting = deque(shortest_first[start : start + _ROUND])
            working = [self._pool.submit(seat.encode_all, waiting, cancel) for seat in self._seats]
            wait(working)  # also where one failed: no seat may be left at work when the next caller comes
            for done in working:
                yield from done.result()
            if cancel is not None and cancel.is_set():
                raise Cancelled

    def _ids(self, text: str) -> list[int]:
        ids = native.tokenize(self._vocab, text, add_special=True)
        return ids if len(ids) <= self._max_tokens else [*ids[: self._max_tokens - 1], ids[-1]]


class _Seat:
    """A context of one thread: texts side by side keep all cores busy, where several threads on one short text would
    wait for each other (on two busy cores at a fifth of the speed of one)."""

    def __init__(self, model: Any, name: str, max_tokens: int) -> None:
        self._name, self._context = name, _encoder_context(model, name, max_tokens)
        self._batch = native.Batch(max_tokens)

    def encode_all(
        self, waiting: deque[tuple[bytes, list[int]]], cancel: threading.Event | None
    ) -> list[tuple[bytes, list[int], Vectors]]:
        """Takes texts from ``waiting``, which other seats take from too, until none is left or ``cancel`` is set."""
        done = []
        while not (cancel is not None and cancel.is_set()):
            try:
                key, ids = waiting.popleft()
            except IndexError:
                break
            done.append((key, ids, self._encode(ids)))
        return done

    def _encode(self, ids: list[int]) -> Vectors:
        batch = self._batch.fill(ids, range(len(ids)), [0] * len(ids))
        code = llama_cpp.llama_encode(self._context, batch)
        if code != 0:
            raise ModelError(f"{self._name}: the encoder failed (llama.cpp says {code}). Try again.")
        return native.copy_floats(llama_cpp.llama_get_embeddings(self._context), len(ids), DIMENSIONS)

    def free(self) -> None:
        self._batch.free()
        llama_cpp.llama_free(self._context)


def _stand_back() -> None:
    """The window's thread goes first where threads have a priority of their own."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICENESS)


class FakeEmbedder:
    """Vectors from hashed words: the same for the same words, near when many are shared. For tests."""

    fingerprint = "fake:1"

    def __init__(self) -> None:
        self._open = True

    def embed(self, texts: Sequence[str], cancel: threading.Event | None = None) -> Vectors:
        pooled = [_word_vectors(["", *pieces]).sum(axis=0) for pieces, _ in self.token_embeddings(texts, cancel)]
        return _unit(np.stack(pooled)) if pooled else np.zeros((0, DIMENSIONS), np.float32)

    def token_embeddings(self, texts: Sequence[str], cancel: threading.Event | None = None) -> list[TokenVectors]:
        return [(pieces, _word_vectors(pieces)) for pieces in self.pieces(texts, cancel)]

    def pieces(self, texts: Sequence[str], cancel: threading.Event | None = None) -> list[list[str]]:
        if not self._open:
            raise ModelError("fake: the encoder was closed. Start the program again.")
        if cancel is not None and cancel.is_set():
            raise Cancelled
        return [re.findall(r"\w+|[^\w\s]", text.lower())[: MAX_TOKENS - 2] for text in texts]

    def close(self) -> None:
        self._open = False


class _Turn:
    """Holds the lock; a caller that waits for it can still be cancelled."""

    def __init__(self, lock: threading.Lock, cancel: threading.Event | None) -> None:
        self._lock, self._cancel = lock, cancel

    def __enter__(self) -> None:
        while not self._lock.acquire(timeout=0.05):
            if self._cancel is not None and self._cancel.is_set():
                raise Cancelled

    def __exit__(self, *_: object) -> None:
        self._lock.release()


def _checked_digest(path: Path) -> str:
    """SHA-256 of the file. A damaged encoder must not reach llama.cpp, where it could end the whole program."""
    if not path.is_file():
        raise ModelError(f"{path.name}: the sentence encoder is not there. Run `noteeval models build`.")
    digest, published = sha256_of_file(path), read_manifest().encoder
    if path.name == published.file and digest != published.sha256:
        raise ModelError(f"{path.name}: the sentence encoder is damaged. Run `noteeval models build`.")
    return digest


def _encoder_context(model: Any, name: str, max_tokens: int) -> Any:
    """Pooling is ours, so that one context serves sentences and word pieces.

    Without flash attention, which for one text at a time costs a quarter of the speed and rounds to half precision.
    """
    return native.new_context(
        model,
        name,
        n_ctx=max_tokens,
        n_batch=max_tokens,
        n_ubatch=max_tokens,
        n_threads=1,
        n_threads_batch=1,
        embeddings=True,
        pooling_type=llama_cpp.LLAMA_POOLING_TYPE_NONE,
        flash_attn_type=0,
        no_perf=True,
    )


def _piece(vocab: Any, token: int) -> str:
    text = str(llama_cpp.llama_vocab_get_text(vocab, token).decode("utf-8", "replace"))
    if text.startswith("\u2581"):
        return text[1:]
    return text if text == "[UNK]" else "##" + text


def _key_of(ids: Sequence[int]) -> bytes:
    """By tokens, not by text: what differs in capitals or apostrophes alone is encoded once."""
    return hashlib.blake2b(np.asarray(ids, dtype=np.int32).tobytes(), digest_size=16).digest()


def _key(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _unit(rows: Vectors) -> Vectors:
    """Rows of length 1; a row of zeros stays one."""
    lengths = np.linalg.norm(rows, axis=-1, keepdims=True)
    return np.asarray(rows / np.maximum(lengths, 1e-12), dtype=np.float32)


def _word_vectors(words: Sequence[str]) -> Vectors:
    rows = [
        np.random.default_rng(int.from_bytes(_key(word)[:8], "little")).standard_normal(DIMENSIONS) for word in words
    ]
    return _unit(np.asarray(rows, dtype=np.float32).reshape(len(words), DIMENSIONS))
