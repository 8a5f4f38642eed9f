"""What the form of an answer leaves a model to say."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from noteeval_desktop.engines.chat import Request
from noteeval_desktop.engines.local_llm import LocalChat
from noteeval_desktop.engines.remote.dialect import Dialect
from noteeval_desktop.judges.llm import schemas
from tests.gguf_factory import make_chat_model

CLAIM = {"label": "supported", "citations": [], "wrong": [], "seen": "", "reason": "r", "severity": "none"}
SCORES = dict.fromkeys(("safety", "guidance", "informativeness", "empathy", "helpfulness", "interpretation"), 3)
RESPONSE = {"crisis": False, **SCORES, "evidence": [], "recommendations": []}
LEFT_OUT = {"turn": 3, "quote": "q", "kind": "risk", "severity": "high", "reason": "r"}
DANGER = {"turn": 3, "quote": "q", "kind": "suicide", "meant": "denied", "told_in": [4]}
FORMS: dict[str, tuple[Mapping[str, Any], str, str, Any]] = {
    "cover": (schemas.cover([1, 2], 3), "answers", "item", {"covered": True, "sentences": [3]}),
    "need": (schemas.need([1, 2], 4), "sentences", "n", {"items": [4]}),
    "claims": (schemas.claims([1, 2], [3, 7]), "claims", "n", CLAIM),
    "responses": (schemas.responses([1, 2]), "responses", "n", RESPONSE),
}
ALL = {name: form[0] for name, form in FORMS.items()} | {
    "search": schemas.search(2, [3, 7], 4),
    "marks": schemas.marks("acceptance"),
}


def fits(name: str, numbers: list[int], **changes: object) -> bool:
    schema, key, number, entry = FORMS[name]
    answer = {key: [{number: n} | entry | changes for n in numbers]}
    return jsonschema.Draft202012Validator(schema).is_valid(answer)


@pytest.mark.parametrize("name", FORMS)
def test_an_answer_is_about_what_was_asked_and_leaves_none_out(name: str) -> None:
    assert fits(name, [1, 2])
    assert not fits(name, [1])
    assert not fits(name, [1, 3])
    assert not fits(name, [1, 2, 2])


def test_an_answer_names_what_it_was_shown() -> None:
    assert not fits("cover", [1, 2], sentences=[4])
    assert not fits("need", [1, 2], items=[5])
    assert fits("claims", [1, 2], citations=[{"turn": 7, "quote": "q"}])
    assert not fits("claims", [1, 2], citations=[{"turn": 4, "quote": "q"}])
    valid = jsonschema.Draft202012Validator(ALL["search"]).is_valid
    assert valid({"dangers": [DANGER], "omissions": [LEFT_OUT] * 2})
    assert not valid({"dangers": [], "omissions": [LEFT_OUT] * 3})
    assert not valid({"dangers": [], "omissions": [LEFT_OUT | {"turn": 4}]})
    assert not valid({"dangers": [DANGER | {"told_in": [5]}], "omissions": []})
    assert not valid({"dangers": [DANGER | {"kind": "sadness"}], "omissions": []})


def parts(schema: Any) -> Iterator[dict[str, Any]]:
    if isinstance(schema, dict):
        yield schema
        for value in schema.values():
            yield from parts(value)


@pytest.mark.parametrize("name", ALL)
def test_strict_servers_take_every_form(name: str) -> None:
    body = Dialect().parameters("m", Request("s", "p", "q", ALL[name]))
    sent = body["response_format"]["json_schema"]
    assert sent["strict"] is True
    for part in parts(sent["schema"]):
        assert {"maxLength", "minLength", "title", "default", "$ref"}.isdisjoint(part)
        if part.get("type") == "object":
            assert part["additionalProperties"] is False
            assert part["required"] == list(part["properties"])


def test_a_long_list_of_numbers_is_not_sent() -> None:
    long = schemas.claims([1], range(1, 200))
    sent = Dialect().parameters("m", Request("s", "p", "q", long))["response_format"]["json_schema"]["schema"]
    assert len(json.dumps(sent)) < 1_100
    entry = sent["properties"]["claims"]["items"]["properties"]
    assert entry["n"]["enum"] == [1]
    assert entry["citations"]["items"]["properties"]["turn"] == {"type": "integer"}


def test_a_model_on_this_computer_cannot_answer_for_anything_else(tmp_path: Path) -> None:
    """Random weights: whatever they come up with is about sentences 4 and 9."""
    with contextlib.closing(LocalChat(make_chat_model(tmp_path / "m.gguf"), threads=1)) as chat:
        schema = schemas.need([4, 9], 3)
        asked = [Request("s", "p", f"question {number}", schema, 200) for number in range(4)]
        replies = [reply for _, reply in chat.ask(asked, threading.Event())]
    assert all(reply.finished for reply in replies)
    for reply in replies:
        entries = json.loads(reply.text)["sentences"]
        assert len(entries) == 2
        assert {entry["n"] for entry in entries} <= {4, 9}
