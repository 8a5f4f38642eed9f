"""Where in the session a sentence's words were said: a search by words, which knows nothing of any judge's marks."""

from __future__ import annotations

import math
import re
from collections import Counter

from noteeval_desktop.domain.transcript import Transcript

_WORD = re.compile(r"[^\W_]+")
_STEM = 5
_MOST = 12


def turns_with_words_of(sentence: str, transcript: Transcript) -> tuple[int, ...]:
    """Turns that share words with the sentence, those with the rarest and most of them first; at most twelve.

    Words count as the same when they begin alike, so that "drinks" finds "drinking".
    """
    turns = [_stems(turn.text) for turn in transcript.turns]
    spread = Counter(stem for turn in turns for stem in turn)
    sought = _stems(sentence)
    weights = {
        turn: sum(math.log(len(turns) / spread[stem]) for stem in sought & stems) for turn, stems in enumerate(turns)
    }
    best = sorted((turn for turn, weight in weights.items() if weight > 0), key=lambda turn: (-weights[turn], turn))
    return tuple(best[:_MOST])


def _stems(text: str) -> set[str]:
    return {word[:_STEM] for word in _WORD.findall(text.casefold()) if len(word) > 2 or word.isdigit()}
