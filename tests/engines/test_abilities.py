"""What the connection test finds out, at servers that can more or less."""

from __future__ import annotations

import json
import threading
import time
from typing import Any

import pytest

from noteeval_desktop.engines.remote.abilities import check_endpoint
from noteeval_desktop.errors import Cancelled, NoteEvalError
from tests.openai_server import Behaviour, Body, completion, serve

LOGPROBS = {"content": [{"token": "Yes", "logprob": -0.1, "bytes": None, "top_logprobs": []}]}
EMBEDDING = {"object": "list", "model": "m", "data": [{"object": "embedding", "index": 0, "embedding": [0.5]}]}
REFUSED = Behaviour(status=400, raw=b'{"error": {"message": "not supported"}}')


def server(forms: set[str], *, logprobs: bool, embeddings: bool) -> Any:
    """A server that knows these forms of ``response_format`` (json_object, json_schema, with_schema)."""

    def behave(body: Body, number: int) -> Behaviour:
        if "input" in body:
            return Behaviour(raw=json.dumps(EMBEDDING).encode()) if embeddings else REFUSED
        if body.get("logprobs"):
            answer = json.loads(completion(Behaviour("Yes")))
            answer["choices"][0]["logprobs"] = LOGPROBS if logprobs else None
            return Behaviour(raw=json.dumps(answer).encode())
        form = body.get("response_format", {"type": "text"})
        name = "with_schema" if "schema" in form else form["type"]
        return Behaviour('{"ready": true}') if name in forms | {"text"} else REFUSED

    return serve(behave)


@pytest.mark.parametrize(
    ("forms", "logprobs", "embeddings", "form"),
    [
        ({"json_schema", "json_object"}, True, True, "json_schema_strict"),
        ({"with_schema", "json_object"}, False, True, "json_object_schema"),
        ({"json_object"}, True, False, "json_object"),
        (set(), False, False, "text"),
    ],
)
def test_abilities_are_found_out(forms: set[str], logprobs: bool, embeddings: bool, form: str) -> None:
    with server(forms, logprobs=logprobs, embeddings=embeddings) as endpoint:
        found = check_endpoint(endpoint.url, "m", "secret")
    assert (found.models, found.form, found.logprobs, found.embeddings) == (("m",), form, logprobs, embeddings)
    assert found.followed
    assert 0 < found.seconds < 20
    assert all(sentence.endswith(".") for sentence in found.words)


def test_an_endpoint_that_takes_the_form_and_ignores_it_is_told_from_one_that_follows() -> None:
    with serve(lambda body, number: Behaviour("Sure, I am ready!")) as endpoint:
        found = check_endpoint(endpoint.url, "m", "secret")
    assert not found.sound
    assert "not in the form" in " ".join(found.words)


def test_a_test_that_is_stopped_ends_at_once() -> None:
    cancel = threading.Event()

    def slow(body: Body, number: int) -> Behaviour:
        cancel.set()
        return Behaviour(delay=60)

    with serve(slow) as endpoint:
        began = time.monotonic()
        with pytest.raises(Cancelled):
            check_endpoint(endpoint.url, "m", "secret", cancel)
        assert time.monotonic() - began < 30


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (Behaviour(status=401, raw=b"{}"), "does not accept the key"),
        (Behaviour(status=404, raw=b"{}"), "does not know the model"),
        (Behaviour(raw=b"{}"), "gave no answer"),
    ],
)
def test_an_endpoint_that_cannot_be_used_says_why(answer: Behaviour, said: str) -> None:
    with serve(lambda body, number: answer) as endpoint, pytest.raises(NoteEvalError, match=said):
        check_endpoint(endpoint.url, "m", "wrong")
