"""Writes what ships of a trained reader or listener: what its layers add to the sentence encoder's, and its head."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gguf
import numpy as np
import numpy.typing as npt

from noteeval_desktop.engines.encoder_build import read_safetensors
from noteeval_desktop.engines.reader import changed_by


def export(state: dict[str, npt.NDArray[np.float32]], weights: Path, target: Path, **beside: npt.NDArray[Any]) -> None:
    """``state`` holds the tensors by their names in training (``bert.encoder…``, ``head.weight``), ``weights`` is the
    encoder's model.safetensors; ``beside`` is kept with them."""
    original = read_safetensors(weights.read_bytes())
    names = gguf.get_tensor_name_map(gguf.MODEL_ARCH.BERT, 6)
    arrays: dict[str, npt.NDArray[Any]] = {}
    for name, tensor in state.items():
        if name.startswith("head."):
            arrays[name] = tensor.astype(np.float32)
            continue
        source = name.removeprefix("bert.")
        if not source.startswith("encoder."):
            continue  # the embeddings are the encoder's own
        kept = names.get_name(source, try_suffixes=(".weight", ".bias"))
        if tensor.ndim == 1:
            arrays[kept] = tensor.astype(np.float32)
        else:
            # The reader adds to the encoder as it is kept, in half precision.
            base = original[source].astype(np.float16).astype(np.float32)
            arrays |= {f"{kept}.{part}": values for part, values in changed_by(base, tensor).items()}
    np.savez_compressed(target, allow_pickle=False, **arrays, **beside)
