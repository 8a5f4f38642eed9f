"""Does the window warn of dangers that the note tells of, and keep silent on ones that it leaves out?

    python -m tests.benchmarks.bench_answered_risk [AUTHOR …]

By hand; five minutes of two cores. Every note of the labelled sessions is read twice: with its false sentences put
right, where a warning of a danger that a sentence or a covered fact rests on is false; and without its sentences on
safety, where a danger that nothing else rests on is to be warned of. The heads for risk and the decision on claims have
seen these authors; how a note answers was worked out on a09, a11, a21 and a23.
"""

from __future__ import annotations

import sys
import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace

from models.training.datasets import CORPUS
from noteeval_desktop.commands.run import load_rubric
from noteeval_desktop.domain.risk import SAFETY_ITEM, RiskFinding
from noteeval_desktop.judges import making
from noteeval_desktop.judges.builtin.risk.note import with_told
from noteeval_desktop.judges.protocol import Judge
from noteeval_desktop.measures.agreement import share
from noteeval_desktop.report.terminal import table
from noteeval_desktop.research.benchmark_risk import answered, meant, rests, spoken_of
from noteeval_desktop.research.labelled import LabelledSession, Note, case_of, read_sessions

AUTHORS = ("a15", "a17", "a18")
NEVER = threading.Event()
FALSE, RIGHT = "warned of what the note tells of", "warned of what it leaves out"


def put_right(note: Note) -> Note:
    """Every sentence true, or only for the clinician to know; a false one without a true version is left out."""
    kept = (
        replace(one, label="true", text=one.twin) if one.label == "false" else one
        for one in note.sentences
        if one.label != "false" or one.twin
    )
    return replace(note, sentences=tuple(kept))


def without_safety(note: Note) -> Note:
    return replace(note, sentences=tuple(one for one in note.sentences if SAFETY_ITEM not in one.items))


def red(judge: Judge, session: LabelledSession, note: Note) -> Iterator[tuple[RiskFinding, RiskFinding]]:
    """Every entry that may be warned of: by what the ledger makes of the note, and by what its statements rest on."""
    case = case_of(session, note)
    risks = tuple(judge.risks(case, NEVER))
    claims = {claim.sentence: claim for claim in judge.support(case, NEVER)}
    pairs = zip(risks, with_told(risks, case.note, claims), strict=True)
    return (pair for pair in pairs if pair[0].certain)


def main(authors: list[str]) -> None:
    warned: dict[str, list[tuple[str, bool, bool]]] = defaultdict(list)
    with ExitStack() as closing:
        judge = making.builtin_judge(load_rubric(), closing)
        for session in read_sessions(CORPUS):
            if session.author not in authors:
                continue
            told = spoken_of(session)
            for note in map(put_right, session.notes):
                cut = without_safety(note)
                for which, own in ((FALSE, note), (RIGHT, cut)):
                    for before, after in red(judge, session, own):
                        left_out = meant(before, told) and rests(before, note) and not rests(before, cut)
                        if left_out if which == RIGHT else answered(before, session, note):
                            warned[which].append((session.id, not before.addressed, not after.addressed))
    rows = [["", "Dangers", "By the ledger", "With what statements rest on", "95 %"]]
    for which, entries in warned.items():
        ledger, rested = (share([(one[0], one[at]) for one in entries]) for at in (1, 2))
        low, high = rested["interval"] or (0.0, 0.0)
        shares = [f"{ledger['share']:.0%}", f"{rested['share']:.0%}", f"{low:.0%}–{high:.0%}"]
        rows.append([which, str(len(entries)), *shares])
    print(table(rows))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or list(AUTHORS)))
