"""The risk ledger and the omissions of a judge over labelled sessions: what is found, what is listed for nothing."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from noteeval_desktop.domain.risk import RiskFinding
from noteeval_desktop.domain.verdicts import Omission
from noteeval_desktop.judges.protocol import Judge
from noteeval_desktop.measures.labelled import LabelledSession, Note, RiskTurn, case_of

TOP = 5
_DRAWS = 20
_FEWEST_WORDS = 3
Shares = dict[str, list[bool]]


def run_risk(
    sessions: Sequence[LabelledSession],
    judge: Judge,
    cancel: threading.Event | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> dict[str, Any]:
    """``shares``: of each measure (share, n). Entries in red are those that the ledger is certain of.

    ``turns_in_red``: labelled turns that an entry in red holds, and by kind and stance; ``lookalikes_in_red``:
    figurative turns in an entry that holds no danger; ``kind_right`` and ``stance_right``: of entries in red,
    against the labels of the turn cited, or of all its turns; ``warned_rightly``: of entries in red that no sentence
    addresses, those that no true sentence rests on and no covered fact tells; ``left_out_warned``: of all such real
    ones, those warned."""
    shares: Shares = defaultdict(list)
    entries: dict[str, list[int]] = defaultdict(list)
    for number, session in enumerate(sessions):
        progress(number, len(sessions))
        labels = _labels(session)
        for place, note in enumerate(session.notes):
            found = list(judge.risks(case_of(session, note), cancel or threading.Event()))
            red = [finding for finding in found if finding.certain]
            if not place:
                _spoken(red, session, labels, shares)
                entries["red_entries"].append(len(red))
                entries["false_red_entries"].append(sum(not _held(one, labels) for one in red))
                entries["possible_entries"].append(len(found) - len(red))
            for finding in red:
                missing = bool(_held(finding, labels)) and not _answered(finding, session, note, labels)
                if not finding.addressed:
                    shares["warned_rightly"].append(missing)
                if missing:
                    shares["left_out_warned"].append(not finding.addressed)
    return {
        "sessions": len(sessions),
        "shares": _shares(shares),
        "per_session": {name: float(np.mean(counts)) for name, counts in entries.items()},
    }


def _labels(session: LabelledSession) -> dict[int, list[RiskTurn]]:
    """By turn from 0, look-alikes aside."""
    found: dict[int, list[RiskTurn]] = defaultdict(list)
    for risk in session.risk:
        if risk.stance != "figurative":
            found[risk.turn - 1].append(risk)
    return dict(found)


def _held(finding: RiskFinding, labels: dict[int, list[RiskTurn]]) -> list[RiskTurn]:
    own = labels.get(finding.citation.turn, [])
    return own or [risk for turn in finding.turns for risk in labels.get(turn, [])]


def _spoken(
    red: Sequence[RiskFinding], session: LabelledSession, labels: dict[int, list[RiskTurn]], shares: Shares
) -> None:
    listed = {turn for finding in red for turn in finding.turns}
    for turn, risks in labels.items():
        names = {"turns_in_red", *(f"turns_in_red_{risk.kind}" for risk in risks)}
        for name in names | {f"turns_in_red_{risk.stance}" for risk in risks}:
            shares[name].append(turn in listed)
    for risk in session.risk:
        if risk.stance == "figurative":
            false = any(risk.turn - 1 in one.turns and not _held(one, labels) for one in red)
            shares["lookalikes_in_red"].append(false)
    for finding in red:
        held = _held(finding, labels)
        if held:
            shares["kind_right"].append(finding.kind in {risk.kind for risk in held})
            stances = {"other_person" if risk.stance == "other" else risk.stance for risk in held}
            shares["stance_right"].append(finding.stance in stances)


def _answered(finding: RiskFinding, session: LabelledSession, note: Note, labels: dict[int, list[RiskTurn]]) -> bool:
    told = {turn - 1 for one in note.sentences if one.label == "true" for turn in one.turns}
    covered = {turn - 1 for fact in session.facts if fact.id in note.covers for turn in fact.turns}
    near = {turn + by for turn in finding.turns for by in (-1, 0, 1)}
    return bool(near & told or {turn for turn in finding.turns if turn in labels} & covered)


def run_labelled_omissions(
    sessions: Sequence[LabelledSession],
    judge: Judge,
    cancel: threading.Event | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> dict[str, Any]:
    """``shares``: of each measure (share, n).

    ``found``: facts that a note does not cover of which one of the first five entries cites a turn, and by the fact's
    kind; ``chance``: how often as many turns drawn at random would; ``entries_right``: entries among the first five
    that cite such a fact; ``kind_right``: of these, those of its kind.
    """
    cancel = cancel or threading.Event()
    shares: Shares = defaultdict(list)
    chance: list[float] = []
    for number, session in enumerate(sessions):
        progress(number, len(sessions))
        spoken = [turn.number - 1 for turn in session.turns if len(turn.text.split()) >= _FEWEST_WORDS]
        for note in session.notes:
            case = case_of(session, note)
            listed = list(judge.omit(case, list(judge.support(case, cancel)), cancel))[:TOP]
            missing = [(f.kind, {turn - 1 for turn in f.turns}) for f in session.facts if f.id not in note.covers]
            cited = {citation.turn for omission in listed for citation in omission.citations}
            for kind, turns in missing:
                shares["found"].append(bool(turns & cited))
                shares[f"found_{kind}"].append(bool(turns & cited))
                chance.append(_drawn(turns, spoken, len(cited)))
            _entries(listed, missing, shares)
    return {
        "sessions": len(sessions),
        "shares": {**_shares(shares), "chance": (float(np.mean(chance)) if chance else None, len(chance))},
    }


def _entries(listed: Sequence[Omission], missing: Sequence[tuple[str, set[int]]], shares: Shares) -> None:
    for omission in listed:
        kinds = {kind for kind, turns in missing if turns & {citation.turn for citation in omission.citations}}
        shares["entries_right"].append(bool(kinds))
        if kinds:
            shares["kind_right"].append(omission.kind in kinds)


def _drawn(turns: set[int], spoken: Sequence[int], count: int) -> float:
    generator = np.random.default_rng(7)
    return float(np.mean([bool(turns & set(generator.permutation(spoken)[:count].tolist())) for _ in range(_DRAWS)]))


def _shares(shares: Shares) -> dict[str, tuple[float | None, int]]:
    return {name: (float(np.mean(own)), len(own)) for name, own in sorted(shares.items())}
