"""Questions to a judge elsewhere, all put at once; whoever reads the answers waits for what comes."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar, cast

T = TypeVar("T")
# Each in a thread of its own, the gravest first; what is asked with one reading of the session stands together.
_TOGETHER = (("risks", "omissions", "goals"), ("claims",), ("checklist",), ("sentences", "private"), ("responses",))
# Without one, Windows would notice Ctrl+C only when the next answer comes.
_WAIT_SECONDS = 0.1


def asked_ahead(asks: Mapping[str, Callable[[], Iterator[T]]]) -> dict[str, Callable[[], Iterator[T]]]:
    """The same, asked from now on. By the names that ``evaluate.Question`` has; raises, where answers are read, what
    asking raised."""
    coming: dict[str, queue.SimpleQueue[object]] = {question: queue.SimpleQueue() for question in asks}
    end = object()

    def put(questions: Sequence[str]) -> None:
        for question in questions:
            try:
                for answer in asks[question]():
                    coming[question].put(answer)
                coming[question].put(end)
            # Raised again where the answers are read.
            except Exception as error:
                coming[question].put(error)

    def take(question: str) -> Iterator[T]:
        while True:
            try:
                answer = coming[question].get(timeout=_WAIT_SECONDS)
            except queue.Empty:
                continue
            if answer is end:
                return
            if isinstance(answer, Exception):
                raise answer
            yield cast(T, answer)

    for together in (*_TOGETHER, tuple(asks.keys() - {question for own in _TOGETHER for question in own})):
        own = [question for question in together if question in asks]
        if own:
            threading.Thread(target=put, args=(own,), name=f"asked ahead: {own[0]}", daemon=True).start()
    return {question: lambda question=question: take(question) for question in asks}  # type: ignore[misc]
