"""Amounts that several words make up: "half an hour", "two and a half", "quarter to twelve", "a hundred and fifty".

By hand: text2num and number-parser give back the text with digits in it, so that where a number stood is lost, and
leave "an hour and a half", "two and a half" and "half past six" as they are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

from noteeval_desktop.judges.builtin.text.words import Word

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
    r"(?P<hour>[01]?\d|2[0-4]):(?P<minute>[0-5]\d)(?!\d)|"
    r"(?<!from )(?P<part>half|quarter|twenty(?:-five)?|ten|five) "
    rf"(?P<side>past|after|to|of|till) (?P<of>{_HOUR})\b(?!-)",
    re.IGNORECASE,
)
# "Ten thirty", where nothing is counted: not "seven thirty-minute walks".
_SPOKEN_CLOCK = re.compile(
    rf"(?P<hour>{_HOUR})[- ](?P<minute>fifteen|twenty|thirty|forty(?:-five)?|fifty)"
    r"(?=$|[.,;:?!)]| (?:[ap]\.?m\b|at|on|in|to|till|until|and|or|but|when|works?|if|then|sharp|I)\b)",
    re.IGNORECASE,
)
# "A point one four", "point oh eight"; "at this point one of us" is no number.
_DIGIT = r"(?:oh|zero|one|two|three|four|five|six|seven|eight|nine)"
_POINT = re.compile(rf"point((?: {_DIGIT}){{2,3}})\b", re.IGNORECASE)
_MORE_THAN_ONE = re.compile(rf"(?:an? )?(?P<period>{_PERIOD}) and a (?P<part>half|quarter)\b", re.IGNORECASE)
_PART_OF = re.compile(rf"(?P<part>three[- ]quarters|quarter) (?:of )?(?:an? )?(?P<period>{_PERIOD})\b", re.IGNORECASE)
_FRACTION = re.compile(r"(?:1/2|1/4|3/4|1/3|2/3|½|¼|¾)(?![\d/])")
_FORTNIGHT = re.compile(r"(?P<count>two|three)? ?fortnights?\b", re.IGNORECASE)
# "A couple of beers" and "a couple times", but not "the couple argued".
_COUPLE = re.compile(r"couple(?: of\b| (?:more )?(?:\w+s)\b)", re.IGNORECASE)
CLOCK = "clock"
_FACE, _CLOCK_DIGITS = 12.0, 4
ORDINAL = "th"

Phrase = tuple[float, str | None, int]


def phrase_at(text: str, start: int) -> Phrase | None:
    """Value, unit (None where it is still to be read) and end of the phrase that begins at ``start``."""
    for clock in (_CLOCK, _SPOKEN_CLOCK):
        if (found := clock.match(text, start)) and (hours := _time_of_day(found)) is not None:
            return hours, CLOCK, found.end()
    if found := _POINT.match(text, start):
        return _decimals(found[1].lower().split()), None, found.end()
    if found := _MORE_THAN_ONE.match(text, start):
        return 1.0 + _PARTS[found["part"].lower()], found["period"].lower(), found.end()
    if found := _PART_OF.match(text, start):
        return _PARTS[found["part"].lower().replace("-", " ")], found["period"].lower(), found.end()
    if found := _FRACTION.match(text, start):
        return _FRACTIONS[found.group()], None, found.end()
    if found := _FORTNIGHT.match(text, start):
        return 2.0 * NAMES.get((found["count"] or "").lower(), 1.0), "week", found.end()
    return None


def _time_of_day(found: re.Match[str]) -> float | None:
    """In hours of a clock's face; None for "ten to twelve" and "half to three quarters", which may be ranges."""
    named = found.groupdict()
    if named["hour"]:
        return round((_named(named["hour"]) + _named(named["minute"]) / 60.0) % _FACE, _CLOCK_DIGITS)
    hour, part, after = _named(named["of"]), named["part"].lower(), named["side"].lower() in ("past", "after")
    minutes = _PARTS[part] * 60.0 if part in _PARTS else _named(part)
    if not after and (part == "half" or (part != "quarter" and minutes <= hour)):
        return None
    return round((hour + (minutes if after else -minutes) / 60.0) % _FACE, _CLOCK_DIGITS)


def _named(number: str) -> float:
    """Of digits, and of names below a hundred."""
    return float(number) if number.isdigit() else _below_hundred([number.lower()])[0]


def _decimals(digits: Sequence[str]) -> float:
    return float("0." + "".join(str(int(NAMES.get(digit, 0.0))) for digit in digits))


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
        digits = [*takewhile(NAMES.__contains__, follows[1:])]
        return value + _decimals(digits), 1 + len(digits)
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
