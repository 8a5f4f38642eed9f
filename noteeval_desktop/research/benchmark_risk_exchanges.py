"""Are the dangers of short exchanges heard, each amid small talk, and ticked by the sentence that names them alone?"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from noteeval_desktop.documents import parse_note
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.risk import RiskFinding
from noteeval_desktop.domain.transcript import Role, Transcript, Turn
from noteeval_desktop.measures.agreement import share
from noteeval_desktop.research.benchmark_risk import Ledger

_ROLES = {"T": Role.THERAPIST, "C": Role.CLIENT, "C2": Role.OTHER}
_STANCES = {"now": "current"}
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


class Exchange(Protocol):
    """As ``models/training/exchanges/reading.py`` has it."""

    @property
    def author(self) -> str: ...
    @property
    def number(self) -> int: ...
    @property
    def turns(self) -> tuple[tuple[str, str], ...]: ...
    @property
    def kind(self) -> str: ...
    @property
    def look_alike(self) -> bool: ...
    @property
    def meaning(self) -> str: ...
    @property
    def form(self) -> str: ...
    @property
    def says(self) -> int: ...
    @property
    def needs(self) -> int | None: ...
    @property
    def names(self) -> str: ...
    @property
    def near(self) -> str: ...


def amid_small_talk(exchange: Exchange) -> Transcript:
    """The exchange's first turn is the transcript's turn ``BEFORE``."""
    which = exchange.number % len(_BEFORE)
    turns = (*_BEFORE[which], *exchange.turns, *_AFTER[which])
    return Transcript(tuple(Turn(place, who, _ROLES[who], text) for place, (who, text) in enumerate(turns)))


def run_risk_exchanges(
    exchanges: Sequence[Exchange],
    judge: Ledger,
    cancel: threading.Event | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> dict[str, Any]:
    """Shares over exchanges, their intervals over authors (95 %).

    A danger is listed where an entry holds the turn that says it or the one that this needs, and warned of where such
    an entry is. ``meaning right`` and ``kind right``: of those listed, an entry there says so. A look-alike is listed
    by any entry in its turns; ``small talk listed`` are exchanges with an entry around them. ``ticked by …``: no entry
    there is open, or one of that kind is ticked; a ``~:`` sentence names no danger of the exchange, an ``N:`` one does.
    Raises JudgeError, Cancelled.
    """
    counted: dict[str, list[tuple[str, float]]] = defaultdict(list)
    stop = cancel or threading.Event()
    for number, one in enumerate(exchanges):
        progress(number, len(exchanges))
        spoken = amid_small_talk(one)

        def ledger(note: str, spoken: Transcript = spoken) -> list[RiskFinding]:
            return list(judge.risks(Case(spoken, parse_note(note)), stop))

        found = ledger(one.near or _NEITHER)
        own = set(range(BEFORE, BEFORE + len(one.turns)))
        counted["small talk listed"].append((one.author, float(any(not own & set(risk.turns) for risk in found))))
        if one.look_alike:
            within = [risk for risk in found if own & set(risk.turns)]
            for what, is_so in (("warned of", any(r.certain for r in within)), ("listed", bool(within))):
                counted[f"look-alikes {what}"].append((one.author, float(is_so)))
        else:
            _count_danger(one, found, ledger(one.names), counted)
    order = sorted(counted, key=lambda name: (_ROWS.index(name) if name in _ROWS else len(_ROWS), name))
    return {
        "exchanges": len(exchanges),
        **{
            name: share([value for _, value in counted[name]], [author for author, _ in counted[name]])
            for name in order
        },
    }


_ROWS = [
    "present plain listed", "present plain warned of", "present oblique listed", "present oblique warned of",
    "present behind listed", "present behind warned of", "past listed", "denied warned of", "meaning right",
    "kind right", "look-alikes warned of", "look-alikes listed", "small talk listed", "ticked by ~:",
    "present, ticked by N:",
]  # fmt: skip


def _count_danger(
    one: Exchange,
    found: Sequence[RiskFinding],
    named: Sequence[RiskFinding],
    counted: dict[str, list[tuple[str, float]]],
) -> None:
    places = {BEFORE + place for place in (one.says, one.needs) if place is not None}
    there = [risk for risk in found if places & set(risk.turns)]

    def count(name: str, is_so: bool) -> None:
        counted[name].append((one.author, float(is_so)))

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
