"""Small GGUF chat models for tests, made in milliseconds: random weights, or an answer known in closed form."""

from __future__ import annotations

from pathlib import Path

import gguf
import numpy as np

SPECIAL = ["<unk>", "<|im_start|>", "<|im_end|>"]
WORDS = ["Yes", " Yes", "yes", "No", " No", "no", "YES", "NO"]
CHATML = (
    "{% for m in messages %}{{ '<|im_start|>' + m['role'] + '\n' + m['content'] + '<|im_end|>\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)


def make_chat_model(
    path: Path,
    *,
    seed: int = 0,
    layers: int = 2,
    width: int = 64,
    context: int = 4096,
    template: str | None = CHATML,
    architecture: str = "llama",
    scale: float = 0.3,
    **settings: float | bool,
) -> Path:
    """A llama-shaped model with random weights over bytes and a few words.

    ``settings`` go into the header as they are, a double underscore for each dot; ``scale`` may be NaN.
    """
    values = np.random.default_rng(seed)

    def weights(*shape: int) -> np.ndarray:
        return values.normal(0, 1, shape) * scale

    return _write(path, layers, width, context, template, weights, architecture=architecture, settings=settings)


def make_biased_model(path: Path, odds: dict[str, float], *, context: int = 4096) -> Path:
    """Whatever it reads, the next token is ``word`` with a probability proportional to ``odds[word]``.

    All layers add zero and every token has the same embedding, so the logits are log(odds) in closed form
    (-30 for tokens that are not named).
    """
    return _write(path, 1, 64, context, CHATML, lambda *shape: np.zeros(shape), biases=odds)


def vocabulary() -> list[str]:
    return [*SPECIAL, *(_visible(word) for word in WORDS), *(_byte_names()[byte] for byte in range(256))]


def _write(path, layers, width, context, template, weights, biases=None, architecture="llama", settings=None) -> Path:
    tokens, heads = vocabulary(), 4
    writer = gguf.GGUFWriter(path, architecture)
    for key, value in (settings or {}).items():
        add = {bool: writer.add_bool, int: writer.add_uint32, float: writer.add_float32}[type(value)]
        add(f"{architecture}.{key.replace('__', '.')}", value)
    writer.add_name("tiny")
    writer.add_file_type(gguf.LlamaFileType.ALL_F32)
    writer.add_context_length(context)
    writer.add_embedding_length(width)
    writer.add_block_count(layers)
    writer.add_feed_forward_length(2 * width)
    writer.add_head_count(heads)
    writer.add_head_count_kv(heads)
    writer.add_layer_norm_rms_eps(1e-6)
    writer.add_rope_dimension_count(width // heads)
    writer.add_vocab_size(len(tokens))
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(tokens)
    control = len(SPECIAL)
    writer.add_token_types([gguf.TokenType.CONTROL] * control + [gguf.TokenType.NORMAL] * (len(tokens) - control))
    writer.add_token_merges(["Y es", "e s", "N o"])
    writer.add_eos_token_id(SPECIAL.index("<|im_end|>"))
    writer.add_add_bos_token(False)
    if template is not None:
        writer.add_chat_template(template)
    for name, tensor in _tensors(len(tokens), layers, width, weights, biases):
        writer.add_tensor(name, np.ascontiguousarray(tensor, dtype=np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def _tensors(size, layers, width, weights, biases):
    embedding, output = weights(size, width), weights(size, width)
    if biases is not None:
        embedding[:, 0] = 1.0  # after the RMS norm: sqrt(width) in the first place, 0 elsewhere
        names = [*SPECIAL, *WORDS, *(chr(byte) for byte in range(256))]
        logits = np.array([np.log(biases[name]) if name in biases else -30.0 for name in names])
        output[:, 0] = logits / np.sqrt(width)
    yield "token_embd.weight", embedding
    yield "output_norm.weight", np.ones(width)
    yield "output.weight", output
    for layer in range(layers):
        yield f"blk.{layer}.attn_norm.weight", np.ones(width)
        yield f"blk.{layer}.ffn_norm.weight", np.ones(width)
        for name in ("attn_q", "attn_k", "attn_v", "attn_output"):
            yield f"blk.{layer}.{name}.weight", weights(width, width)
        for name in ("ffn_gate", "ffn_up"):
            yield f"blk.{layer}.{name}.weight", weights(2 * width, width)
        yield f"blk.{layer}.ffn_down.weight", weights(width, 2 * width)


def _visible(word: str) -> str:
    names = _byte_names()
    return "".join(names[byte] for byte in word.encode())


def _byte_names() -> dict[int, str]:
    """GPT-2's printable stand-ins for bytes."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    names = {byte: chr(byte) for byte in printable}
    hidden = [byte for byte in range(256) if byte not in names]
    return names | {byte: chr(256 + number) for number, byte in enumerate(hidden)}
