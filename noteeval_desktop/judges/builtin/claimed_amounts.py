"""Where the session says a claim's amounts and spans of time: how near, of what, and beside which others."""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np

from noteeval_desktop.judges.builtin.alignment import RECALL_WEIGHT, Alignment, Claim
from noteeval_desktop.judges.builtin.claimed_persons import best_of
from noteeval_desktop.judges.builtin.quantities import PERIODS, Quantity, named_value, periods_in
from noteeval_desktop.judges.builtin.session_index import SessionIndex
from noteeval_desktop.judges.builtin.words import ClaimLexicon

# The second half may begin the next pair: "five days, 3 to 5".
_RANGE = re.compile(r"\b(\w+)\s*(?:-|–|, (?:maybe )?|,? ?\bto\b|,? ?\bor\b)\s*(?=(\w+)\b)", re.IGNORECASE)
_CLOSE = 3
_RANKED = 10
# Characters on either side of an amount that tell what it counts.
_AROUND = 40


def claimed_amounts(
    claim: Claim, alignment: Alignment, session: SessionIndex, lexicon: ClaimLexicon
) -> dict[str, float]:
    """Counts, and gaps in similarity or in shared words between passages with the claim's amount and the others'."""
    return (
        _spans_of_time(claim, alignment, session) | _ranges(claim.text, session) | _amounts(claim, alignment, session)
    )


def _spans_of_time(claim: Claim, alignment: Alignment, session: SessionIndex) -> dict[str, float]:
    before = ("", *(word.folded for word in claim.words))
    # "This week" is said of a Tuesday as well.
    named = [
        PERIODS[word.folded]
        for word, last in zip(claim.words, before, strict=False)
        if word.folded in PERIODS and last != "this"
    ]
    score = np.maximum(alignment.similarity, 0.9 * alignment.window)
    spoken = [periods_in(passage.words) if named else frozenset() for passage in session.passages]
    near = frozenset[str]().union(*(spoken[index] for index in alignment.nearby))
    anywhere = frozenset[str]().union(*spoken)
    best = best_of(score)
    gaps = [best - best_of(score, [i for i, said in enumerate(spoken) if period in said]) for period in named]
    return {
        "periods": float(len(named)),
        "period_missing": float(sum(period not in anywhere for period in named)),
        "period_far": float(sum(period not in near for period in named)),
        "period_gap": max(gaps, default=0.0),
    }


def _ranges(text: str, session: SessionIndex) -> dict[str, float]:
    own = _ranges_in(text)
    said = {pair for passage in session.passages for pair in _ranges_in(passage.text)} if own else set()
    broken = [pair for pair in own if pair not in said and any(_half(pair, other) for other in said)]
    return {
        "ranges": float(len(own)),
        "range_down": float(sum(low >= high for low, high in own)),
        "range_said": float(sum(pair in said for pair in own)),
        "range_half_said": float(len(broken)),
    }


def _ranges_in(text: str) -> list[tuple[float, float]]:
    pairs = [(named_value(match[1]), named_value(match[2])) for match in _RANGE.finditer(text)]
    return [(low, high) for low, high in pairs if low is not None and high is not None]


def _half(one: tuple[float, float], other: tuple[float, float]) -> bool:
    return (one[0] == other[0]) != (one[1] == other[1])


def _amounts(claim: Claim, alignment: Alignment, session: SessionIndex) -> dict[str, float]:
    amounts = [quantity for quantity in claim.quantities if quantity.value is not None]
    timed = [quantity for quantity in amounts if quantity.unit.removeprefix("per ") in set(PERIODS.values())]
    everywhere = _said(range(len(session.passages)), session) if timed else set()
    near, nearest = _said(alignment.nearby, session), _said(alignment.nearest[:_CLOSE], session)
    values, first = {value for value, _ in near}, {value for value, _ in nearest}
    return {
        "timed": float(len(timed)),
        "timed_near": float(sum((quantity.value, quantity.unit) in near for quantity in timed)),
        "timed_missing": float(sum((quantity.value, quantity.unit) not in everywhere for quantity in timed)),
        "near_amounts": float(len(values)),
        "near_miss": float(sum(_nearly(quantity, values) for quantity in amounts)),
        "first_amount": float(sum(quantity.value in first for quantity in amounts)),
        "first_other": float(sum(quantity.value not in first and bool(first) for quantity in amounts)),
    } | _distances(amounts, claim, alignment, session)


def _nearly(quantity: Quantity, values: set[float]) -> bool:
    return quantity.value not in values and any(abs(value - (quantity.value or 0.0)) <= _CLOSE for value in values)


def _said(passages: Iterable[int], session: SessionIndex) -> set[tuple[float, str]]:
    return {
        (quantity.value, quantity.unit)
        for index in passages
        for quantity in session.passages[index].quantities
        if quantity.value is not None
    }


def _distances(amounts: list[Quantity], claim: Claim, alignment: Alignment, session: SessionIndex) -> dict[str, float]:
    """How far behind the passages with any amount those with the claim's own lie."""
    score = np.maximum(alignment.similarity, 0.9 * alignment.window)
    counting = [index for index, passage in enumerate(session.passages) if passage.quantities] if amounts else []
    ranked = sorted(counting, key=lambda i: -float(score[i] + RECALL_WEIGHT * alignment.recall[i]))[:_RANKED]
    gaps, ranks, shared = [], [], []
    for quantity in amounts:
        own = [i for i in counting if any(other.value == quantity.value for other in session.passages[i].quantities)]
        held = set(own)
        others = [i for i in counting if i not in held]
        gaps.append(best_of(score, counting) - best_of(score, own))
        ranks.append(next((float(rank) for rank, index in enumerate(ranked) if index in held), float(_RANKED)))
        around = _around(quantity, claim)
        shared.append(_overlap(around, own, session) - _overlap(around, others, session))
    return {
        "amount_gap": max(gaps, default=0.0),
        "amount_rank": max(ranks, default=0.0),
        "amount_rank_mean": sum(ranks) / len(ranks) if ranks else 0.0,
        "amount_shared": min(shared, default=0.0),
    }


def _around(quantity: Quantity, claim: Claim) -> frozenset[str]:
    low, high = quantity.span.start - _AROUND, quantity.span.end + _AROUND
    return frozenset(w.stem for w in claim.words if w.content and low < w.span.start and w.span.end < high)


def _overlap(stems: frozenset[str], passages: list[int], session: SessionIndex) -> float:
    best = [len(stems & session.passages[index].stems) / (1 + len(stems)) for index in passages]
    return max(best, default=-0.2)
