from __future__ import annotations

import contextlib
import json
import math
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from noteeval_desktop.engines.chat import Reply, Request, YesNo
from noteeval_desktop.engines.local_llm import LocalChat, LocalProgress
from noteeval_desktop.errors import Cancelled, ModelError
from tests.gguf_factory import make_biased_model, make_chat_model, make_hybrid_model

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "label": {"enum": ["supported", "contradicted", "unsupported"]},
        "turns": {"type": "array", "items": {"enum": [1, 2, 3]}, "maxItems": 3},
        "reason": {"type": "string", "maxLength": 20},
    },
    "required": ["label", "turns", "reason"],
    "additionalProperties": False,
}
QUESTIONS = [
    Request("You judge notes.", "1. Client: I sleep. 😀 " * 12, f"Is {n} covered?{'?' * n}") for n in range(40)
]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_chat_model(tmp_path_factory.mktemp("models") / "tiny.gguf")


@pytest.fixture
def chat(model: Path) -> Iterator[LocalChat]:
    chat = LocalChat(model, threads=1)
    yield chat
    chat.close()


@pytest.fixture
def never() -> threading.Event:
    return threading.Event()


def answers(chat: LocalChat, requests: list[Request]) -> list[YesNo]:
    found = dict(chat.yes_no(requests, threading.Event()))
    return [found[index] for index in range(len(requests))]


def test_probability_of_yes_sums_every_form_of_yes_and_no(tmp_path: Path) -> None:
    path = make_biased_model(tmp_path / "known.gguf", {"Yes": 3.0, " Yes": 1.0, "No": 0.5, "no": 0.5, "x": 5.0})
    with contextlib.closing(LocalChat(path, threads=1)) as chat:
        for answer in answers(chat, QUESTIONS[:3]):
            assert answer.yes is True
            assert answer.probability == pytest.approx(4 / 5, abs=1e-4)
            assert answer.mass == pytest.approx(5 / 10, abs=1e-4)


THINKS = "{% for m in messages %}{{ m['content'] + '\n' }}{% endfor %}Answer:"


def test_a_model_that_thinks_first_is_read_past_its_thoughts(tmp_path: Path, never: threading.Event) -> None:
    """It begins with a thought wherever it is asked; only behind one it answers."""
    path = make_biased_model(
        tmp_path / "thinker.gguf", {"<think>": 9.0, "Yes": 1.0}, template=THINKS, after={"\n": {"Yes": 3.0, "No": 1.0}}
    )
    with contextlib.closing(LocalChat(path, threads=1)) as chat:
        for answer in answers(chat, QUESTIONS[:3]):
            assert answer.probability == pytest.approx(3 / 4, abs=1e-4)
            assert answer.mass == pytest.approx(1.0, abs=1e-4)
        [(_, reply)] = chat.ask([Request("", "Text.", "Judge.", None, 1)], never)
        assert reply.text == "Yes"


def test_a_model_with_a_recurrent_state_answers_as_with_the_full_prompt(tmp_path: Path) -> None:
    """Qwen3.5's layers: what one question left in the state would colour the next."""
    path = make_hybrid_model(tmp_path / "hybrid.gguf")
    with contextlib.closing(LocalChat(path, threads=1)) as chat:
        together = answers(chat, QUESTIONS[:3])
    for number in range(3):
        with contextlib.closing(LocalChat(path, threads=1)) as chat:
            assert answers(chat, QUESTIONS[number : number + 1]) == together[number : number + 1]
    assert len({answer.probability for answer in together}) == 3


def test_the_same_questions_get_the_same_answers(chat: LocalChat) -> None:
    assert answers(chat, QUESTIONS) == answers(chat, QUESTIONS)


def test_an_answer_does_not_depend_on_other_questions(chat: LocalChat) -> None:
    together = answers(chat, QUESTIONS)
    assert answers(chat, QUESTIONS[7:8]) == together[7:8]
    assert len({answer.probability for answer in together}) > 30


def test_written_answers_follow_the_schema(chat: LocalChat, never: threading.Event) -> None:
    requests = [Request("", "Text.", f"Judge {n}.", SCHEMA, 400) for n in range(3)]
    for _, reply in chat.ask(requests, never):
        assert reply.finished
        answer = json.loads(reply.text)
        assert list(answer) == ["label", "turns", "reason"]
        assert answer["label"] in SCHEMA["properties"]["label"]["enum"]


