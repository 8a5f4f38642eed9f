"""The chat model on this machine: checks the file, starts the child process, asks, cancels, starts again."""

from __future__ import annotations

import contextlib
import math
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from noteeval_desktop.domain.evaluation import Usage
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.engines.chat import ModelInfo, Reply, Request, TextLikelihood, YesNo
from noteeval_desktop.engines.local_llm.build import (
    DOES_NOT_FIT,
    ILLEGAL_INSTRUCTION,
    ask_build,
    exit_code,
    processor_flags,
)
from noteeval_desktop.engines.local_llm.child import POLL_SECONDS, Child, Gone, Message
from noteeval_desktop.engines.local_llm.header import ModelHeader, needs_memory, read_header, writes_nothing
from noteeval_desktop.engines.local_llm.speed import Speed
from noteeval_desktop.errors import Cancelled, ModelError
from noteeval_desktop.platform.memory import free_memory
from noteeval_desktop.platform.processes import usable_processors

DEFAULT_CONTEXT = 8192
A = TypeVar("A")
_ENDS = ("end", "failed", "cancelled")
_START_SECONDS, _LOAD_BYTES_PER_SECOND = 60, 20_000_000
_CANCEL_SECONDS = 0.12  # then the child is killed; an abort takes 20 ms where all is well


@dataclass(frozen=True, slots=True)
class LocalProgress:
    """Tokens evaluated of those of the questions asked together (answers come on top), and since when."""

    done: int
    total: int
    seconds: float

    @property
    def tokens_per_second(self) -> float:
        return self.done / self.seconds if self.seconds > 0 else 0.0

    @property
    def seconds_left(self) -> float | None:
        return max(0, self.total - self.done) / self.tokens_per_second if self.tokens_per_second else None


