"""A chat model behind an OpenAI-compatible endpoint."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from typing import Any

import httpx2

from noteeval_desktop.domain.evaluation import Usage
from noteeval_desktop.domain.phrases import duration, tr
from noteeval_desktop.domain.text import fingerprint
from noteeval_desktop.engines.chat import ModelInfo, Reply, Request, YesNo, read_yes_no
from noteeval_desktop.engines.remote.completion import Refusal, Used, read_completion, read_json, take_completion
from noteeval_desktop.engines.remote.dialect import FORMATS, MORE_THINKING, Dialect, provider_of
from noteeval_desktop.engines.remote.pace import LONGEST_WAIT, Pace, jittered, retry_after
from noteeval_desktop.engines.remote.transport import (
    ByteCounter,
    Endpoint,
    NoAnswer,
    Question,
    Untrusted,
    checked_address,
)
from noteeval_desktop.errors import Cancelled, ModelError

TRIES = 5
YES_NO_TOKENS = 8
_TOO_OFTEN = tr("status {status}").format(status=429)
_LONGEST_NAME = 300


@dataclass(frozen=True, slots=True)
class Price:
    """Money per million tokens, in the user's currency."""

    input: float
    output: float
    cached: float | None = None

    def of(self, used: Used) -> float:
        cached = self.input if self.cached is None else self.cached
        fresh = used.input - used.cached
        return (fresh * self.input + used.cached * cached + used.output * self.output) / 1_000_000


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
        unencrypted: bool = False,
    ) -> None:
        """``jobs``: questions at a time, over all that is asked, first come, first served. ``pace``: shared by all
        that ask one address. ``unencrypted``: as ``checked_address`` has it."""
        self._base_url, self._model, self._key = checked_address(base_url, unencrypted=unencrypted), model, key
        self._unencrypted = unencrypted
        self._price = price
        self._pace = pace or Pace()
        self._counter = ByteCounter()
        self._lock = threading.Lock()
        self._usage = Usage(cost=0.0 if price else None)
        self._dialect = provider_of(self._base_url).dialect
        self._form_is_understood = False
        self._endpoint = self._new_endpoint()
        self._pool = ThreadPoolExecutor(jobs, thread_name_prefix="endpoint")

    @property
    def info(self) -> ModelInfo:
        return ModelInfo("remote", self._model, fingerprint(self._base_url, self._model))

    @property
    def base_url(self) -> str:
        return self._base_url

    @property
    def endpoint(self) -> Endpoint:
        return self._endpoint

    def parameters(self, request: Request) -> dict[str, Any]:
        """The body of ``request``, in the form that the server is known to take by now."""
        return self._dialect.parameters(self._model, request)

    def take(self, answer: Mapping[str, Any]) -> Reply:
        """Read and count a chat completion that came another way than by ``ask``."""
        return self._counted(*take_completion(answer))

    @property
    def form(self) -> str:
        """One of ``dialect.FORMATS``: how structured answers are asked for by now."""
        return FORMATS[self._dialect.format]

    def usage(self) -> Usage:
        with self._lock:
            return replace(self._usage, bytes_sent=self._counter.sent)

    def close(self) -> None:
        with self._lock:
            self._endpoint.close()
        self._pool.shutdown(wait=False)

    def _new_endpoint(self) -> Endpoint:
        return Endpoint(self._base_url, self._key, self._counter, unencrypted=self._unencrypted)

    def yes_no(self, requests: Sequence[Request], cancel: threading.Event) -> Iterator[tuple[int, YesNo]]:
        for index, reply in self.ask([_as_yes_no(request) for request in requests], cancel):
            yield index, read_yes_no(reply)

    def bodies(self, requests: Sequence[Request], *, yes_no: bool = False) -> tuple[bytes, ...]:
        """What ``ask`` (or ``yes_no``) would send for each, byte for byte; nothing is sent.

        A server that refuses the form is then asked the same in a plainer one.
        """
        sent: list[bytes] = []

        def keep(request: httpx2.Request) -> httpx2.Response:
            sent.append(request.read())
            return httpx2.Response(200)

        nowhere = Endpoint(self._base_url, "", wire=httpx2.MockTransport(keep), unencrypted=self._unencrypted)
        for request in requests:
            nowhere.ask(question_of(self.parameters(_as_yes_no(request) if yes_no else request)))
        return tuple(sent)

    def ask(self, requests: Sequence[Request], cancel: threading.Event) -> Iterator[tuple[int, Reply]]:
        """A cancelled run drops its connections at once, and sends nothing more, and so does one whose key, model or
        address is refused; one that is to wait leaves the questions of others alone."""
        if cancel.is_set():
            raise Cancelled
        stop, endpoint, refused = threading.Event(), self._endpoint, False
        pending: dict[Future[Reply], int] = {
            self._pool.submit(self._one, request, stop): index for index, request in enumerate(requests)
        }
        try:
            while pending:
                done, _ = wait(pending, timeout=0.1, return_when=FIRST_COMPLETED)
                if cancel.is_set():
                    raise Cancelled
                for future in done:
                    index = pending.pop(future)
                    yield index, future.result()
        except ModelError as error:
            refused = not isinstance(error, MustWait)
            raise
        finally:
            stop.set()
            for future in pending:
                future.cancel()
            if refused or (pending and cancel.is_set()):
                self._drop(endpoint)

    def _drop(self, endpoint: Endpoint) -> None:
        """Once, however many ask through it: the next one may be another run's already. None follows the last."""
        with self._lock:
            if self._endpoint is endpoint and not endpoint.closed:
                endpoint.close()
                self._endpoint = self._new_endpoint()

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
        if problem == _TOO_OFTEN:
            problem = tr("it is getting too many questions; wait a minute, or ask fewer at a time")
        return self._given_up(tr("the server failed {tries} times: {problem}").format(tries=TRIES, problem=problem))

    def _try(self, request: Request, attempt: int, stop: threading.Event) -> Reply | _Again:
        """In plainer and plainer forms, until the server takes one or none is left; once more, with room to think,
        where all of an answer went into thinking."""
        first = dialect = self._dialect
        room = 0
        while True:
            endpoint = self._endpoint
            if stop.is_set():  # asked once the endpoint is taken: it may be the one made for the next run
                raise Cancelled
            try:
                answer = endpoint.ask(question_of(dialect.parameters(self._model, request, room)))
            except Untrusted:
                raise ModelError(not_trusted(self._base_url)) from None
            except NoAnswer as failure:
                return _Again(str(failure), jittered(attempt)) if failure.passing else self._given_up(str(failure))
            if answer.is_success:
                self._pace.learn(answer.headers)
                reply = self._counted(*read_completion(answer.content))
                if reply.silent and not room:
                    dialect, room = dialect.after_silence(), MORE_THINKING
                    continue
                self._understood(first, dialect, request)
                return (
                    Reply(
                        problem=tr(
                            "the model spent its whole answer thinking; turn its thinking off, or choose another model"
                        )
                    )
                    if reply.silent
                    else reply
                )
            refusal = Refusal.read(answer.status_code, answer.content)
            if refusal.of_question:
                return Reply(problem=refusal.of_question)
            # A server that failed in every form is not asked in each of them once more.
            plainer = None if attempt and refusal.status == 500 else self._plainer(refusal, dialect, request)
            if plainer is None:
                return self._refused(refusal, answer, attempt)
            dialect = plainer

    def _plainer(self, refusal: Refusal, dialect: Dialect, request: Request) -> Dialect | None:
        """The dialect to try after a refusal that may be of the form rather than of the question."""
        of_form = refusal.status in (400, 404, 422) or (refusal.status == 500 and not self._form_is_understood)
        # llama-cpp-python's server answers 500, OpenAI 403.
        asks = request.yes_no or bool(request.weighed)
        of_form = of_form or (refusal.status in (403, 500) and refusal.of_probabilities and asks)
        if not of_form or refusal.no_credit or refusal.of_key:
            return None
        plainer = dialect.after_refusal(refusal.said, request)
        if plainer is not None and (refusal.of_model or refusal.status == 404) and not plainer.responses:
            return None
        return plainer

    def _understood(self, first: Dialect, spoken: Dialect, request: Request) -> None:
        """Kept to from now on only if it was an answer that it brought, and no stricter form ever did: a question that
        is refused for what it says is refused in every form."""
        with self._lock:
            of_form_only = spoken.format == first.format or not self._form_is_understood
            if spoken != first and of_form_only and self._dialect == first:
                self._dialect = spoken
            self._form_is_understood = self._form_is_understood or request.schema is not None

    def _refused(self, refusal: Refusal, answer: httpx2.Response, attempt: int) -> Reply | _Again:
        """Raises ModelError where no try and no other question can help."""
        status, host = refusal.status, self._base_url
        if refusal.no_credit:
            raise ModelError(no_credit(host))
        if refusal.of_key:
            raise ModelError(key_refused(host))
        if refusal.of_model or (status == 404 and "model" in refusal.said.lower()):
            raise UnknownModel(
                tr("{host} does not know the model {model}. Check its name.").format(host=host, model=self._model)
            )
        if status == 404:
            raise UnknownModel(
                tr(
                    "{host} has no chat models there, or does not know the model {model}. Check the "
                    "address (most end in /v1) and the model's name."
                ).format(host=host, model=self._model)
            )
        if 300 <= status < 400:
            raise ModelError(
                tr("{host} redirects to another address; nothing was sent there. Enter that one.").format(host=host)
            )
        if status not in (408, 409, 425, 429) and status < 500:
            return self._given_up(tr("the server refused the question with status {status}").format(status=status))
        asked = retry_after(answer.headers)
        if asked is not None and asked > LONGEST_WAIT:
            raise MustWait(
                tr("{host} asks you to wait {duration}. Try again later.").format(host=host, duration=duration(asked))
            )
        delay = jittered(attempt) if asked is None else asked
        if status == 429:
            self._pace.back_off(delay)
        return _Again(tr("status {status}").format(status=status), delay)

    def _given_up(self, problem: str) -> Reply:
        """One question without an answer; so many in a row, and the pace gives up on all."""
        self._pace.failed(problem)
        return Reply(problem=problem)

    def _counted(self, reply: Reply, used: Used | None) -> Reply:
        with self._lock:
            cost = self._usage.cost
            if self._price is not None and cost is not None:
                cost = cost + self._price.of(used) if used else None
            used = used or Used(0, 0, 0)
            self._usage = replace(
                self._usage,
                calls=self._usage.calls + 1,
                input_tokens=self._usage.input_tokens + used.input,
                output_tokens=self._usage.output_tokens + used.output,
                cached_tokens=self._usage.cached_tokens + used.cached,
                cost=cost,
            )
        return reply


