"""A BERT encoder in llama.cpp: token ids to last hidden states, one text at a time on each of several threads."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict, deque
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Generic, TypeVar

import llama_cpp
import numpy as np
import numpy.typing as npt

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.engines import native
from noteeval_desktop.engines.manifest import REMEDY
from noteeval_desktop.errors import Cancelled, ModelError
from noteeval_desktop.platform.processes import lower_this_thread, usable_processors

DIMENSIONS = 384
_WORD_PIECE = 3  # llama.cpp's LLAMA_VOCAB_TYPE_WPM
_MOST_THREADS = 8  # beyond, memory is the limit
_ROUND = 256  # texts whose states are held at once: at most 100 MB
Vectors = npt.NDArray[np.float32]
Value = TypeVar("Value")


class Remembered(Generic[Value]):
    """The values used last, up to a total weight. Keys are digests: no text is kept alive."""

    def __init__(self, capacity: int) -> None:
        self._capacity, self._total = capacity, 0
        self._values: OrderedDict[bytes, tuple[int, Value]] = OrderedDict()

    def get(self, key: bytes) -> Value | None:
        if key not in self._values:
            return None
        self._values.move_to_end(key)
        return self._values[key][1]

    def sorted_out(
        self, tokenised: Sequence[list[int]]
    ) -> tuple[list[bytes], dict[bytes, Value], dict[bytes, list[int]]]:
        """The key of each text's tokens, what is remembered by them, and the tokens of the others."""
        keys = [key_of(ids) for ids in tokenised]
        found = {key: value for key in keys if (value := self.get(key)) is not None}
        return keys, found, {key: ids for key, ids in zip(keys, tokenised, strict=True) if key not in found}

    def put(self, key: bytes, value: Value, weight: int) -> None:
        self._total += weight - self._values.pop(key, (0, None))[0]
        self._values[key] = (weight, value)
        while self._total > self._capacity:
            self._total -= self._values.popitem(last=False)[1][0]


class Bert:
    """``threads``: how many texts at once; the cores, eight at most, when None. A text has at most ``most_tokens``.

    Safe to share between threads: one call at a time computes, others wait and can be cancelled meanwhile. Raises
    ModelError when the file is missing, damaged or not such an encoder, and once it was closed.
    """

    def __init__(self, model_path: Path, most_tokens: int, threads: int | None = None) -> None:
        self._name, self._most = model_path.name, most_tokens
        self._model = native.load_model(model_path)
        self._vocab = llama_cpp.llama_model_get_vocab(self._model)
        if (
            llama_cpp.llama_model_n_embd(self._model) != DIMENSIONS
            or llama_cpp.llama_vocab_type(self._vocab) != _WORD_PIECE
        ):
            llama_cpp.llama_model_free(self._model)
            raise ModelError(tr("{file}: not the sentence encoder. {remedy}").format(file=self._name, remedy=REMEDY))
        self._seats: list[_Seat] = []
        try:
            for _ in range(threads or min(usable_processors(), _MOST_THREADS)):
                self._seats.append(_Seat(self._model, self._name, most_tokens))
        except ModelError:
            self._free()
            raise
        self._pool = ThreadPoolExecutor(len(self._seats), "encoder", lower_this_thread)
        self._lock = threading.Lock()
        self._open = True
        self.piece = lru_cache(maxsize=None)(partial(_piece, self._vocab))

    @contextmanager
    def turn(self, cancel: threading.Event | None = None) -> Iterator[None]:
        """To be held around ``states``. Raises Cancelled while it waits."""
        while not self._lock.acquire(timeout=0.05):
            if cancel is not None and cancel.is_set():
                raise Cancelled
        try:
            yield
        finally:
            self._lock.release()

    def ids(self, text: str) -> list[int]:
        """With [CLS] and [SEP]; what exceeds the most tokens is cut off. Raises ModelError once closed."""
        self.require_open()
        ids = native.tokenize(self._vocab, text, add_special=True)
        return ids if len(ids) <= self._most else [*ids[: self._most - 1], ids[-1]]

    def pair_ids(self, first: str, second: str) -> list[int]:
        """[CLS] ``first`` [SEP] ``second`` [SEP]; where both are too long together, ``first`` is cut, and ``second``
        to three quarters of the room."""
        self.require_open()
        before, after = self.ids(first), self.ids(second)
        longest = self._most * 3 // 4
        if len(after) > longest:
            after = [*after[: longest - 1], after[-1]]
        room = self._most - len(after) + 1
        if len(before) > room:
            before = [*before[: room - 1], before[-1]]
        return [*before, *after[1:]]

    def states(
        self, missing: dict[bytes, list[int]], cancel: threading.Event | None
    ) -> Iterator[tuple[bytes, list[int], Vectors]]:
        """Yield (key, token ids, their last hidden states), text by text.

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

    def close(self) -> None:
        """Free the model; later calls raise ModelError."""
        with self._lock:
            if self._open:
                self._open = False
                self._pool.shutdown()
                self._free()

    def _free(self) -> None:
        for seat in self._seats:
            seat.free()
        llama_cpp.llama_model_free(self._model)

    def require_open(self) -> None:
        if not self._open:
            raise ModelError(encoder_closed(self._name))


class _Seat:
    """A context of one thread: texts side by side keep all cores busy, where several threads on one short text would
    wait for each other (on two busy cores at a fifth of the speed of one)."""

    def __init__(self, model: Any, name: str, most_tokens: int) -> None:
        self._name, self._context = name, _encoder_context(model, name, most_tokens)
        self._batch = native.Batch(most_tokens)

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
            raise ModelError(
                tr("{name}: the encoder failed (llama.cpp says {code}). Try again.").format(name=self._name, code=code)
            )
        return native.copy_floats(llama_cpp.llama_get_embeddings(self._context), len(ids), DIMENSIONS)

    def free(self) -> None:
        self._batch.free()
        llama_cpp.llama_free(self._context)


def _encoder_context(model: Any, name: str, most_tokens: int) -> Any:
    """Pooling is ours, so that one context serves sentences and word pieces.

    Without flash attention, which for one text at a time costs a quarter of the speed and rounds to half precision.
    """
    return native.new_context(
        model,
        name,
        n_ctx=most_tokens,
        n_batch=most_tokens,
        n_ubatch=most_tokens,
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


def key_of(ids: Sequence[int]) -> bytes:
    """By tokens, not by text: what differs in capitals or apostrophes alone is encoded once."""
    return hashlib.blake2b(np.asarray(ids, dtype=np.int32).tobytes(), digest_size=16).digest()


def unit(rows: Vectors) -> Vectors:
    """Rows of length 1; a row of zeros stays one."""
    lengths = np.linalg.norm(rows, axis=-1, keepdims=True)
    return np.asarray(rows / np.maximum(lengths, 1e-12), dtype=np.float32)


def encoder_closed(file: str) -> str:
    return tr("{file}: the encoder was closed. Restart NoteEval.").format(file=file)
