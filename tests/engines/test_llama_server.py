"""The remote judge over a server of flesh and blood: llama-cpp-python's own, with random weights behind it.

It answers 500 to ``json_schema``, counts tokens, streams nothing we asked for, and its model talks rubbish.
"""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import pytest

from noteeval_desktop.collected import Question
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.note import Section
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.engines.chat import Request
from noteeval_desktop.engines.remote.abilities import check_endpoint
from noteeval_desktop.engines.remote.chat import RemoteChat, models_at
from noteeval_desktop.errors import NoteEvalError
from noteeval_desktop.evaluate import evaluate, final
from noteeval_desktop.judges.llm.judge import LlmJudge, Manner
from noteeval_desktop.judges.llm.prompts import load_prompts
from noteeval_desktop.judges.llm.retrieval import EmbeddingRetriever
from noteeval_desktop.paths import resources
from tests.factories import make_case, make_note
from tests.fake_embedder import FakeEmbedder
from tests.gguf_factory import make_chat_model

NEVER = threading.Event()
CONTEXT = 8192


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Its base URL."""
    model = make_chat_model(
        tmp_path_factory.mktemp("served") / "tiny.gguf", seed=1, layers=1, width=32, context=CONTEXT
    )
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "llama_cpp.server", "--model", str(model), "--host", "127.0.0.1"]
    command += ["--port", str(port), "--n_ctx", str(CONTEXT), "--n_threads", "1", "--n_threads_batch", "1"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        url = f"http://127.0.0.1:{port}/v1"
        _wait_until_ready(url, process)
        yield url
    finally:
        process.kill()
        process.wait()


def _wait_until_ready(url: str, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 30
    while process.poll() is None and time.monotonic() < deadline:
        try:
            models_at(url, "")
            return
        except NoteEvalError:
            time.sleep(0.1)
    pytest.fail(f"llama_cpp.server did not start (exit code {process.poll()})")


@pytest.fixture
def chat(server: str) -> Iterator[RemoteChat]:
    chat = RemoteChat(server, "tiny", jobs=2)
    yield chat
    chat.close()


@pytest.fixture
def case() -> Case:
    return make_case(note=make_note({Section.PLAN: ["Next session on Tuesday."]}))


def make_judge(chat: RemoteChat, rubric: Rubric, manner: Manner) -> LlmJudge:
    prompts = load_prompts(resources() / "prompts")
    return LlmJudge(chat, rubric, prompts, EmbeddingRetriever(FakeEmbedder()), manner)


def test_the_connection_test_finds_the_model(server: str) -> None:
    assert len(models_at(server, "")) == 1


def test_what_the_server_can_do_is_found_out_and_said(server: str) -> None:
    found = check_endpoint(server, "tiny", "")
    assert len(found.models) == 1
    assert (found.form, found.logprobs, found.embeddings) == ("json_object_schema", False, False)
    assert "by an older method" in found.words[1]
    assert found.words[2].startswith("It gives no probabilities")


def test_the_refusal_of_json_schema_is_adapted_to_once(chat: RemoteChat) -> None:
    schema = {
        "type": "object",
        "properties": {"label": {"enum": ["supported", "unsupported"]}},
        "required": ["label"],
        "additionalProperties": False,
    }
    requests = [Request("s", "p", f"q{n}", schema, 40) for n in range(2)]
    first = dict(chat.ask(requests[:1], NEVER))
    sent = chat.usage().bytes_sent
    second = dict(chat.ask(requests[1:], NEVER))
    for reply in (first[0], second[0]):
        assert reply.problem == ""
        assert json.loads(reply.text)["label"] in ("supported", "unsupported")
    assert 2.5 < sent / (chat.usage().bytes_sent - sent) < 3.5  # asked three times, then once


def test_yes_or_no_is_answered_by_a_server_that_gives_no_probabilities(chat: RemoteChat) -> None:
    """It refuses them with status 500, once a form is understood as before."""
    schema = {"type": "object", "properties": {"a": {"type": "boolean"}}, "required": ["a"]}
    list(chat.ask([Request("s", "p", "q", schema, 40)], NEVER))
    for _ in range(2):
        [(_, found)] = chat.yes_no([Request("s", "p", "Is it so?")], NEVER)
        assert found.problem in ("", "the answer was neither Yes nor No")
        assert found.probability is None


def test_tokens_are_counted_as_the_server_counts_them(chat: RemoteChat) -> None:
    list(chat.ask([Request("sys", "", "x" * 100, None, 5)], NEVER))
    used = chat.usage()
    assert used.calls == 1
    assert used.input_tokens > 100
    assert 0 < used.output_tokens <= 6  # it counts the end of the answer too
    assert used.cost is None


def test_a_question_beyond_the_context_fails_alone(chat: RemoteChat) -> None:
    long, short = Request("s", "", "x" * (CONTEXT + 1000), None, 5), Request("s", "", "x", None, 5)
    replies = dict(chat.ask([long, short], NEVER))
    assert replies[0].problem == "too long for the model"
    assert replies[1].problem == ""


@pytest.mark.parametrize("manner", list(Manner))
def test_rubbish_is_never_a_score(chat: RemoteChat, rubric: Rubric, case: Case, manner: Manner) -> None:
    evaluation = final(
        evaluate(case, make_judge(chat, rubric, manner), (Question.COVER, Question.NEED, Question.SUPPORT))
    ).evaluation
    assert not evaluation.complete
    assert all("could not be judged" in problem for problem in evaluation.problems)
    assert {item.present for item in evaluation.checklist if item.section is Section.PLAN} == {None}
    assert {item.rationale[:12] for item in evaluation.checklist if item.section is Section.PLAN} == {"Not checked:"}
    (judged,) = evaluation.sentences
    assert judged.need is not None
    assert judged.claim is not None
    # Grouped, the form leaves so little to answer that rubbish fits it: the entrance test is what finds such a model.
    assert manner is Manner.GROUPED or judged.need.needed is None
    assert judged.claim.verdict is None
    assert manner is Manner.GROUPED or evaluation.scores.conciseness.note is None
    assert evaluation.scores.faithfulness.note is None
    assert evaluation.usage.calls > 0
