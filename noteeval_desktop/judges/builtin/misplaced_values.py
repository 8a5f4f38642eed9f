"""What a text says that could have been another of its kind: weekdays, months, spans of time, amounts, medications."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from noteeval_desktop.domain.text import Span
from noteeval_desktop.judges.builtin.amount_phrases import CLOCK, ORDINAL
from noteeval_desktop.judges.builtin.findings import Clash
from noteeval_desktop.judges.builtin.misplaced_classes import CLASSES, drugs_in
from noteeval_desktop.judges.builtin.quantities import PERIOD_DAYS, SCALE, Quantity, alike
from noteeval_desktop.judges.builtin.words import Word

_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
_WEEKDAY = re.compile(
    r"\b(?P<day>mon|tues?|wed(?:nes)?|thur?s?|fri|sat(?:ur)?|sun)(?P<rest>days?)?\b|\b(?P<weekend>weekends?)\b",
    re.IGNORECASE,
)
# "May" and "march" are months only with a capital and not where a sentence begins; "sun", "sat" and "wed" are days
# only so, too.
_MONTH = re.compile(
    r"\b(?P<month>jan(?:uary)?|feb(?:ruary)?|apr(?:il)?|june|july|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    r"nov(?:ember)?|dec(?:ember)?)\b|\b(?P<modal>(?-i:May|March))\b",
    re.IGNORECASE,
)
_YEAR = re.compile(r"\b(?:19[3-9]\d|20[0-4]\d)\b")
_SENTENCE_START = re.compile(r"(?:^|[.!?]\s+)$")
_SPANS = frozenset({"minute", "hour", "day", "week", "month", "year"})
# "Six of seven days" counts six.
_OF_A_WHOLE = re.compile(r"\w (?:out )?of (?:the )?(?:last |past )?$", re.IGNORECASE)
_TIMES = frozenset({"", "time"})
_OFTEN = frozenset({"once", "twice", "thrice"})
# Spans that differ by no more than this are one: "about three weeks" is "twenty days".
_ABOUT = 0.15
# "For about a month", "maybe an hour": one of them, where it is no rate ("twice a month").
_A_SPAN = re.compile(
    r"(?:^|[,.?!]\s+|\b(?:for|about|around|in|within|after|nearly|almost|over|took|takes|like|lasts?|lasted|maybe|"
    r"just|roughly|approximately|every|under|than)\s+)"
    r"(?P<span>(?:a|an|one) (?P<period>hour|day|week|month|year))\b(?! and a half)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Value:
    """``keys`` are the ways to name it: two values of a family are one where they share a key or their amounts are
    alike. ``open`` values, as a number of nobody knows what, may be the same thing but cannot clash with another."""

    family: str
    span: Span
    clash: Clash
    keys: frozenset[str] = frozenset()
    amount: Quantity | None = None

    def same(self, other: Value) -> bool:
        """Whether it may be the same: amounts of a like number, of what may be one thing; spans of one length."""
        if self.amount is None or other.amount is None:
            return bool(self.keys & other.keys)
        if self.family == "rate" and other.family == "amount":
            return self.amount.value == other.amount.value
        first, second = _length(self.amount), _length(other.amount)
        if self.family == other.family and first and second:
            return abs(first - second) <= _ABOUT * max(first, second)
        return alike(self.amount, other.amount) and _of_one_thing(self.amount, other.amount)

    def twin(self, other: Value) -> bool:
        """Whether the other is as many of another period: "seven months" for "seven weeks"."""
        if self.family != "span" or other.family != "span" or self.amount is None or other.amount is None:
            return False
        return self.amount.value == other.amount.value and not self.same(other)

    def rivals(self, other: Value) -> bool:
        """Whether the other is another of the kind, of what may be the same thing."""
        if self.same(other):
            return False
        if self.family == "rate" and other.family == "amount":
            return other.amount is not None and other.amount.unit in _TIMES
        if self.family != other.family:
            return False
        if self.amount is None or other.amount is None:
            return True
        return self.family in ("span", "rate") or _of_one_thing(self.amount, other.amount)


def _length(amount: Quantity) -> float:
    """In days; of a rate, the days between two of its times."""
    value = amount.value or 0.0
    if amount.unit.startswith("per "):
        return PERIOD_DAYS.get(amount.unit.removeprefix("per "), 0.0) / value if value else 0.0
    return value * PERIOD_DAYS.get(amount.unit, 0.0)


def _of_one_thing(one: Quantity, other: Quantity) -> bool:
    return one.unit == other.unit or not one.unit or not other.unit


def values_in(text: str, words: Sequence[Word], quantities: Sequence[Quantity]) -> tuple[Value, ...]:
    return (
        *_days(text),
        *_months(text),
        *_years(text),
        *_amounts(text, quantities),
        *_single_spans(text),
        *_terms(words),
    )


def _days(text: str) -> Iterator[Value]:
    for found in _WEEKDAY.finditer(text):
        if found["weekend"]:
            yield Value("weekday", Span(*found.span()), Clash.TIME, frozenset(_DAYS[5:]))
        elif found["rest"] or (found["day"][0].isupper() and not _SENTENCE_START.search(text[: found.start()])):
            name = next(day for day in _DAYS if day.startswith(found["day"].lower()[:3]))
            yield Value("weekday", Span(*found.span("day" if not found["rest"] else 0)), Clash.TIME, frozenset({name}))


def _months(text: str) -> Iterator[Value]:
    for found in _MONTH.finditer(text):
        if found["modal"] and _SENTENCE_START.search(text[: found.start()]):
            continue
        name = next(month for month in _MONTHS if month.startswith(found.group().lower()[:3]))
        yield Value("month", Span(*found.span()), Clash.TIME, frozenset({name}))


def _years(text: str) -> Iterator[Value]:
    for found in _YEAR.finditer(text):
        yield Value("year", Span(*found.span()), Clash.TIME, frozenset({found.group()}))


def _amounts(text: str, quantities: Sequence[Quantity]) -> Iterator[Value]:
    for quantity in quantities:
        whole = _OF_A_WHOLE.search(text[: quantity.span.start])
        if quantity.value is None or quantity.unit == SCALE or whole:
            continue
        if quantity.unit in _SPANS:
            yield Value("span", quantity.span, Clash.NUMBER, amount=quantity)
        elif quantity.unit.startswith("per "):
            yield Value("rate", quantity.span, Clash.NUMBER, amount=quantity)
        elif quantity.unit in (CLOCK, ORDINAL):
            yield Value(quantity.unit, quantity.span, Clash.TIME, amount=quantity)
        else:
            often = not quantity.unit and quantity.shown.lower() in _OFTEN
            amount = replace(quantity, unit="time") if often else quantity
            yield Value("amount", quantity.span, Clash.NUMBER, amount=amount)


def _single_spans(text: str) -> Iterator[Value]:
    for found in _A_SPAN.finditer(text):
        span = Span(*found.span("span"))
        yield Value("span", span, Clash.NUMBER, amount=Quantity(span, 1.0, found["period"].lower(), found["span"]))


def _terms(words: Sequence[Word]) -> Iterator[Value]:
    for word in words:
        for family, groups in CLASSES.items():
            keys = groups.get(word.folded)
            if keys:
                yield Value(family, word.span, Clash.TERM, keys)
    for span, keys in drugs_in(words):
        yield Value("drug", span, Clash.TERM, keys)
