"""Does more of the same take longer than it is more? A ratio within one run, which a slow computer does not move."""

from __future__ import annotations

import time
from collections.abc import Callable

# Eight times as much takes eight times as long where each piece costs the same, 64 times where each looks back over all
# before it. A busy computer may lengthen one try, but hardly three.
_IN_STEP = 24.0
_TRIES = 3
_NOTHING_SECONDS = 0.02


def grows_in_step(run: Callable[[int], object], most: int) -> bool:
    """Whether ``run(most)`` takes about as many times the processor's time of ``run(most // 8)`` as it is larger; of
    the latter 20 ms count at least."""
    return any(max(_seconds(run, most // 8), _NOTHING_SECONDS) * _IN_STEP > _seconds(run, most) for _ in range(_TRIES))


def reading_grows_in_step(read: Callable[[str], object], text: str) -> bool:
    """The same of reading ``text``, against its first and its last sixteenth."""

    def cut(length: int) -> str:
        return text if length == len(text) else text[: length // 2] + text[len(text) - length // 2 :]

    return grows_in_step(lambda length: read(cut(length)), len(text))


def _seconds(run: Callable[[int], object], size: int) -> float:
    began = time.process_time()
    run(size)
    return time.process_time() - began
