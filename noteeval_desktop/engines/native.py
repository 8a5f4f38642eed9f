"""A thin layer over llama.cpp's C interface, shared by the encoder and the local chat model.

The high-level ``Llama`` class is not used: it can leave stdout and stderr closed when two threads load at
once, hides reasons, does not pack short texts, and cannot share a prefix between sequences.
"""

from __future__ import annotations

import contextlib
import ctypes
import logging
import os
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import llama_cpp
import numpy as np
import numpy.typing as npt
from llama_cpp._ggml import libggml

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.errors import ModelError

_LOGGER = logging.getLogger("noteeval.native")
_LOGGER.addHandler(logging.NullHandler())
_LOGGER.propagate = False  # llama.cpp prints hundreds of lines a load; whoever wants them attaches a handler
_ERROR_LEVEL = 4  # 1 debug, 2 information, 3 warning; the binding's own table is a version behind


@llama_cpp.llama_log_callback  # type: ignore[untyped-decorator]
def _forward(level: int, text: bytes, _data: int | None) -> None:
    """Runs inside llama.cpp. Its lines name files, shapes and tokens of the vocabulary, never our text."""
    line = text.decode("utf-8", "replace").strip()
    if line:
        _LOGGER.log(logging.ERROR if level == _ERROR_LEVEL else logging.DEBUG, "%s", line)


class _Collector(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.thread = threading.get_ident()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.thread == self.thread:
            self.lines.append(record.getMessage())


@contextlib.contextmanager
def native_errors() -> Iterator[list[str]]:
    """The error lines that llama.cpp writes in this thread meanwhile. Also silences what it prints."""
    llama_cpp.llama_log_set(_forward, None)
    collector = _Collector()
    _LOGGER.addHandler(collector)
    try:
        yield collector.lines
    finally:
        _LOGGER.removeHandler(collector)


def _load_backends() -> None:
    """An installer's llama.cpp has a library for each kind of processor, and looks for them beside the interpreter."""
    folder = Path(llama_cpp.__file__).parent / "lib"
    if next(folder.glob("*ggml-cpu-*"), None) is not None:
        # libllama's own: the wheel has two copies of libggml, which would not know of each other's libraries.
        # On Windows a library does not hand on what it links.
        own = llama_cpp.llama_cpp._lib
        library = own if hasattr(own, "ggml_backend_load_all_from_path") else libggml
        with native_errors():
            library.ggml_backend_load_all_from_path(os.fsencode(folder))


_load_backends()


def build_info() -> str:
    """What llama.cpp was compiled with, in its own words: ``CPU : AVX = 1 | AVX2 = 1 | …``."""
    return bytes(llama_cpp.llama_print_system_info()).decode("ascii", "replace")


def supports_gpu() -> bool:
    return bool(llama_cpp.llama_supports_gpu_offload())


def load_model(path: Path, *, gpu_layers: int = 0) -> Any:
    """llama.cpp's model for a GGUF file; free it with ``llama_model_free``. ModelError with its reason."""
    if not path.is_file():
        raise ModelError(
            tr("{name}: there is no such model file. Choose another, or build or download it.").format(name=path.name)
        )
    parameters = llama_cpp.llama_model_default_params()
    parameters.n_gpu_layers = gpu_layers
    with native_errors() as lines:
        llama_cpp.llama_backend_init()
        model = llama_cpp.llama_model_load_from_file(os.fsencode(path), parameters)
    if not model:
        raise ModelError(
            tr("{name}: {reason}. Download or build the file again, or choose another.").format(
                name=path.name, reason=_reason(lines)
            )
        )
    return model


def new_context(model: Any, name: str, **settings: Any) -> Any:
    """A context over ``model`` with llama.cpp's settings; free it with ``llama_free``. ModelError with its reason."""
    parameters = llama_cpp.llama_context_default_params()
    for setting, value in settings.items():
        setattr(parameters, setting, value)
    with native_errors() as lines:
        context = llama_cpp.llama_init_from_model(model, parameters)
    if not context:
        raise ModelError(
            tr("{name}: {reason}. Close other programs or choose a smaller model or context.").format(
                name=name, reason=_reason(lines)
            )
        )
    return context


def tokenize(vocab: Any, text: str, *, add_special: bool = False, parse_special: bool = False) -> list[int]:
    """Token ids. With ``parse_special`` False, text that looks like a control token stays text."""
    data = text.encode("utf-8", "replace")  # a lone surrogate, which no encoder knows, becomes "?"
    size = min(len(data), 2048) + 8
    while True:
        ids = (llama_cpp.llama_token * size)()
        count = llama_cpp.llama_tokenize(vocab, data, len(data), ids, size, add_special, parse_special)
        if count >= 0:
            return list(ids[:count])
        if -count <= size:
            raise ModelError(tr("The text is too long for the model's tokenizer. Shorten it."))
        size = -count


def piece(vocab: Any, token: int) -> bytes:
    """The bytes that a token stands for; control tokens stand for none."""
    size = 64
    while True:
        buffer = ctypes.create_string_buffer(size)
        count = llama_cpp.llama_token_to_piece(vocab, token, buffer, size, 0, False)
        if count >= 0:
            return buffer.raw[:count]
        size = -count


class Batch:
    """llama.cpp's batch, filled from arrays at once; at most ``size`` tokens, each in one sequence."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._batch = llama_cpp.llama_batch_init(size, 0, 1)

    def fill(
        self,
        tokens: Sequence[int],
        positions: Sequence[int],
        sequences: Sequence[int],
        outputs: Sequence[int] | None = None,
    ) -> Any:
        """The native batch; ``outputs`` are the indexes whose logits or vectors are wanted, all by default."""
        count = len(tokens)
        if count > self.size:
            raise ValueError(f"{count} tokens in a batch of {self.size}")  # llama.cpp would abort the process
        batch = self._batch
        batch.n_tokens = count
        wanted = np.ones(count, np.int8) if outputs is None else np.zeros(count, np.int8)
        if outputs is not None:
            wanted[list(outputs)] = 1
        np.ctypeslib.as_array(batch.token, (count,))[:] = tokens
        np.ctypeslib.as_array(batch.pos, (count,))[:] = positions
        np.ctypeslib.as_array(batch.n_seq_id, (count,))[:] = 1
        np.ctypeslib.as_array(batch.logits, (count,))[:] = wanted
        for index, sequence in enumerate(sequences):
            batch.seq_id[index][0] = sequence
        return batch

    def free(self) -> None:
        llama_cpp.llama_batch_free(self._batch)


def copy_floats(pointer: Any, *shape: int) -> npt.NDArray[np.float32]:
    """A copy of llama.cpp's own buffer, which the next call overwrites. ModelError where there is none."""
    if not pointer:
        raise ModelError(tr("The model gives no numbers to read an answer from. Choose another model."))
    return np.array(np.ctypeslib.as_array(pointer, shape), dtype=np.float32, copy=True)


def _reason(lines: Sequence[str]) -> str:
    """llama.cpp's first error line, which is the nearest to the cause, without its function's name."""
    for line in lines:
        reason = line.split(": ", 1)[-1] if line.split(": ", 1)[0].isidentifier() else line
        reason = reason.removeprefix("error loading model: ").strip().rstrip(".")
        if reason and "failed to load model" not in reason:
            break
    else:
        reason = tr("it gives no reason")
    return tr("llama.cpp cannot load it ({value})").format(value=reason[:160])
