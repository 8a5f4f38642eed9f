"""A claim that puts something else where the session, speaking of the same, says what it was.

A weekday, a span of time, an amount, a medication, a place: the session names another of the kind where it speaks of
what the claim tells, and nowhere the claim's own of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations, pairwise

import numpy as np
from numpy.typing import NDArray

from noteeval_desktop.domain.text import Span
from noteeval_desktop.judges.builtin.amount_phrases import CLOCK, ORDINAL
from noteeval_desktop.judges.builtin.features_claim import ClaimVectors, Reading
from noteeval_desktop.judges.builtin.findings import Finding
from noteeval_desktop.judges.builtin.misplaced_anchor import Anchor, anchor
from noteeval_desktop.judges.builtin.misplaced_doers import gender_of
from noteeval_desktop.judges.builtin.misplaced_names import CALLED_BY_NAME
from noteeval_desktop.judges.builtin.misplaced_persons import wrong_doers
from noteeval_desktop.judges.builtin.misplaced_values import Value, follows_from_others, values_in
from noteeval_desktop.judges.builtin.session_index import SessionIndex
from noteeval_desktop.judges.builtin.spoken_numbers import said_as
from noteeval_desktop.judges.builtin.words import ClaimLexicon

Floats = NDArray[np.float32]
# What is true of people at large says nothing of the client's own numbers.
AT_LARGE = re.compile(
    r"\b(?:guidelines?|recommend(?:s|ed|ations?)?|most (?:people|men|women)|(?:men|women|people|adults) "
    r"(?:can|should|who|have|are)|low[- ]risk|studies|research)\b",
    re.IGNORECASE,
)
_A_SCALE = re.compile(r"\bscale\b.{0,40}\b(?:10|ten|100|hundred|five)\b|\b(?:0|zero|1|one) (?:to|through) (?:10|ten)\b")
SCHEDULES = re.compile(
    r"\b(?:rtc|f/?u|follow[- ]?up|next (?:session|appointment|visit|meeting|contact)|"
    r"return(?:s|ing)? (?:to clinic|in|on)|"
    r"meet again|re-?schedul\w+|scheduled)\b",
    re.IGNORECASE,
)
_MEETING = re.compile(
    r"\b(?:see (?:you|each other)|meet|next (?:session|time|appointment|visit|week|(?:mon|tues|wednes|thurs|fri)day)|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day,? (?:at|the)|(?:weeks?|months?) from (?:today|now)|same time|"
    r"come (?:back|in)|appointment|call|schedule|works? for (?:me|you)|"
    r"in (?:an?|one|two|three|four|six) (?:weeks?|fortnight|months?))\b",
    re.IGNORECASE,
)
_PERIOD = re.compile(r"[- ](?:minute|min|hour|hr|day|week|wk|month|mo|year|yr)s?\b", re.IGNORECASE)
# A sentence of a hundred numbers is a table, which would take minutes.
_MOST = 20
_NEAREST = 0.1
# "Seven weeks" in a session that says "seven months", and nowhere "seven weeks", need be of nothing else.
_TWIN = 0.3
# What a clinician aims at, the session need not have said.
_AIMS = re.compile(
    r"\b(?:goals?|aims?|objectives?|target|will (?:reduce|limit|increase|cut|decrease))\b", re.IGNORECASE
)
_HUNDRED = 100
DOSES = frozenset({"mg", "mcg", "milligram"})
_PLANNABLE = frozenset({"weekday", "month", "span", CLOCK, ORDINAL})
_COUNTED = frozenset({"amount", "rate", "span"})
# "You filled out the questionnaire?" "Here." "Let me add this up. So, thirteen.": how many passages on a score comes.
_SOON = 3
# How many passages back "she" may have been named.
_BACK = 3
_SHE = re.compile(r"\bshe\b", re.IGNORECASE)
_HE = re.compile(r"\bhe\b", re.IGNORECASE)
_EITHER = re.compile(r"\bs?he\b", re.IGNORECASE)
_ONE = re.compile(r"\b(?:one|once|single|an?)\b", re.IGNORECASE)
_COUNTED_ON = re.compile(r"\b(?:day|week) (?:after|before)\b|\bnext day\b|\blater\b", re.IGNORECASE)
_ANSWERED = 0.9
_LATE = 0.6
_PLANNED = 0.6
# "Still fifty milligrams?" "Yes. Well, no, they put it up to a hundred."
_PUTS_RIGHT = re.compile(r"(?:\w+[.,]? ){0,3}(?:no|nope|not|actually)\b", re.IGNORECASE)
_PROPOSES = re.compile(
    r"\b(?:can (?:it|we)|could (?:it|we|you)|how about|what about|would .{0,20}\bwork|instead|rather|"
    r"doesn['’]t work|can['’]t)\b",
    re.IGNORECASE,
)
_NOT = re.compile(
    r"\b(?:not|isn['’]t|wasn['’]t|rather than|instead of)(?: (?:on|in|at|a|an|the|every))? $", re.IGNORECASE
)


@dataclass(frozen=True)
class _Need:
    """What the passage that says otherwise must share of the claim, ``unsaid`` where the session never gives the
    claim's own value, else ``said``, and by how much more than those that give it."""

    unsaid: float
    said: float
    ahead: float


