"""Are the facts that a note leaves out named among the first findings? Over labelled sessions."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.verdicts import Omission
from noteeval_desktop.measures.agreement import mean_interval
from noteeval_desktop.report.terminal import between, figure, table
from noteeval_desktop.research.labelled import LabelledSession, Note, case_of

TOP = 5
_FEWEST_WORDS = 3


@dataclass(frozen=True, slots=True)
class _Fact:
    """One that a note leaves out; ``chance``: how likely as many turns drawn at random would have hit it."""

    session: str
    kind: str
    found: bool
    chance: float


def run_omissions(sessions: Sequence[LabelledSession], omit: Callable[[Case], Iterable[Omission]]) -> dict[str, Any]:
    """``found``: facts that a note does not cover of which one of the first five findings cites a turn (``interval``:
    95 %, sessions drawn with replacement), ``by_kind`` (share, n); ``findings_right``: of the first five, those that
    cite such a fact."""
    facts: list[_Fact] = []
    right: list[bool] = []
    for session in sessions:
        for note in session.notes:
            listed = list(omit(case_of(session, note)))[:TOP]
            facts += _facts(session, note, listed)
            missing = {turn - 1 for fact in session.facts if fact.id not in note.covers for turn in fact.turns}
            right += [any(citation.turn in missing for citation in one.citations) for one in listed]
    hits = [fact.found for fact in facts]
    kinds = sorted({fact.kind for fact in facts})
    by_kind = {kind: [fact.found for fact in facts if fact.kind == kind] for kind in kinds}
    return {
        "sessions": len(sessions),
        "facts_left_out": len(facts),
        "found": _mean(hits),
        "interval": mean_interval(hits, [fact.session for fact in facts], seed=7),
        "chance": _mean([fact.chance for fact in facts]),
        "by_kind": {kind: (_mean(found), len(found)) for kind, found in by_kind.items()},
        "findings_per_note": len(right) / max(1, sum(len(session.notes) for session in sessions)),
        "findings_right": _mean(right),
    }


def omissions_text(result: dict[str, Any]) -> str:
    return table(
        [
            [tr("Facts that a note leaves out"), str(result["facts_left_out"])],
            [tr("Among the first five findings"), f"{figure(result['found'])}  {between(result['interval'])}"],
            [tr("  as many turns at random"), figure(result["chance"])],
            *([f"  {kind} ({n})", figure(share)] for kind, (share, n) in result["by_kind"].items()),
            [tr("Findings per note"), figure(result["findings_per_note"])],
            [tr("  that cite such a fact"), figure(result["findings_right"])],
        ]
    )


def _mean(values: Sequence[float]) -> float | None:
    return float(np.mean(values)) if values else None


def _facts(session: LabelledSession, note: Note, listed: Sequence[Omission]) -> list[_Fact]:
    cited = {citation.turn for omission in listed for citation in omission.citations}
    spoken = {turn.number - 1 for turn in session.turns if len(turn.text.split()) >= _FEWEST_WORDS}
    found = []
    for fact in session.facts:
        if fact.id not in note.covers:
            turns = {turn - 1 for turn in fact.turns}
            drawn = min(len(cited), len(spoken))
            missed = math.comb(len(spoken - turns), drawn) / math.comb(len(spoken), drawn)
            found.append(_Fact(session.id, fact.kind, bool(turns & cited), 1 - missed))
    return found
