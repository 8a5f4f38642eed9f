"""Models that are none for judging, numbers that are none, and a child process that cannot be trusted."""

from __future__ import annotations

import contextlib
import math
import struct
import sys
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from noteeval_desktop.domain.verdicts import ItemVerdict, NeedVerdict
from noteeval_desktop.engines.chat import Request, YesNo
from noteeval_desktop.engines.local_llm import LocalChat, read_header
from noteeval_desktop.engines.local_llm.session import NO_NUMBERS
from noteeval_desktop.engines.own_models import describe
from noteeval_desktop.errors import ModelError
from noteeval_desktop.judges.llm.judge import LlmJudge, Manner
from noteeval_desktop.judges.llm.prompts import load_prompts
from noteeval_desktop.judges.llm.retrieval import WholeSession
from noteeval_desktop.judges.llm.verdicts import LEAST_MASS
from noteeval_desktop.paths import resources
from tests.factories import make_case
from tests.gguf_factory import make_biased_model, make_chat_model
from tests.sample_evaluation import sample_rubric

QUESTIONS = [Request("You judge notes.", "Client: I sleep.", f"Is {n} covered?") for n in range(3)]
WRITES_NOTHING = "does not write answers.*Choose a chat model"


def test_the_sentence_encoder_is_no_judge(encoder_path: Path) -> None:
    with pytest.raises(ModelError, match=WRITES_NOTHING):
        LocalChat(encoder_path)


SILENT: dict[str, dict[str, Any]] = {
    "an embedding model made of a chat model": {"pooling_type": 3},
    "a reranker": {"pooling_type": 4},
    "a model that reads in both directions": {"attention__causal": False},
    "an encoder by its name": {"architecture": "modern-bert"},
    "another": {"architecture": "gemma-embedding"},
    "a translator": {"architecture": "t5"},
}


@pytest.mark.parametrize("name", SILENT)
def test_a_model_that_does_not_write_is_refused_by_its_header(name: str, tmp_path: Path) -> None:
    path = make_chat_model(tmp_path / "silent.gguf", **SILENT[name])
    with pytest.raises(ModelError, match=WRITES_NOTHING):
        LocalChat(path)
    assert "does not write answers" in describe(path).problem


@pytest.mark.parametrize("settings", [{}, {"pooling_type": 0}, {"attention__causal": True}])
def test_a_chat_model_is_none_of_them(settings: dict[str, Any], tmp_path: Path) -> None:
    with contextlib.closing(LocalChat(make_chat_model(tmp_path / "chat.gguf", **settings), threads=1)) as chat:
        assert all(answer.yes is not None for _, answer in chat.yes_no(QUESTIONS, threading.Event()))


