"""A chat model behind an OpenAI-compatible endpoint."""

from __future__ import annotations

import contextlib
import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from typing import Any

import openai
from openai.types.chat import ChatCompletion

from noteeval_desktop.domain.text import fingerprint
from noteeval_desktop.engines.chat import ChatUsage, ModelInfo, Reply, Request, YesNo, read_yes_no
from noteeval_desktop.engines.remote.dialect import FORMATS, Dialect
from noteeval_desktop.engines.remote.pace import LONGEST_WAIT, Pace, jittered, retry_after
from noteeval_desktop.engines.remote.transport import (
    UNTRUSTED,
    AnswerTooLong,
    ByteCounter,
    Unsent,
    checked_address,
    make_client,
    untrusted,
)
from noteeval_desktop.errors import Cancelled, ModelError

TRIES = 5
YES_NO_TOKENS = 8
# Servers say so each in their own words; taken for a refusal of the form, it would cost all later questions theirs.
_TOO_LONG = re.compile(
    r"context[_ ](?:length|size|window)|maximum context|too (?:long|large)|too many tokens|exceeds? the (?:available )?"
    r"context|prompt is too",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Price:
    """Money per million tokens, in the user's currency."""

    input: float
    output: float
    cached: float | None = None

    def of(self, input_tokens: int, output_tokens: int, cached_tokens: int) -> float:
        cached = self.input if self.cached is None else self.cached
        fresh = input_tokens - cached_tokens
        return (fresh * self.input + cached_tokens * cached + output_tokens * self.output) / 1_000_000


@dataclass(frozen=True, slots=True)
class _Again:
    problem: str
    delay: float


class RemoteChat:
    """Implements ``engines.chat.ChatModel``. ``key`` is held in memory only."""

    def __init__(
        self,
        base_url: str,
        model: str,
        key: str = "",
        jobs: int = 8,
        price: Price | None = None,
        pace: Pace | None = None,
    ) -> None:
        self._base_url, self._model, self._key = checked_address(base_url), model, key
        self._jobs, self._price = jobs, price
        self._pace = pace or Pace()
        self._counter = ByteCounter()
        self._lock = threading.Lock()
        self._usage = ChatUsage(cost=0.0 if price else None)
        self._dialect = Dialect()
        self._form_is_understood = False
        self._client = make_client(base_url, key, self._counter)

    @property
    def info(self) -> ModelInfo:
        return ModelInfo("remote", self._model, fingerprint(self._base_url, self._model))

    @property
    def base_url(self) -> str:
        return self._base_url

    @property
    def client(self) -> openai.OpenAI:
        return self._client

    def parameters(self, request: Request) -> dict[str, Any]:
        """The body of ``request``, in the form that the server is known to take by now."""
        return self._dialect.parameters(self._model, request)

    def take(self, answer: Mapping[str, Any]) -> Reply:
        """Read and count a chat completion that came another way than by ``ask``."""
        try:
            return self._read(ChatCompletion.model_validate(answer))
        except ValueError:
            return Reply(problem="the endpoint's answer was not a chat completion")

    @property
    def form(self) -> str:
        """One of ``dialect.FORMATS``: how structured answers are asked for by now."""
        return FORMATS[self._dialect.format]

    def usage(self) -> ChatUsage:
        with self._lock:
            return replace(self._usage, bytes_sent=self._counter.sent)

    def close(self) -> None:
        self._client.close()

    def yes_no(self, requests: Sequence[Request], cancel: threading.Event) -> Iterator[tuple[int, YesNo]]:
        for index, reply in self.ask([_as_yes_no(request) for request in requests], cancel):
            yield index, read_yes_no(reply)

    def bodies(self, requests: Sequence[Request], *, yes_no: bool = False) -> tuple[bytes, ...]:
        """What ``ask`` (or ``yes_no``) would send for each, byte for byte; nothing is sent.

        A server that refuses the form is then asked the same in a plainer one.
        """
        unsent = Unsent()
        with make_client(self._base_url, "", ByteCounter(), unsent) as client:
            for request in requests:
                asked = self._dialect.parameters(self._model, _as_yes_no(request) if yes_no else request)
                with contextlib.suppress(openai.InternalServerError):
                    client.chat.completions.create(**asked)
        return tuple(unsent.bodies)

    def ask(self, requests: Sequence[Request], cancel: threading.Event) -> Iterator[tuple[int, Reply]]:
        """Ask ``jobs`` at a time. A cancelled run drops its connections at once."""
        stop = threading.Event()
        pool = ThreadPoolExecutor(self._jobs, thread_name_prefix="endpoint")
        pending: dict[Future[Reply], int] = {
            pool.submit(self._one, request, stop): index for index, request in enumerate(requests)
        }
        try:
            while pending:
                done, _ = wait(pending, timeout=0.1, return_when=FIRST_COMPLETED)
                if cancel.is_set():
                    raise Cancelled
                for future in done:
                    index = pending.pop(future)
                    yield index, future.result()
        finally:
            if pending:
                stop.set()
                self._client.close()
                self._client = make_client(self._base_url, self._key, self._counter)
            pool.shutdown(wait=False, cancel_futures=True)

    def _one(self, request: Request, stop: threading.Event) -> Reply:
        size = int(len(request.system + request.prefix + request.question) / 3.5) + request.max_tokens
        problem = ""
        for attempt in range(TRIES):
            self._pace.wait(size, stop)
            outcome = self._try(request, attempt, stop)
            if isinstance(outcome, Reply):
                return outcome
            problem = outcome.problem
            if attempt + 1 < TRIES and stop.wait(outcome.delay):
                raise Cancelled
        self._pace.failed()
        return Reply(problem=f"the server failed {TRIES} times: {problem}")

    def _try(self, request: Request, attempt: int, stop: threading.Event) -> Reply | _Again:
        dialect, client = self._dialect, self._client
        if stop.is_set():  # asked once the client is taken: it may be the one made for the next run
            raise Cancelled
        try:
            raw = client.chat.completions.with_raw_response.create(**dialect.parameters(self._model, request))
            completion = raw.parse()
            self._pace.learn({name.lower(): value for name, value in raw.headers.items()})
            reply = self._read(completion)
            self._form_is_understood = self._form_is_understood or request.schema is not None
            return reply
        except openai.APIStatusError as error:
            if error.status_code in (400, 413, 422) and _TOO_LONG.search(str(error)):
                return Reply(problem="too long for the model")
            if self._adapts(error, dialect, request):
                return self._try(request, attempt, stop)
            return _Again(f"status {error.status_code}", self._delay_after(error, attempt))
        except openai.APITimeoutError:
            return _Again("no answer in time", jittered(attempt))
        except openai.APIConnectionError as error:
            if untrusted(error):
                raise ModelError(f"{self._base_url} {UNTRUSTED}") from None
            if isinstance(error.__cause__, AnswerTooLong):
                return Reply(problem=str(error.__cause__))
            return _Again("it cannot be reached", jittered(attempt))
        except (openai.APIResponseValidationError, ValueError):
            return Reply(problem="the endpoint's answer was not a chat completion")

    def _adapts(self, error: openai.APIStatusError, dialect: Dialect, request: Request) -> bool:
        """After a refusal of the form rather than of the question: speak more plainly, and keep to it."""
        refused = error.status_code in (400, 422) or (error.status_code == 500 and not self._form_is_understood)
        if not refused:
            return False
        plainer = dialect.after_refusal(str(error), structured=request.schema is not None)
        if plainer is None:
            return False
        with self._lock:
            if self._dialect == dialect:
                self._dialect = plainer
        return True

    def _delay_after(self, error: openai.APIStatusError, attempt: int) -> float:
        """Seconds until the next try; raises ModelError where no try can help."""
        status, host = error.status_code, self._base_url
        if status in (401, 403):
            raise ModelError(f"{host} does not accept the key. Check the key in the judge's settings.") from None
        if status == 404:
            raise ModelError(f"{host} does not know the model {self._model}. Check its name.") from None
        if 300 <= status < 400:
            raise ModelError(f"{host} redirects to another address; nothing was sent there. Enter that one.") from None
        if status == 429 and "insufficient_quota" in str(error):
            raise ModelError(f"{host} says that the account has no credit left.") from None
        if status not in (408, 409, 425, 429) and status < 500:
            raise ModelError(f"{host} refused the question (status {status}). Try another model.") from None
        asked = retry_after({name.lower(): value for name, value in error.response.headers.items()})
        if asked is not None and asked > LONGEST_WAIT:
            raise ModelError(f"{host} asks to wait {asked:.0f} seconds. Try again later.") from None
        delay = jittered(attempt) if asked is None else asked
        if status == 429:
            self._pace.back_off(delay)
        return delay

    def _read(self, completion: ChatCompletion) -> Reply:
        choices: Any = getattr(completion, "choices", None)
        if not choices or choices[0].message is None:
            return Reply(problem="the endpoint's answer was not a chat completion")
        self._account(completion)
        choice = choices[0]
        if choice.finish_reason == "content_filter" or choice.message.refusal:
            return Reply(problem="the model declined to answer")
        return Reply(choice.message.content or "", finished=choice.finish_reason != "length")

    def _account(self, completion: ChatCompletion) -> None:
        used = completion.usage
        into = used.prompt_tokens if used else 0
        out = used.completion_tokens if used else 0
        details = used.prompt_tokens_details if used else None
        cached = (details.cached_tokens or 0) if details else 0
        with self._lock:
            cost = self._usage.cost
            if self._price is not None and cost is not None:
                cost = cost + self._price.of(into, out, cached) if used else None
            self._usage = replace(
                self._usage,
                calls=self._usage.calls + 1,
                input_tokens=self._usage.input_tokens + into,
                output_tokens=self._usage.output_tokens + out,
                cached_tokens=self._usage.cached_tokens + cached,
                cost=cost,
            )


def _as_yes_no(request: Request) -> Request:
    return replace(request, schema=None, max_tokens=YES_NO_TOKENS)


def models_at(base_url: str, key: str) -> Mapping[str, str]:
    """The connection test: ids of the models that an endpoint offers, without sending any case material.

    Raises ModelError or InputError with what to do.
    """
    client = make_client(base_url, key, ByteCounter())
    try:
        return {model.id: model.owned_by for model in client.models.list().data}
    except (openai.AuthenticationError, openai.PermissionDeniedError) as error:
        raise ModelError(f"{base_url} does not accept the key. Check it and try again.") from error
    except openai.APIStatusError as error:
        raise ModelError(f"{base_url} answered with status {error.status_code}. Check the address.") from error
    except openai.APIConnectionError as error:
        if untrusted(error):
            raise ModelError(f"{base_url} {UNTRUSTED}") from error
        raise ModelError(f"{base_url} cannot be reached. Check the address and the network.") from error
    finally:
        client.close()
