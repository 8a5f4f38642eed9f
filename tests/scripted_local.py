"""For tests about what is around a local model: its answers from a script, in the place of llama.cpp's."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import pytest

from noteeval_desktop.engines.chat import ModelInfo, Reply, Request
from noteeval_desktop.engines.local_llm.speed import Speed
from noteeval_desktop.judges import making
from tests.llm_answers import sound_for_any
from tests.scripted_chat import ScriptedChat

LONGEST_WAIT = 60.0  # longer than the tests wait for the effect of stopping


def agreeable(request: Request) -> str:
    return sound_for_any(request) if request.schema else "Yes"


@dataclass
class ScriptedLocal(ScriptedChat):
    """Answers ``most`` questions; at the next it sets ``held`` and waits until it is stopped."""

    answer: Callable[[Request], str] = agreeable
    info: ModelInfo = field(default_factory=lambda: ModelInfo("local", "tiny", "tiny", 8192))
    most: int = 10_000
    held: threading.Event = field(default_factory=threading.Event)

    def ask(self, requests: Sequence[Request], cancel: threading.Event) -> Iterator[tuple[int, Reply]]:
        for index, request in enumerate(requests):
            if len(self.requests) >= self.most:
                self.held.set()
                assert cancel.wait(LONGEST_WAIT), "nobody stopped it"
            ((_, reply),) = super().ask([request], cancel)
            yield index, reply

    def measure(self, cancel: threading.Event) -> Speed:
        return Speed(60.0, 11.0)


def speak_for_local_models(monkeypatch: pytest.MonkeyPatch, chat: ScriptedLocal) -> ScriptedLocal:
    """Every local model answers as ``chat``, whatever its file; no process is started."""
    monkeypatch.setattr(making, "LocalChat", lambda *_, **__: chat)
    return chat
