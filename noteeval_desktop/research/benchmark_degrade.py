"""How a judge takes notes that were made worse on purpose: what it finds, what it cries wolf over, what it confuses.

After SySDEM (Nizar et al.): a judge whose score rises while a note gets worse has violated monotonicity.
"""

from __future__ import annotations

import itertools
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.evaluation import FaithfulnessScore, JudgedSentence
from noteeval_desktop.domain.scores import score
from noteeval_desktop.domain.verdicts import ERRORS, ClaimVerdict, Verdict
from noteeval_desktop.research.changes import ChangeKind
from noteeval_desktop.research.degrade import ALL_KINDS, degrade

ALTERING = tuple(kind for kind in ALL_KINDS if kind is not ChangeKind.DROP)
CHANGES = 5
_TOLERANCE = 1e-9


class ClaimJudge(Protocol):
    """What of a judge this benchmark asks."""

    def support(self, case: Case, cancel: threading.Event) -> Iterator[ClaimVerdict]:
        """One verdict a sentence of the note, in order."""


@dataclass(frozen=True, slots=True)
class DegradeCase:
    """``faithful`` are the ids of the sentences known to be true (all annotators agreed); none known: empty."""

    case: Case
    faithful: frozenset[str] = frozenset()


def run_degrade(
    cases: Sequence[DegradeCase],
    judge_of: Callable[[int], ClaimJudge],
    seed: int = 0,
    kinds: Iterable[ChangeKind] = ALTERING,
    cancel: threading.Event | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> dict[str, object]:
    """Figures for a judge over degraded notes; shares are 0..1, None where there was nothing to measure.

    ``judge_of(i)`` is the judge for case i, so that one trained without it can be asked. ``detection`` counts a
    changed sentence as found when it is called contradicted or unsupported; ``checkable`` leaves out those that were
    called observed, which no transcript can decide. ``monotonicity`` compares the note with 0 to 5 nested changes:
    ``counted`` is the share of claims supported, ``expected`` the mean probability.
    """
    cancel = cancel or threading.Event()
    kinds = tuple(kinds)
    tally = _Tally()
    for number, item in enumerate(cases):
        judge = judge_of(number)
        _detect(item, judge, seed, kinds, cancel, tally)
        _climb(item, judge, seed, kinds, cancel, tally)
        progress(number + 1, len(cases))
    return tally.figures()


class _Tally:
    """Counts, and the shares that they come to."""

    def __init__(self) -> None:
        self.found: Counter[str] = Counter()
        self.made: Counter[str] = Counter()
        self.checkable: Counter[str] = Counter()
        self.alarms = self.sound = 0
        self.pairs: Counter[str] = Counter()
        self.violations: Counter[str] = Counter()
        self.ends: Counter[str] = Counter()
        self.notes = 0

    def figures(self) -> dict[str, object]:
        return {
            "notes": self.notes,
            "detection": {
                kind: {
                    "changes": self.made[kind],
                    "found": _share(self.found[kind], self.made[kind]),
                    "found_of_checkable": _share(self.found[kind], self.checkable[kind]),
                }
                for kind in self.made
            },
            "false_alarms": {"sentences": self.sound, "share": _share(self.alarms, self.sound)},
            "monotonicity": {
                score: {
                    "pairs": self.pairs[score],
                    "violations": _share(self.violations[score], self.pairs[score]),
                    "violations_between_0_and_all": self.ends[score],
                }
                for score in self.pairs
            },
        }


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _detect(
    item: DegradeCase, judge: ClaimJudge, seed: int, kinds: Sequence[ChangeKind], cancel: threading.Event, tally: _Tally
) -> None:
    original = _claims(item.case, judge, cancel)
    known = [claim for claim in original.values() if claim.sentence in item.faithful and claim.verdict is not None]
    tally.sound += len(known)
    tally.alarms += sum(claim.verdict in ERRORS for claim in known)
    for kind in kinds:
        worse = degrade(item.case.note, seed, CHANGES, (kind,))
        claims = _claims(Case(item.case.transcript, worse.note), judge, cancel)
        for change in worse.changes:
            if change.sentence is None or claims[change.sentence].verdict is None:
                continue
            verdict = claims[change.sentence].verdict
            tally.made[kind.value] += 1
            tally.found[kind.value] += verdict in ERRORS
            tally.checkable[kind.value] += verdict is not Verdict.OBSERVED


def _climb(
    item: DegradeCase, judge: ClaimJudge, seed: int, kinds: Sequence[ChangeKind], cancel: threading.Event, tally: _Tally
) -> None:
    if len(degrade(item.case.note, seed, CHANGES, kinds).changes) < CHANGES:
        return
    tally.notes += 1
    scores = [
        _score(Case(item.case.transcript, degrade(item.case.note, seed, count, kinds).note), judge, cancel)
        for count in range(CHANGES + 1)
    ]
    for name in ("counted", "expected"):
        values = [_value(found, name) for found in scores]
        for (i, less), (j, more) in itertools.combinations(enumerate(values), 2):
            risen = less is not None and more is not None and more > less + _TOLERANCE
            tally.pairs[name] += 1
            tally.violations[name] += risen
            tally.ends[name] += risen and (i, j) == (0, CHANGES)


def _value(found: FaithfulnessScore, name: str) -> float | None:
    return found.note if name == "counted" else found.expected


def _claims(case: Case, judge: ClaimJudge, cancel: threading.Event) -> dict[str, ClaimVerdict]:
    return {claim.sentence: claim for claim in judge.support(case, cancel)}


def _score(case: Case, judge: ClaimJudge, cancel: threading.Event) -> FaithfulnessScore:
    claims = _claims(case, judge, cancel)
    return score((), [JudgedSentence(s, claim=claims.get(s.id)) for s in case.note.sentences]).faithfulness
