"""What a server may answer: of whatever shape it is, it costs one question at most, and the reason is plain."""

from __future__ import annotations

import gzip
import json
import threading
import tracemalloc
import zlib
from typing import Any

import pytest

from noteeval_desktop.engines.chat import Reply, Request
from noteeval_desktop.engines.remote.chat import Price, RemoteChat, models_at
from noteeval_desktop.engines.remote.provider_batch import ProviderBatches, key_of, line, unpacked
from noteeval_desktop.engines.remote.transport import ANSWER_LIMIT
from noteeval_desktop.errors import ModelError
from tests.openai_server import Behaviour, Body, completion, serve, then_well

QUESTION = Request("system", "prefix", "question", schema={"type": "object"})
NO_COMPLETION = "the server's answer was not a chat completion"
NO_TEXT = "the server's answer holds no text"


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noteeval_desktop.engines.remote.chat.jittered", lambda attempt: 0.01)


def ask(url: str, count: int = 1, **options: Any) -> list[Reply]:
    chat = RemoteChat(url, "m", jobs=1, **options)
    try:
        found = dict(chat.ask([QUESTION] * count, threading.Event()))
    finally:
        chat.close()
    return [found[index] for index in range(count)]


def with_content(content: object, **message: object) -> bytes:
    answer = json.loads(completion(Behaviour()))
    answer["choices"][0]["message"] |= {"content": content, **message}
    return json.dumps(answer).encode()


def with_usage(usage: object) -> bytes:
    return json.dumps(json.loads(completion(Behaviour("fine"))) | {"usage": usage}).encode()