class LocalChat:
    """A ChatModel over a GGUF file. The child process starts with the first question, and anew after a crash.

    ``context``: tokens, 8,192 or what the model was trained for when None. ``gpu_layers``: how many layers a graphics
    processor takes, where the build can use one. ModelError when the file cannot be used or does not fit this
    machine; that the processor can run llama.cpp is checked before anything is loaded.
    """

    def __init__(
        self,
        path: Path,
        *,
        context: int | None = None,
        threads: int | None = None,
        gpu_layers: int = 0,
        progress: Callable[[LocalProgress], None] = lambda _progress: None,
        available: Callable[[], int | None] = free_memory,
        flags: Callable[[], frozenset[str] | None] = processor_flags,
        start: Callable[[], Child] = Child,
    ) -> None:
        self.header = read_header(path)
        if not self.header.writes:
            raise ModelError(writes_nothing(path.name))
        self._path, self._context = path, _checked_context(self.header, context)
        self._threads = threads or max(1, usable_processors() - 1)
        self._gpu_layers, self._progress, self._available = gpu_layers, progress, available
        self._flags, self._start = flags, start
        _check_memory(self.header, self._context, available())
        self._lock = threading.Lock()
        self._child: Child | None = None
        self._job = 0
        self._usage = Usage()

    @property
    def info(self) -> ModelInfo:
        return ModelInfo("local", self.header.name, f"{self.header.fingerprint[:32]}:exact", self._context)

    def ask(self, requests: Sequence[Request], cancel: threading.Event) -> Iterator[tuple[int, Reply]]:
        return self._ask("ask", requests, cancel, _reply)

    def yes_no(self, requests: Sequence[Request], cancel: threading.Event) -> Iterator[tuple[int, YesNo]]:
        return self._ask("yes_no", requests, cancel, _yes_no)

    def log_likelihoods(
        self, requests: Sequence[Request], cancel: threading.Event
    ) -> Iterator[tuple[int, TextLikelihood]]:
        return self._ask("likelihood", requests, cancel, _likelihood)

    def measure(self, cancel: threading.Event) -> Speed:
        """A few seconds: how fast this computer reads and writes with the model. Raises ModelError, Cancelled."""
        with self._lock:
            found = list(self._converse({"kind": "measure"}, cancel))
            with self._sound():
                return Speed(_rate(found[0], "read"), _rate(found[0], "written"))

    def usage(self) -> Usage:
        return self._usage

    def close(self) -> None:
        """End the child process; the next question would start another."""
        child, self._child = self._child, None
        if child is not None:
            child.kill()

    def _ask(
        self, kind: str, requests: Sequence[Request], cancel: threading.Event, read: Callable[[Message], A]
    ) -> Iterator[tuple[int, A]]:
        if not requests:
            return
        with self._lock:
            job = {"kind": kind, "groups": _groups(requests, generating=kind == "ask")}
            waiting = set(range(len(requests)))
            for message in self._converse(job, cancel):
                with self._sound():
                    index = message["index"]
                    if index not in waiting:
                        continue
                    answer = read(message)
                    self._count(message)
                waiting.discard(index)
                yield index, answer
            for index in sorted(waiting):
                yield index, read({"problem": tr("the model gave no answer")})

    @contextlib.contextmanager
    def _sound(self) -> Iterator[None]:
        """The child's messages are not to be trusted: a hostile file may have taken it over."""
        try:
            yield
        except (LookupError, TypeError, ValueError, ArithmeticError) as error:
            self.close()
            raise ModelError(
                tr("{name}: the model gave an unusable answer. Try again.").format(name=self._path.name)
            ) from error

    def _converse(self, request: Message, cancel: threading.Event) -> Iterator[Message]:
        """Send one job and yield its messages until its end. Leaving early cancels it in the child."""
        if cancel.is_set():
            raise Cancelled
        try:
            with self._sound():
                yield from self._messages(self._started(cancel), request, cancel)
        except Gone as gone:
            self.close()
            if gone.code in ILLEGAL_INSTRUCTION:
                raise ModelError(f"{self._path.name}: {DOES_NOT_FIT}") from None
            said = tr(
                "{file}: the model stopped{code}; its file may be damaged, or memory ran short. It starts again with "
                "the next question; if it stops again, choose another model."
            )
            raise ModelError(said.format(file=self._path.name, code=exit_code(gone.code))) from None

    def _messages(self, child: Child, request: Message, cancel: threading.Event) -> Iterator[Message]:
        self._job += 1
        child.send({**request, "job": self._job})
        busy = True
        try:
            while True:
                message = child.receive(POLL_SECONDS)
                if cancel.is_set():
                    raise Cancelled
                if message is None or message["job"] != self._job:
                    continue
                busy = message["kind"] not in _ENDS
                if message["kind"] == "failed":
                    raise ModelError(str(message["problem"])[:500])
                if not busy:
                    return
                if message["kind"] == "progress":
                    done, total = int(message["done"]), int(message["total"])
                    self._progress(LocalProgress(done, total, float(message["seconds"])))
                else:
                    yield message
        finally:
            if busy and not self._settled(child):
                self.close()

    def _settled(self, child: Child) -> bool:
        """Cancel the current job; whether the child confirms in time and so can be asked again."""
        deadline = time.monotonic() + _CANCEL_SECONDS
        try:
            child.send({"kind": "cancel", "job": self._job})
            while (left := deadline - time.monotonic()) > 0:
                message = child.receive(left)
                if message is not None and message.get("job") == self._job and message.get("kind") in _ENDS:
                    return True
        except Gone:
            return False
        return False

    def _started(self, cancel: threading.Event) -> Child:
        """The child with the model loaded, started when there is none."""
        if self._child is not None:
            return self._child
        _check_memory(self.header, self._context, self._available())
        load = {
            "kind": "load",
            "job": 0,
            "path": str(self._path.absolute()),
            "context": self._context,
            "threads": self._threads,
            "gpu_layers": self._gpu_layers,
        }
        child = self._start()
        try:
            self._check_build(child, cancel)
            child.send(load)
            self._wait_until_loaded(child, cancel)
        except BaseException:
            child.kill()
            raise
        self._child = child
        return child

    def _check_build(self, child: Child, cancel: threading.Event) -> None:
        build = ask_build(child, cancel)
        build.check(self._flags())
        if self._gpu_layers and not build.gpu:
            raise ModelError(tr("The installed llama.cpp uses the processor only. Switch the graphics processor off."))

    def _wait_until_loaded(self, child: Child, cancel: threading.Event) -> None:
        seconds = _START_SECONDS + self.header.bytes / _LOAD_BYTES_PER_SECOND
        for message in child.messages(seconds, cancel):
            if message["kind"] == "failed":
                raise ModelError(str(message["problem"])[:500])
            if message["kind"] == "end":
                return
        raise ModelError(tr("{name}: it took too long to load. Choose a smaller model.").format(name=self._path.name))

    def _count(self, message: Message) -> None:
        self._usage = replace(
            self._usage,
            calls=self._usage.calls + 1,
            input_tokens=self._usage.input_tokens + int(message.get("input", 0)),
            output_tokens=self._usage.output_tokens + int(message.get("output", 0)),
            cached_tokens=self._usage.cached_tokens + int(message.get("cached", 0)),
        )


