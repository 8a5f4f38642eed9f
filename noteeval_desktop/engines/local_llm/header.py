"""What a GGUF file says about itself, read within limits before any native code sees the file.

Format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
"""

from __future__ import annotations

import hashlib
import math
import re
import struct
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

import gguf

from noteeval_desktop.domain.phrases import size, tr
from noteeval_desktop.errors import ModelError

DOWNLOAD_AGAIN = tr("Download it again, or choose another model.")


def writes_nothing(file: str) -> str:
    said = tr("{file}: this model does not write answers; it is for searching or comparing texts. Choose a chat model.")
    return said.format(file=file)


def needs_memory(file: str, needed: int, available: int) -> str:
    said = tr("{file}: needs about {needed} of memory; {available} are free.")
    return said.format(file=file, needed=size(needed), available=size(available))


_DAMAGED = tr("it is damaged")
_CUT_OFF = tr("it was cut off near its start")
_MAX_PAIRS, _MAX_TENSORS, _MAX_STRING, _MAX_ARRAY = 10_000, 100_000, 16_000_000, 8_000_000
_SCALARS = dict(zip((0, 1, 2, 3, 4, 5, 6, 7, 10, 11, 12), "BbHhIif?Qqd", strict=True))
_STRING, _ARRAY = 8, 9
_SAMPLES, _SAMPLE_BYTES = 64, 65_536
_LARGEST = 2**40
# They embed texts, or translate or draw: none writes an answer, although llama.cpp hands out numbers for it.
_SILENT = re.compile(r"bert|-embed(?:ding)?$|^(?:t5|clip|wavtokenizer|dream|llada)")
Value = int | float | bool | str | None


@dataclass(frozen=True, slots=True)
class Tensor:
    """``kind`` as GGML numbers them; ``start``: the first byte in the file."""

    kind: int
    shape: tuple[int, ...]
    start: int


@dataclass(frozen=True, slots=True)
class ModelHeader:
    """Sizes in bytes, context in tokens. ``values`` holds scalars and strings; of arrays, their length."""

    file: str
    bytes: int
    name: str
    architecture: str
    quantisation: str
    context: int
    vocabulary: int
    chat_template: str | None
    values: dict[str, Value]
    tensors: dict[str, Tensor]
    fingerprint: str

    def number(self, key: str, default: int = 0) -> int:
        """A size or a count; ``default`` where the file has none, or one that no model can have."""
        value = self.values.get(f"{self.architecture}.{key}", default)
        if not isinstance(value, int | float) or not math.isfinite(value) or not 0 <= value <= _LARGEST:
            return default
        return int(value)

    @property
    def writes(self) -> bool:
        """Whether the model writes text, one token after another; encoders and rerankers do not."""
        causal = self.values.get(f"{self.architecture}.attention.causal", True)
        return bool(causal) and not self.number("pooling_type") and not _SILENT.search(self.architecture)

    def memory_needed(self, context: int) -> int:
        """About what loading takes: weights, 16-bit keys and values for ``context`` tokens, work space."""
        heads = max(1, self.number("attention.head_count", 1))
        width = self.number("embedding_length") // heads
        keys = self.number("attention.key_length", width) + self.number("attention.value_length", width)
        cache = 2 * self.number("block_count") * self.number("attention.head_count_kv", heads) * keys * context
        return self.bytes + cache + 512 * self.vocabulary * 4 + 100_000_000


def read_header(path: Path) -> ModelHeader:
    """ModelError when ``path`` is missing, not GGUF, cut off, without weights, or beyond all limits."""
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            return _Reader(file, size, path.name).header()
    except FileNotFoundError:
        raise ModelError(tr("{name}: there is no such model file. Choose another.").format(name=path.name)) from None
    except OSError as error:
        raise ModelError(
            tr("{name}: cannot be read ({strerror}). Check its permissions.").format(
                name=path.name, strerror=error.strerror
            )
        ) from error


