"""The turns of a session that share words with a sentence."""

from __future__ import annotations

import math
import re
from collections import Counter

from noteeval_desktop.domain.transcript import Transcript

_WORD = re.compile(r"[^\W_]+")
_STEM = 5
_MOST = 12
_COUNTS = frozenset(["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"])


class Seeker:
    """Over one session, whose words are taken apart once: a long one takes longer than a key may."""

    def __init__(self, transcript: Transcript) -> None:
        self._transcript = transcript
        self._turns: list[dict[str, int]] = []
        self._spread: Counter[str] = Counter()

    def turns_with_words_of(self, sentence: str) -> tuple[int, ...]:
        """Turns that share words with the sentence, those with the rarest and most of them first; at most twelve.

        Words count as the same when they begin alike, so that "drinks" finds "drinking".
        """
        if not self._turns:
            self._turns = [_stems(turn.text) for turn in self._transcript.turns]
            self._spread = Counter(stem for turn in self._turns for stem in turn)
        sought, count = _stems(sentence), len(self._turns)
        # A long word says more than a short one that is as rare: "sertraline" more than "morning".
        weights = {
            turn: sum(math.log(count / self._spread[stem]) * sought[stem] for stem in sought.keys() & stems.keys())
            for turn, stems in enumerate(self._turns)
            if sought.keys() & stems.keys()
        }
        best = sorted(weights, key=lambda turn: (-weights[turn], turn))
        return tuple(turn for turn in best if weights[turn] > 0)[:_MOST]


def _stems(text: str) -> dict[str, int]:
    """With the length of the word; of numbers only figures, since "nine" may count anything."""
    words = (word for word in _WORD.findall(text.casefold()) if word not in _COUNTS)
    return {word[:_STEM]: max(len(word), _STEM) for word in words if len(word) > 2 or word.isdigit()}
