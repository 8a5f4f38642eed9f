"""How often words are said: in subtitles, and in counselling, where sleep, drink and worry are spoken of far oftener.

``python -m noteeval_desktop.judges.builtin.text.spoken_rates`` counts the composed sessions anew and writes the table
that ships.
"""

from __future__ import annotations

import json
import math
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from noteeval_desktop import paths
from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.judges.builtin.text.spelling import spoken_words
from noteeval_desktop.judges.builtin.text.words import ClaimLexicon, load_lexicon
from noteeval_desktop.measures.composed import load_composed

# What was never counted is taken for what was counted so often, of 1.6 billion words.
_UNCOUNTED = 2000
# Stems of fewer sessions are left to the subtitles.
_FEWEST = 4


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


def count(transcripts: Iterable[Transcript], lexicon: ClaimLexicon) -> Counselling:
    holding: Counter[str] = Counter()
    sessions = words = 0
    for transcript in transcripts:
        said = [word for turn in transcript.turns for word in lexicon.words(turn.text)]
        holding.update({word.stem for word in said if word.content})
        sessions, words = sessions + 1, words + len(said)
    return Counselling({stem: n for stem, n in sorted(holding.items()) if n >= _FEWEST}, sessions, words)


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
    """The table that ships."""
    return Counselling(**json.loads(_file().read_text(encoding="utf-8")))


def _file() -> Path:
    return paths.resources() / "lexicons" / "counselling.json"


def main() -> int:
    sessions = load_composed(paths.resources() / "composed" / "training.json")
    lexicon = load_lexicon(paths.resources() / "lexicons" / "claims.json")
    table = count((session.case.transcript for session in sessions), lexicon)
    _file().write_text(json.dumps(asdict(table), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