class _Reader:
    def __init__(self, file: BinaryIO, size: int, name: str) -> None:
        self._file, self._size, self._name = file, size, name

    def header(self) -> ModelHeader:
        if self._file.read(4) != b"GGUF":
            raise self._bad(tr("not a GGUF model file"), tr("Download it again, or choose another."))
        version, tensors, pairs = self._scalar("I"), self._scalar("Q"), self._scalar("Q")
        if version not in (2, 3) or tensors > _MAX_TENSORS or pairs > _MAX_PAIRS:
            raise self._bad(tr("it is damaged, or of a version that NoteEval does not know"))
        values = {self._string(): self._value(int(self._scalar("I"))) for _ in range(int(pairs))}
        listed = [self._tensor() for _ in range(int(tensors))]
        alignment = values.get("general.alignment", 32)
        if not isinstance(alignment, int) or not 1 <= alignment <= 65_536:
            raise self._bad(_DAMAGED)
        data = -(-self._file.tell() // alignment) * alignment
        if tensors == 0:
            raise self._bad(tr("it holds a vocabulary but no model"))
        end = max(tensor.start + size for _, tensor, size in listed)
        if data + end > self._size:
            raise self._bad(
                tr("{size:,} of at least {data:,} bytes are there: it was cut off").format(
                    size=self._size, data=data + end
                )
            )
        placed = {name: replace(tensor, start=data + tensor.start) for name, tensor, _ in listed}
        return self._describe(values, placed, data)

    def _describe(self, values: dict[str, Value], tensors: dict[str, Tensor], data: int) -> ModelHeader:
        architecture = str(values.get("general.architecture", ""))
        context = values.get(f"{architecture}.context_length")
        if not architecture or not isinstance(context, int) or not 1 <= context <= _LARGEST:
            raise self._bad(tr("it does not say what model it is"))
        kind = values.get("general.file_type")
        template, tokens = values.get("tokenizer.chat_template"), values.get("tokenizer.ggml.tokens")
        return ModelHeader(
            file=self._name,
            bytes=self._size,
            name=_printable(values.get("general.name")) or _printable(Path(self._name).stem),
            architecture=architecture,
            quantisation=_quantisation(kind),
            context=context,
            vocabulary=tokens if isinstance(tokens, int) else 0,
            chat_template=template if isinstance(template, str) else None,
            values=values,
            tensors=tensors,
            fingerprint=self._fingerprint(data),
        )

    def _fingerprint(self, data: int) -> str:
        """Of the header, the size and samples of the weights: hashing all of 10 GB takes 10 s a start."""
        digest = hashlib.sha256(str(self._size).encode())
        self._file.seek(0)
        for start in range(0, data, _SAMPLE_BYTES):
            digest.update(self._file.read(min(_SAMPLE_BYTES, data - start)))
        for number in range(_SAMPLES):
            self._file.seek(data + (self._size - data) * number // _SAMPLES)
            digest.update(self._file.read(_SAMPLE_BYTES))
        return digest.hexdigest()

    def _tensor(self) -> tuple[str, Tensor, int]:
        """Its name, where it begins within the data, and how many bytes it has."""
        name, dimensions = self._string(), self._scalar("I")
        if dimensions > 4:
            raise self._bad(_DAMAGED)
        shape = tuple(int(self._scalar("Q")) for _ in range(int(dimensions)))
        kind, start = int(self._scalar("I")), int(self._scalar("Q"))
        try:
            block, size = gguf.GGML_QUANT_SIZES[gguf.GGMLQuantizationType(kind)]
        except (ValueError, KeyError):
            raise self._bad(tr("it is compressed in a way that NoteEval does not know")) from None
        return name, Tensor(kind, shape[::-1], start), math.prod(shape) // block * size

    def _value(self, kind: int) -> Value:
        if kind == _STRING:
            return self._string()
        if kind == _ARRAY:
            return self._skip_array()
        if kind not in _SCALARS:
            raise self._bad(_DAMAGED)
        return self._scalar(_SCALARS[kind])

    def _skip_array(self) -> int:
        kind, count = int(self._scalar("I")), int(self._scalar("Q"))
        if count > _MAX_ARRAY or (kind != _STRING and kind not in _SCALARS):
            raise self._bad(_DAMAGED)
        if kind == _STRING:
            for _ in range(count):
                self._skip(int(self._scalar("Q")))
        else:
            self._skip(count * struct.calcsize("<" + _SCALARS[kind]))
        return count

    def _scalar(self, code: str) -> int | float | bool:
        size = struct.calcsize("<" + code)
        value: int | float | bool = struct.unpack("<" + code, self._read(size))[0]
        return value

    def _string(self) -> str:
        size = int(self._scalar("Q"))
        if size > _MAX_STRING:
            raise self._bad(_DAMAGED)
        return self._read(size).decode("utf-8", "replace")

    def _read(self, size: int) -> bytes:
        data = self._file.read(size)
        if len(data) != size:
            raise self._bad(_CUT_OFF)
        return data

    def _skip(self, size: int) -> None:
        if self._file.tell() + size > self._size:
            raise self._bad(_CUT_OFF)
        self._file.seek(size, 1)

    def _bad(self, problem: str, remedy: str = DOWNLOAD_AGAIN) -> ModelError:
        return ModelError(f"{self._name}: {problem}. {remedy}")


def _printable(name: Value) -> str:
    text = name if isinstance(name, str) else ""
    return "".join(character if character.isprintable() else " " for character in text[:200]).strip()


def _quantisation(kind: Value) -> str:
    if not isinstance(kind, int):
        return "unknown"
    try:
        return gguf.LlamaFileType(kind).name.removeprefix("MOSTLY_").removeprefix("ALL_")
    except ValueError:
        return "unknown"
