"""What a judge says of claims whose truth is known: of notes that were made worse by rules, of notes that people wrote
wrong on purpose, and of notes that clinicians wrote of visits, where every sentence counts as true."""

from __future__ import annotations

import itertools
import re
import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.evaluation import FaithfulnessScore, JudgedSentence
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.scores import score
from noteeval_desktop.domain.verdicts import ERRORS, ClaimVerdict, Verdict
from noteeval_desktop.measures.agreement import ratio, share
from noteeval_desktop.report.terminal import figure, shares_row, table
from noteeval_desktop.research.changes import ChangeKind
from noteeval_desktop.research.composed import ComposedSession, Error, Truth
from noteeval_desktop.research.degrade import ALL_KINDS, degrade

CHANGES = 5
_ALTERING = tuple(kind for kind in ALL_KINDS if kind is not ChangeKind.DROP)
_TOLERANCE = 1e-9
_HELD = {
    "with shorthand": re.compile(
        r"\b(?:pt|hx|sx|dx|tx|rx|w/o?|b/c|c/o|f/u|r/o|s/p|y/o|yo|prn|bid|tid|qhs|po|mg|mcg|ros|heent|neg)\b",
        re.IGNORECASE,
    ),
    "with a number": re.compile(r"\d"),
    "with a negation": re.compile(r"\b(?:no|not|none|never|without|denie[sd]|denying|negative)\b", re.IGNORECASE),
}


class ClaimJudge(Protocol):
    """A judge as far as claims go."""

    def support(self, case: Case, cancel: threading.Event) -> Iterator[ClaimVerdict]:
        """One verdict a sentence of the note, in order."""


@dataclass(frozen=True, slots=True)
class DegradeCase:
    """``faithful`` are the ids of the sentences known to be true (all annotators agreed); none known: empty."""

    case: Case
    faithful: frozenset[str] = frozenset()


def run_degrade(
    cases: Sequence[DegradeCase], judge_of: Callable[[int], ClaimJudge], cancel: threading.Event
) -> dict[str, Any]:
    """Figures for a judge over degraded notes; shares are 0..1, None where there was nothing to measure.

    ``judge_of(i)`` is the judge for case i, so that one trained without it can be asked. ``detection`` counts a
    changed sentence as found when it is called contradicted or unsupported; ``checkable`` leaves out those that were
    called observed, which no transcript can decide. ``monotonicity`` compares the note with 0 to 5 nested changes:
    ``counted`` is the share of claims supported, ``expected`` the mean probability. After SySDEM (Nizar et al.): a
    judge whose score rises while a note gets worse has violated monotonicity.
    """
    counted: dict[str, Counter[str]] = defaultdict(Counter)
    for number, item in enumerate(cases):
        judge = judge_of(number)
        _detect(item, judge, cancel, counted)
        _climb(item.case, judge, cancel, counted)
    alarms = counted["false alarms"]
    return {
        "notes": counted["notes"]["climbed"],
        "detection": {
            kind: {
                "changes": made,
                "found": ratio(counted["found"][kind], made),
                "found_of_checkable": ratio(counted["found"][kind], counted["checkable"][kind]),
            }
            for kind, made in counted["made"].items()
        },
        "false_alarms": {"sentences": alarms["known"], "share": ratio(alarms["called"], alarms["known"])},
        "monotonicity": {
            name: {
                "pairs": pairs,
                "violations": ratio(counted["violations"][name], pairs),
                "violations_between_0_and_all": counted["ends"][name],
            }
            for name, pairs in counted["pairs"].items()
        },
    }


def degrade_text(result: dict[str, Any]) -> str:
    rows = [[tr("Change"), tr("Made"), tr("Found"), tr("Of those that a transcript can decide")]]
    for kind, found in result["detection"].items():
        rows.append([kind, str(found["changes"]), figure(found["found"]), figure(found["found_of_checkable"])])
    alarms = result["false_alarms"]
    rows.append(["false alarms", str(alarms["sentences"]), figure(alarms["share"])])
    for name, measured in result["monotonicity"].items():
        rows.append(
            [tr("score rises, {name}").format(name=name), str(measured["pairs"]), figure(measured["violations"])]
        )
    return table(rows)


def _detect(item: DegradeCase, judge: ClaimJudge, cancel: threading.Event, counted: dict[str, Counter[str]]) -> None:
    original = _claims(item.case, judge, cancel)
    known = [claim for claim in original.values() if claim.sentence in item.faithful and claim.verdict is not None]
    counted["false alarms"].update(known=len(known), called=sum(claim.verdict in ERRORS for claim in known))
    for kind in _ALTERING:
        worse = degrade(item.case.note, 0, CHANGES, (kind,))
        claims = _claims(Case(item.case.transcript, worse.note), judge, cancel)
        for change in worse.changes:
            verdict = None if change.sentence is None else claims[change.sentence].verdict
            if verdict is not None:
                counted["made"][kind.value] += 1
                counted["found"][kind.value] += verdict in ERRORS
                counted["checkable"][kind.value] += verdict is not Verdict.OBSERVED