_NEEDS: Mapping[str, _Need] = {
    "weekday": _Need(0.3, 0.4, 0.25),
    "month": _Need(0.3, 0.4, 0.3),
    "year": _Need(0.3, 0.4, 0.3),
    "span": _Need(0.4, 0.45, 0.25),
    "drug": _Need(0.05, 0.4, 0.3),
    "amount": _Need(0.45, 0.5, 0.3),
    "kin": _Need(0.5, 0.5, 0.25),
    "town": _Need(0.2, 0.45, 0.3),
    "substance": _Need(0.3, 0.5, 0.35),
    "rate": _Need(0.4, 0.5, 0.3),
}
_TERM = _Need(0.4, 0.5, 0.35)


def misplaced(reading: Reading, vectors: ClaimVectors, session: SessionIndex, lexicon: ClaimLexicon) -> list[Finding]:
    """A finding for each value or doer of the claim in whose place the session gives another; of values, a sure one."""
    claim = reading.claim
    aims = _AIMS.search(claim.text)
    values = [
        value
        for value in values_in(claim.text, claim.words, claim.quantities, lexicon)
        if not (aims and value.family in _COUNTED) and not follows_from_others(claim.text, value)
    ][:_MOST]
    if not len(session.pieces):
        return []
    told = anchor(vectors, session, lexicon)
    persons = wrong_doers(claim, vectors, told, session, lexicon)
    if not values:
        return persons
    said = values_said(session, lexicon)
    planned = _scheduling(session) if SCHEDULES.search(claim.text) else np.zeros(len(said), dtype=np.float32)
    return [*_clashes(values, said, told, planned, claim.text, session), *persons]


def values_said(session: SessionIndex, lexicon: ClaimLexicon) -> list[Sequence[Value]]:
    """What each passage gives of the client, but for what it takes back or what the next puts right."""
    return session.once(values_said, lambda: _said(session, lexicon))


def _said(session: SessionIndex, lexicon: ClaimLexicon) -> list[Sequence[Value]]:
    said: list[Sequence[Value]] = []
    for index, passage in enumerate(session.passages):
        if AT_LARGE.search(passage.text) or _A_SCALE.search(passage.text):
            said.append(())
            continue
        here = values_in(passage.text, passage.words, passage.quantities, lexicon)
        said.append(_upheld(passage.text, here))
        before = session.passages[index - 1] if index else passage
        asked = before.role is not passage.role and before.text.rstrip().endswith("?")
        if asked and (_PUTS_RIGHT.match(passage.text) or _PROPOSES.search(passage.text)):
            said[-2] = [value for value in said[-2] if not any(value.rivals(other) for other in said[-1])]
    return said


def _upheld(text: str, values: Sequence[Value]) -> list[Value]:
    """ "Tuesday and... no, not Tuesday. Monday" gives Monday alone."""
    taken_back = [value for value in values if _NOT.search(text[: value.span.start])]
    return [value for value in values if not any(value.same(other) for other in taken_back)]


