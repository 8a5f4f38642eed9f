"""Whether a session gives every amount and time of a claim where it speaks of what the claim tells.

The other side of ``misplaced``: what is borne out so is asked of no head, which hears only that numbers are odd.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Sequence
from itertools import combinations

from noteeval_desktop.domain.note import Section
from noteeval_desktop.judges.builtin.alignment import Claim
from noteeval_desktop.judges.builtin.amount_phrases import CLOCK, ORDINAL
from noteeval_desktop.judges.builtin.features_claim import Reading
from noteeval_desktop.judges.builtin.misplaced import AT_LARGE, DOSES, SCHEDULES, values_said
from noteeval_desktop.judges.builtin.misplaced_values import Value, values_in
from noteeval_desktop.judges.builtin.quantities import PERIOD_DAYS, PERIODS, SCALE, is_no_range, periods_in
from noteeval_desktop.judges.builtin.session_index import SessionIndex
from noteeval_desktop.judges.builtin.spoken_numbers import said_as
from noteeval_desktop.judges.builtin.words import ClaimLexicon

_COUNTED = frozenset({"amount", "rate", "span", "age", "year", CLOCK, ORDINAL})
# "Fewer than ten", "a little under two weeks", "no longer than thirty minutes".
_AT_MOST = re.compile(
    r"\b(?:(?:fewer|less|lower|younger|earlier) than|under|below|within|almost|nearly|no (?:\w+er|more) than)"
    r"(?: (?:about|approximately|around|roughly|a|an))? [$£€]?$",
    re.IGNORECASE,
)
_AT_LEAST = re.compile(
    r"(?<!no )\b(?:(?:more|greater|higher|older|longer|later) than|over|above)"
    r"(?: (?:about|approximately|around|roughly|a|an))? [$£€]?$",
    re.IGNORECASE,
)
# "Down 14 kg", "fell by five points", "a drop of 24": what lies between two numbers that were said.
_BETWEEN = re.compile(
    r"\b(?:by|down|up|(?:drop|loss|gain|rise|fall|increase|decrease|reduction|improvement|difference) of|lost|gained)"
    r"(?: (?:about|approximately|around|roughly|some))? $",
    re.IGNORECASE,
)
# Parts of a sentence that goes through a whole session: no one place has what all of them count.
_A_LIST = 4
_LATE = 0.6
_AT_THE_END, _LAST = 0.75, 8
_SHORT_PLAN = 14
_HUNDRED, _SPOKEN = 100, 1000
# A score of one: "it's like a one", "One."; "one of those days" is none.
_A_ONE = re.compile(r"(?:\b(?:a|an|it['’]s|like|at|about|maybe|to|still) |(?:^|[.?!] ))one(?=[.,?!;]|$)", re.IGNORECASE)
_AGREED = frozenset({"weekday", "month", "span", CLOCK, ORDINAL})
_NEXT = re.compile(
    r"\b(?:rtc|f/?u|follow[- ]?up|return|appt|appointment|"
    r"next (?:session|appt|appointment|visit|mtg|meeting|contact))\b",
    re.IGNORECASE,
)
_NEXT_WEEK = re.compile(
    r"\b(?:next (?:week|time|(?:mon|tues|wednes|thurs|fri)day)|same time|in a week|(?:a )?week from|this time next)\b",
    re.IGNORECASE,
)
# "Fewer than ten" is not said of one.
_NEAR = 2.0
_CLOSEST = 2
_BY_FAMILY = frozenset({"age", "span", CLOCK, ORDINAL})


def counted_too(reading: Reading, session: SessionIndex, lexicon: ClaimLexicon) -> bool:
    """Whether each number, time and period of the claim is given near what it tells, or follows from what is.

    False where it has none, or a range that cannot be.
    """
    claim = reading.claim
    values = [
        value for value in values_in(claim.text, claim.words, claim.quantities, lexicon) if value.family in _COUNTED
    ]
    counted = [quantity for quantity in claim.quantities if quantity.value is not None and quantity.unit != SCALE]
    unread = {quantity.span for quantity in counted} - {value.span for value in values}
    if not values or unread or is_no_range(claim.text, claim.quantities):
        return False
    near = [session.passages[index] for index in sorted(reading.alignment.nearby)]
    periods = frozenset(PERIODS[word.folded] for word in claim.words if word.folded in PERIODS)
    counted_in = {value.amount.unit.removeprefix("per ") for value in values if value.amount}
    if periods - counted_in.union(*(periods_in(passage.words) for passage in near)):
        return False
    said = _read_all(session, lexicon) if AT_LARGE.search(claim.text) else values_said(session, lexicon)
    places: tuple[Collection[int], Collection[int]]
    places = reading.alignment.nearby, reading.alignment.nearest[:_CLOSEST]
    if len(claim.clauses) >= _A_LIST or len(values) >= _A_LIST:
        places = range(len(said)), range(len(said))
    told, closest = (
        [value for index in sorted(indexes) for value in said[index] if value.family in _COUNTED] for indexes in places
    )
    heard = " ".join(session.passages[index].text for index in _with_answers(reading.alignment.nearest, session))
    return all(
        _borne_out(value, claim.text, told if _is_named(value) else closest)
        or _is_next_week(value, claim.text, session)
        or _is_heard(value, heard)
        for value in values
    )


def agreed_at_the_end(claim: Claim, session: SessionIndex, lexicon: ClaimLexicon) -> bool:
    """Whether a short plan for the next session gives the days, dates and times that were agreed on at the end."""
    text = claim.text
    if not _NEXT.search(text) or len(claim.words) > _SHORT_PLAN or Section.PLAN not in claim.sentence.sections:
        return False
    values = [value for value in values_in(text, claim.words, claim.quantities, lexicon) if value.family in _AGREED]
    start = min(int(_AT_THE_END * len(session.passages)), max(0, len(session.passages) - _LAST))
    late = range(start, len(session.passages))
    said, heard = values_said(session, lexicon), " ".join(session.passages[index].text for index in late)
    return bool(values) and all(
        any(value.same(other) for index in late for other in said[index] if other.family == value.family)
        or _is_next_week(value, text, session)
        or _is_heard(value, heard)
        for value in values
    )


def _with_answers(nearest: Sequence[int], session: SessionIndex) -> list[int]:
    close = nearest[:_CLOSEST]
    return sorted({near for index in close for near in (index, index + 1) if near < len(session.passages)})


def _is_heard(value: Value, heard: str) -> bool:
    """Whether a time, a date, a dose or a "one" is told in words that count nothing by themselves: "at five"."""
    amount = value.amount
    if amount is None or amount.value is None or amount.value != int(amount.value):
        return False
    if amount.value == 1.0 and amount.unit in ("", "score"):
        return bool(_A_ONE.search(heard))
    told = value.family in (CLOCK, ORDINAL) or amount.unit in DOSES or amount.value == 1.0
    told = told or amount.value >= _HUNDRED  # "one-sixty over ninety-five"
    if not told or not 0 <= amount.value < _SPOKEN:
        return False
    return bool(said_as(int(amount.value), value.family == ORDINAL).search(heard))


def _is_next_week(value: Value, text: str, session: SessionIndex) -> bool:
    """ "F/u 1 wk" is what "same time next week?" comes to."""
    if value.amount is None or value.amount.unit != "week" or value.amount.value != 1.0 or not SCHEDULES.search(text):
        return False
    late = session.passages[int(_LATE * len(session.passages)) :]
    return any(_NEXT_WEEK.search(passage.text) for passage in late)


def _read_all(session: SessionIndex, lexicon: ClaimLexicon) -> list[Sequence[Value]]:
    """What each passage gives, of people at large too: for a note that tells what was said of them."""
    return session.once(
        _read_all, lambda: [values_in(one.text, one.words, one.quantities, lexicon) for one in session.passages]
    )


def _is_named(value: Value) -> bool:
    """Whether it says what it counts: a bare "five" is soon said of something else."""
    return value.family != "amount" or (value.amount is not None and value.amount.unit not in ("", "score"))


def _borne_out(value: Value, text: str, told: Sequence[Value]) -> bool:
    alike = [other for other in told if _of_the_same(value, other)]
    if any(value.same(other) for other in alike):
        return True
    if value.amount is None:
        return False
    before, sizes = text[: value.span.start], [_size(other) / (_size(value) or 1.0) for other in alike]
    if _AT_MOST.search(before):
        return any(1.0 / _NEAR <= size <= 1.0 for size in sizes)
    if _AT_LEAST.search(before):
        return any(1.0 <= size <= _NEAR for size in sizes)
    return bool(_BETWEEN.search(before)) and any(
        math.isclose(abs(one - other), 1.0) for one, other in combinations(sizes, 2)
    )


def _of_the_same(value: Value, other: Value) -> bool:
    """Whether both count one thing, by name: a bare number beside "four drinks" may count anything."""
    if value.amount is None or other.amount is None:
        return value.family == other.family
    units = {value.amount.unit, other.amount.unit}
    return value.family == other.family and (value.family in _BY_FAMILY or len(units) == 1 or units == {"", "score"})


def _size(value: Value) -> float:
    """In days where it is a time, else as it stands."""
    amount = value.amount
    return (amount.value or 0.0) * PERIOD_DAYS.get(amount.unit, 1.0) if amount else 0.0
