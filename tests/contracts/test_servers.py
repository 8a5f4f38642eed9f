"""Every server that people have: what each takes and refuses, after its vendor's documentation, and what we make of it.

Each row is a script on a real loopback server: it refuses what that server refuses, in its own words, and answers as it
answers. ``asked``: how many requests it takes until both questions, one with a form and one of yes or no, are answered.
"""

from __future__ import annotations

import json
import math
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace

import pytest

from noteeval_desktop.engines.chat import Reply, Request, YesNo
from noteeval_desktop.engines.remote.chat import RemoteChat
from noteeval_desktop.engines.remote.dialect import THINKING_TOKENS
from noteeval_desktop.engines.remote.pace import Pace
from noteeval_desktop.engines.remote.transport import Endpoint
from noteeval_desktop.errors import ModelError
from tests.openai_server import Behaviour, Body, serve

FORM = {
    "type": "object",
    "properties": {"ready": {"type": "boolean"}},
    "required": ["ready"],
    "additionalProperties": False,
}
FORMED = Request("system", "prefix", "question", FORM, 60)
YES_NO = Request("system", "prefix", "Yes or No?")
ANSWER = '{"ready": true}'
NEVER = threading.Event()


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noteeval_desktop.engines.remote.chat.jittered", lambda attempt: 0.01)


def refused(status: int, error: object) -> Behaviour:
    return Behaviour(status=status, raw=json.dumps(error).encode())


def openai_error(message: str, code: str | None = None, kind: str = "invalid_request_error", param: str = "") -> dict:
    return {"error": {"message": message, "type": kind, "param": param, "code": code}}


def likely(**odds: float) -> tuple[tuple[str, dict[str, float]], ...]:
    """The first token, with what stands in its place how often."""
    return ((max(odds, key=lambda word: odds[word]), {word: math.log(share) for word, share in odds.items()}),)


def plain(body: Body) -> Behaviour:
    """Takes everything, and tells probabilities where it is asked to."""
    if "response_format" in body:
        return Behaviour(ANSWER)
    told = likely(Yes=0.7, yes=0.1, No=0.1, Maybe=0.1) if body.get("logprobs") else ()
    return Behaviour("Yes", likeliest=told)


def openai_chat(body: Body) -> Behaviour:
    return plain(body)


def openai_reasoning(body: Body) -> Behaviour:
    if "max_tokens" in body:
        said = "Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead."
        return refused(400, openai_error(said, "unsupported_parameter", param="max_tokens"))
    if "temperature" in body:
        said = "Unsupported value: 'temperature' does not support 0 with this model."
        return refused(400, openai_error(said, "unsupported_value", param="temperature"))
    if "logprobs" in body:
        return refused(403, openai_error("You are not allowed to request logprobs from this model"))
    if body["max_completion_tokens"] < 1_000:  # all of it goes into thinking
        return Behaviour("", finish="length")
    assert body["reasoning_effort"] == "low"
    return Behaviour(ANSWER if "response_format" in body else "Yes")


def openai_responses(body: Body) -> Behaviour:
    if "messages" in body:
        said = "This model is only supported in v1/responses and not in v1/chat/completions."
        return refused(404, openai_error(said, param="model"))
    assert body["store"] is False
    text = ANSWER if "text" in body else "Yes"
    parts = [
        {"type": "reasoning", "summary": []},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]},
    ]
    usage = {"input_tokens": 90, "input_tokens_details": {"cached_tokens": 40}, "output_tokens": 30}
    return Behaviour(
        raw=json.dumps({"object": "response", "status": "completed", "output": parts, "usage": usage}).encode()
    )


def anthropic(body: Body) -> Behaviour:
    """Takes and ignores the form and logprobs; says so in its documentation."""
    return Behaviour(f"```json\n{ANSWER}\n```" if "response_format" in body else "Yes")


def gemini(body: Body) -> Behaviour:
    if "logprobs" in body:
        said = 'Invalid JSON payload received. Unknown name "logprobs": Cannot find field.'
        return refused(400, [{"error": {"code": 400, "message": said, "status": "INVALID_ARGUMENT"}}])
    if body["max_tokens"] < 1_000:  # thinks, and counts it
        return Behaviour(
            raw=json.dumps(
                {"choices": [{"finish_reason": "length", "index": 0, "message": {"role": "assistant"}}]}
            ).encode()
        )
    return Behaviour(ANSWER if "response_format" in body else "Yes")