def _scheduling(session: SessionIndex) -> Floats:
    """(passages,): how surely a passage near the end speaks of when to meet next."""
    count = len(session.passages)
    late = [index >= _LATE * count and bool(_MEETING.search(p.text)) for index, p in enumerate(session.passages)]
    return np.array(late, dtype=np.float32) * _PLANNED


def _clashes(
    values: Sequence[Value],
    said: Sequence[Sequence[Value]],
    told: Anchor,
    planned: Floats,
    text: str,
    session: SessionIndex,
) -> Iterator[Finding]:
    for value in values:
        if value.family in _PLANNABLE and planned.any():
            said_last = _agreed_otherwise(value, said, planned)
            if said_last is not None:
                yield Finding(value.clash, value.span, *said_last, surely=True)
                continue
        others = _others(value, values, session.once((_of_kind, value.family), partial(_of_kind, value.family, said)))
        if not others:
            continue
        pieces = _pieces(value, text, told)
        scores = _with_answers(told.scores(pieces, _place(pieces, told)), session)
        if value.family in _PLANNABLE:
            scores = np.maximum(scores, planned)
        index = max(others, key=lambda i: float(scores[i]) + _TWIN * value.twin(others[i]))
        other, passage = others[index], session.passages[index].text
        if (
            _says_otherwise(value, other, index, said, scores, told)
            and not (value.family == "kin" and _may_be_meant(value, other, index, session))
            and not _gives_number(value, said[index], passage)
            and not _follows(value, said[index], passage)
        ):
            yield Finding(value.clash, value.span, index, other.span, surely=True)


def _says_otherwise(
    value: Value, other: Value, index: int, said: Sequence[Sequence[Value]], scores: Floats, told: Anchor
) -> bool:
    """Whether the passage at ``index`` speaks of what the claim does, and more so than any with the claim's own."""
    need = _NEEDS.get(value.family, _TERM)
    own = [place for place, here in enumerate(said) if here and _gives(value, here)]
    back = _BACK if value.family == "kin" else 0
    soon = _SOON if value.family == "amount" else 0
    near = set(range(min(told.starts[index], index - back), index + 2 + soon))
    if own and not _as_near_in_kind(value, other):
        return False
    nearest = value.family != "body" and scores[index] >= scores.max()
    enough = (need.said if own else need.unsaid) - _NEAREST * nearest - _TWIN * (not own and value.twin(other))
    best = max((float(scores[place]) for place in own), default=-1.0)
    return bool(scores[index] >= enough) and not near & set(own) and best <= scores[index] - need.ahead


def _as_near_in_kind(value: Value, other: Value) -> bool:
    """Whether one could be put for the other where the session gives both: "two nights" for "five", hardly "two weeks"
    for "a year". Of a bare number nobody knows what it counts."""
    if value.amount is None or other.amount is None or value.family not in ("amount", "span"):
        return True
    return value.amount.unit == other.amount.unit or value.twin(other)


def _agreed_otherwise(value: Value, said: Sequence[Sequence[Value]], planned: Floats) -> tuple[int, Span] | None:
    """What was said last of when to meet, if it is not the claim's and a proposal of the claim's came before it."""
    meant = [index for index in range(len(said)) if planned[max(0, index - 1) : index + 2].any()]
    given = [(index, other) for index in meant for other in said[index] if other.family == value.family]
    if not given or not any(value.same(other) for _, other in given):
        return None
    last = given[-1][0]
    if any(value.same(other) for index, other in given if index == last):
        return None
    return last, next(other.span for index, other in given if index == last)


def _with_answers(scores: Floats, session: SessionIndex) -> Floats:
    """A question speaks of what its answer does."""
    asked = session.once(_asked, lambda: _asked(session))
    found = scores.copy()
    found[asked] = np.maximum(scores[asked], _ANSWERED * scores[asked + 1])
    return found


def _asked(session: SessionIndex) -> NDArray[np.intp]:
    """The passages that end with a question which the other speaker goes on from."""
    return np.array(
        [
            index
            for index, (passage, answer) in enumerate(pairwise(session.passages))
            if passage.role is not answer.role and passage.text.rstrip().endswith("?")
        ],
        dtype=np.intp,
    )


