"""Two texts read together by the sentence encoder with layers of its own: a window of talk beside a claim (the reader),
a turn behind what was said before it (the listener).

Only what differs from the encoder ships: its layers' matrices, as bytes a row to be added to the encoder's, and the
small vectors whole. The first use writes a GGUF beside the encoder's.
"""

from __future__ import annotations

import math
import shutil
import tempfile
import threading
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from noteeval_desktop import paths
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.engines.bert import Bert, Remembered
from noteeval_desktop.engines.encoder_build import sha256_of_file
from noteeval_desktop.engines.local_llm.header import read_header
from noteeval_desktop.errors import ModelError
from noteeval_desktop.platform.files import replace_file

MOST_TOKENS = 160
CLASSES = ("entailed", "neutral", "contradicted")
READER, LISTENER = "reader.npz", "listener.npz"
_REMEMBERED_PAIRS = 16_384
_NUMPY: dict[int, np.dtype[Any]] = {0: np.dtype(np.float32), 1: np.dtype(np.float16)}  # by GGML's numbers
Logits = npt.NDArray[np.float32]


class LlamaReader:
    """A model for pairs in llama.cpp, made from the encoder at ``encoder_path`` when it is not there yet; ``layers`` is
    its file under resources/heads."""

    def __init__(self, encoder_path: Path, layers: str, threads: int | None = None) -> None:
        path = reader_file(encoder_path, layers_path(layers))
        with np.load(layers_path(layers), allow_pickle=False) as kept:
            self._weights, self._bias = kept["head.weight"], kept["head.bias"]
        self._bert = Bert(path, MOST_TOKENS, threads)
        self._memory: Remembered[Logits] = Remembered(_REMEMBERED_PAIRS)

    def read(self, pairs: Sequence[tuple[str, str]], cancel: threading.Event | None = None) -> Logits:
        """(n, outputs), as ``Embedder.read`` and ``listen``."""
        with self._bert.turn(cancel):
            keys, found, missing = self._memory.sorted_out([self._bert.pair_ids(*pair) for pair in pairs])
            for key, _ids, states in self._bert.states(missing, cancel):
                pooled = np.concatenate([states[0], states.mean(axis=0)])
                found[key] = np.asarray(self._weights @ pooled + self._bias, dtype=np.float32)
                self._memory.put(key, found[key], 1)
        return np.stack([found[key] for key in keys]) if keys else np.zeros((0, len(self._bias)), np.float32)

    def close(self) -> None:
        self._bert.close()


def layers_path(layers: str) -> Path:
    return paths.resources() / "heads" / layers


@cache
def layers_digest(layers: str) -> str:
    """SHA-256 of the layers that ship. Raises ModelError."""
    try:
        return sha256_of_file(layers_path(layers))
    except OSError as error:
        raise ModelError(tr("{file}: the layers are missing. Install NoteEval again.").format(file=layers)) from error


def reader_file(encoder: Path, layers: Path) -> Path:
    """The model's GGUF beside the encoder's, written when it is not there; its name holds the layers' digest.

    Whatever interrupts it, the file is whole or absent. Of earlier versions' files, 46 MB each, the last one stays: two
    versions of the program may share the folder. Raises ModelError.
    """
    try:
        digest = sha256_of_file(layers)
        target = encoder.with_name(f"{layers.stem}-{digest[:16]}.gguf")
        if target.is_file():
            return target
        with tempfile.TemporaryDirectory(prefix=".layers-", dir=encoder.parent, ignore_cleanup_errors=True) as work:
            made = Path(work) / target.name
            with np.load(layers, allow_pickle=False) as kept:
                _write(encoder, dict(kept), made)
            replace_file(made, target)
        _clear_old(target, layers.stem)
    except (OSError, ValueError, KeyError) as error:
        told = tr("{file}: the model could not be made ({name}). Free some space, or install NoteEval again.")
        raise ModelError(told.format(file=layers.name, name=type(error).__name__)) from error
    return target


def _clear_old(newest: Path, name: str) -> None:
    with suppress(OSError):  # another process clears too, and Windows keeps what is read: the next version tries again
        others = [path for path in newest.parent.glob(f"{name}-????????????????.gguf") if path != newest]
        for path in sorted(others, key=lambda path: path.stat().st_mtime)[:-1]:
            path.unlink()


def changed_by(original: npt.NDArray[np.float32], changed: npt.NDArray[np.float32]) -> dict[str, npt.NDArray[Any]]:
    """What ``_restored`` needs of a matrix: bytes to add, and the size of a step in each row."""
    step = np.maximum(np.abs(changed - original).max(axis=1) / 127, 1e-12).astype(np.float32)
    return {"step": step, "add": np.round((changed - original) / step[:, None]).astype(np.int8)}


def _restored(
    name: str, original: npt.NDArray[np.float32], kept: dict[str, npt.NDArray[Any]]
) -> npt.NDArray[np.float32]:
    if name in kept:
        return np.asarray(kept[name], dtype=np.float32)
    return np.asarray(original + kept[f"{name}.add"].astype(np.float32) * kept[f"{name}.step"][:, None])


def _write(encoder: Path, kept: dict[str, npt.NDArray[Any]], target: Path) -> None:
    """The encoder's file, but for the matrices that are ``kept``."""
    shutil.copyfile(encoder, target)
    with target.open("r+b") as file:
        for name, tensor in read_header(encoder).tensors.items():
            if name in kept or f"{name}.add" in kept:
                kind = _NUMPY[tensor.kind]
                file.seek(tensor.start)
                size = math.prod(tensor.shape) * kind.itemsize
                original = np.frombuffer(file.read(size), kind).astype(np.float32).reshape(tensor.shape)
                file.seek(tensor.start)
                file.write(_restored(name, original, kept).astype(kind).tobytes())
