"""Against a real server on loopback that misbehaves in every way we could think of."""

from __future__ import annotations

import json
import threading
import time

import pytest

from noteeval_desktop.engines.chat import Request
from noteeval_desktop.engines.remote.chat import TRIES, Price, RemoteChat, models_at
from noteeval_desktop.engines.remote.pace import Pace, retry_after
from noteeval_desktop.engines.remote.transport import ANSWER_LIMIT
from noteeval_desktop.errors import Cancelled, ModelError, NoteEvalError
from tests.openai_server import Behaviour, Body, Endpoint, serve, then_well

QUESTION = Request("system", "prefix", "question", schema={"type": "object"})


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noteeval_desktop.engines.remote.chat.jittered", lambda attempt: 0.01)


def ask_one(endpoint: Endpoint, request: Request = QUESTION, **options: object):
    chat = RemoteChat(endpoint.url, "m", key="secret", **options)  # type: ignore[arg-type]
    try:
        return dict(chat.ask([request], threading.Event()))[0], chat.usage()
    finally:
        chat.close()


PASSING_FAULTS = {
    "500 once": [Behaviour(status=502, raw=b"oops")],
    "503 four times": [Behaviour(status=503, raw=b"{}")] * 4,
    "429 without Retry-After": [Behaviour(status=429, raw=b"{}")],
    "429 with Retry-After": [Behaviour(status=429, raw=b"{}", headers={"Retry-After": "0.05"})],
    "429 with Retry-After in ms": [Behaviour(status=429, raw=b"{}", headers={"retry-after-ms": "20"})],
    "429 with a senseless Retry-After": [Behaviour(status=429, raw=b"{}", headers={"Retry-After": "soon"})],
    "408": [Behaviour(status=408, raw=b"{}")],
    "409": [Behaviour(status=409, raw=b"{}")],
    "425": [Behaviour(status=425, raw=b"{}")],
    "connection dropped in the headers' body": [Behaviour(drop=0)],
    "connection dropped half-way": [Behaviour(drop=40)],
    "400 because of json_schema": [Behaviour(status=400, raw=b'{"error": {"message": "response_format"}}')],
    "422 because of two formats": [Behaviour(status=422, raw=b"{}")] * 2,
    "400 because of max_tokens": [
        Behaviour(status=400, raw=b'{"error": {"message": "use max_completion_tokens instead"}}')
    ],
    "400 because of temperature": [
        Behaviour(status=400, raw=b'{"error": {"message": "temperature is not supported"}}')
    ],
    "500 at json_schema, as llama-cpp-python's server has it": [Behaviour(status=500, raw=b"{}")],
}


@pytest.mark.parametrize("fault", PASSING_FAULTS)
def test_a_passing_fault_ends_in_an_answer_that_is_counted_once(fault: str) -> None:
    with serve(then_well(*PASSING_FAULTS[fault])) as endpoint:
        reply, usage = ask_one(endpoint)
    assert (reply.text, reply.problem) == ("fine", "")
    assert (usage.calls, usage.input_tokens, usage.output_tokens) == (1, 100, 10)
    assert len(endpoint.requests) == len(PASSING_FAULTS[fault]) + 1


