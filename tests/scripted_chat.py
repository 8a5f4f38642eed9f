"""A chat model that answers what it was told to answer: for tests, and for replaying published answers."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from noteeval_desktop.domain.evaluation import Usage
from noteeval_desktop.engines.chat import ModelInfo, Reply, Request, YesNo, read_yes_no
from noteeval_desktop.errors import Cancelled


@dataclass
class ScriptedChat:
    """Answers with ``answer(request)``."""

    answer: Callable[[Request], str]
    info: ModelInfo = field(default_factory=lambda: ModelInfo("scripted", "script", "script"))
    requests: list[Request] = field(default_factory=list)
    _usage: Usage = field(default_factory=Usage)

    def ask(self, requests: Sequence[Request], cancel: threading.Event) -> Iterator[tuple[int, Reply]]:
        for index, request in enumerate(requests):
            if cancel.is_set():
                raise Cancelled
            self.requests.append(request)
            text = self.answer(request)
            size = len(f"{request.system} {request.prefix} {request.question}".split())
            self._usage = replace(
                self._usage,
                calls=self._usage.calls + 1,
                input_tokens=self._usage.input_tokens + size,
                output_tokens=self._usage.output_tokens + len(text.split()),
            )
            yield index, Reply(text)

    def yes_no(self, requests: Sequence[Request], cancel: threading.Event) -> Iterator[tuple[int, YesNo]]:
        for index, reply in self.ask(requests, cancel):
            yield index, read_yes_no(reply)

    def usage(self) -> Usage:
        return self._usage

    def close(self) -> None:
        """Nothing is held."""