def test_an_answer_that_is_cut_off_says_so(chat: LocalChat, never: threading.Event) -> None:
    [(_, reply)] = chat.ask([Request("", "Text.", "Judge.", SCHEMA, 3)], never)
    assert not reply.finished


def test_control_words_in_our_text_stay_text(chat: LocalChat, never: threading.Event) -> None:
    def tokens_of(question: str) -> int:
        before = chat.usage()
        dict(chat.yes_no([Request("", "", question)], never))
        used = chat.usage()
        return used.input_tokens - before.input_tokens

    assert tokens_of("<|im_end|>") - tokens_of("") == len("<|im_end|>")


def test_a_question_that_does_not_fit_fails_alone(chat: LocalChat, never: threading.Event) -> None:
    found = dict(chat.yes_no([QUESTIONS[0], Request("", "x" * 6000, "?"), QUESTIONS[1]], never))
    assert "its context is 4,096" in found[1].problem
    assert found[1].yes is None
    assert found[0].probability is not None
    assert found[2].probability is not None


def test_a_long_question_is_evaluated_in_pieces(chat: LocalChat) -> None:
    assert answers(chat, [Request("", "short", "x" * 3000), Request("", "short", "y")])[0].probability is not None


def test_usage_counts_each_question_once_and_the_prefix_as_cached(chat: LocalChat) -> None:
    answers(chat, QUESTIONS[:4])
    usage = chat.usage()
    assert usage.calls == 4
    assert 3 * 240 < usage.cached_tokens < usage.input_tokens


@pytest.mark.parametrize("make", [make_chat_model, make_hybrid_model])
def test_what_two_prefixes_begin_with_is_read_once_and_changes_no_answer(
    make: Callable[[Path], Path], tmp_path: Path
) -> None:
    path = make(tmp_path / "model.gguf")
    task = "Say whether the passages bear the sentence out. " * 12
    asked = [Request("Judge.", f"{task}{passages}", "Slept?") for passages in ("He slept. " * 9, "She woke. " * 7)]
    alone = []
    for request in asked:
        with contextlib.closing(LocalChat(path, threads=1)) as chat:
            alone += answers(chat, [request])
            assert chat.usage().cached_tokens == 0
    with contextlib.closing(LocalChat(path, threads=1)) as chat:
        assert answers(chat, asked) == alone
        if make is make_chat_model:  # the other's state cannot go back
            assert chat.usage().cached_tokens > len(task) // 2


def test_nothing_asked_starts_nothing(chat: LocalChat, never: threading.Event) -> None:
    assert list(chat.ask([], never)) == []
    assert chat._child is None


def test_progress_comes_with_speed_and_time_left(model: Path) -> None:
    told: list[LocalProgress] = []
    chat = LocalChat(model, threads=1, progress=told.append)
    answers(chat, QUESTIONS)
    chat.close()
    assert told[0].total > 250
    assert told[0].tokens_per_second > 0
    assert told[0].seconds_left is not None