MALFORMED = {
    "deep": (b"[" * 200_000, NO_COMPLETION),
    "deep within": (completion(Behaviour()).replace(b'"c1"', b'{"a":' * 5000 + b"1" + b"}" * 5000), NO_COMPLETION),
    "choices as text": (b'{"choices": "none"}', NO_COMPLETION),
    "choices as texts": (b'{"choices": ["none"]}', NO_COMPLETION),
    "choices as an object": (b'{"choices": {"0": {"message": {"content": "x"}}}}', NO_COMPLETION),
    "a message as text": (b'{"choices": [{"message": "hello"}]}', NO_COMPLETION),
    "half of a character": (with_content("x").replace(b'"x"', b'"\\ud83d"'), NO_COMPLETION),
    "no UTF-8": (with_content("x").replace(b'"x"', b'"\xff\xfe"'), NO_COMPLETION),
    "NaN": (b'{"choices": NaN}', NO_COMPLETION),
    "content as a number": (with_content(7), NO_TEXT),
    "content as true": (with_content(True), NO_TEXT),
    "content as an object": (with_content({"text": "x"}), NO_TEXT),
    "content as numbers": (with_content([1, None, ["x"]]), NO_TEXT),
    "parts without text": (with_content([{"type": "text", "text": 7}, {"type": "image_url"}]), NO_TEXT),
    "a part that declines": (with_content([{"type": "refusal", "refusal": "No."}]), "the model declined to answer"),
    "a refusal as a list": (with_content("x", refusal=["No."]), "the model declined to answer"),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_a_malformed_answer_costs_one_question_and_says_why(name: str) -> None:
    raw, said = MALFORMED[name]
    with serve(lambda body, number: Behaviour(raw=raw) if number == 0 else Behaviour("fine")) as endpoint:
        first, second = ask(endpoint.url, 2)
    assert (first.text, first.problem) == ("", said)
    assert second.text == "fine"


def test_fields_with_the_names_of_the_client_s_own_are_ignored() -> None:
    answer = completion(Behaviour("fine")).replace(b"{", b'{"_fields_set": "x", "_BaseModel__cls": 1, ')
    with serve(lambda body, number: Behaviour(raw=answer)) as endpoint:
        assert [reply.text for reply in ask(endpoint.url)] == ["fine"]


def test_content_in_parts_is_read() -> None:
    parts = [
        {"type": "thinking", "thinking": "let me see"},
        {"type": "text", "text": '{"a": '},
        {"type": "output_text", "text": "1}"},
    ]
    with serve(lambda body, number: Behaviour(raw=with_content(parts))) as endpoint:
        assert ask(endpoint.url) == [Reply('{"a": 1}')]


@pytest.mark.parametrize(
    "usage",
    [
        *["much", ["much"], 7, {}, {"prompt_tokens": "7", "completion_tokens": 1}],
        *[{"prompt_tokens": -7, "completion_tokens": 1}, {"prompt_tokens": 10**300, "completion_tokens": 1}],
        *[{"prompt_tokens": True, "completion_tokens": 1}, {"prompt_tokens": 1.5, "completion_tokens": 1}],
    ],
)
def test_a_count_that_cannot_be_one_is_unknown_and_the_answer_counts(usage: object) -> None:
    with serve(lambda body, number: Behaviour(raw=with_usage(usage))) as endpoint:
        chat = RemoteChat(endpoint.url, "m", price=Price(1.0, 1.0))
        assert dict(chat.ask([QUESTION], threading.Event()))[0].text == "fine"
        chat.close()
    used = chat.usage()
    assert (used.calls, used.input_tokens, used.cost) == (1, 0, None)


@pytest.mark.parametrize("details", ["much", [1], {"cached_tokens": "x"}, {"cached_tokens": -1}, None])
def test_a_senseless_cache_count_is_none(details: object) -> None:
    usage = {"prompt_tokens": 7, "completion_tokens": 1, "prompt_tokens_details": details}
    with serve(lambda body, number: Behaviour(raw=with_usage(usage))) as endpoint:
        chat = RemoteChat(endpoint.url, "m")
        dict(chat.ask([QUESTION], threading.Event()))
        chat.close()
    assert (chat.usage().input_tokens, chat.usage().cached_tokens) == (7, 0)


@pytest.mark.parametrize("value", ["²", "9" * 400, "1e999", "-1", "Mon, 01 Jan 0001 00:00:00 +2359"])
def test_senseless_waiting_times_and_limits_cost_no_answer(value: str) -> None:
    limits = {"x-ratelimit-limit-requests": value, "x-ratelimit-limit-tokens": value}
    busy = Behaviour(status=429, raw=b"{}", headers={"Retry-After": value, "retry-after-ms": value})
    with serve(lambda body, number: busy if number == 0 else Behaviour("fine", headers=limits)) as endpoint:
        assert [reply.text for reply in ask(endpoint.url)] == ["fine"]


def test_an_encoding_that_the_server_names_is_not_used() -> None:
    """Python has encodings that unpack: 4 MB of such an answer would be 4 GB of text."""
    named = {"Content-Type": "application/json; charset=zlib_codec"}
    for status in (200, 429):
        answer = Behaviour("fine", status=status, headers=named)
        with serve(lambda body, number, answer=answer: answer if number == 0 else Behaviour("fine")) as endpoint:
            assert [reply.text for reply in ask(endpoint.url)] == ["fine"]


FILTERED = {
    "a vendor": {"message": "The response was filtered due to the prompt", "code": "content_filter"},
    "its newer form": {"code": "400", "innererror": {"code": "ResponsibleAIPolicyViolation"}, "message": "Bad"},
    "another": {"message": "Invalid prompt: blocked by our safety system", "type": "invalid_request_error"},
    "a third": {"message": "Content violates content policy", "code": "content_policy_violation"},
    "a fourth": {"message": "Output data may contain inappropriate content", "code": "data_inspection_failed"},
}


@pytest.mark.parametrize("name", FILTERED)
def test_a_content_filter_declines_one_question_and_leaves_the_form(name: str) -> None:
    refused = Behaviour(status=400, raw=json.dumps({"error": FILTERED[name]}).encode())
    with serve(lambda body, number: refused if number == 1 else Behaviour("fine")) as endpoint:
        replies = ask(endpoint.url, 3)
    assert [reply.problem for reply in replies] == ["", "the provider's content filter refused the question", ""]
    assert {body["response_format"]["type"] for body in endpoint.requests} == {"json_schema"}
    assert len(endpoint.requests) == 3


@pytest.mark.parametrize("at", [0, 1])
def test_a_question_that_is_refused_in_every_form_leaves_the_others_theirs(at: int) -> None:
    """A filter in words that nobody foresaw, met by the first question or a later one."""

    def behave(body: Body, number: int) -> Behaviour:
        refused = Behaviour(status=400, raw=b'{"error": {"message": "Nope."}}')
        return refused if "bad" in body["messages"][1]["content"] else Behaviour("fine")

    questions = [Request("s", "", "bad" if n == at else "good", {"type": "object"}) for n in range(3)]
    with serve(behave) as endpoint:
        chat = RemoteChat(endpoint.url, "m", jobs=1)
        replies = dict(chat.ask(questions, threading.Event()))
        chat.close()
    assert replies[at].problem == "the server refused the question with status 400"
    good = [body for body in endpoint.requests if "bad" not in body["messages"][1]["content"]]
    assert [body["response_format"]["type"] for body in good] == ["json_schema", "json_schema"]


def test_a_refusal_that_repeats_the_question_at_length_is_not_taken_for_its_own_words() -> None:
    echo = {"error": {"message": "Bad request: " + "x" * 1000 + " the content policy of the clinic, temperature"}}
    refused = Behaviour(status=400, raw=json.dumps(echo).encode())
    with serve(lambda body, number: refused if number < 1 else Behaviour("fine")) as endpoint:
        assert [reply.text for reply in ask(endpoint.url)] == ["fine"]
    assert "temperature" in endpoint.requests[1]


NO_CREDIT = [
    (429, {"message": "You exceeded your current quota.", "type": "insufficient_quota", "code": "insufficient_quota"}),
    (429, {"message": "You exceeded your current quota.", "type": "insufficient_quota", "code": None}),
    (403, {"message": "x", "code": "insufficient_quota"}),
    (402, {"message": "Insufficient Balance"}),
    (402, None),
    (400, {"message": "Your credit balance is too low to access the API."}),
]


@pytest.mark.parametrize(("status", "error"), NO_CREDIT)
def test_an_account_without_credit_is_told_at_once(status: int, error: object) -> None:
    refused = Behaviour(status=status, raw=json.dumps({"error": error}).encode())
    credit = r"your account has no credit left\. Add credit"
    with serve(lambda body, number: refused) as endpoint, pytest.raises(ModelError, match=credit):
        ask(endpoint.url)
    assert len(endpoint.requests) == 1


def test_a_limit_by_the_minute_is_waited_for_and_not_called_a_lack_of_credit() -> None:
    busy = {"error": {"message": "Rate limit reached; check your plan and billing details", "code": "rate_limit"}}
    with serve(then_well(Behaviour(status=429, raw=json.dumps(busy).encode()))) as endpoint:
        assert [reply.text for reply in ask(endpoint.url)] == ["fine"]


@pytest.mark.parametrize(
    ("name", "pack"), [("gzip", gzip.compress), ("deflate", zlib.compress), ("x-gzip", gzip.compress)]
)
def test_a_compressed_answer_is_read_although_none_was_asked_for(name: str, pack: Any) -> None:
    packed = Behaviour(raw=pack(completion(Behaviour("fine"))), headers={"Content-Encoding": name})
    with serve(lambda body, number: packed) as endpoint:
        assert [reply.text for reply in ask(endpoint.url)] == ["fine"]
    assert endpoint.headers[0]["accept-encoding"] == "identity"


def test_a_bomb_takes_no_more_memory_than_an_answer_may() -> None:
    bomb = gzip.compress(gzip.compress(b" " * 300_000_000))
    for packed, name in ((gzip.decompress(bomb), "gzip"), (bomb, "gzip, gzip"), (bomb, "br")):
        answer = Behaviour(raw=packed, headers={"Content-Encoding": name})
        with serve(lambda body, number, answer=answer: answer) as endpoint:
            tracemalloc.start()
            [reply] = ask(endpoint.url)
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
        assert reply.problem in (
            "the answer is longer than 4 MB",
            "the answer is compressed in a way that cannot be read",
        )
        assert peak < 8 * ANSWER_LIMIT


LISTS = [b"[" * 200_000, b'{"data": "none"}', b'{"data": 7}', b"[]", b"", b'"x"', b"\xff"]


@pytest.mark.parametrize("raw", LISTS)
def test_a_list_of_models_that_is_none_says_so(raw: bytes) -> None:
    with serve(then_well(), models=raw) as endpoint, pytest.raises(ModelError, match="not with a list of models"):
        models_at(endpoint.url, "k")


def test_names_that_are_none_are_left_out_of_the_list() -> None:
    listed = {"data": [{"id": "good"}, {"id": 7}, "x", {"id": "a\nb"}, {"id": "x" * 5000}, {}, {"id": "good"}]}
    with serve(then_well(), models=json.dumps(listed).encode()) as endpoint:
        assert models_at(endpoint.url, "k") == ("good",)


@pytest.mark.parametrize("raw", [*LISTS, b'{"status": 7}', b'{"status": "completed", "output_file_id": "x"}'])
def test_a_malformed_batch_is_said(raw: bytes) -> None:
    with serve(lambda body, number: Behaviour(raw=raw), models=raw) as endpoint:
        chat = RemoteChat(endpoint.url, "m")
        batches = ProviderBatches(chat)
        for act in (
            lambda: batches.submit(line(chat, QUESTION), "mark"),
            lambda: batches.find({"mark"}),
            lambda: batches.status("../x?y\r\nz"),
            lambda: batches.answers("b"),
        ):
            try:
                outcome = act()
            except ModelError as error:
                outcome = str(error)
            assert outcome in (None, {}) or "unusable" in str(outcome) or getattr(outcome, "ended", False)
        chat.close()


@pytest.mark.parametrize("name", ["..", "x" * 100_000])
def test_a_batch_s_file_with_a_name_that_fits_no_address_is_said(name: str) -> None:
    batch = json.dumps({"status": "completed", "output_file_id": name}).encode()
    with serve(then_well(), models=batch) as endpoint:
        chat = RemoteChat(endpoint.url, "m")
        with pytest.raises(ModelError, match="unusable answer about the batch"):
            ProviderBatches(chat).answers("b")
        chat.close()


def test_the_answers_of_a_batch_may_hold_any_line_break_within_a_text() -> None:
    body = json.loads(completion(Behaviour("one\u2028two\x85three")))
    answered = {"custom_id": key_of(QUESTION), "response": {"status_code": 200, "body": body}}
    lines = [b"[" * 100_000, b'{"custom_id": 7}', json.dumps(answered, ensure_ascii=False).encode()]
    batch = {"status": "completed", "output_file_id": "f"}
    with serve(then_well(), models=json.dumps(batch).encode(), content=b"\n".join(lines)) as endpoint:
        chat = RemoteChat(endpoint.url, "m")
        found = ProviderBatches(chat).answers("b")
        assert chat.take(unpacked(found[key_of(QUESTION)])).text == "one\u2028two\x85three"
        chat.close()


def test_a_batch_without_credit_is_told_as_that() -> None:
    refused = Behaviour(status=429, raw=json.dumps({"error": NO_CREDIT[0][1]}).encode())
    with serve(lambda body, number: refused) as endpoint:
        chat = RemoteChat(endpoint.url, "m")
        with pytest.raises(ModelError, match="no credit left"):
            ProviderBatches(chat).submit(line(chat, QUESTION), "mark")
        chat.close()
