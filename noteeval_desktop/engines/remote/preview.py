"""What a run would send, before it is sent: kept in a RemoteChat's place."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence

from noteeval_desktop.domain.evaluation import Usage
from noteeval_desktop.engines.chat import ModelInfo, Reply, Request, YesNo
from noteeval_desktop.engines.remote.chat import RemoteChat


class Kept(Exception):
    """Raised instead of an answer, once the questions are kept."""


class CollectingChat:
    """Implements ``engines.chat.ChatModel``: keeps the questions and answers none."""

    def __init__(self, chat: RemoteChat) -> None:
        self._chat = chat
        self.requests: list[Request] = []

    @property
    def info(self) -> ModelInfo:
        return self._chat.info

    def ask(self, requests: Sequence[Request], cancel: threading.Event) -> Iterator[tuple[int, Reply]]:
        self.requests += requests
        raise Kept

    def yes_no(self, requests: Sequence[Request], cancel: threading.Event) -> Iterator[tuple[int, YesNo]]:
        raise Kept  # a batch is asked in groups

    def usage(self) -> Usage:
        return Usage()

    def close(self) -> None:
        """Nothing is held."""


class PreviewChat(CollectingChat):
    """Keeps the bodies of the first questions, answers them with nothing that can be used, keeps what is then asked in
    ``again``, and raises ``Kept``."""

    def __init__(self, chat: RemoteChat) -> None:
        super().__init__(chat)
        self.bodies: list[bytes] = []
        self.again: list[bytes] = []

    def ask(self, requests: Sequence[Request], cancel: threading.Event) -> Iterator[tuple[int, Reply]]:
        if self.bodies:
            self.again += self._chat.bodies(requests)
            raise Kept
        self.bodies += self._chat.bodies(requests)
        for index in range(len(requests)):
            yield index, Reply("")

    def yes_no(self, requests: Sequence[Request], cancel: threading.Event) -> Iterator[tuple[int, YesNo]]:
        self.bodies += self._chat.bodies(requests, yes_no=True)
        raise Kept
