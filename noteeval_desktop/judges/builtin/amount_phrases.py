"""Amounts that several words make up: "half an hour", "two and a half", "quarter to twelve", "a hundred and fifty"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from noteeval_desktop.judges.builtin.words import Word

_UNITS = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
NAMES = {name: float(value) for value, name in enumerate(_UNITS.split(), 1)} | {"zero": 0.0, "nought": 0.0}
TENS = {
    "twenty": 20.0, "thirty": 30.0, "forty": 40.0, "fifty": 50.0, "sixty": 60.0, "seventy": 70.0, "eighty": 80.0,
    "ninety": 90.0,
}  # fmt: skip
_FROM_FOURTH = (
    "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth", "thirteenth",
    "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth",
)  # fmt: skip
_ORDINALS = {name: float(value) for value, name in enumerate(_FROM_FOURTH, 4)} | {
    tens.removesuffix("y") + "ieth": value for tens, value in TENS.items()
}
_DAYS_OF_MONTH = _ORDINALS | {"first": 1.0, "second": 2.0, "third": 3.0}
_HOUR = r"(?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_PERIOD = r"(?:minute|hour|day|week|month|year)"
_PARTS = {"half": 0.5, "quarter": 0.25, "third": 1 / 3, "three-quarters": 0.75, "three quarters": 0.75}
_FRACTIONS = {"1/2": 0.5, "1/4": 0.25, "3/4": 0.75, "1/3": 1 / 3, "2/3": 2 / 3, "½": 0.5, "¼": 0.25, "¾": 0.75}
_CLOCK = re.compile(
    r"(?P<hour>\d{1,2}):(?P<minute>[0-5]\d)\b|"
    rf"(?P<part>half|quarter) (?P<side>past|after|to|of|till) (?P<of>{_HOUR})\b",
    re.IGNORECASE,
)
_MORE_THAN_ONE = re.compile(rf"(?:an? )?(?P<period>{_PERIOD}) and a (?P<part>half|quarter)\b", re.IGNORECASE)
_PART_OF = re.compile(rf"(?P<part>three[- ]quarters|quarter) (?:of )?(?:an? )?(?P<period>{_PERIOD})\b", re.IGNORECASE)
_FRACTION = re.compile(r"(?:1/2|1/4|3/4|1/3|2/3|½|¼|¾)(?![\d/])")
_FORTNIGHT = re.compile(r"(?P<count>two|three)? ?fortnights?\b", re.IGNORECASE)
# "A couple of beers" and "a couple times", but not "the couple argued".
_COUPLE = re.compile(r"couple(?: of\b| (?:more )?(?:\w+s)\b)", re.IGNORECASE)
CLOCK = "clock"
ORDINAL = "th"

Phrase = tuple[float, str | None, int]


def phrase_at(text: str, start: int) -> Phrase | None:
    """Value, unit (None where it is still to be read) and end of the phrase that begins at ``start``."""
    if found := _CLOCK.match(text, start):
        return _time_of_day(found), CLOCK, found.end()
    if found := _MORE_THAN_ONE.match(text, start):
        return 1.0 + _PARTS[found["part"].lower()], found["period"].lower(), found.end()
    if found := _PART_OF.match(text, start):
        return _PARTS[found["part"].lower().replace("-", " ")], found["period"].lower(), found.end()
    if found := _FRACTION.match(text, start):
        return _FRACTIONS[found.group()], None, found.end()
    if found := _FORTNIGHT.match(text, start):
        return 2.0 * NAMES.get((found["count"] or "").lower(), 1.0), "week", found.end()
    return None


def _time_of_day(found: re.Match[str]) -> float:
    if found["hour"]:
        return float(found["hour"]) + float(found["minute"]) / 60.0
    hour = float(found["of"]) if found["of"].isdigit() else NAMES[found["of"].lower()]
    part = _PARTS[found["part"].lower()]
    return hour + part if found["side"].lower() in ("past", "after") else hour - part


def is_couple_of(text: str, start: int) -> bool:
    return bool(_COUPLE.match(text, start))


def ordinal_at(words: Sequence[Word], index: int) -> tuple[float | None, int]:
    """The value of "sixteenth", "twenty-first" or "twenty first", and how many words it takes; None for any other."""
    first, _, last = words[index].folded.partition("-")
    if first in TENS and last in _DAYS_OF_MONTH:
        return TENS[first] + _DAYS_OF_MONTH[last], 1
    follows = words[index + 1].folded if index + 1 < len(words) else ""
    if first in TENS and not last and follows in _DAYS_OF_MONTH:
        return TENS[first] + _DAYS_OF_MONTH[follows], 2
    return _ORDINALS.get(words[index].folded), 1


def more_of(text: str, words: Sequence[Word], after: int, value: float) -> tuple[float, int]:
    """What follows a number before the word at ``after`` and belongs to it: "and a half", "point four", "and fifty"."""
    follows = [word.folded for word in words[after : after + 3]]
    if follows == ["and", "a", "half"]:
        return value + 0.5, 3
    fraction = _FRACTION.match(text, words[after].span.start) if follows else None
    if fraction and value == int(value):
        return value + _FRACTIONS[fraction.group()], 2 if "/" in fraction.group() else 1
    if len(follows) > 1 and follows[0] == "point" and follows[1] in NAMES:
        return value + NAMES[follows[1]] / 10.0, 2
    if value >= 100.0 and value % 100.0 == 0.0:
        skipped = int(follows[:1] == ["and"])
        small, used = _below_hundred(follows[skipped:])
        if small and (skipped or used > 1 or small > 9.0):
            return value + small, used + skipped
    return value, 0


def _below_hundred(words: Sequence[str]) -> tuple[float, int]:
    if not words:
        return 0.0, 0
    first, _, last = words[0].partition("-")
    if first in TENS:
        if last in NAMES:
            return TENS[first] + NAMES[last], 1
        if len(words) > 1 and 0.0 < NAMES.get(words[1], 10.0) < 10.0:
            return TENS[first] + NAMES[words[1]], 2
        return TENS[first], 1
    return NAMES.get(words[0], 0.0), 1