def _climb(case: Case, judge: ClaimJudge, cancel: threading.Event, counted: dict[str, Counter[str]]) -> None:
    if len(degrade(case.note, 0, CHANGES, _ALTERING).changes) < CHANGES:
        return
    counted["notes"]["climbed"] += 1
    notes = [degrade(case.note, 0, count, _ALTERING).note for count in range(CHANGES + 1)]
    scores = [_score(Case(case.transcript, note), judge, cancel) for note in notes]
    for name, values in (("counted", [s.note for s in scores]), ("expected", [s.expected for s in scores])):
        for (i, less), (j, more) in itertools.combinations(enumerate(values), 2):
            risen = less is not None and more is not None and more > less + _TOLERANCE
            counted["pairs"][name] += 1
            counted["violations"][name] += risen
            counted["ends"][name] += risen and (i, j) == (0, CHANGES)


def _claims(case: Case, judge: ClaimJudge, cancel: threading.Event) -> dict[str, ClaimVerdict]:
    return {claim.sentence: claim for claim in judge.support(case, cancel)}


def _score(case: Case, judge: ClaimJudge, cancel: threading.Event) -> FaithfulnessScore:
    claims = _claims(case, judge, cancel)
    return score((), [JudgedSentence(s, claim=claims.get(s.id)) for s in case.note.sentences]).faithfulness


def run_composed(sessions: Sequence[ComposedSession], judge: ClaimJudge, cancel: threading.Event) -> dict[str, Any]:
    """Shares are 0..1, None where there was nothing to measure.

    ``errors``: by how a claim errs and over all, how many there are, the share called contradicted or unsupported, and
    the share called contradicted. ``true``: the same of true claims, where these are false alarms. ``observed``: of
    claims that no transcript can show, the share called observed. Claims without a verdict count as none of these.
    """
    made, found, refuted, apart = Counter[str](), Counter[str](), Counter[str](), 0
    for session in sessions:
        verdicts = {claim.sentence: claim.verdict for claim in judge.support(session.case, cancel)}
        for claim in session.claims:
            verdict = verdicts.get(claim.sentence.id)
            names = [claim.truth.value, *([claim.error.value] if claim.error else [])]
            made.update(names)
            found.update(name for name in names if verdict in ERRORS)
            refuted.update(name for name in names if verdict is Verdict.CONTRADICTED)
            apart += claim.truth is Truth.OBSERVED and verdict is Verdict.OBSERVED

    def shares(name: str) -> dict[str, Any]:
        of = made[name]
        return {"claims": of, "found": ratio(found[name], of), "contradicted": ratio(refuted[name], of)}

    observed = made[Truth.OBSERVED.value]
    return {
        "sessions": len(sessions),
        "errors": {error.value: shares(error.value) for error in Error} | {"all": shares(Truth.FALSE.value)},
        "true": shares(Truth.TRUE.value),
        "observed": {"claims": observed, "observed": ratio(apart, observed)},
    }


def composed_text(result: dict[str, Any]) -> str:
    rows = [[tr("Claims"), tr("Written"), tr("Called an error"), tr("Called contradicted")]]
    for name, shares in {**result["errors"], "true": result["true"]}.items():
        rows.append([name, str(shares["claims"]), figure(shares["found"]), figure(shares["contradicted"])])
    apart = result["observed"]
    told = tr("Called observed, of {claims} that no transcript shows: {share}")
    return f"{table(rows)}\n{told.format(claims=apart['claims'], share=figure(apart['observed']))}"


def run_true_notes(cases: Sequence[Case], judge: ClaimJudge, cancel: threading.Event) -> dict[str, Any]:
    """``doubted``: called unsupported or contradicted, of the sentences that were judged; ``contradicted`` of the same;
    ``doubted_by_kind`` of those whose wording holds it. Intervals are over visits, told by their label (95 %). Raises
    JudgeError, Cancelled."""
    doubted: list[tuple[str, bool]] = []
    contradicted: list[tuple[str, bool]] = []
    kinds: dict[str, list[tuple[str, bool]]] = defaultdict(list)
    for case in cases:
        for sentence, claim in zip(case.note.sentences, judge.support(case, cancel), strict=True):
            if claim.verdict is None:
                continue
            answer = (case.label, claim.verdict in ERRORS)
            doubted.append(answer)
            contradicted.append((case.label, claim.verdict is Verdict.CONTRADICTED))
            for kind, pattern in _HELD.items():
                if pattern.search(sentence.text):
                    kinds[kind].append(answer)
    return {
        "notes": len(cases),
        "doubted": share(doubted),
        "contradicted": share(contradicted),
        "doubted_by_kind": {kind: share(kinds[kind]) for kind in _HELD},
    }


def true_notes_text(result: dict[str, Any]) -> str:
    return table(
        [
            [tr("Sentences"), tr("Judged"), tr("Share"), tr("95 % interval")],
            [tr("doubted"), *shares_row(result["doubted"])],
            *([f"  {kind}", *shares_row(own)] for kind, own in result["doubted_by_kind"].items()),
            [tr("called contradicted"), *shares_row(result["contradicted"])],
        ]
    )
