"""How much sharing the prefix saves a local model, against asking each question with its full prompt.

`python -m tests.benchmarks.bench_local_prefix [--threads 1] [--full 3] [--cpu]`: writes a random-weight model of the
shape of Qwen2.5-0.5B in Q8_0 (531 MB) to a temporary folder, asks 60 yes/no questions of about 44 tokens over a
prefix of about 1,800, and compares both time and logits. Full prompts cost the same each, so ``--full`` of them
are measured and counted 60 times.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import gguf
import numpy as np

from noteeval_desktop.engines.local_llm.session import Abort, Session
from tests.gguf_factory import CHATML, vocabulary

LAYERS, WIDTH, INNER, HEADS, KEY_HEADS, VOCABULARY = 24, 896, 4864, 14, 2, 151_936
QUESTIONS = 60
PREFIX = "Client: I slept badly, and I thought of the plan we made. " * 31
ASKED = [f"Is item {number:02} met in the plan?" for number in range(QUESTIONS)]


def write_model(path: Path) -> None:
    values = np.random.default_rng(0)
    writer = gguf.GGUFWriter(path, "qwen2")
    writer.add_name("random-0.5B")
    writer.add_context_length(32_768)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(KEY_HEADS)
    writer.add_rope_freq_base(1e6)
    writer.add_layer_norm_rms_eps(1e-6)
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_Q8_0)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("qwen2")
    tokens = vocabulary()
    tokens += [f"filler{number}" for number in range(VOCABULARY - len(tokens))]
    writer.add_token_list(tokens)
    writer.add_token_types([3] * 3 + [1] * (VOCABULARY - 3))
    writer.add_token_merges(["Y es", "N o"])
    writer.add_eos_token_id(2)
    writer.add_add_bos_token(False)
    writer.add_chat_template(CHATML)
    for name, shape in _shapes():
        if len(shape) == 1:
            fill = np.ones if name.endswith("norm.weight") else np.zeros
            writer.add_tensor(name, fill(shape, np.float32))
        else:
            writer.add_tensor(name, _random_q8(values, shape), raw_dtype=gguf.GGMLQuantizationType.Q8_0)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _shapes():
    keys = WIDTH // HEADS * KEY_HEADS
    yield "token_embd.weight", (VOCABULARY, WIDTH)
    yield "output_norm.weight", (WIDTH,)
    for layer in range(LAYERS):
        yield f"blk.{layer}.attn_norm.weight", (WIDTH,)
        yield f"blk.{layer}.ffn_norm.weight", (WIDTH,)
        for name, rows in (("attn_q", WIDTH), ("attn_k", keys), ("attn_v", keys)):
            yield f"blk.{layer}.{name}.weight", (rows, WIDTH)
            yield f"blk.{layer}.{name}.bias", (rows,)
        yield f"blk.{layer}.attn_output.weight", (WIDTH, WIDTH)
        yield f"blk.{layer}.ffn_gate.weight", (INNER, WIDTH)
        yield f"blk.{layer}.ffn_up.weight", (INNER, WIDTH)
        yield f"blk.{layer}.ffn_down.weight", (WIDTH, INNER)


def _random_q8(values: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    """Blocks of 32 random bytes, scaled so that weights have a deviation of 0.02 and activations stay finite."""
    rows, columns = shape
    blocks = values.integers(0, 256, (rows, columns // 32, 34), dtype=np.uint8)
    blocks[:, :, :2] = np.array([0.02 / 74], dtype="<f2").view(np.uint8)
    return blocks.reshape(rows, columns // 32 * 34)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--full", type=int, default=3)
    parser.add_argument("--cpu", action="store_true", help="processor time, for a busy machine (with one thread)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "random.gguf"
        write_model(path)
        started = time.perf_counter()
        session = Session(path, 4096, options.threads, 0, Abort())
        print(f"loaded in {time.perf_counter() - started:.1f} s")
        measure(session, options.full, time.process_time if options.cpu else time.perf_counter)


def measure(session: Session, full: int, clock: Callable[[], float] = time.perf_counter) -> None:
    shared = session.shared("You judge therapy notes.", PREFIX)
    questions = [session.own(PREFIX, question) for question in ASKED]
    print(f"prefix {len(shared)} tokens, {len(questions)} questions of {len(questions[0])} tokens")
    session.set_prefix([])

    started = clock()
    whole = [session.logits(shared + question) for question in questions[:full]]
    full_seconds = (clock() - started) / full * len(questions)

    started = clock()
    session.set_prefix(shared)
    logits = [session.logits(question) for question in questions]
    own_seconds = clock() - started

    equal = all((first == second).all() for first, second in zip(whole, logits, strict=False))
    print(f"full prompts {full_seconds:.1f} s (from {full})")
    print(
        f"behind the prefix {own_seconds:.1f} s: {full_seconds / own_seconds:.1f} times; logits bitwise equal: {equal}"
    )


if __name__ == "__main__":
    main()
