"""Small GGUF chat models for tests, made in milliseconds: random weights, or an answer known in closed form."""

from __future__ import annotations

from pathlib import Path

import gguf
import numpy as np

SPECIAL = ["<unk>", "<|im_start|>", "<|im_end|>", "<think>", "</think>"]
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
    loud: str | None = None,
    **settings: float | bool,
) -> Path:
    """A llama-shaped model with random weights over bytes and a few words.

    ``settings`` go into the header as they are, a double underscore for each dot; ``scale`` may be NaN. A ``loud``
    token is the likeliest every other time: with a quotation mark, what is written ends soon.
    """
    values = np.random.default_rng(seed)

    def weights(*shape: int) -> np.ndarray:
        return values.normal(0, 1, shape) * scale

    keys = {"architecture": architecture, "settings": settings, "loud": loud}
    return _write(path, layers, width, context, template, weights, **keys)


def make_biased_model(
    path: Path,
    odds: dict[str, float],
    *,
    context: int = 4096,
    template: str | None = CHATML,
    after: dict[str, dict[str, float]] | None = None,
) -> Path:
    """Whatever it reads, the next token is ``word`` with a probability proportional to ``odds[word]``; behind a token
    that ``after`` names, to the odds there.

    All layers add zero and all tokens but those have the same embedding, so the logits are log(odds) in closed form
    (-30 for tokens that are not named).
    """
    biases = {"": odds} | (after or {})
    return _write(path, 1, 64, context, template, lambda *shape: np.zeros(shape), biases=biases)


def make_brief_model(path: Path) -> Path:
    """Says yes, and fills in forms with few words: without odds for signs and "observed" it would write spaces."""
    odds = {"Yes": 3.0, "No": 1.0} | dict.fromkeys('"]},:o', 1e-3)
    return make_biased_model(path, odds, context=8192, after={"Yes": {'"': 1.0}})


def make_hybrid_model(path: Path, *, seed: int = 0, context: int = 4096) -> Path:
    """Qwen3.5's shape in small, with random weights: three layers with a recurrent state to one of attention."""
    values, width, state = np.random.default_rng(seed), 64, 16

    def weights(*shape: int) -> np.ndarray:
        return values.normal(0, 0.3, shape)

    keys: dict[str, object] = {"ssm__conv_kernel": 4, "ssm__inner_size": 2 * state, "ssm__state_size": state}
    keys |= {"ssm__time_step_rank": 2, "ssm__group_count": 2, "full_attention_interval": 4}
    keys |= {"attention__key_length": 16, "attention__value_length": 16, "rope__dimension_sections": [2, 2, 2, 2]}
    return _write(path, 4, width, context, CHATML, weights, architecture="qwen35", settings=keys)


def vocabulary() -> list[str]:
    return [*SPECIAL, *(_visible(word) for word in WORDS), *(_byte_names()[byte] for byte in range(256))]


def _write(
    path, layers, width, context, template, weights, biases=None, architecture="llama", settings=None, loud=None
) -> Path:
    tokens, heads = vocabulary(), 4
    writer = gguf.GGUFWriter(path, architecture)
    for key, value in (settings or {}).items():
        names = {bool: "bool", int: "uint32", float: "float32", list: "array"}
        add = getattr(writer, f"add_{names[type(value)]}")
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
    tensors = _tensors(len(tokens), layers, width, weights, biases, loud)
    if architecture == "qwen35":
        tensors = _hybrid_tensors(len(tokens), layers, width, weights)
    for name, tensor in tensors:
        writer.add_tensor(name, np.ascontiguousarray(tensor, dtype=np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def _tensors(size, layers, width, weights, biases, loud):
    embedding, output = weights(size, width), weights(size, width)
    if loud is not None:
        output[vocabulary().index(loud)] *= 20
    if biases is not None:
        embedding[:, 0] = 1.0  # after the RMS norm: sqrt(width) in the first place, 0 elsewhere
        names = [*SPECIAL, *WORDS, *(chr(byte) for byte in range(256))]
        for place, (token, odds) in enumerate(biases.items()):
            if token:
                embedding[names.index(token)] = 0.0
                embedding[names.index(token), place] = 1.0
            logits = np.array([np.log(odds[name]) if name in odds else -30.0 for name in names])
            output[:, place] = logits / np.sqrt(width)
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


def _hybrid_tensors(size, layers, width, weights):
    keys, values = 32, 32
    yield "token_embd.weight", weights(size, width)
    yield "output_norm.weight", np.ones(width)
    yield "output.weight", weights(size, width)
    for layer in range(layers):
        names: dict[str, np.ndarray] = {"attn_norm": np.ones(width), "post_attention_norm": np.ones(width)}
        if layer % 4 == 3:
            names |= {"attn_q": weights(128, width), "attn_k": weights(64, width), "attn_v": weights(64, width)}
            names |= {"attn_output": weights(width, 64), "attn_q_norm": np.ones(16), "attn_k_norm": np.ones(16)}
        else:
            names |= {"attn_qkv": weights(2 * keys + values, width), "attn_gate": weights(values, width)}
            names |= {"ssm_conv1d": weights(2 * keys + values, 4), "ssm_norm": np.ones(16)}
            names |= {"ssm_beta": weights(2, width), "ssm_alpha": weights(2, width), "ssm_out": weights(width, values)}
            yield f"blk.{layer}.ssm_dt.bias", weights(2)
            yield f"blk.{layer}.ssm_a", -np.abs(weights(2))
        names |= {name: weights(2 * width, width) for name in ("ffn_gate", "ffn_up")}
        names["ffn_down"] = weights(width, 2 * width)
        for name, tensor in names.items():
            yield f"blk.{layer}.{name}.weight", tensor


def _visible(word: str) -> str:
    names = _byte_names()
    return "".join(names[byte] for byte in word.encode())


def _byte_names() -> dict[int, str]:
    """GPT-2's printable stand-ins for bytes."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    names = {byte: chr(byte) for byte in printable}
    hidden = [byte for byte in range(256) if byte not in names]
    return names | {byte: chr(256 + number) for number, byte in enumerate(hidden)}
