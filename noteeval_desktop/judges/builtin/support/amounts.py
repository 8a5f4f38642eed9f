"""Numbers, amounts and dates of a claim beside those that were said where the claim is spoken of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from noteeval_desktop.domain.text import Span
from noteeval_desktop.judges.builtin.amount_phrases import ORDINAL
from noteeval_desktop.judges.builtin.quantities import PERIODS, SCALE, Quantity, alike, rates_in
from noteeval_desktop.judges.builtin.session_index import Passage, SessionIndex

_BESIDE = 0.2
_ELSEWHERE = 0.5
_ASKS_A_NUMBER = re.compile(
    r"\b(?:how (?:many|much|often|long|old)|what (?:number|about|age)|your age)\b", re.IGNORECASE
)
_ASKS_AN_AGE = re.compile(r"\b(?:how old|what age|your age)\b", re.IGNORECASE)
_ONE = frozenset({"a", "an", "one", "single", "only", "another"})
_DATES = frozenset({ORDINAL, "st", "nd", "rd"})


@dataclass(frozen=True, slots=True)
class Amount:
    """A quantity of a claim beside the session. ``level``: 1 said close by of the same thing, less where it counts
    something else there, at most 0.5 where it is said elsewhere only, 0 nowhere. ``passage`` and ``said`` are where
    another amount of the same thing was said close by, None where none was."""

    noted: Quantity
    level: float
    passage: int | None = None
    said: Span | None = None

    @property
    def differs(self) -> bool:
        return self.level < 1.0 and self.passage is not None


def compared(quantities: Sequence[Quantity], near: Sequence[int], session: SessionIndex) -> list[Amount]:
    """Each quantity of a claim beside the passages that come ``near`` to it, nearest first."""
    found = []
    for quantity in quantities:
        level = _level(quantity, quantities, near, session)
        passage, said = _another(quantity, near, session) if level < 1.0 else (None, None)
        found.append(Amount(quantity, level, passage, said))
    return found


def features(amounts: Sequence[Amount]) -> dict[str, float]:
    levels = [amount.level for amount in amounts]
    return {
        "amounts": float(len(levels)),
        "amount_worst": min(levels, default=1.0),
        "amount_mean": sum(levels) / len(levels) if levels else 1.0,
        "amount_absent": float(sum(level == 0.0 for level in levels)),
        "amount_elsewhere": float(sum(0.0 < level <= _ELSEWHERE for level in levels)),
        "amount_differs": float(sum(amount.differs for amount in amounts)),
    }


def _level(quantity: Quantity, claimed: Sequence[Quantity], near: Sequence[int], session: SessionIndex) -> float:
    if quantity.value is None:
        if any(quantity.unit in rates_in(session.passages[index].words) for index in near):
            return 1.0
        everywhere = any(quantity.unit in rates_in(passage.words) for passage in session.passages)
        return _ELSEWHERE if everywhere else 0.0
    for level, places in ((1.0, near), (_ELSEWHERE, range(len(session.passages)))):
        same = [level - off for index in places for off in _off(quantity, claimed, index, session)]
        if same:
            return max(same)
    return 0.0


def _off(quantity: Quantity, claimed: Sequence[Quantity], index: int, session: SessionIndex) -> list[float]:
    """Of every place in the passage that gives this amount, how little it seems to be of the same thing."""
    passage = session.passages[index]
    if quantity.value == 1.0 and _says_one(quantity, passage):
        return [0.0]
    return [
        _unlikeness(quantity, other, claimed, index, session) for other in passage.quantities if alike(quantity, other)
    ]


def _says_one(quantity: Quantity, passage: Passage) -> bool:
    """ "A glass of wine on a Sunday" is one glass; "the first" is the 1st."""
    folded = [word.folded for word in passage.words]
    if quantity.unit == "st":
        return "first" in folded
    return bool(quantity.unit) and any(
        before in _ONE and word.stem == quantity.unit for before, word in zip(folded, passage.words[1:], strict=False)
    )


def _unlikeness(
    quantity: Quantity, other: Quantity, claimed: Sequence[Quantity], index: int, session: SessionIndex
) -> float:
    """0: ``other``, of the passage at ``index``, counts what ``quantity`` does; 0.25: something else.

    An answer counts what the question asked for ("How many drinks a week?" "Seven."). Another bare number may count
    the same, less probably if one beside it does: "Eleven today, sixteen four weeks ago" hardly bears out "16 today".
    Where the claim tells of that one too, each has its own: "from four to six hours" and "Six hours. It was four."
    """
    if quantity.unit == other.unit and quantity.unit:
        return 0.0
    if quantity.unit and other.unit and SCALE not in (quantity.unit, other.unit):
        dates = ORDINAL in (quantity.unit, other.unit) and {quantity.unit, other.unit} <= _DATES
        return 0.0 if quantity.value != other.value or dates else 0.25
    if quantity.unit in _asked_for(index, session):
        return 0.0
    beside = any(
        one.unit == quantity.unit and not any(alike(one, own) for own in claimed)
        for one in session.passages[index].quantities
        if one is not other
    )
    return _BESIDE if quantity.unit not in ("", SCALE) and beside else 0.1


def _asked_for(index: int, session: SessionIndex) -> frozenset[str]:
    """What the question before a passage asked the number of, as units."""
    asked = session.passages[index - 1] if index else None
    if asked is None or asked.role is session.passages[index].role or not _ASKS_A_NUMBER.search(asked.text):
        return frozenset()
    rates = rates_in(asked.words)
    age = {PERIODS["year"]} if _ASKS_AN_AGE.search(asked.text) else set()
    return asked.stems | rates | age | {f"per {rate}" for rate in rates}


def _another(quantity: Quantity, near: Sequence[int], session: SessionIndex) -> tuple[int | None, Span | None]:
    """The closest different amount of the same thing, if one was said."""
    for index in near:
        for other in session.passages[index].quantities:
            if other.value is not None and not alike(quantity, other) and other.unit and other.unit == quantity.unit:
                return index, other.span
    return None, None