LASTING_FAULTS = {
    "500 for ever": Behaviour(status=500, raw=b"{}"),
    "429 for ever": Behaviour(status=429, raw=b"{}"),
    "no JSON": Behaviour(raw=b"<html>hello</html>"),
    "a JSON list": Behaviour(raw=b"[]"),
    "an empty object": Behaviour(raw=b"{}"),
    "no choices": Behaviour(raw=b'{"id": "x", "object": "chat.completion", "choices": []}'),
    "a choice without a message": Behaviour(raw=b'{"choices": [{"index": 0, "message": null}]}'),
    "an empty body": Behaviour(raw=b""),
    "a huge answer": Behaviour(raw=b" " * (ANSWER_LIMIT + 10)),
    "a huge answer that is dropped": Behaviour(raw=b" " * (ANSWER_LIMIT + 10), drop=ANSWER_LIMIT // 2),
    "content filter": Behaviour(finish="content_filter"),
    "refusal": Behaviour(refusal="I cannot help with that."),
    "dropped for ever": Behaviour(drop=3),
    "too long, says the gateway": Behaviour(status=413, raw=b'{"error": {"message": "Request too large"}}'),
}


@pytest.mark.parametrize("fault", LASTING_FAULTS)
def test_a_lasting_fault_is_a_problem_and_never_an_answer(fault: str) -> None:
    with serve(lambda body, number: LASTING_FAULTS[fault]) as endpoint:
        reply, _ = ask_one(endpoint)
    assert reply.text == ""
    assert reply.problem


def test_a_server_that_fails_in_every_form_is_asked_in_each_once() -> None:
    with serve(lambda body, number: Behaviour(status=500, raw=b"{}")) as endpoint:
        ask_one(endpoint)
    forms = {json.dumps(request, sort_keys=True) for request in endpoint.requests}
    assert len(forms) > 2
    assert len(endpoint.requests) == len(forms) + TRIES - 1


@pytest.mark.parametrize(
    "said",
    [
        "This model's maximum context length is 8192 tokens. However, you requested 9045 tokens",
        "the request exceeds the available context size, try increasing it",
        "prompt is too long: 210000 tokens > 200000 maximum",
        "context_length_exceeded",
    ],
)
def test_a_question_that_is_too_long_fails_alone_and_the_form_stays(said: str) -> None:
    def behave(body: dict[str, object], number: int) -> Behaviour:
        refusal = Behaviour(status=400, raw=json.dumps({"error": {"message": said}}).encode())
        return refusal if number == 0 else Behaviour("fine")

    with serve(behave) as endpoint:
        chat = RemoteChat(endpoint.url, "m", jobs=1)
        replies = dict(chat.ask([QUESTION, QUESTION], threading.Event()))
        chat.close()
    assert replies[0].problem == "too long for the model"
    assert replies[1].text == "fine"
    assert endpoint.requests[0]["response_format"] == endpoint.requests[1]["response_format"]


def test_a_form_that_is_refused_after_plain_answers_is_adapted_to() -> None:
    def behave(body: dict[str, object], number: int) -> Behaviour:
        form = body.get("response_format")
        refused = isinstance(form, dict) and form["type"] == "json_schema"
        return Behaviour(status=500, raw=b"{}") if refused else Behaviour("Yes")

    with serve(behave) as endpoint:
        chat = RemoteChat(endpoint.url, "m", jobs=1)
        assert dict(chat.yes_no([QUESTION], threading.Event()))[0].yes is True
        assert dict(chat.ask([QUESTION], threading.Event()))[0].text == "Yes"
        chat.close()
    assert len(endpoint.requests) == 4


def test_a_cut_off_answer_says_so() -> None:
    with serve(lambda body, number: Behaviour('{"answers": [', finish="length")) as endpoint:
        reply, _ = ask_one(endpoint)
    assert not reply.finished


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (Behaviour(status=401, raw=b"{}"), "does not accept the key"),
        (Behaviour(status=403, raw=b"{}"), "does not accept the key"),
        (Behaviour(status=404, raw=b"{}"), "does not know the model"),
        (Behaviour(status=429, raw=b"{}", headers={"Retry-After": "3600"}), "asks you to wait 1 h"),
    ],
)
def test_what_no_try_can_mend_stops_the_run_and_says_what_to_do(fault: Behaviour, said: str) -> None:
    with serve(lambda body, number: fault) as endpoint, pytest.raises(ModelError, match=said):
        ask_one(endpoint, Request("s", "p", "q"))


def test_a_redirect_to_another_host_is_not_followed() -> None:
    with serve(lambda body, number: Behaviour("stolen")) as thief:
        elsewhere = Behaviour(status=307, raw=b"", headers={"Location": thief.url + "/chat/completions"})
        with serve(lambda body, number: elsewhere) as endpoint, pytest.raises(ModelError, match="redirects"):
            ask_one(endpoint)
        assert thief.requests == []


def test_many_questions_are_asked_at_once_and_each_is_answered_once() -> None:
    eight = threading.Barrier(8)

    def behave(body: Body, number: int) -> Behaviour:
        eight.wait(60)  # raises unless eight are asked at once
        return Behaviour(body["messages"][1]["content"])

    with serve(behave) as endpoint:
        chat = RemoteChat(endpoint.url, "m", jobs=8)
        replies = dict(chat.ask([Request("s", "", f"q{n}") for n in range(32)], threading.Event()))
        chat.close()
    assert {index: reply.text for index, reply in replies.items()} == {n: f"q{n}" for n in range(32)}
    assert chat.usage().calls == 32


