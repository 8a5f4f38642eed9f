"""How fast an endpoint may be asked: learned from its headers, slowed by its refusals, stopped when it is down."""

from __future__ import annotations

import math
import random
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from email.utils import parsedate_to_datetime

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.errors import Cancelled, ModelError

MINUTE = 60.0
LONGEST_WAIT = 90.0
BREAK_AFTER = 6


class Pace:
    """Requests and tokens a minute, shared by all worker threads of one endpoint; what a server allows never raises a
    limit that was given."""

    def __init__(
        self,
        requests_a_minute: int | None = None,
        tokens_a_minute: int | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._requests, self._tokens = requests_a_minute, tokens_a_minute
        self._given = {"requests": requests_a_minute or math.inf, "tokens": tokens_a_minute or math.inf}
        self._clock = clock
        self._lock = threading.Lock()
        self._spent: deque[tuple[float, int]] = deque()
        self._not_before = 0.0
        self._failures, self._problem = 0, ""

    def wait(self, tokens: int, cancel: threading.Event) -> None:
        """Return when a request of about ``tokens`` may go out.

        Raises Cancelled, or ModelError after too many failures in a row.
        """
        while True:
            with self._lock:
                if self._failures >= BREAK_AFTER:
                    raise ModelError(
                        tr(
                            "{failures} questions in a row got no answer ({problem}). Try again later, or choose "
                            "another judge."
                        ).format(failures=self._failures, problem=self._problem)
                    )
                delay = self._delay(tokens)
                if delay <= 0:
                    self._spent.append((self._clock(), tokens))
                    return
            if cancel.wait(min(delay, 0.5)):
                raise Cancelled

    def _delay(self, tokens: int) -> float:
        now = self._clock()
        while self._spent and self._spent[0][0] <= now - MINUTE:
            self._spent.popleft()
        delay = self._not_before - now
        if self._spent and self._requests and len(self._spent) >= self._requests:
            delay = max(delay, self._spent[-self._requests][0] + MINUTE - now)
        if self._spent and self._tokens and sum(spent for _, spent in self._spent) + tokens > self._tokens:
            delay = max(delay, self._spent[0][0] + MINUTE - now)
        return delay

    def learn(self, headers: Mapping[str, str]) -> None:
        """Take over the limits that a response names."""
        with self._lock:
            self._failures = 0
            for name in ("requests", "tokens"):
                limit = _number(headers.get(f"x-ratelimit-limit-{name}", ""))
                if limit is not None and limit >= 1:
                    setattr(self, f"_{name}", int(min(limit, self._given[name])))

    def back_off(self, seconds: float) -> None:
        """Nobody asks for ``seconds``."""
        with self._lock:
            self._not_before = max(self._not_before, self._clock() + seconds)

    def failed(self, problem: str) -> None:
        """``problem``: in words that go within a sentence."""
        with self._lock:
            self._failures, self._problem = self._failures + 1, problem


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that a server asks to wait; None where it does not say."""
    milliseconds = _number(headers.get("retry-after-ms", ""))
    if milliseconds is not None:
        return milliseconds / 1000
    value = headers.get("retry-after", "")
    seconds = _number(value)
    if seconds is not None:
        return seconds
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except (TypeError, ValueError, OverflowError, OSError):  # dates of the year 1 or 9999, on some systems
        return None


def _number(text: str) -> float | None:
    """A number from 0 on, as a server writes it in a header."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) and value >= 0 else None


def jittered(attempt: int) -> float:
    """Seconds before try number ``attempt`` + 1: doubling from half a second, with full jitter."""
    return random.uniform(0.1, min(20.0, 0.5 * 2**attempt))