def _of_kind(family: str, said: Sequence[Sequence[Value]]) -> list[tuple[int, Value]]:
    """What was said that may rival a value of a family, each with its passage."""
    families = (family, "amount") if family == "rate" else (family,)
    return [(index, other) for index, here in enumerate(said) for other in here if other.family in families]


def _others(value: Value, values: Sequence[Value], of_kind: Sequence[tuple[int, Value]]) -> dict[int, Value]:
    """Where another of the kind is said that the claim does not give as well, by passage."""
    found: dict[int, Value] = {}
    for index, other in of_kind:
        if not value.rivals(other) or any(own.same(other) for own in values):
            continue
        if index not in found or _closer(value, other, found[index]):
            found[index] = other
    return found


def _gives(value: Value, here: Sequence[Value]) -> bool:
    """Whether a passage gives the value. A bare number may be a span, where no other span is given."""
    alike = [other for other in here if value.same(other)]
    if value.amount is not None and value.amount.unit in DOSES and not any(map(_is_of_drugs, here)):
        return False
    if value.family != "span" or any(other.family == value.family for other in alike):
        return bool(alike)
    return bool(alike) and not any(other.family == value.family and value.rivals(other) for other in here)


def _is_of_drugs(value: Value) -> bool:
    """A dose is not said by a bare "twenty" of something else."""
    return value.family == "drug" or (value.amount is not None and value.amount.unit in DOSES)


def _may_be_meant(value: Value, other: Value, index: int, session: SessionIndex) -> bool:
    """Whether the claim's relative may be there under another word: "he" before the other is named, or a name."""
    passage = session.passages[index]
    if other.owned or CALLED_BY_NAME.search(passage.text):
        return True
    mine, theirs = (next(filter(None, map(gender_of, sorted(one.keys))), "") for one in (value, other))
    pronouns = _SHE if mine == "f" else _HE if mine == "m" else _EITHER
    stretch = passage.text if mine != theirs else passage.text[: other.span.start]
    return bool(pronouns.search(stretch))


def _gives_number(value: Value, here: Sequence[Value], text: str) -> bool:
    """Whether a passage gives the same number of anything: "two or three a night, sometimes a six-pack", "one-sixty
    over ninety-five"."""
    if value.amount is None or value.family not in ("amount", "rate"):
        return False
    if value.amount.value == 1.0 and _ONE.search(text):
        return True
    if value.family == "rate":
        return False
    number = value.amount.value or 0.0
    if _HUNDRED <= number < 10 * _HUNDRED and number == int(number) and said_as(int(number)).search(text):
        return True
    return any(other.amount is not None and other.amount.value == value.amount.value for other in here)


def _follows(value: Value, here: Sequence[Value], text: str) -> bool:
    """Whether a number is the sum or the difference of two that were said, or a span one between two times of day."""
    if value.amount is None:
        return False
    if value.family == "span" and any(other.family == CLOCK for other in here):
        return True
    if value.family == ORDINAL and _COUNTED_ON.search(text):
        return True
    amounts = [other.amount for other in here if other.amount is not None and other.amount.value is not None]
    return any(
        (one.unit == other.unit or (value.family == "amount" and value.amount.unit in (one.unit, other.unit)))
        and value.amount.value
        in (abs((one.value or 0.0) - (other.value or 0.0)), (one.value or 0.0) + (other.value or 0.0))
        for one, other in combinations(amounts, 2)
    )


def _closer(value: Value, one: Value, other: Value) -> bool:
    """Whether ``one`` counts the same thing by name, and ``other`` nothing that is named."""
    if value.amount is None or one.amount is None or other.amount is None:
        return False
    return one.amount.unit == value.amount.unit != other.amount.unit


def _place(pieces: Sequence[str], told: Anchor) -> int | None:
    return next((place for place, name in enumerate(told.names) if name in pieces[:1]), None)


def _pieces(value: Value, text: str, told: Anchor) -> list[str]:
    """The word pieces of the value itself, and of the period that it counts."""
    counted = _PERIOD.match(text, value.span.end)
    shown = text[value.span.start : counted.end() if counted else value.span.end].lower()
    return [name for name in told.names if name.removeprefix("##") in shown]
