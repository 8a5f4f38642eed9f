"""What is read from a model's file before it is loaded, and what is refused."""

from __future__ import annotations

import contextlib
import struct
from collections.abc import Callable
from pathlib import Path

import pytest

from noteeval_desktop.engines.local_llm import LocalChat, read_header
from noteeval_desktop.errors import ModelError
from tests.engines.test_local_chat import QUESTIONS, answers
from tests.gguf_factory import make_chat_model


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_chat_model(tmp_path_factory.mktemp("models") / "tiny.gguf")


def test_header_tells_name_size_quantisation_and_context(model: Path) -> None:
    header = read_header(model)
    assert (header.name, header.architecture, header.quantisation, header.context) == ("tiny", "llama", "F32", 4096)
    assert header.bytes == model.stat().st_size
    assert "<|im_start|>" in str(header.chat_template)
    assert header.memory_needed(4096) - header.memory_needed(0) == 2 * 2 * 4 * 32 * 4096


def test_fingerprint_pins_the_weights(tmp_path: Path) -> None:
    first, again = make_chat_model(tmp_path / "a.gguf"), make_chat_model(tmp_path / "b.gguf")
    other = make_chat_model(tmp_path / "c.gguf", seed=1)
    assert read_header(first).fingerprint == read_header(again).fingerprint != read_header(other).fingerprint


def test_a_model_beyond_memory_is_refused_before_loading(model: Path) -> None:
    with pytest.raises(ModelError, match=r"needs about 1\d\d MB of memory; 1 MB are free"):
        LocalChat(model, available=lambda: 1_000_000)


@pytest.mark.parametrize("context", [0, -1, 4097, 4_000_000_000])
def test_an_absurd_context_is_refused(model: Path, context: int) -> None:
    with pytest.raises(ModelError, match="the model accepts 4,096"):
        LocalChat(model, context=context)


def _cut(data: bytes, share: float) -> bytes:
    return data[: int(len(data) * share)]


def _with_count(data: bytes, offset: int, count: int) -> bytes:
    return data[:offset] + struct.pack("<Q", count) + data[offset + 8 :]


@pytest.mark.parametrize(
    ("spoil", "problem"),
    [
        (lambda data: b"", "not a GGUF model file"),
        (lambda data: b"PK\x03\x04" + data[4:], "not a GGUF model file"),
        (lambda data: b"GGUF", "cut off near its start"),
        (lambda data: _cut(data, 0.001), "cut off near its start"),
        (lambda data: _cut(data, 0.5), "it was cut off"),
        (lambda data: data[:-4096], "it was cut off"),
        (lambda data: b"GGUF\xff\xff\xff\xff" + data[8:], "of a version that NoteEval does not know"),
        (lambda data: _with_count(data, 8, 2**63), "is damaged"),
        (lambda data: _with_count(data, 16, 2**40), "is damaged"),
        (lambda data: _with_count(data, 8, 0), "vocabulary but no model"),
        (lambda data: _with_count(data, 24, 2**62), "is damaged"),
        (lambda data: data.replace(b"general.architecture", b"general.architectura"), "does not say what model"),
    ],
    ids=[
        "empty",
        "zip",
        "magic",
        "header cut",
        "half",
        "end cut",
        "version",
        "tensors",
        "pairs",
        "vocab",
        "key",
        "arch",
    ],
)
def test_hostile_files_are_refused_by_their_header(
    model: Path, tmp_path: Path, spoil: Callable[[bytes], bytes], problem: str
) -> None:
    path = tmp_path / "hostile.gguf"
    path.write_bytes(spoil(model.read_bytes()))
    with pytest.raises(ModelError, match=problem) as caught:
        LocalChat(path)
    assert str(tmp_path) not in str(caught.value)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="no such model file"):
        LocalChat(tmp_path / "absent.gguf")


def test_what_llama_cpp_refuses_is_said_and_does_not_stay(model: Path, tmp_path: Path) -> None:
    path = tmp_path / "odd.gguf"
    path.write_bytes(model.read_bytes().replace(b"blk.0.attn_q.weight", b"blk.0.attn_Q.weight"))
    chat = LocalChat(path, threads=1)
    with pytest.raises(ModelError, match=r"odd\.gguf: llama\.cpp cannot load it \(.*attn_q"):
        answers(chat, QUESTIONS[:1])
    path.write_bytes(model.read_bytes())
    assert len(answers(chat, QUESTIONS[:1])) == 1
    chat.close()


@pytest.mark.parametrize("number", range(12))
def test_a_flipped_byte_ends_as_an_answer_or_a_message(model: Path, tmp_path: Path, number: int) -> None:
    data = bytearray(model.read_bytes())
    data[(number * 977 + 30) % 12_000] ^= 0xFF
    path = tmp_path / "flipped.gguf"
    path.write_bytes(data)
    try:
        with contextlib.closing(LocalChat(path, threads=1)) as chat:
            outcome = str(len(answers(chat, QUESTIONS[:2])))
    except ModelError as error:
        outcome = str(error)
    assert outcome == "2" or "flipped.gguf" in outcome or "chat template" in outcome
