"""A model that answers every question in the form that is asked for, whatever the case."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from noteeval_desktop.domain.verdicts import Attribute
from noteeval_desktop.engines.chat import Request


def as_request(body: Mapping[str, Any]) -> Request:
    """What was asked, from the body of a chat completion: what is shared apart from the question."""
    system, user = (message["content"] for message in body["messages"])
    prefix, fence, question = user.partition(">>\n\n")
    return Request(system, "", user) if '"responses"' in user else Request(system, prefix + fence, question)


def numbers_asked(request: Request) -> list[int]:
    listed = re.search(r"(?:For each of the (?:sentences|numbers)|again for the numbers) ([\d, ]+)", request.question)
    return [int(number) for number in listed.group(1).split(",") if number.strip()] if listed else []


def claims(request: Request, **changes: object) -> str:
    entry = {
        "label": "supported",
        "citations": [{"turn": 2, "quote": "twice a week now"}],
        "wrong": [],
        "seen": "",
        "reason": "The session says so.",
        "severity": "none",
    } | changes
    return json.dumps({"claims": [{"n": number} | entry for number in numbers_asked(request)]})


def sound(request: Request) -> str:
    """A model that answers every question in form: covers every first item, needs every sentence."""
    if '"answers"' in request.question:
        count = len(re.findall(r"^\d+\. ", request.question, re.MULTILINE))
        entries = [{"item": n, "covered": n == 1, "sentences": [1] if n == 1 else []} for n in range(1, count + 1)]
        return json.dumps({"answers": entries})
    if '"turns": [{' in request.question:
        said = [{"n": 1, "lines": [2], "progress": "better"}]
        return json.dumps({"sentences": said, "turns": [{"turn": 2, "lines": [1]}]})
    if '"why": "own-feelings"' in request.question:
        return json.dumps({"sentences": [{"n": 1, "why": "gossip"}]})
    if '"sentences": [{' in request.question:
        return json.dumps({"sentences": [{"n": n, "items": [1]} for n in numbers_asked(request)]})
    if '"claims"' in request.question:
        return claims(request)
    if '"acceptance"' in request.question:
        return json.dumps({"acceptance": 4})
    if '"faithfulness"' in request.question:
        return json.dumps({"completeness": 3, "conciseness": 4, "faithfulness": 5})
    if '"omissions"' in request.question:
        left_out = {"turn": 4, "quote": "not since the spring", "kind": "risk", "severity": "high", "reason": "r"}
        return json.dumps({"dangers": [], "omissions": [left_out]})
    entries = [
        {"n": int(n), "crisis": False, **{a.value: 4 for a in Attribute}, "evidence": [], "recommendations": []}
        for n in re.findall(r"^(\d+)\.$", request.question, re.MULTILINE)
    ]
    return json.dumps({"responses": entries})


def sound_for_any(request: Request) -> str:
    """Like ``sound`` for any case: citations quote the first words of the first turn that the question shows."""
    shown = re.search(r"^(\d+) [^:\n]+: (\S+(?: \S+){0,3})", request.prefix, re.MULTILINE)
    if shown and '"claims"' in request.question:
        return claims(request, citations=[{"turn": int(shown.group(1)), "quote": shown.group(2)}])
    if shown and '"omissions"' in request.question:
        left_out = {"turn": int(shown.group(1)), "quote": shown.group(2), "kind": "plan", "severity": "low"}
        return json.dumps({"dangers": [], "omissions": [left_out | {"reason": "r"}]})
    return sound(request)
