"""What makes the sentence encoder read two texts as one: a LoRA adapter, and the token ids of the pair."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import gguf

from noteeval_desktop.engines import native
from noteeval_desktop.engines.encoder_build import sha256_of_file
from noteeval_desktop.errors import ModelError

FIRST_PIECES = 96  # of the first text; the second, which is what is read for it, keeps 157 of 256 at least

_TEXT = gguf.GGUFValueType.STRING
_KINDS = {
    "general.architecture": _TEXT,
    "general.type": _TEXT,
    "adapter.type": _TEXT,
    "adapter.lora.alpha": gguf.GGUFValueType.FLOAT32,
}
_WEIGHTS = (gguf.GGMLQuantizationType.F16, gguf.GGMLQuantizationType.F32)
_REMEDY = "Install the program again."


def pair_ids(first: Sequence[int], second: Sequence[int], most: int) -> list[int]:
    """``[CLS] first [SEP] second [SEP]`` from two texts that each have ``[CLS]`` and ``[SEP]`` already.

    At most ``most`` ids: the first text is cut at 96 word pieces, the second where no room is left.
    """
    separator = first[-1]
    start = [*first[:-1][: FIRST_PIECES + 1], separator]
    return [*start, *second[1:-1][: most - len(start) - 1], separator]


def load_adapter(model: Any, path: Path) -> Any:
    """llama.cpp's adapter for ``model``, which frees it with itself. Load it before the contexts that shall use it.

    The SHA-256 in the JSON file of the same name must be the file's, where there is one. Raises ModelError.
    """
    if not path.is_file():
        raise ModelError(f"{path.name}: what reads claims beside the session is not there. {_REMEDY}")
    try:
        _require_published(path)
        _require_well_formed(path)
    except (OSError, ValueError, LookupError, TypeError) as error:  # what json and gguf raise for a damaged file
        raise ModelError(f"{path.name}: what reads claims beside the session is damaged. {_REMEDY}") from error
    return native.load_adapter(model, path, _REMEDY)


def _require_published(path: Path) -> None:
    record = path.with_suffix(".json")
    if record.is_file() and json.loads(record.read_text(encoding="utf-8"))["sha256"] != sha256_of_file(path):
        raise ValueError("another SHA-256 than the one recorded")


def _require_well_formed(path: Path) -> None:
    """llama.cpp refuses most of what is wrong, but ends the whole program over a value of another kind."""
    reader = gguf.GGUFReader(path)
    if any(reader.fields[key].types != [kind] for key, kind in _KINDS.items()):
        raise ValueError("a value of another kind")
    if any(tensor.tensor_type not in _WEIGHTS for tensor in reader.tensors):
        raise ValueError("weights of another kind")
