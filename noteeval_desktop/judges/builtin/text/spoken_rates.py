"""How often words are said: in subtitles, in counselling, where sleep and worry are spoken of more, at a doctor's."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from noteeval_desktop import paths
from noteeval_desktop.judges.builtin.text.spelling import spoken_words
from noteeval_desktop.judges.builtin.text.words import ClaimLexicon

# What was never counted is taken for what was counted so often, of 1.6 billion words.
_UNCOUNTED = 2000
FILE, VISITS = "counselling.json", "visits.json"


@dataclass(frozen=True, slots=True)
class Spoken:
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


def rates(lexicon: ClaimLexicon, *kinds: Spoken) -> Mapping[str, float]:
    """Of each stem, how often it is said of all words said, by whichever count has most; under "" what holds for those
    that were not counted."""
    counted: Counter[str] = Counter()
    total = 0
    for word, times in spoken_words():
        total += times
        if times >= _UNCOUNTED:
            counted[lexicon.stem(word)] += times
    stems = {*counted, *(stem for kind in kinds for stem in kind.holding), ""}
    return {stem: max((counted[stem] + _UNCOUNTED) / total, *(kind.rate(stem) for kind in kinds)) for stem in stems}


def load(file: str = FILE) -> Spoken:
    """A table that ships; ``models.training.spoken_rates`` counts it anew."""
    return Spoken(**paths.lexicon(file))
