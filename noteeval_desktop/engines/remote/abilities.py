"""What an endpoint can do, found out with harmless questions: nothing of a case is sent."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

import openai

from noteeval_desktop.engines.chat import Request
from noteeval_desktop.engines.remote.chat import RemoteChat, models_at
from noteeval_desktop.engines.remote.transport import ByteCounter, make_client
from noteeval_desktop.errors import Cancelled, ModelError

_SCHEMA = {
    "type": "object",
    "properties": {"ready": {"enum": [True, False]}},
    "required": ["ready"],
    "additionalProperties": False,
}
_QUESTION = Request("You answer with JSON only.", "", 'Are you ready? Answer {"ready": true}', _SCHEMA, 20)
_FORMS = {
    "json_schema": "Answers follow the form that is asked for.",
    "json_object_schema": "Answers follow the form that is asked for (in an older manner).",
    "json_object": "Answers are JSON; their form is checked here.",
    "text": "Answers are free text; their form is checked here, and more of them may count as not judged.",
}
_UNFORMED = "The answer was not in the form that was asked for: expect many that count as not judged."
_SHORT_SECONDS = 15.0


@dataclass(frozen=True, slots=True)
class Abilities:
    """``models``: ids on offer, none where the endpoint does not list them. ``form``: one of ``dialect.FORMATS``,
    the strictest that it takes; ``followed``: the answer was in it. ``seconds``: until a short answer was there.
    """

    models: tuple[str, ...]
    form: str
    followed: bool
    seconds: float
    logprobs: bool
    embeddings: bool

    @property
    def sound(self) -> bool:
        """Whether a judge at this endpoint can be expected to work."""
        return self.followed

    @property
    def words(self) -> tuple[str, ...]:
        """What was found, a sentence each."""
        form = _FORMS[self.form] if self.followed else _UNFORMED
        logprobs = "It gives probabilities" if self.logprobs else "It gives no probabilities"
        embeddings = "and has embeddings" if self.embeddings else "and has no embeddings"
        return f"A short answer took {self.seconds:.1f} s.", form, f"{logprobs} {embeddings}; neither is needed."


def check_endpoint(base_url: str, model: str, key: str, cancel: threading.Event | None = None) -> Abilities:
    """Ask ``model`` at ``base_url`` a few short questions. Raises ModelError and InputError with what to do,
    Cancelled."""
    cancel = cancel or threading.Event()
    names = _listed(base_url, key)
    _go_on(cancel)
    form, followed, seconds = _answered(base_url, model, key, cancel, listed=bool(names))
    with make_client(base_url, key, ByteCounter()).with_options(timeout=_SHORT_SECONDS) as client:
        _go_on(cancel)
        logprobs = _can(lambda: _has_logprobs(client, model))
        _go_on(cancel)
        embeddings = _can(lambda: bool(client.embeddings.create(model=model, input="ready").data))
    return Abilities(names, form, followed, seconds, logprobs, embeddings)


def _listed(base_url: str, key: str) -> tuple[str, ...]:
    """Some servers answer questions and list nothing."""
    try:
        return tuple(sorted(models_at(base_url, key)))
    except ModelError as error:
        if isinstance(error.__cause__, openai.NotFoundError):
            return ()
        raise


def _answered(base_url: str, model: str, key: str, cancel: threading.Event, *, listed: bool) -> tuple[str, bool, float]:
    """The form of answers that it takes, whether it kept to it, and the seconds of the last try."""
    chat = RemoteChat(base_url, model, key, jobs=1)
    try:
        began = time.monotonic()
        text = check_ready(chat, cancel)
        return chat.form, _is_ready(text), time.monotonic() - began
    except ModelError as error:
        if not listed and "does not know the model" in str(error):
            raise ModelError(f"{base_url} knows neither the model {model} nor a list. Check both.") from error
        raise
    finally:
        chat.close()


def check_ready(chat: RemoteChat, cancel: threading.Event) -> str:
    """Ask a harmless question; afterwards ``chat`` knows the form of answers that the endpoint takes. Returns the
    answer. Raises ModelError, Cancelled."""
    _, reply = next(chat.ask([_QUESTION], cancel))
    if reply.problem:
        raise ModelError(f"{chat.base_url}: {chat.info.name} gave no answer ({reply.problem}). Try another model.")
    return reply.text


def _is_ready(text: str) -> bool:
    try:
        answer = json.loads(text)
    except ValueError:
        return False
    return isinstance(answer, dict) and isinstance(answer.get("ready"), bool)


def _go_on(cancel: threading.Event) -> None:
    if cancel.is_set():
        raise Cancelled


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
