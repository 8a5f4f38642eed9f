"""What an endpoint can do, found out with harmless questions: nothing of a case is sent."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

import openai

from noteeval_desktop.engines.chat import Request
from noteeval_desktop.engines.remote.chat import RemoteChat, models_at
from noteeval_desktop.engines.remote.transport import ByteCounter, make_client
from noteeval_desktop.errors import ModelError

_SCHEMA = {
    "type": "object",
    "properties": {"ready": {"enum": [True, False]}},
    "required": ["ready"],
    "additionalProperties": False,
}
_QUESTION = Request("You answer with JSON only.", "", 'Are you ready? Answer {"ready": true}', _SCHEMA, 20)
_FORMS = {
    "json_schema": "answers follow the form that is asked for",
    "json_object_schema": "answers follow the form that is asked for (older manner)",
    "json_object": "answers are JSON, their form is checked here",
    "text": "answers are free text, their form is checked here",
}


@dataclass(frozen=True, slots=True)
class Abilities:
    """``models``: ids on offer. ``form``: one of ``dialect.FORMATS``, the strictest that the model's server takes."""

    models: tuple[str, ...]
    form: str
    logprobs: bool
    embeddings: bool

    @property
    def words(self) -> str:
        """One line for the connection test."""
        logprobs = "probabilities" if self.logprobs else "no probabilities"
        embeddings = "embeddings" if self.embeddings else "no embeddings"
        return f"{_FORMS[self.form]}; {logprobs}; {embeddings}".capitalize() + "."


def check_endpoint(base_url: str, model: str, key: str, cancel: threading.Event | None = None) -> Abilities:
    """Ask ``model`` at ``base_url`` three short questions. Raises ModelError and InputError with what to do,
    Cancelled."""
    names = tuple(sorted(models_at(base_url, key)))
    form = _form(base_url, model, key, cancel or threading.Event())
    with make_client(base_url, key, ByteCounter()) as client:
        return Abilities(
            names,
            form,
            logprobs=_can(lambda: _has_logprobs(client, model)),
            embeddings=_can(lambda: bool(client.embeddings.create(model=model, input="ready").data)),
        )


def _form(base_url: str, model: str, key: str, cancel: threading.Event) -> str:
    chat = RemoteChat(base_url, model, key, jobs=1)
    try:
        for _, reply in chat.ask([_QUESTION], cancel):
            if reply.problem:
                raise ModelError(f"{base_url}: {model} gave no answer ({reply.problem}). Try another model.")
        return chat.form
    finally:
        chat.close()


def _has_logprobs(client: openai.OpenAI, model: str) -> bool:
    asked = client.chat.completions.create(
        model=model, messages=[{"role": "user", "content": "Answer Yes."}], logprobs=True, max_tokens=1
    )
    return bool(asked.choices and asked.choices[0].logprobs and asked.choices[0].logprobs.content)


def _can(attempt: Callable[[], bool]) -> bool:
    """Servers decline what they lack each in their own way, some with a wrong answer."""
    try:
        return attempt()
    except (openai.OpenAIError, ValueError, TypeError, AttributeError):
        return False
