"""How often words are said: in subtitles, and in counselling, where sleep, drink and worry are spoken of more."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from noteeval_desktop import paths
from noteeval_desktop.judges.builtin.text.spelling import spoken_words
from noteeval_desktop.judges.builtin.text.words import ClaimLexicon

# What was never counted is taken for what was counted so often, of 1.6 billion words.
_UNCOUNTED = 2000
FILE = "counselling.json"


@dataclass(frozen=True, slots=True)
class Counselling:
    """``holding``: in how many of ``sessions``, with ``words`` words in all, a stem is said; rare ones are left out."""

    holding: Mapping[str, int]
    sessions: int
    words: int

    def rate(self, stem: str) -> float:
        """Share of all words that would make the stem be said in as many sessions; 0 for one that is left out.

        By sessions and not by words, since who speaks of a thing goes on speaking of it.
        """
        held = self.holding.get(stem, 0)
        # Half a session less: never in all of them, and a little doubt for the few.
        return -math.log1p(-(held - 0.5) / self.sessions) * self.sessions / self.words if held else 0.0


def rates(lexicon: ClaimLexicon, counselling: Counselling) -> Mapping[str, float]:
    """Of each stem, how often it is said of all words said, by whichever count has more; under "" what holds for those
    that were not counted."""
    counted: Counter[str] = Counter()
    total = 0
    for word, times in spoken_words():
        total += times
        if times >= _UNCOUNTED:
            counted[lexicon.stem(word)] += times
    stems = {*counted, *counselling.holding, ""}
    return {stem: max((counted[stem] + _UNCOUNTED) / total, counselling.rate(stem)) for stem in stems}


def load() -> Counselling:
    """The table that ships; ``models.training.spoken_rates`` counts it anew."""
    return Counselling(**json.loads((paths.resources() / "lexicons" / FILE).read_text(encoding="utf-8")))
