"""Counts in how many sessions a word is said, in counselling and at a doctor's, and writes the tables that ship.

Half of the corpus' authors and of the visits are not counted: tests/benchmarks/bench_wrong_session.py measures on them.
"""

from __future__ import annotations

import csv
import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path

from models.training import datasets
from noteeval_desktop import documents, paths
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.judges.builtin.text.spoken_rates import FILE, VISITS, Spoken
from noteeval_desktop.judges.builtin.text.words import ClaimLexicon, claim_lexicon
from noteeval_desktop.research.composed import load_composed
from noteeval_desktop.research.labelled import read_sessions, transcript_of

COUNTED = frozenset({"a03", "a06", "a09", "a11", "a14", "a17", "a21", "a22", "a23"})
"""Authors whose sessions are counted; those of the others only measure."""
_FILES = ("aci_bench_train", "aci_bench_valid", "mts_dialog_train")
# Stems of fewer sessions are left to the subtitles.
_FEWEST = 4
_FEWEST_SPOKEN = 150


def count(transcripts: Iterable[Transcript], lexicon: ClaimLexicon) -> Spoken:
    holding: Counter[str] = Counter()
    sessions = words = 0
    for transcript in transcripts:
        said = [word for turn in transcript.turns for word in lexicon.words(turn.text)]
        holding.update({word.stem for word in said if word.content})
        sessions, words = sessions + 1, words + len(said)
    return Spoken({stem: n for stem, n in sorted(holding.items()) if n >= _FEWEST}, sessions, words)


def held_out(conversation: str) -> bool:
    """Of TN-Eval's conversations and of visits: one in two."""
    return int(hashlib.md5(conversation.encode(), usedforsecurity=False).hexdigest(), 16) % 2 == 1


def visits(data: Path) -> Iterator[Case]:
    """Labelled ``file: encounter``; of the short ones only those that are long enough to tell whose they are."""
    for name in _FILES:
        with (data / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                short = "ID" in row
                if short and len(row["dialogue"].split()) < _FEWEST_SPOKEN:
                    continue
                note = documents.parse_note(row["section_text"] if short else row["note"])
                label = f"m{row['ID']}" if short else row["encounter_id"]
                yield Case(Transcript(datasets.turns_of(row["dialogue"])), note, label)


def train(data: Path) -> None:
    lexicon = claim_lexicon()
    composed = (one.case.transcript for one in load_composed(paths.resources() / "composed" / "training.json"))
    corpus = (transcript_of(one) for one in read_sessions(datasets.CORPUS) if one.author in COUNTED)
    seen = (case.transcript for case in visits(data) if not held_out(case.label))
    for file, told in ((FILE, [*composed, *corpus]), (VISITS, seen)):
        table = json.dumps(asdict(count(told, lexicon)), indent=1, ensure_ascii=False)
        (paths.resources() / "lexicons" / file).write_text(table + "\n", encoding="utf-8")
