"""Numbers, amounts and dates of a claim beside those that were said where the claim is spoken of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from noteeval_desktop.domain.text import Span
from noteeval_desktop.judges.builtin.session_index import Passage, SessionIndex
from noteeval_desktop.judges.builtin.text.quantities import (
    ORDINAL,
    PERIODS,
    SCALE,
    Quantity,
    alike,
    periods_in,
    rates_in,
)
from noteeval_desktop.judges.builtin.text.words import Word

_BESIDE = 0.2
_ELSEWHERE = 0.5
_ASKS_A_NUMBER = re.compile(
    r"\b(?:how (?:many|much|often|long|old)|what (?:number|about|age)|your age)\b", re.IGNORECASE
)
_ASKS_AN_AGE = re.compile(r"\b(?:how old|what age|your age)\b", re.IGNORECASE)
_ONE = frozenset({"a", "an", "one", "single", "only", "another"})
_DATES = frozenset({ORDINAL, "st", "nd", "rd"})
_TIMES = frozenset(PERIODS.values())
_NEARLY = 3
_RANKED = 10
# Characters on either side of an amount that tell what it counts.
_AROUND = 40
Floats = NDArray[np.float32]


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
        passage, said = _another(quantity, quantities, near, session) if level < 1.0 else (None, None)
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


def _another(
    quantity: Quantity, claimed: Sequence[Quantity], near: Sequence[int], session: SessionIndex
) -> tuple[int | None, Span | None]:
    """The closest different amount of the same thing, if one was said that the claim does not tell as well."""
    for index in near:
        for other in session.passages[index].quantities:
            told = any(alike(one, other) for one in claimed)
            if other.value is not None and not told and other.unit and other.unit == quantity.unit:
                return index, other.span
    return None, None


def distances(
    quantities: Sequence[Quantity], words: Sequence[Word], scores: Floats, near: Sequence[int], session: SessionIndex
) -> dict[str, float]:
    """How far behind what comes nearest to the claim the passages lie that give its amounts; ``scores`` (passages,)."""
    amounts = [quantity for quantity in quantities if quantity.value is not None]
    counting = [index for index, passage in enumerate(session.passages) if passage.quantities] if amounts else []
    ranked = sorted(counting, key=lambda index: -float(scores[index]))[:_RANKED]
    close = {one.value for index in near for one in session.passages[index].quantities}
    first = {one.value for index in near[:_NEARLY] for one in session.passages[index].quantities}
    gaps, ranks, shared = [], [], []
    for quantity in amounts:
        own = [i for i in counting if any(one.value == quantity.value for one in session.passages[i].quantities)]
        held = set(own)
        gaps.append(_best(scores, counting) - _best(scores, own))
        ranks.append(next((rank for rank, index in enumerate(ranked) if index in held), _RANKED))
        beside = _beside(quantity, words)
        others = [index for index in counting if index not in held]
        shared.append(_overlap(beside, own, session) - _overlap(beside, others, session))
    timed = [one for one in amounts if one.unit.removeprefix("per ") in _TIMES]
    return {
        "amount_gap": max(gaps, default=0.0),
        "amount_rank": float(max(ranks, default=0)),
        "amount_shared": min(shared, default=0.0),
        "amount_nearly": float(sum(_nearly(one.value, close) for one in amounts)),
        "amount_first": float(sum(one.value in first for one in amounts)),
        "amount_other_first": float(sum(one.value not in first and bool(first) for one in amounts)),
        "timed": float(len(timed)),
        "timed_near": float(sum(_said(one, near, session) for one in timed)),
        "timed_missing": float(sum(not _said(one, range(len(session.passages)), session) for one in timed)),
    } | _periods(words, scores, near, session)


def _periods(words: Sequence[Word], scores: Floats, near: Sequence[int], session: SessionIndex) -> dict[str, float]:
    before = ("", *(word.folded for word in words))
    # "This week" is said of a Tuesday as well.
    named = [
        PERIODS[word.folded]
        for word, last in zip(words, before, strict=False)
        if word.folded in PERIODS and last != "this"
    ]
    spoken = [periods_in(passage.words) if named else frozenset() for passage in session.passages]
    close = frozenset[str]().union(*(spoken[index] for index in near))
    anywhere = frozenset[str]().union(*spoken)
    best = _best(scores, range(len(spoken)))
    gaps = [best - _best(scores, [i for i, said in enumerate(spoken) if period in said]) for period in named]
    return {
        "periods": float(len(named)),
        "period_missing": float(sum(period not in anywhere for period in named)),
        "period_far": float(sum(period not in close for period in named)),
        "period_gap": max(gaps, default=0.0),
    }


def _best(scores: Floats, places: Sequence[int]) -> float:
    return float(scores[list(places)].max()) if len(places) else 0.0


def _nearly(value: float | None, said: set[float | None]) -> bool:
    others = [other for other in said if other is not None]
    return value is not None and value not in said and any(abs(other - value) <= _NEARLY for other in others)


def _said(quantity: Quantity, places: Sequence[int], session: SessionIndex) -> bool:
    return any(
        (one.value, one.unit) == (quantity.value, quantity.unit)
        for index in places
        for one in session.passages[index].quantities
    )


def _beside(quantity: Quantity, words: Sequence[Word]) -> frozenset[str]:
    low, high = quantity.span.start - _AROUND, quantity.span.end + _AROUND
    return frozenset(word.stem for word in words if word.content and low < word.span.start and word.span.end < high)


def _overlap(stems: frozenset[str], places: Sequence[int], session: SessionIndex) -> float:
    shares = [len(stems & session.passages[index].stems) / (1 + len(stems)) for index in places]
    return max(shares, default=-0.2)