def _groups(requests: Sequence[Request], *, generating: bool) -> list[dict[str, Any]]:
    """Requests by what they share, in the order of first mention."""
    groups: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for index, request in enumerate(requests):
        question = {
            "index": index,
            "text": request.question,
            "schema": None if request.schema is None else dict(request.schema),
            "max_tokens": request.max_tokens if generating else 0,
            "answer": request.answer,
            "weighed": request.weighed,
        }
        groups.setdefault((request.system, request.prefix), []).append(question)
    return [{"system": system, "prefix": prefix, "questions": found} for (system, prefix), found in groups.items()]


def _reply(answer: Message) -> Reply:
    problem = str(answer.get("problem", ""))
    written = tuple(
        (str(word), tuple((str(form), _log(log)) for form, log in likeliest))
        for word, likeliest in answer.get("words", ())
    )
    return Reply("" if problem else str(answer.get("text", "")), answer.get("finished") is True, problem, written)


def _yes_no(answer: Message) -> YesNo:
    if answer.get("problem"):
        return YesNo(None, problem=str(answer["problem"]))
    odds = _share(answer, "yes")
    return YesNo(odds >= 0.5, odds, _share(answer, "mass"))


def _likelihood(answer: Message) -> TextLikelihood:
    if answer.get("problem"):
        return TextLikelihood(problem=str(answer["problem"]))
    tokens = tuple((int(size), _log(log)) for size, log in answer["tokens"])
    if any(size < 0 for size, _ in tokens):
        raise ValueError("tokens")
    return TextLikelihood(tokens)


def _log(value: Any) -> float:
    log = float(value)
    if not (math.isfinite(log) and log <= 1e-6):
        raise ValueError("log-probability")
    return log


def _share(answer: Message, name: str) -> float:
    value = float(answer[name])
    if not 0 <= value <= 1.000001:  # also refuses NaN
        raise ValueError(name)
    return min(value, 1.0)


def _rate(answer: Message, name: str) -> float:
    value = float(answer[name])
    if not 0 < value < 1e9:
        raise ValueError(name)
    return value


def _checked_context(header: ModelHeader, context: int | None) -> int:
    if context is None:
        return min(DEFAULT_CONTEXT, header.context)
    if not 1 <= context <= header.context:
        raise ModelError(
            tr(
                "{file}: you asked for a context of {context:,} tokens; the model accepts {most:,}. Choose that or "
                "less."
            ).format(file=header.file, context=context, most=header.context)
        )
    return context


def _check_memory(header: ModelHeader, context: int, available: int | None) -> None:
    needed = header.memory_needed(context)
    if available is not None and needed > available:
        raise ModelError(
            tr("{needs} Close other programs, or choose a smaller model or context.").format(
                needs=needs_memory(header.file, needed, available)
            )
        )
