"""Where in the session a sentence's words were said: a search by words, which knows nothing of any judge's marks."""

from __future__ import annotations

import math
import re
from collections import Counter

from noteeval_desktop.domain.transcript import Transcript

_WORD = re.compile(r"[^\W_]+")
_STEM = 5
_MOST = 12


class Seeker:
    """Over one session, whose words are taken apart once: a long one takes longer than a key may."""

    def __init__(self, transcript: Transcript) -> None:
        self._transcript = transcript
        self._turns: list[set[str]] = []
        self._spread: Counter[str] = Counter()

    def turns_with_words_of(self, sentence: str) -> tuple[int, ...]:
        """Turns that share words with the sentence, those with the rarest and most of them first; at most twelve.

        Words count as the same when they begin alike, so that "drinks" finds "drinking".
        """
        if not self._turns:
            self._turns = [_stems(turn.text) for turn in self._transcript.turns]
            self._spread = Counter(stem for turn in self._turns for stem in turn)
        sought, count = _stems(sentence), len(self._turns)
        weights = {
            turn: sum(math.log(count / self._spread[stem]) for stem in sought & stems)
            for turn, stems in enumerate(self._turns)
            if sought & stems
        }
        best = sorted(weights, key=lambda turn: (-weights[turn], turn))
        return tuple(turn for turn in best if weights[turn] > 0)[:_MOST]


def _stems(text: str) -> set[str]:
    return {word[:_STEM] for word in _WORD.findall(text.casefold()) if len(word) > 2 or word.isdigit()}
