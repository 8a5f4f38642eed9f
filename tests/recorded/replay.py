"""A server that replays recorded answers by their request's text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from noteeval_desktop.research.benchmark_recorded import key_of
from tests.openai_server import Behaviour

MODEL = "recorded"
MODELS = b'{"object": "list", "data": [{"id": "recorded", "object": "model"}]}'


class Replay:
    """``unknown``: what was asked and has no answer, which is answered with a question mark."""

    def __init__(self, answers: Mapping[str, str]) -> None:
        self.answers, self.unknown, self.asked = answers, list[str](), list[str]()

    def __call__(self, body: dict[str, Any], _number: int) -> Behaviour:
        system, user = (message["content"] for message in body["messages"])
        self.asked.append(user)
        answer = self.answers.get(key_of(f"{system}\n\n{user}")) or self.answers.get(key_of(user))
        if answer is None:
            self.unknown.append(user)
        return Behaviour(answer or "?")
