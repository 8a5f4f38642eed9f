"""Small LoRA adapters for the sentence encoder, of chance weights."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import gguf
import numpy as np

LAYERS, RANK, ALPHA = 6, 2, 4.0
SHAPES = {
    "attn_q": (384, 384),
    "attn_k": (384, 384),
    "attn_v": (384, 384),
    "attn_output": (384, 384),
    "ffn_up": (384, 1536),
    "ffn_down": (1536, 384),
}


def write_adapter(
    path: Path,
    *,
    rank: int = RANK,
    strength: float = 0.05,
    architecture: str = "bert",
    kind: str = "adapter",
    width: int = 384,
    weights: type = np.float16,
    add_alpha: Callable[[gguf.GGUFWriter], None] = lambda writer: writer.add_float32("adapter.lora.alpha", ALPHA),
) -> Path:
    """``strength`` is the spread of the B matrices (0: the adapter changes nothing), ``width`` of its inputs."""
    writer, random = gguf.GGUFWriter(path, architecture), np.random.default_rng(7)
    writer.add_type(kind)
    writer.add_string("adapter.type", "lora")
    add_alpha(writer)
    for layer in range(LAYERS):
        for name, (inputs, outputs) in SHAPES.items():
            before = random.standard_normal((rank, inputs * width // 384)) * 0.05
            after = random.standard_normal((outputs, rank)) * strength
            writer.add_tensor(f"blk.{layer}.{name}.weight.lora_a", before.astype(weights))
            writer.add_tensor(f"blk.{layer}.{name}.weight.lora_b", after.astype(weights))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path
