"""Answers already given, by a fingerprint of everything that they depend on."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, Protocol


class AnswerCache(Protocol):
    def get(self, key: str) -> Mapping[str, Any] | None: ...

    def put(self, key: str, answer: Mapping[str, Any]) -> None: ...


class MemoryCache:
    """Keeps the last ``size`` answers for as long as the program runs."""

    def __init__(self, size: int = 20_000) -> None:
        self._size = size
        self._answers: OrderedDict[str, Mapping[str, Any]] = OrderedDict()

    def get(self, key: str) -> Mapping[str, Any] | None:
        if key in self._answers:
            self._answers.move_to_end(key)
        return self._answers.get(key)

    def put(self, key: str, answer: Mapping[str, Any]) -> None:
        self._answers[key] = answer
        if len(self._answers) > self._size:
            self._answers.popitem(last=False)


class NoCache:
    def get(self, key: str) -> None:
        return None

    def put(self, key: str, answer: Mapping[str, Any]) -> None:
        """Forgets it."""