def question_of(parameters: Mapping[str, Any]) -> Question:
    """By the interface that the body is of."""
    if "input" in parameters:
        return lambda client: client.responses.with_raw_response.create(**parameters)
    return completion_of(parameters)


def completion_of(parameters: Mapping[str, Any]) -> Question:
    return lambda client: client.chat.completions.with_raw_response.create(**parameters)


def _as_yes_no(request: Request) -> Request:
    return replace(request, schema=None, max_tokens=YES_NO_TOKENS, yes_no=True)


class KeyRefused(ModelError):
    """Or there was none."""


class MustWait(ModelError):
    """Longer than anybody waits for an answer; what was asked before may still be answered."""


class UnknownModel(ModelError):
    """The endpoint does not have it, or no chat models at all."""


class NoList(ModelError):
    """The endpoint does not list its models."""


def models_at(base_url: str, key: str, *, unencrypted: bool = False, seconds: float = 120.0) -> tuple[str, ...]:
    """The connection test: the models that an endpoint offers, sorted, without sending any case material. ``seconds``:
    how long it may take.

    Raises ModelError or InputError with what to do.
    """
    endpoint = Endpoint(base_url, key, unencrypted=unencrypted)
    try:
        answer = endpoint.ask(lambda client: client.models.with_raw_response.list(), seconds=seconds)
    except Untrusted as error:
        raise ModelError(not_trusted(base_url)) from error
    except NoAnswer as error:
        if not error.passing:
            raise ModelError(
                tr("{base_url} gave no list of its models: {error}. Check the address.").format(
                    base_url=base_url, error=error
                )
            ) from error
        raise ModelError(
            tr("{base_url} cannot be reached. Check the address and the network.").format(base_url=base_url)
        ) from error
    finally:
        endpoint.close()
    if answer.status_code in (401, 403):
        raise KeyRefused(_key_needed(base_url, key))
    if not answer.is_success:
        kind = NoList if answer.status_code == 404 else ModelError
        raise kind(
            tr("{host} answered with status {status}. Check the address.").format(
                host=base_url, status=answer.status_code
            )
        )
    try:
        match read_json(answer.content):
            case {"data": [*models]}:
                return tuple(sorted({model["id"] for model in models if _is_named(model)}))
    except ValueError:
        pass
    raise ModelError(
        tr("{base_url} answered, but not with a list of models. Check the address.").format(base_url=base_url)
    )


def _is_named(model: object) -> bool:
    match model:
        case {"id": str(name)}:
            return 0 < len(name) <= _LONGEST_NAME and name.isprintable()
    return False


def no_credit(host: str, then: str = tr("or choose another judge")) -> str:
    return tr("{host}: your account has no credit left. Add credit with the provider, {then}.").format(
        host=host, then=then
    )


def key_refused(host: str) -> str:
    return tr("{host} does not accept the key. Check the key in the judge's settings.").format(host=host)


def _key_needed(host: str, given: str) -> str:
    said = tr("does not accept the key. Check it") if given else tr("asks for a key. Enter the one from your account")
    return tr("{host} {said} and try again.").format(host=host, said=said)


def not_trusted(host: str) -> str:
    return tr(
        "{host} shows a certificate that this computer does not trust, so nothing was sent. Ask whoever runs the "
        "server for the certificate of its authority, and add it to the system's certificates."
    ).format(host=host)
