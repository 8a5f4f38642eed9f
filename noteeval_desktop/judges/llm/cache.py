"""Answers already given, by a fingerprint of everything that they depend on."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any, Generic, Protocol, TypeVar

from noteeval_desktop.errors import NoteEvalError

T = TypeVar("T")


class AnswerCache(Protocol):
    """May be shared between threads. An implementation that keeps answers on the disk may raise NoteEvalError."""

    def get(self, key: str) -> Mapping[str, Any] | None: ...

    def put(self, key: str, answer: Mapping[str, Any]) -> None: ...


class Newest(Generic[T]):
    """What was asked for or put in last, for as long as the program runs; safe to share between threads."""

    def __init__(self, capacity: int = 20_000) -> None:
        self._capacity, self._lock = capacity, threading.Lock()
        self._answers: OrderedDict[str, T] = OrderedDict()

    def get(self, key: str) -> T | None:
        with self._lock:
            if key in self._answers:
                self._answers.move_to_end(key)
            return self._answers.get(key)

    def put(self, key: str, answer: T) -> None:
        with self._lock:
            self._answers[key] = answer
            self._answers.move_to_end(key)
            if len(self._answers) > self._capacity:
                self._answers.popitem(last=False)

    def clear(self) -> None:
        with self._lock:
            self._answers.clear()


MemoryCache = Newest[Mapping[str, Any]]


class NoCache:
    def get(self, key: str) -> None:
        return None

    def put(self, key: str, answer: Mapping[str, Any]) -> None:
        """Forgets it."""


class LayeredCache:
    """In memory, and in a lasting cache while there is one: ``lasting`` says which, at each use.

    A lasting cache that fails (locked meanwhile, disk full) costs no verdict: memory goes on alone, and what
    is not there is asked again.
    """

    def __init__(self, lasting: Callable[[], AnswerCache | None], memory: MemoryCache | None = None) -> None:
        self._lasting = lasting
        self._memory = memory or MemoryCache()

    def get(self, key: str) -> Mapping[str, Any] | None:
        known = self._memory.get(key)
        lasting = self._lasting()
        if known is not None or lasting is None:
            return known
        try:
            known = lasting.get(key)
        except NoteEvalError:
            return None
        if known is not None:
            self._memory.put(key, known)
        return known

    def put(self, key: str, answer: Mapping[str, Any]) -> None:
        self._memory.put(key, answer)
        lasting = self._lasting()
        if lasting is None:
            return
        try:
            lasting.put(key, answer)
        except NoteEvalError:
            return

    def forget(self) -> None:
        """What is in memory; the lasting cache is its owner's to clear."""
        self._memory.clear()
