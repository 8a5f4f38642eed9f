"""How many wrong sessions are told from right ones: python -m tests.benchmarks.bench_wrong_session --data FOLDER.

By hand; not a test. FOLDER has the public data (tn_eval_dev.json, aci_bench_*.csv, mts_dialog_train.csv); the corpus is
the project's own. Every note of a conversation or author held out is paired with its own session, also after it was
made worse, and with others that are held out: drawn by chance, of the same hand (author, set of visits), the one whose
talk is most like its own ("same complaint"), and several joined. No data has two sessions of one client.

The limits were chosen on the other half, whose talk the shipped tables count; ``--chosen-on`` shows it.
"""

from __future__ import annotations

import argparse
import math
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from models.training import datasets, spoken_rates
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.judges.session_match import LIMIT, matcher
from noteeval_desktop.report.terminal import table
from noteeval_desktop.research.degrade import degrade
from noteeval_desktop.research.labelled import case_of, read_sessions
from noteeval_desktop.research.published import load_notes

CHANCE, JOINED, CHANGES = 3, 4, 4


class Told(NamedTuple):
    kind: str
    hand: str
    conversation: str
    case: Case


def read(data: Path, held_out: bool) -> Iterator[Told]:
    for note in load_notes(data / "tn_eval_dev.json"):
        if spoken_rates.held_out(note.conversation) is held_out:
            yield Told("counselling, TN-Eval", "", note.conversation, note.case)
    for session in read_sessions(datasets.CORPUS):
        if (session.author in spoken_rates.COUNTED) is not held_out:
            for written in session.notes:
                yield Told("therapy, corpus", session.author, session.id, case_of(session, written))
    for case in spoken_rates.visits(data):
        if spoken_rates.held_out(case.label) is held_out:
            kind = "one section, MTS-Dialog" if case.label.startswith("m") else "whole visit, ACI-Bench"
            yield Told(kind, "" if case.label.startswith("m") else case.label[:2], case.label, case)


def joined(transcripts: Sequence[Transcript]) -> Transcript:
    turns = [turn for transcript in transcripts for turn in transcript.turns]
    return Transcript(tuple(replace(turn, index=index) for index, turn in enumerate(turns)))


def stems_of(session: Transcript) -> frozenset[str]:
    return frozenset(stem for turn in session.turns for stem in matcher().lexicon.content_stems(turn.text))


def pairs(notes: Sequence[Told], rng: random.Random) -> Iterator[tuple[str, Case]]:
    sessions = {told.conversation: told.case.transcript for told in notes}
    hands = {told.conversation: told.hand for told in notes}
    stems = {name: stems_of(session) for name, session in sessions.items()}
    holding = Counter(stem for own in stems.values() for stem in own)

    def alike(one: str, other: str) -> float:
        shared = stems[one] & stems[other]
        worth = sum(math.log(len(sessions) / holding[stem]) ** 2 for stem in shared)
        return worth / math.sqrt(1 + len(stems[other]))

    for told in notes:
        others = sorted(name for name in sessions if name != told.conversation)
        note = told.case.note
        yield "right", told.case
        yield f"right, {CHANGES} mistakes", replace(told.case, note=degrade(note, 1, CHANGES).note)
        for name in rng.sample(others, CHANCE):
            yield "another client's", Case(sessions[name], note)
        yield f"{JOINED} others joined", Case(joined([sessions[n] for n in rng.sample(others, JOINED)]), note)
        yield "same complaint", Case(sessions[max(others, key=lambda n: alike(told.conversation, n))], note)
        same = [name for name in others if told.hand and hands[name] == told.hand]
        if same:
            yield "same hand", Case(sessions[rng.choice(same)], note)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--chosen-on", action="store_true")
    asked = parser.parse_args()
    found: dict[tuple[str, str], list[float | None]] = {}
    notes = list(read(asked.data, not asked.chosen_on))
    for kind in dict.fromkeys(told.kind for told in notes):
        for pair, case in pairs([told for told in notes if told.kind == kind], random.Random(1)):
            found.setdefault((kind, pair), []).append(matcher().times_chance(case))
    for pair in dict.fromkeys(pair for _, pair in found):
        found["all", pair] = [value for (_, own), values in list(found.items()) if own == pair for value in values]
    rows = [["", "", "pairs", "too short", "warned", "%"]]
    for (kind, pair), values in found.items():
        known = [value for value in values if value is not None]
        warned = sum(value < LIMIT for value in known)
        share = f"{100 * warned / max(1, len(known)):.1f}"
        rows.append([kind, pair, str(len(values)), str(len(values) - len(known)), str(warned), share])
    print(table(rows))


if __name__ == "__main__":
    main()