@pytest.fixture(scope="module")
def slow_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Seconds of work for a few thousand tokens."""
    return make_chat_model(tmp_path_factory.mktemp("slow") / "slow.gguf", layers=12, width=512, context=8192)


def test_cancelling_stops_a_prefill_within_200_ms_and_keeps_the_child(slow_model: Path) -> None:
    chat = LocalChat(slow_model, threads=1)
    short, long = [Request("", "", "warm up")], [Request("", "w" * 7000, "?")]
    before = answers(chat, short)
    pid = chat._child.pid
    took = []
    # The best of some: a busy computer takes the processor away from one or the other.
    while len(took) < 5 and min(took, default=1.0) >= 0.2:
        cancel = threading.Event()
        pressed: list[float] = []

        def press(cancel: threading.Event = cancel, pressed: list[float] = pressed) -> None:
            pressed.append(time.monotonic())
            cancel.set()

        threading.Timer(0.3, press).start()
        with pytest.raises(Cancelled):
            list(chat.yes_no(long, cancel))
        took.append(time.monotonic() - pressed[0])
    assert min(took) < 0.2
    assert answers(chat, short) == before
    assert chat._child.pid == pid
    chat.close()


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="needs POSIX signals")
def test_a_child_that_does_not_react_to_cancelling_is_killed_and_replaced(slow_model: Path) -> None:
    chat = LocalChat(slow_model, threads=1)
    short = [Request("", "", "warm up")]
    before = answers(chat, short)
    pid = chat._child.pid
    cancel = threading.Event()

    def freeze() -> None:
        os.kill(pid, signal.SIGSTOP)
        cancel.set()

    threading.Timer(0.2, freeze).start()
    with pytest.raises(Cancelled):
        list(chat.yes_no([Request("", "w" * 7000, "?")], cancel))
    assert answers(chat, short) == before
    assert chat._child.pid != pid
    chat.close()


def test_cancelled_before_asking_starts_nothing(chat: LocalChat, never: threading.Event) -> None:
    never.set()
    with pytest.raises(Cancelled):
        list(chat.yes_no(QUESTIONS, never))
    assert chat._child is None


def test_a_crash_becomes_a_message_and_the_next_question_works(chat: LocalChat, never: threading.Event) -> None:
    before = answers(chat, QUESTIONS[:2])
    os.kill(chat._child.pid, signal.SIGTERM)
    with pytest.raises(ModelError, match=r"the model stopped \(exit code .*It starts again"):
        answers(chat, QUESTIONS[:2])
    assert answers(chat, QUESTIONS[:2]) == before


def test_an_answer_taken_early_leaves_the_model_usable(chat: LocalChat, never: threading.Event) -> None:
    generator: Any = chat.ask([Request("", "a", "b", None, 20), Request("", "a", "c", None, 3000)], never)
    assert isinstance(next(generator)[1], Reply)
    generator.close()
    assert len(answers(chat, QUESTIONS[:2])) == 2


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="needs /proc")
def test_the_child_finds_graphics_libraries_and_no_secrets(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.setenv("CUDA_PATH", "graphics")
    chat = LocalChat(model, threads=1)
    answers(chat, QUESTIONS[:1])
    environment = Path(f"/proc/{chat._child.pid}/environ").read_bytes().decode().strip("\0").split("\0")
    chat.close()
    assert {"CUDA_PATH=graphics", "GGML_NO_BACKTRACE=1"} <= set(environment)
    assert not any("sk-secret" in entry for entry in environment)


def test_likelihoods_of_a_text_are_those_of_its_tokens(tmp_path: Path, never: threading.Event) -> None:
    """A model that says "a" with 3/4 and "b" with 1/4, whatever it has read."""
    chat = LocalChat(make_biased_model(tmp_path / "known.gguf", {"a": 3.0, "b": 1.0}), threads=1)
    request = Request("You write notes.", "A note.", "Write it again.", answer="ab" * 40)
    ((index, found),) = chat.log_likelihoods([request], never)
    chat.close()
    assert (index, found.problem) == (0, "")
    assert [size for size, _ in found.tokens] == [1] * 80
    assert [log for _, log in found.tokens[:2]] == pytest.approx([math.log(3 / 4), math.log(1 / 4)], abs=1e-3)
    assert [log for _, log in found.tokens[64:]] == pytest.approx([log for _, log in found.tokens[:16]])


def test_a_text_is_as_likely_in_parts_as_its_next_tokens_are(model: Path, never: threading.Event) -> None:
    """log p(ab | x) = log p(a | x) + log p(b | x a), over more tokens than are scored at once."""
    chat = LocalChat(model, threads=1)
    text = "Client sleeps badly 😴. " * 4
    request = Request("", "A note. ", "Again.", answer=text)
    ((_, whole),) = chat.log_likelihoods([request], never)
    ((_, start),) = chat.log_likelihoods([replace(request, answer=text[:50])], never)
    chat.close()
    assert sum(size for size, _ in whole.tokens) == len(text.encode())
    assert [log for _, log in whole.tokens[: len(start.tokens)]] == pytest.approx(
        [log for _, log in start.tokens], abs=1e-4
    )


def test_a_text_too_long_for_the_model_has_no_likelihood(model: Path, never: threading.Event) -> None:
    chat = LocalChat(model, threads=1, context=256)
    ((_, found),) = chat.log_likelihoods([Request("", "A note.", "Again.", answer="word " * 400)], never)
    chat.close()
    assert "too long for the model" in found.problem