def test_cancelling_stops_soon_and_the_model_can_be_asked_again() -> None:
    slow = threading.Event()
    cancel = threading.Event()
    with serve(lambda body, number: Behaviour("late", delay=0.0 if slow.is_set() else 60.0)) as endpoint:
        chat = RemoteChat(endpoint.url, "m", jobs=2)
        threading.Timer(0.2, cancel.set).start()
        began = time.monotonic()
        with pytest.raises(Cancelled):
            dict(chat.ask([QUESTION] * 4, cancel))
        assert time.monotonic() - began < 30
        slow.set()
        assert dict(chat.ask([QUESTION], threading.Event()))[0].text == "late"
        chat.close()


def test_cost_is_reckoned_from_prices_and_unknown_stays_unknown() -> None:
    with serve(lambda body, number: Behaviour("x", usage=(1_000_000, 500_000, 400_000))) as endpoint:
        _, priced = ask_one(endpoint, price=Price(input=2.0, output=10.0, cached=0.5))
        _, unpriced = ask_one(endpoint)
    assert priced.cost == pytest.approx(0.6 * 2.0 + 0.4 * 0.5 + 0.5 * 10.0)
    assert priced.cached_tokens == 400_000
    assert unpriced.cost is None


def test_bytes_sent_are_those_that_left_with_retries_counted() -> None:
    with serve(then_well(Behaviour(status=503, raw=b"{}"))) as endpoint:
        _, usage = ask_one(endpoint)
    lengths = [int(headers["content-length"]) for headers in endpoint.headers]
    assert usage.bytes_sent == sum(lengths)
    assert len(lengths) == 2


def test_limits_in_the_headers_are_obeyed() -> None:
    now = [0.0]
    pace = Pace(clock=lambda: now[0])
    pace.learn({"x-ratelimit-limit-requests": "2", "x-ratelimit-limit-tokens": "1000"})
    for senseless in ("²", "9" * 5000, "0", "-1", "nan", "soon", ""):
        pace.learn({"x-ratelimit-limit-requests": senseless})
    never = threading.Event()
    pace.wait(400, never)
    pace.wait(400, never)
    stop = threading.Event()
    stop.set()
    with pytest.raises(Cancelled):
        pace.wait(10, stop)
    now[0] = 61.0
    pace.wait(10, never)


def test_a_server_that_allows_more_does_not_raise_a_limit_that_was_given() -> None:
    stop, never = threading.Event(), threading.Event()
    stop.set()
    pace = Pace(1, clock=lambda: 0.0)
    pace.learn({"x-ratelimit-limit-requests": "500"})
    pace.wait(1, never)
    with pytest.raises(Cancelled):
        pace.wait(1, stop)


@pytest.mark.parametrize(("status", "said"), [(503, "status 503"), (413, "refused the question with status 413")])
def test_an_endpoint_that_answers_nothing_is_given_up(status: int, said: str) -> None:
    with serve(lambda body, number: Behaviour(status=status, raw=b"{}")) as endpoint:
        chat = RemoteChat(endpoint.url, "m", jobs=2)
        with pytest.raises(ModelError, match=f"6 questions in a row got no answer .*{said}"):
            dict(chat.ask([QUESTION] * 40, threading.Event()))
        chat.close()
    assert len(endpoint.requests) < 60


def test_the_key_travels_only_in_its_header() -> None:
    with serve(then_well()) as endpoint:
        ask_one(endpoint)
    assert endpoint.headers[0]["authorization"] == "Bearer secret"
    assert "secret" not in str(endpoint.requests)


def test_the_connection_test_lists_models_and_explains_failure() -> None:
    with serve(then_well()) as endpoint:
        assert list(models_at(endpoint.url, "k")) == ["m"]
        assert endpoint.requests == []
    with pytest.raises(NoteEvalError, match="cannot be reached"):
        models_at(endpoint.url, "k")


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        *[("3", 3.0), ("0.5", 0.5), ("", None), ("never", None), ("²", None), ("1e999", None), ("nan", None)],
        *[("-3", None), ("9" * 5000, None), ("Mon, 01 Jan 0001 00:00:00 +2359", 0.0)],
    ],
)
def test_retry_after_is_read(value: str, seconds: float | None) -> None:
    assert retry_after({"retry-after": value}) == seconds
    assert retry_after({"retry-after-ms": value}) in (None, *([] if seconds is None else [seconds / 1000]))
