"""Counts in how many composed sessions a word is said, and writes the table that ships."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict

from noteeval_desktop import paths
from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.judges.builtin.text.spoken_rates import FILE, Counselling
from noteeval_desktop.judges.builtin.text.words import ClaimLexicon, load_lexicon
from noteeval_desktop.measures.composed import load_composed

# Stems of fewer sessions are left to the subtitles.
_FEWEST = 4


def count(transcripts: Iterable[Transcript], lexicon: ClaimLexicon) -> Counselling:
    holding: Counter[str] = Counter()
    sessions = words = 0
    for transcript in transcripts:
        said = [word for turn in transcript.turns for word in lexicon.words(turn.text)]
        holding.update({word.stem for word in said if word.content})
        sessions, words = sessions + 1, words + len(said)
    return Counselling({stem: n for stem, n in sorted(holding.items()) if n >= _FEWEST}, sessions, words)


def train() -> None:
    sessions = load_composed(paths.resources() / "composed" / "training.json")
    table = count(
        (session.case.transcript for session in sessions), load_lexicon(paths.resources() / "lexicons" / "claims.json")
    )
    told = json.dumps(asdict(table), indent=1, ensure_ascii=False)
    (paths.resources() / "lexicons" / FILE).write_text(told + "\n", encoding="utf-8")
