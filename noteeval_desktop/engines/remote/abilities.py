"""What an endpoint can do, found out with harmless questions: nothing of a case is sent."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import Any

import openai

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.engines.chat import Request
from noteeval_desktop.engines.remote.chat import NoList, RemoteChat, UnknownModel, completion_of, models_at
from noteeval_desktop.engines.remote.completion import read_json
from noteeval_desktop.engines.remote.transport import Endpoint, NoAnswer, Question, RawAnswer
from noteeval_desktop.errors import Cancelled, ModelError

_FORMS = {
    "json_schema_strict": tr("Answers keep to the format asked for."),
    "json_schema": tr("Answers keep to the format asked for, as far as the server enforces it."),
    "json_object_schema": tr("Answers keep to the format asked for (by an older method)."),
    "json_object": tr("Answers are JSON; NoteEval checks their format."),
    "text": tr("Answers are free text; NoteEval checks their format, and more of them may count as not checked."),
}
_SCHEMA = {
    "type": "object",
    "properties": {"ready": {"enum": [True, False]}},
    "required": ["ready"],
    "additionalProperties": False,
}
_QUESTION = Request("You answer with JSON only.", "", 'Are you ready? Answer {"ready": true}', _SCHEMA, 20)
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
        form = (
            _FORMS[self.form]
            if self.followed
            else tr("The answer was not in the format asked for: expect many that count as not checked.")
        )
        given = tr("gives") if self.logprobs else tr("gives no")
        had = tr("has") if self.embeddings else tr("has no")
        return (
            tr("A short answer took {seconds:.1f} s.").format(seconds=self.seconds),
            form,
            tr("It {given} probabilities and {had} embeddings; neither is needed.").format(given=given, had=had),
        )


def check_endpoint(
    base_url: str, model: str, key: str, cancel: threading.Event | None = None, *, unencrypted: bool = False
) -> Abilities:
    """Ask ``model`` at ``base_url`` a few short questions. Raises ModelError and InputError with what to do,
    Cancelled."""
    cancel = cancel or threading.Event()
    names = _listed(base_url, key, unencrypted)
    _go_on(cancel)
    form, followed, seconds = _answered(base_url, model, key, cancel, listed=bool(names), unencrypted=unencrypted)
    endpoint = Endpoint(base_url, key, unencrypted=unencrypted)
    try:
        _go_on(cancel)
        logprobs = _has_logprobs(endpoint, model)
        _go_on(cancel)
        embeddings = _has_embeddings(endpoint, model)
    finally:
        endpoint.close()
    return Abilities(names, form, followed, seconds, logprobs, embeddings)


def _listed(base_url: str, key: str, unencrypted: bool) -> tuple[str, ...]:
    """Some servers answer questions and list nothing."""
    try:
        return models_at(base_url, key, unencrypted=unencrypted)
    except NoList:
        return ()


def _answered(
    base_url: str, model: str, key: str, cancel: threading.Event, *, listed: bool, unencrypted: bool
) -> tuple[str, bool, float]:
    """The form of answers that it takes, whether it kept to it, and the seconds of the last try."""
    chat = RemoteChat(base_url, model, key, jobs=1, unencrypted=unencrypted)
    try:
        began = time.monotonic()
        text = check_ready(chat, cancel)
        return chat.form, _is_ready(text), time.monotonic() - began
    except UnknownModel as error:
        if not listed:
            raise ModelError(
                tr(
                    "{base_url} does not know the model {model} and has no list of models. Check the address and the "
                    "name."
                ).format(base_url=base_url, model=model)
            ) from error
        raise
    finally:
        chat.close()


def check_ready(chat: RemoteChat, cancel: threading.Event) -> str:
    """Ask a harmless question; afterwards ``chat`` knows the form of answers that the endpoint takes. Returns the
    answer. Raises ModelError, Cancelled."""
    _, reply = next(chat.ask([_QUESTION], cancel))
    if reply.problem:
        raise ModelError(
            tr("{base_url}: {name} gave no answer ({problem}). Try another model.").format(
                base_url=chat.base_url, name=chat.info.name, problem=reply.problem
            )
        )
    return reply.text


def _is_ready(text: str) -> bool:
    try:
        answer = read_json(text)
    except ValueError:
        return False
    return isinstance(answer, dict) and isinstance(answer.get("ready"), bool)


def _go_on(cancel: threading.Event) -> None:
    if cancel.is_set():
        raise Cancelled


def _has_logprobs(endpoint: Endpoint, model: str) -> bool:
    messages = [{"role": "user", "content": "Answer Yes."}]
    asked = {"model": model, "messages": messages, "logprobs": True, "max_tokens": 1, "timeout": _SHORT_SECONDS}
    match _asked(endpoint, completion_of(asked)):
        case {"choices": [{"logprobs": {"content": [_, *_]}}, *_]}:
            return True
    return False


def _has_embeddings(endpoint: Endpoint, model: str) -> bool:
    def asked(client: openai.OpenAI) -> RawAnswer:
        embeddings = client.embeddings.with_raw_response
        return embeddings.create(model=model, input="ready", encoding_format="float", timeout=_SHORT_SECONDS)

    match _asked(endpoint, asked):
        case {"data": [_, *_]}:
            return True
    return False


def _asked(endpoint: Endpoint, question: Question) -> Any:
    """None where there is no answer: servers decline what they lack each in their own way."""
    try:
        answer = endpoint.ask(question)
        return read_json(answer.content) if answer.is_success else None
    except (NoAnswer, ValueError):
        return None