def deepseek(body: Body) -> Behaviour:
    if body.get("response_format", {}).get("type") == "json_schema":
        return refused(400, openai_error("This response_format type is unavailable now"))
    answer = plain(body)
    usage = {
        "prompt_tokens": 100,
        "completion_tokens": 9,
        "prompt_cache_hit_tokens": 64,
        "prompt_cache_miss_tokens": 36,
    }
    message = {"role": "assistant", "content": answer.content, "reasoning_content": "Let me see."}
    return Behaviour(
        raw=json.dumps({"choices": [{"finish_reason": "stop", "message": message}], "usage": usage}).encode()
    )


def mistral(body: Body) -> Behaviour:
    if "logprobs" in body:
        detail = [{"type": "extra_forbidden", "loc": ["body", "logprobs"], "msg": "Extra inputs are not permitted"}]
        return refused(422, {"object": "error", "message": {"detail": detail}, "type": "invalid_request_error"})
    text = ANSWER if "response_format" in body else "Yes"
    content = [{"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]}, {"type": "text", "text": text}]
    message = {"role": "assistant", "content": content}
    return Behaviour(raw=json.dumps({"choices": [{"finish_reason": "stop", "message": message}]}).encode())


def vllm(body: Body) -> Behaviour:
    """Without a parser for reasoning."""
    if "response_format" in body:
        return Behaviour(f"<think>\nIs it ready?\n</think>\n\n{ANSWER}")
    if body.get("top_logprobs", 0) > 5:
        return refused(400, {"object": "error", "message": "top_logprobs must be at most 5", "code": 400})
    words = ("<think>", "No", "</think>", "\n\n")
    told = tuple((word, {word: -0.01}) for word in words) + likely(Yes=0.9, No=0.05)
    return Behaviour("<think>No</think>\n\nYes", likeliest=told)


def lm_studio(body: Body) -> Behaviour:
    if body.get("response_format", {}).get("type") not in (None, "json_schema", "text"):
        return refused(400, {"error": "'response_format.type' must be 'json_schema' or 'text'"})
    return Behaviour(ANSWER if "response_format" in body else "Yes")


def ollama(body: Body) -> Behaviour:
    return Behaviour(ANSWER if "response_format" in body else "Yes")


def llama_server(body: Body) -> Behaviour:
    return plain(body)


@dataclass(frozen=True)
class Server:
    behave: Callable[[Body], Behaviour]
    asked: int
    probability: float | None = None
    cached: int = 0
    sends: Mapping[str, object] = field(default_factory=dict)


SERVERS = {
    "OpenAI, chat": Server(openai_chat, 2, 8 / 9, sends={"max_tokens": 60}),
    "OpenAI, a model that thinks": Server(openai_reasoning, 5, sends={"max_completion_tokens": 60 + THINKING_TOKENS}),
    "OpenAI, responses": Server(openai_responses, 3, cached=80, sends={"store": False}),
    "Azure": Server(openai_chat, 2, 8 / 9),
    "Anthropic": Server(anthropic, 2),
    "Gemini": Server(gemini, 4),
    "DeepSeek": Server(deepseek, 4, cached=128),
    "Mistral": Server(mistral, 3),
    "vLLM": Server(vllm, 3, 0.9 / 0.95),
    "LM Studio": Server(lm_studio, 2),
    "Ollama": Server(ollama, 2),
    "llama-server": Server(llama_server, 2, 8 / 9),
}


@pytest.mark.parametrize("name", SERVERS)
def test_each_server_is_understood_and_asked_in_few_requests(name: str) -> None:
    server = SERVERS[name]
    with serve(lambda body, _: server.behave(body)) as endpoint, closing(RemoteChat(endpoint.url, "m", "k", 1)) as chat:
        [(_, formed)] = chat.ask([FORMED], NEVER)
        assert (formed.problem, formed.finished) == ("", True)
        assert ANSWER in formed.text
        [(_, yes)] = chat.yes_no([YES_NO], NEVER)
        assert (yes.yes, yes.problem) == (True, "")
        if server.probability is None:
            assert (yes.probability, yes.mass) == (None, None)
        else:
            assert yes.probability == pytest.approx(server.probability)
            assert yes.mass is not None
            assert yes.mass >= 0.5
        assert len(endpoint.requests) == server.asked
        # By now it is known: nothing is asked in vain again.
        assert [r.problem for _, r in chat.ask([FORMED], NEVER)] + [
            y.problem for _, y in chat.yes_no([YES_NO], NEVER)
        ] == ["", ""]
        assert len(endpoint.requests) == server.asked + 2
        assert server.sends.items() <= endpoint.requests[-2].items()
        assert chat.usage().cached_tokens == 2 * server.cached


@pytest.mark.parametrize("name", SERVERS)
def test_a_server_without_probabilities_loses_no_form_by_being_asked_for_them(name: str) -> None:
    sent = []
    for question in (FORMED, replace(FORMED, weighed="label")):
        behave = SERVERS[name].behave
        with serve(lambda body, _, behave=behave: behave(body)) as endpoint:
            with closing(RemoteChat(endpoint.url, "m", "k", 1)) as chat:
                [(_, formed)] = chat.ask([question], NEVER)
            assert (formed.problem, ANSWER in formed.text) == ("", True)
            sent.append(endpoint.requests[-1].get("response_format"))
    assert sent[0] == sent[1]


WRONG = {
    "OpenAI, wrong key": (401, openai_error("Incorrect API key provided: k.", "invalid_api_key"), "Check the key"),
    "OpenAI, wrong model": (404, openai_error("The model `m` does not exist", "model_not_found"), "Check its name"),
    "OpenAI, quota": (429, openai_error("You exceeded your current quota", "insufficient_quota"), "Add credit"),
    "Azure, wrong key": (
        401,
        {"error": {"code": "401", "message": "Access denied due to invalid subscription key"}},
        "Check the key",
    ),
    "Azure, wrong deployment": (
        404,
        {"error": {"code": "DeploymentNotFound", "message": "The API deployment does not exist."}},
        "Check its name",
    ),
    "Anthropic, wrong key": (
        401,
        {"type": "error", "error": {"type": "authentication_error", "message": "invalid x-api-key"}},
        "Check the key",
    ),
    "Anthropic, wrong model": (
        404,
        {"type": "error", "error": {"type": "not_found_error", "message": "model: m"}},
        "Check its name",
    ),
    "Anthropic, credit": (
        400,
        {"error": {"type": "invalid_request_error", "message": "Your credit balance is too low"}},
        "Add credit",
    ),
    "Gemini, wrong key": (
        400,
        [{"error": {"code": 400, "message": "API key not valid.", "status": "INVALID_ARGUMENT"}}],
        "Check the key",
    ),
    "Gemini, wrong model": (
        404,
        [{"error": {"code": 404, "message": "models/m is not found for API version v1main", "status": "NOT_FOUND"}}],
        "Check its name",
    ),
    "DeepSeek, balance": (402, {"error": {"message": "Insufficient Balance", "type": "unknown_error"}}, "Add credit"),
    "DeepSeek, wrong model": (
        400,
        {"error": {"message": "Model Not Exist", "type": "invalid_request_error"}},
        "Check its name",
    ),
    "Mistral, wrong key": (401, {"detail": "Unauthorized"}, "Check the key"),
    "Mistral, wrong model": (
        400,
        {"object": "error", "message": "Invalid model: m", "type": "invalid_model", "code": "1500"},
        "Check its name",
    ),
    "vLLM, wrong model": (
        404,
        {"object": "error", "message": "The model `m` does not exist.", "type": "NotFoundError", "code": 404},
        "Check its name",
    ),
    "Ollama, wrong model": (
        404,
        {"error": {"message": 'model "m" not found, try pulling it first', "type": "api_error"}},
        "Check its name",
    ),
    "a wrong address": (404, {"detail": "Not Found"}, "Check the address"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_no_other_try_mends_is_said_in_one_sentence_that_says_what_to_do(name: str) -> None:
    status, error, remedy = WRONG[name]
    for put in (FORMED, None):
        with (
            serve(lambda _body, _number: refused(status, error)) as endpoint,
            closing(RemoteChat(endpoint.url, "m", "k", 1)) as chat,
            pytest.raises(ModelError, match=remedy) as told,
        ):
            list(chat.ask([put], NEVER) if put else chat.yes_no([YES_NO], NEVER))
        assert "\n" not in str(told.value)
        assert len(endpoint.requests) == 1


FILTERED = {
    "OpenAI": (400, openai_error("flagged", "content_policy_violation")),
    "Azure": (400, {"error": {"code": "content_filter", "innererror": {"code": "ResponsibleAIPolicyViolation"}}}),
}


@pytest.mark.parametrize("name", FILTERED)
def test_a_content_filter_costs_one_question(name: str) -> None:
    def behave(_body: Body, number: int) -> Behaviour:
        return refused(*FILTERED[name]) if number == 0 else Behaviour(ANSWER)

    with serve(behave) as endpoint, closing(RemoteChat(endpoint.url, "m", "k", 1)) as chat:
        found = dict(chat.ask([FORMED, FORMED], NEVER))
    assert [found[0].problem, found[1].problem] == ["the provider's content filter refused the question", ""]


def test_a_model_that_only_thinks_is_asked_once_more_with_more_room_and_then_told_of() -> None:
    with (
        serve(lambda body, _: Behaviour("<think>and so on", finish="length")) as endpoint,
        closing(RemoteChat(endpoint.url, "m", "", 1)) as chat,
    ):
        [(_, reply)] = chat.ask([FORMED], NEVER)
    assert reply.problem.startswith("the model spent its whole answer thinking; turn its thinking off")
    assert len(endpoint.requests) == 2
    assert endpoint.requests[1]["max_tokens"] > 10_000


EVASIVE = {
    "evades": (likely(Maybe=0.9, Yes=0.06, No=0.02), 0.08),
    "says neither": (likely(Maybe=0.99), None),
}


@pytest.mark.parametrize("name", EVASIVE)
def test_little_mass_on_yes_and_no_is_told(name: str) -> None:
    told, mass = EVASIVE[name]
    with (
        serve(lambda body, _: Behaviour("Maybe", likeliest=told)) as endpoint,
        closing(RemoteChat(endpoint.url, "m", "", 1)) as chat,
    ):
        [(_, found)] = chat.yes_no([YES_NO], NEVER)
    assert found.mass == (pytest.approx(mass) if mass else 0.0)
    assert (found.yes is None) is (mass is None)


def test_azure_gets_its_version_and_its_own_kind_of_key() -> None:
    with serve(lambda body, _: plain(body)) as endpoint:
        address = endpoint.url.replace("/v1", "/openai/deployments/notes/chat/completions?api-version=2024-10-21")
        with closing(RemoteChat(address, "notes", "secret", 1)) as chat:
            [(_, reply)] = chat.ask([FORMED], NEVER)
    assert reply.text == ANSWER
    assert endpoint.paths == ["/openai/deployments/notes/chat/completions?api-version=2024-10-21"]
    assert endpoint.headers[0]["api-key"] == "secret"
    assert "authorization" not in endpoint.headers[0]
    new = Endpoint("https://clinic.openai.azure.com/openai/v1", "secret")
    assert ("api-key", "secret") in new._wire._headers  # type: ignore[attr-defined]
    new.close()


def test_all_workers_of_a_process_keep_to_one_pace() -> None:
    """The server allows three questions a minute, as its first answer says; the second worker's would be the fourth."""
    limited = {"x-ratelimit-limit-requests": "3"}
    pace, cancel = Pace(), threading.Event()
    with serve(lambda body, _: Behaviour(ANSWER, headers=limited)) as endpoint:
        chats = [RemoteChat(endpoint.url, "m", "", 1, pace=pace) for _ in range(2)]
        assert len(list(chats[0].ask([FORMED] * 3, NEVER))) == 3
        waiting: list[Iterator[tuple[int, Reply]] | YesNo] = []
        timer = threading.Timer(0.4, cancel.set)
        timer.start()
        with pytest.raises(Exception, match="Cancelled"):
            waiting += list(chats[1].ask([FORMED], cancel))  # type: ignore[arg-type]
        for chat in chats:
            chat.close()
    assert waiting == []
    assert len(endpoint.requests) == 3
