"""What a run would send, before it is sent."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence

from noteeval_desktop.engines.chat import ChatUsage, ModelInfo, Reply, Request, YesNo
from noteeval_desktop.engines.remote.chat import RemoteChat


class Shown(Exception):
    """Raised instead of an answer, once the questions are kept."""


class PreviewChat:
    """Implements ``engines.chat.ChatModel`` in a RemoteChat's place: keeps the bodies of the first questions, answers
    them with nothing that can be used, keeps what is then asked in ``again``, and raises ``Shown``.
    """

    def __init__(self, chat: RemoteChat) -> None:
        self._chat = chat
        self.bodies: list[bytes] = []
        self.again: list[bytes] = []

    @property
    def info(self) -> ModelInfo:
        return self._chat.info

    def ask(self, requests: Sequence[Request], cancel: threading.Event) -> Iterator[tuple[int, Reply]]:
        if self.bodies:
            self.again += self._chat.bodies(requests)
            raise Shown
        self.bodies += self._chat.bodies(requests)
        for index in range(len(requests)):
            yield index, Reply("")

    def yes_no(self, requests: Sequence[Request], cancel: threading.Event) -> Iterator[tuple[int, YesNo]]:
        self.bodies += self._chat.bodies(requests, yes_no=True)
        raise Shown

    def usage(self) -> ChatUsage:
        return ChatUsage()

    def close(self) -> None:
        """Nothing is held."""
