"""Are the dangers of labelled sessions in the risk ledger, and are its warnings right? And are those of short exchanges
heard, each amid small talk, and ticked by the sentence that names them alone?"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from noteeval_desktop.documents import parse_note
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.risk import RiskFinding, RiskKind, Stance
from noteeval_desktop.domain.transcript import Role, Transcript, Turn
from noteeval_desktop.judges.builtin.risk.note import related
from noteeval_desktop.measures.agreement import share
from noteeval_desktop.report.terminal import shares_row, table
from noteeval_desktop.research.labelled import LabelledSession, Note, RiskTurn, case_of

# Of sessions and of exchanges, where they are not the ledger's own.
_STANCES = {"other": "other_person", "now": "current"}
_Counted = dict[str, list[tuple[str, float]]]


class Ledger(Protocol):
    """A judge as far as risk goes."""

    def risks(self, case: Case, cancel: threading.Event) -> Iterator[RiskFinding]: ...


def run_risk(sessions: Sequence[LabelledSession], judge: Ledger, cancel: threading.Event) -> dict[str, Any]:
    """``turns_in_red``: of the turns on danger, those in an entry that is warned of (``by_stance``, ``by_kind``).
    ``dangers_in_red``: of a session's kinds, those with such a turn; ``dangers_named``: with one in an entry of that
    kind; ``present_named``: of the kinds that are there now, those with one in an entry of that kind or a related one
    that says so. ``false_red_per_session``: entries without any such turn. ``stance_right`` and ``kind_right``: of the
    right entries. ``unaddressed_right``: of the entries said to be without an answer in the note, those that are real
    and rest on no true sentence or covered fact. Intervals are over sessions (95 %). Raises JudgeError, Cancelled.
    """
    counted: _Counted = defaultdict(list)
    for session in sessions:
        told = spoken_of(session)
        for place, note in enumerate(session.notes):
            red = [risk for risk in judge.risks(case_of(session, note), cancel) if risk.certain]
            if not place:
                _count_session(session.id, told, red, counted)
            for risk in red:
                if not risk.addressed_by:
                    open_ = bool(meant(risk, told)) and not answered(risk, session, note)
                    counted["unaddressed_right"].append((session.id, open_))
    return {"sessions": len(sessions), **{name: share(own) for name, own in sorted(counted.items())}}


def risk_text(result: dict[str, Any]) -> str:
    """Of either benchmark."""
    rows = [[tr("Risk ledger"), tr("Of"), tr("Share or mean"), tr("95 % interval")]]
    shares = {name: own for name, own in result.items() if isinstance(own, dict)}
    return table(rows + [[name.replace("_", " "), *shares_row(own)] for name, own in shares.items()])


def _count_session(name: str, told: dict[int, list[RiskTurn]], red: Sequence[RiskFinding], counted: _Counted) -> None:
    listed = {turn for risk in red for turn in risk.turns}
    for turn, risks in told.items():
        for which in {"turns_in_red", *(f"by_stance {r.stance}" for r in risks), *(f"by_kind {r.kind}" for r in risks)}:
            counted[which].append((name, turn in listed))
    for kind in {one.kind for risks in told.values() for one in risks}:
        turns = {turn for turn, risks in told.items() if any(one.kind == kind for one in risks)}
        counted["dangers_in_red"].append((name, bool(turns & listed)))
        counted["dangers_named"].append((name, any(risk.kind == kind and turns & set(risk.turns) for risk in red)))
        now = {turn for turn in turns if any((one.kind, one.stance) == (kind, "current") for one in told[turn])}
        if now:
            own = [risk for risk in red if risk.stance is Stance.CURRENT and now & set(risk.turns)]
            near = any(related(RiskKind(kind), (risk.kind,)) or risk.kind == kind for risk in own)
            counted["present_named"].append((name, near))
    counted["false_red_per_session"].append((name, sum(not meant(risk, told) for risk in red)))
    for risk in red:
        labelled = meant(risk, told)
        if labelled:
            stances = {_STANCES.get(one.stance, one.stance) for one in labelled}
            counted["stance_right"].append((name, risk.stance.value in stances))
            counted["kind_right"].append((name, risk.kind.value in {one.kind for one in labelled}))


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


_ROLES = {"T": Role.THERAPIST, "C": Role.CLIENT, "C2": Role.OTHER}
_BEFORE = (
    (
        ("T", "Come in, have a seat. Did you find the parking all right?"),
        ("C", "Yes, there was one spot left by the bakery."),
        ("T", "Good. So, where would you like to begin today?"),
        ("C", "It was a week like the others, mostly work and the washing."),
    ),
    (
        ("T", "Can you hear me well?"),
        ("C", "Now I can. The first time there was no sound."),
        ("T", "Fine. How has the weather been up there?"),
        ("C", "Rain, and then more rain. The garden likes it."),
    ),
)
_AFTER = (
    (
        ("T", "Let's look at the calendar before we stop."),
        ("C", "Tuesday is better for me, after lunch."),
        ("T", "Tuesday at two, then."),
        ("C", "That works. I'll bring the form for the insurance."),
    ),
    (
        ("T", "We have a few minutes left. How did the painting class go?"),
        ("C", "I did a bowl of pears. The teacher was kind about it."),
        ("T", "I'd like to see it one day."),
        ("C", "I'll take a picture and bring it next time."),
    ),
)
BEFORE = len(_BEFORE[0])
_NEITHER = "Client talked about the week and the calendar."


@dataclass(frozen=True)
class Exchange:
    """As its author wrote it (models/training/exchanges/GUIDE.md). ``turns`` are (speaker, text), the speaker T, C or
    C2. ``kind`` is the danger that it tells of, or that a look-alike only sounds like; ``says`` is the turn that does,
    ``needs`` the one it is not understood without. ``names`` and ``near`` are the note's two sentences, empty for a
    look-alike."""

    author: str
    number: int
    turns: tuple[tuple[str, str], ...]
    kind: str
    look_alike: bool
    meaning: str
    form: str
    says: int
    needs: int | None
    names: str
    near: str


def amid_small_talk(exchange: Exchange) -> Transcript:
    """The exchange's first turn is the transcript's turn ``BEFORE``."""
    which = exchange.number % len(_BEFORE)
    turns = (*_BEFORE[which], *exchange.turns, *_AFTER[which])
    return Transcript(tuple(Turn(place, who, _ROLES[who], text) for place, (who, text) in enumerate(turns)))


def run_risk_exchanges(exchanges: Sequence[Exchange], judge: Ledger, cancel: threading.Event) -> dict[str, Any]:
    """Shares over exchanges, their intervals over authors (95 %).

    A danger is listed where an entry holds the turn that says it or the one that this needs, and warned of where such
    an entry is. ``meaning right`` and ``kind right``: of those listed, an entry there says so. A look-alike is listed
    by any entry in its turns; ``small talk listed`` are exchanges with an entry around them. ``ticked by …``: no entry
    there is open, or one of that kind is ticked; a ``~:`` sentence names no danger of the exchange, an ``N:`` one does.
    Raises JudgeError, Cancelled.
    """
    counted: _Counted = defaultdict(list)
    for one in exchanges:
        spoken = amid_small_talk(one)

        def ledger(note: str, spoken: Transcript = spoken) -> list[RiskFinding]:
            return list(judge.risks(Case(spoken, parse_note(note)), cancel))

        found = ledger(one.near or _NEITHER)
        own = set(range(BEFORE, BEFORE + len(one.turns)))
        counted["small talk listed"].append((one.author, any(not own & set(risk.turns) for risk in found)))
        if one.look_alike:
            within = [risk for risk in found if own & set(risk.turns)]
            for what, is_so in (("warned of", any(r.certain for r in within)), ("listed", bool(within))):
                counted[f"look-alikes {what}"].append((one.author, is_so))
        else:
            _count_danger(one, found, ledger(one.names), counted)
    order = sorted(counted, key=lambda name: (_ROWS.index(name) if name in _ROWS else len(_ROWS), name))
    return {"exchanges": len(exchanges), **{name: share(counted[name]) for name in order}}


_ROWS = [
    "present plain listed", "present plain warned of", "present oblique listed", "present oblique warned of",
    "present behind listed", "present behind warned of", "past listed", "denied warned of", "meaning right",
    "kind right", "look-alikes warned of", "look-alikes listed", "small talk listed", "ticked by ~:",
    "present, ticked by N:",
]  # fmt: skip


def _count_danger(one: Exchange, found: Sequence[RiskFinding], named: Sequence[RiskFinding], counted: _Counted) -> None:
    places = {BEFORE + place for place in (one.says, one.needs) if place is not None}
    there = [risk for risk in found if places & set(risk.turns)]

    def count(name: str, is_so: bool) -> None:
        counted[name].append((one.author, is_so))

    what = f"present {one.form}" if one.meaning == "now" else one.meaning
    count(f"{what} listed", bool(there))
    count(f"{what} warned of", any(risk.certain for risk in there))
    if (one.meaning, one.form) == ("now", "plain"):
        count(f"plain {one.kind} warned of", any(risk.certain for risk in there))
    if there:
        count("meaning right", _STANCES.get(one.meaning, one.meaning) in {risk.stance.value for risk in there})
        count("kind right", one.kind in {risk.kind.value for risk in there})
    count("ticked by ~:", _ticked(there, one.kind))
    if one.meaning == "now":
        answered = [risk for risk in named if places & set(risk.turns)]
        if answered:
            count("present, ticked by N:", _ticked(answered, one.kind))


def _ticked(risks: Sequence[RiskFinding], kind: str) -> bool:
    own = [risk.addressed for risk in risks if risk.kind == kind]
    return any(own) or (bool(risks) and all(risk.addressed for risk in risks))
