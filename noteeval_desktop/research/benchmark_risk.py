"""Are the dangers of labelled sessions in the risk ledger, and are its warnings right?"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.risk import RiskFinding, RiskKind, Stance
from noteeval_desktop.judges.builtin.risk.note import related
from noteeval_desktop.measures.agreement import share
from noteeval_desktop.research.labelled import LabelledSession, Note, RiskTurn, case_of

_STANCES = {"other": "other_person"}


class Ledger(Protocol):
    """A judge as far as risk goes."""

    def risks(self, case: Case, cancel: threading.Event) -> Iterator[RiskFinding]: ...


def run_risk(
    sessions: Sequence[LabelledSession],
    judge: Ledger,
    cancel: threading.Event | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> dict[str, Any]:
    """``turns_in_red``: of the turns on danger, those in an entry that is warned of (``by_stance``, ``by_kind``).
    ``dangers_in_red``: of a session's kinds, those with such a turn; ``dangers_named``: with one in an entry of that
    kind; ``present_named``: of the kinds that are there now, those with one in an entry of that kind or a related one
    that says so. ``false_red_per_session``: entries without any such turn. ``stance_right`` and ``kind_right``: of the
    right entries. ``unaddressed_right``: of the entries said to be without an answer in the note, those that are real
    and rest on no true sentence or covered fact. Intervals are over sessions (95 %). Raises JudgeError, Cancelled.
    """
    counted: dict[str, list[tuple[str, float]]] = defaultdict(list)
    stop = cancel or threading.Event()
    for number, session in enumerate(sessions):
        progress(number, len(sessions))
        told = spoken_of(session)
        for place, note in enumerate(session.notes):
            red = [risk for risk in judge.risks(case_of(session, note), stop) if risk.certain]
            if not place:
                _count_session(session.id, told, red, counted)
            for risk in red:
                if not risk.addressed_by:
                    open_ = bool(meant(risk, told)) and not answered(risk, session, note)
                    counted["unaddressed_right"].append((session.id, float(open_)))
    shares = {name: _share(own) for name, own in sorted(counted.items())}
    return {"sessions": len(sessions), **shares}


def _count_session(
    name: str,
    told: dict[int, list[RiskTurn]],
    red: Sequence[RiskFinding],
    counted: dict[str, list[tuple[str, float]]],
) -> None:
    listed = {turn for risk in red for turn in risk.turns}
    for turn, risks in told.items():
        for which in {"turns_in_red", *(f"by_stance {r.stance}" for r in risks), *(f"by_kind {r.kind}" for r in risks)}:
            counted[which].append((name, float(turn in listed)))
    for kind in {one.kind for risks in told.values() for one in risks}:
        turns = {turn for turn, risks in told.items() if any(one.kind == kind for one in risks)}
        counted["dangers_in_red"].append((name, float(bool(turns & listed))))
        counted["dangers_named"].append(
            (name, float(any(risk.kind == kind and turns & set(risk.turns) for risk in red)))
        )
        now = {turn for turn in turns if any((one.kind, one.stance) == (kind, "current") for one in told[turn])}
        if now:
            own = [risk for risk in red if risk.stance is Stance.CURRENT and now & set(risk.turns)]
            near = any(related(RiskKind(kind), (risk.kind,)) or risk.kind == kind for risk in own)
            counted["present_named"].append((name, float(near)))
    counted["false_red_per_session"].append((name, float(sum(not meant(risk, told) for risk in red))))
    for risk in red:
        labelled = meant(risk, told)
        if labelled:
            stances = {_STANCES.get(one.stance, one.stance) for one in labelled}
            counted["stance_right"].append((name, float(risk.stance.value in stances)))
            counted["kind_right"].append((name, float(risk.kind.value in {one.kind for one in labelled})))


def meant(risk: RiskFinding, told: Mapping[int, list[RiskTurn]]) -> list[RiskTurn]:
    """What is labelled at the cited turn, or else at any of the entry's."""
    return told.get(risk.citation.turn) or [one for turn in risk.turns for one in told.get(turn, ())]


def answered(risk: RiskFinding, session: LabelledSession, note: Note) -> bool:
    """By the labels: a true sentence rests on the passage or a turn beside it, or the note covers a fact of it."""
    covered = {turn - 1 for fact in session.facts if fact.id in note.covers for turn in fact.turns}
    return rests(risk, note) or bool(set(risk.turns) & covered)


def rests(risk: RiskFinding, note: Note) -> bool:
    """By the labels: does a true sentence rest on the passage, or on a turn beside it?"""
    near = {turn + by for turn in risk.turns for by in (-1, 0, 1)}
    return any(near & {turn - 1 for turn in one.turns} for one in note.sentences if one.label == "true")


def spoken_of(session: LabelledSession) -> dict[int, list[RiskTurn]]:
    """By the labels: the dangers of each turn, counted from 0, that is about one and does not only sound like it."""
    told: dict[int, list[RiskTurn]] = defaultdict(list)
    for one in session.risk:
        if one.stance != "figurative":
            told[one.turn - 1].append(one)
    return told


def _share(own: Sequence[tuple[str, float]]) -> dict[str, Any]:
    """Over sessions."""
    return share([value for _, value in own], [session for session, _ in own])