def test_llama_cpp_is_asked_too_whether_the_model_writes(
    encoder_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A header may hide what it is from us."""
    monkeypatch.setattr(type(read_header(encoder_path)), "writes", True)
    with (
        contextlib.closing(LocalChat(encoder_path, threads=1)) as chat,
        pytest.raises(ModelError, match=WRITES_NOTHING),
    ):
        list(chat.yes_no(QUESTIONS, threading.Event()))


def test_numbers_that_are_none_are_no_answer(tmp_path: Path) -> None:
    path = make_chat_model(tmp_path / "nan.gguf", scale=math.nan)
    with contextlib.closing(LocalChat(path, threads=1)) as chat:
        answers = dict(chat.yes_no(QUESTIONS, threading.Event()))
        [(_, reply)] = chat.ask([Request("", "Text.", "Judge.", {"type": "string"}, 20)], threading.Event())
    assert [answers[n] for n in range(3)] == [YesNo(None, problem=NO_NUMBERS)] * 3
    assert (reply.text, reply.problem) == ("", NO_NUMBERS)


@pytest.mark.parametrize(("rest", "judged"), [(1.0, True), (3.1, False), (1e6, False)])
def test_a_model_that_evades_has_judged_nothing(rest: float, judged: bool, tmp_path: Path) -> None:
    """Yes is twice as likely as no; how likely either is decides whether that counts."""
    path = make_biased_model(tmp_path / "evasive.gguf", {"Yes": 2.0, "No": 1.0, "x": rest})
    mass = 3 / (3 + rest)
    assert judged == (mass >= LEAST_MASS)
    rubric = sample_rubric()
    few = replace(rubric, items=rubric.items[:3])
    with contextlib.closing(LocalChat(path, threads=1)) as chat:
        judge = LlmJudge(chat, few, load_prompts(resources() / "prompts"), WholeSession(), Manner.PUBLISHED)
        items = list(judge.cover(make_case(), threading.Event()))
        needs = list(judge.need(make_case(), threading.Event()))
        again = list(judge.need(make_case(), threading.Event()))  # from its memory
    assert again == needs
    assert {item.present for item in items} == {need.needed for need in needs} == {True if judged else None}
    verdicts: list[ItemVerdict | NeedVerdict] = [*items, *needs]
    assert {verdict.probability is not None for verdict in verdicts} == {judged}
    for verdict in verdicts:
        assert verdict.mass == pytest.approx(mass, rel=1e-3)
        assert ("neither yes nor no" in verdict.rationale) != judged


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, -1.0, 1e300, 2**60])
@pytest.mark.parametrize("key", ["block_count", "attention.head_count", "embedding_length", "pooling_type"])
def test_a_size_that_none_can_have_does_not_matter(value: float, key: str, tmp_path: Path) -> None:
    header = read_header(make_chat_model(tmp_path / "tiny.gguf"))
    header.values[f"llama.{key}"] = value
    assert header.memory_needed(4096) > 0
    assert header.writes


def test_a_vocabulary_that_is_no_list_is_none(tmp_path: Path) -> None:
    path = make_chat_model(tmp_path / "tiny.gguf")
    data = path.read_bytes()
    key = b"tokenizer.ggml.tokens"
    at = data.index(key) + len(key)
    text = struct.pack("<IQ", 8, 12 + 4)  # a string over the array's kind and length, and on
    path.write_bytes(data[:at] + text + data[at + 12 :])
    with pytest.raises(ModelError):
        LocalChat(path)


@pytest.mark.parametrize(
    "template",
    [
        "{% for m in messages %}{{ m['content'][99] }}{% endfor %}",
        "{{ messages[99]['role'] }}",
        "{{ raise_exception }}{% macro again() %}{{ again() }}{% endmacro %}{{ again() }}",
        "{{ 1 // 0 }}",
        "{{ messages | map('nothing') | list }}",
        "{{ " + "(" * 5_000 + "1" + ")" * 5_000 + " }}",
        "{{ '%d' % messages }}",
        "{{ messages[0]['content'].encode('utf-16').decode('utf-8') }}",
    ],
)
def test_a_template_that_breaks_is_a_message(template: str, tmp_path: Path) -> None:
    path = make_chat_model(tmp_path / "broken.gguf", template=template)
    with contextlib.closing(LocalChat(path, threads=1)) as chat, pytest.raises(ModelError, match="chat template"):
        list(chat.yes_no(QUESTIONS, threading.Event()))


TRAITOR = """
import json, sys
say = lambda line: (sys.stdout.buffer.write(line + b"\\n"), sys.stdout.buffer.flush())
for line in sys.stdin:
    job = json.loads(line)
    if job["kind"] == "build":
        say(b'{"job": 0, "kind": "build", "info": "", "gpu": false}')
    if job["kind"] in ("yes_no", "ask"):
        say(open(sys.argv[1], "rb").read())
    say(json.dumps({"job": job["job"], "kind": "end"}).encode())
"""
SAID = {
    "deep": b"[" * 200_000,
    "no object": b"[1]",
    "no text": b"\xff",
    "no kind": b'{"job": 1}',
    "no job": b'{"kind": "answer"}',
    "an answer to nothing": b'{"job": 1, "kind": "answer"}',
    "an answer to a list": b'{"job": 1, "kind": "answer", "index": [0]}',
    "another's answer": b'{"job": 1, "kind": "answer", "index": 7}',
    "odds that are text": b'{"job": 1, "kind": "answer", "index": 0, "yes": "x", "mass": 1}',
    "odds that are none": b'{"job": 1, "kind": "answer", "index": 0, "yes": NaN, "mass": 1}',
    "odds beyond 1": b'{"job": 1, "kind": "answer", "index": 0, "yes": 0.5, "mass": 1e999}',
    "no odds": b'{"job": 1, "kind": "answer", "index": 0}',
    "a senseless count": b'{"job": 1, "kind": "answer", "index": 0, "yes": 1, "mass": 1, "input": 1e999}',
    "counts in a list": b'{"job": 1, "kind": "answer", "index": 0, "yes": 1, "mass": 1, "output": [1]}',
    "senseless progress": b'{"job": 1, "kind": "progress", "done": 1e999, "total": 1, "seconds": 1}',
    "progress of nothing": b'{"job": 1, "kind": "progress"}',
    "failed, without a reason": b'{"job": 1, "kind": "failed"}',
}


@pytest.mark.parametrize("name", SAID)
def test_a_child_process_that_talks_nonsense_is_a_message(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "said").write_bytes(SAID[name])
    command = [sys.executable, "-c", TRAITOR, str(tmp_path / "said")]
    monkeypatch.setattr("noteeval_desktop.engines.local_llm.child.child_command", lambda _module: command)
    with contextlib.closing(LocalChat(make_chat_model(tmp_path / "traitor.gguf"), threads=1)) as chat:
        try:
            outcome = [answer.problem for _, answer in chat.yes_no(QUESTIONS[:1], threading.Event())]
        except ModelError as error:
            outcome = [str(error)]
    assert "traitor.gguf" in outcome[0] or outcome == ["the model gave no answer"]
