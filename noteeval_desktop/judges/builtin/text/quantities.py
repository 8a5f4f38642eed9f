"""Numbers, amounts and frequencies in words or digits, so that "twice a week" and "2x/week" compare."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile

from noteeval_desktop import paths
from noteeval_desktop.domain.numbers import NAMES, TENS
from noteeval_desktop.domain.text import Span
from noteeval_desktop.judges.builtin.text.words import Word

# Amounts that several words make up: "half an hour", "two and a half", "quarter to twelve", "a hundred and fifty".
# By hand: text2num and number-parser give back the text with digits in it, so that where a number stood is lost, and
# leave "an hour and a half", "two and a half" and "half past six" as they are.
_WORDS = paths.lexicon("quantities.json")
_ORDINALS = {name: float(value) for value, name in enumerate(_WORDS["from_fourth"], 4)} | {
    tens.removesuffix("y") + "ieth": value for tens, value in TENS.items()
}
_DAYS_OF_MONTH = _ORDINALS | {"first": 1.0, "second": 2.0, "third": 3.0}
_HOUR = r"(?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_PERIOD = r"(?:minute|hour|day|week|month|year)"
_PARTS: Mapping[str, float] = _WORDS["parts"]
_FRACTIONS: Mapping[str, float] = _WORDS["fractions"]
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


_LOOSE: Mapping[str, float] = _WORDS["loose"]
_RATES: Mapping[str, str] = _WORDS["rates"]
_PERIODS: Mapping[str, str] = _WORDS["periods"]
# Spans of time that a claim can get wrong, and what somebody may call them instead.
_DAILY = {rate: _RATES[rate] for rate in ("daily", "nightly", "weekly", "monthly", "yearly")}
_PARTS_OF_DAY = ("night", "evening", "morning")
PERIODS = {word: period for word, period in _PERIODS.items() if not word.startswith(_PARTS_OF_DAY)} | _DAILY
_SPOKEN_PERIODS: Mapping[str, str] = _WORDS["also_spoken"] | _PERIODS | PERIODS
# What makes a period a rate: "four times in a week" and "twice a week" are not "four weeks".
_OFTEN = frozenset({"once", "twice", "thrice", "times", "time", "x", "per"})
_TIMES = frozenset({"time", "times", "x", "a", "an", "per", "last", "past", "in", "the", "every", "each"})
# "Three to five drinks", "3-5 drinks", "two, three months": what is counted stands behind the second number.
_RANGE = re.compile(r"\s*(?:-|–|,|,? ?(?:to|or|and)\b)\s*", re.IGNORECASE)
_DIGITS = re.compile(r"\d+(?:\.\d+)?")
_PAUSE = re.compile(r"[.,;:?!()\[\]]")
_A_PERIOD = frozenset({"a", "an", "per", "each", "every"})
# "2 on a scale of 1 to 10" counts no scales.
_OF_NOTHING = frozenset({"scale", "out"})
_REACH = 5
# "Thirty on most days" counts no days.
_APART = frozenset({"on", "since", "from", "until", "till", "after", "before", "with", "by"})
# "Daily life" is no frequency, and nobody need have said it.
_EVERYDAY = frozenset({"life", "living", "functioning"})
# The ends of a scale count nothing that was said of the client: "8 out of 10", "1 to 100".
_SCALE_END = re.compile(
    r"(?:out of|\d\s*/|scales? (?:of|from)(?: [\w-]+(?: to|-|–))?)\s*$|scales? (?:of|from) \w+[-–]$", re.IGNORECASE
)
# "1 am last night" counts no nights.
_OF_DAY = frozenset({"am", "pm"})
# "The 5-4-3-2-1 exercise" is a name.
_COUNTED_DOWN = re.compile(r"(?<!\d)(\d(?:[-–]\d){2,8})(?![-–]?\d)")
_LINES = frozenset({"988", "911", "741741"})
_AROUND = 24
# "Since 2/6", "RTC Tue 2/6" and "2/6 at 4 pm" are dates; "rated 2/6" and "confidence for Friday 9/10" are not.
_DATED = re.compile(
    r"\b(?:since|on|by|until|till|from|before|after|arrest|dated|thru|through|d/c|admitted|next|appt|visit|rtc|f/u|"
    r"follow[- ]?up|return)\b[.:]? (?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*[.,]? )?"
    r"(\d{1,2}/\d{1,2}(?:/\d{2,4})?)(?![/\d])|"
    r"(?<![\d/])(\d{1,2}/\d{1,2}(?:/\d{2,4})?),? (?:at |@ ?)?\d{1,2}(?::\d\d)? ?[ap]\.?m?\b",
    re.IGNORECASE,
)
SCALE = "scale"
_MULTIPLES = {"hundred": 100.0, "thousand": 1000.0, "grand": 1000.0, "dozen": 12.0}
# In days; "four weeks" and "a month" are the same to anyone who says them.
PERIOD_DAYS = {"minute": 1 / 1440, "hour": 1 / 24, "day": 1.0, "week": 7.0, "month": 30.0, "year": 364.0}
_ROUNDED = 0.09
_YEARS = (1930.0, 2059.0)
# "One" counts only before something countable: "on one hand" and "one of the reasons" are no amounts.
_COUNTED = re.compile(
    r"(?:day|night|week|month|year|hour|minute|time|drink|glass|bottle|beer|pack|cigarette|cup|pill|dose|session|visit)"
)


@dataclass(frozen=True, slots=True)
class Quantity:
    """``value`` is None for a bare rate such as "weekly"; ``unit`` is the thing's stem, a period ("week"), a rate ("per
    week"), or empty."""

    span: Span
    value: float | None
    unit: str
    shown: str


def quantities(text: str, words: Sequence[Word]) -> tuple[Quantity, ...]:
    """The quantities of ``text``, whose words are ``words``, in order."""
    found: list[Quantity] = []
    index = 0
    while index < len(words):
        quantity, used = _at(text, words, index)
        if quantity:
            found.append(quantity)
        index += max(used, 1)
    return tuple(found)


def _at(text: str, words: Sequence[Word], index: int) -> tuple[Quantity | None, int]:
    word = words[index].folded
    if word in _RATES:
        if word == "daily" and index + 1 < len(words) and words[index + 1].folded in _EVERYDAY:
            return None, 1
        return Quantity(words[index].span, None, _RATES[word], words[index].span.of(text)), 1
    phrase = phrase_at(text, words[index].span.start)
    if phrase:
        return _of_phrase(text, words, index, phrase)
    value, used = _value(text, words, index)
    if value is None or (word == "couple" and not _COUPLE.match(text, words[index].span.start)):
        return None, 1
    if word == "one" and used == 1 and not _counts(words, index + used):
        return None, 1
    span = Span(words[index].span.start, words[index + used - 1].span.end)
    if _is_code(text, span):
        return None, used
    unit = (
        SCALE
        if _SCALE_END.search(text[max(0, span.start - 2 * _AROUND) : span.start])
        else _unit(text, words, index, index + used)
    )
    return Quantity(span, value, unit, span.of(text)), used


def _of_phrase(
    text: str, words: Sequence[Word], index: int, phrase: tuple[float, str | None, int]
) -> tuple[Quantity, int]:
    value, unit, end = phrase
    used = max(1, sum(word.span.start < end for word in words[index:]))
    span = Span(words[index].span.start, end)
    return Quantity(span, value, _unit(text, words, index, index + used) if unit is None else unit, span.of(text)), used


def _counts(words: Sequence[Word], place: int) -> bool:
    return place < len(words) and bool(_COUNTED.match(words[place].folded))


def _is_code(text: str, span: Span) -> bool:
    """Digits inside a code (F12.20), an orientation mark (x3), a list number ("1)"), a crisis line's or a date's."""
    before, after = text[max(0, span.start - _AROUND) : span.start], text[span.end : span.end + 1]
    if span.of(text) in _LINES:
        return True
    first = max(0, span.start - _AROUND)
    around, place = text[first : span.end + _AROUND], span.start - first
    named = [found.span(found.lastindex or 0) for one in (_COUNTED_DOWN, _DATED) for found in one.finditer(around)]
    if any(start <= place < end for start, end in named):
        return True
    return bool(re.search(r"\b[A-Z]\d*\.?$|[A-Za-z]-$", before)) or after == ")" or bool(re.search(r"\bx$", before))


def _value(text: str, words: Sequence[Word], index: int) -> tuple[float | None, int]:
    value, used = _simple_value(words, index)
    if value is None:
        return None, 1
    follows = [word.folded for word in words[index + used : index + used + 2]]
    skipped = int(follows[:1] in (["of"], ["a"]))
    times = _MULTIPLES.get(follows[skipped], 1.0) if len(follows) > skipped else 1.0
    if times != 1.0:
        value, used = value * times, used + skipped + 1
    value, more = more_of(text, words, index + used, value)
    return value, used + more


def _simple_value(words: Sequence[Word], index: int) -> tuple[float | None, int]:
    word = words[index].folded
    digits = word.strip("$%").replace(",", "")
    if _DIGITS.fullmatch(digits):
        return float(digits), 1
    ordinal, used = ordinal_at(words, index)
    if ordinal is not None:
        return ordinal, used
    parts = word.split("-")
    if word in TENS:
        joined = index + 1 < len(words) and words[index + 1].span.start == words[index].span.end + 1
        follows = words[index + 1].folded if joined else ""
        return (TENS[word] + NAMES[follows], 2) if 0 < NAMES.get(follows, 10) < 10 else (TENS[word], 1)
    if parts[0] in TENS and len(parts) > 1 and parts[1] in NAMES:
        return TENS[parts[0]] + NAMES[parts[1]], 1
    for names in (NAMES, _LOOSE):
        if parts[0] in names:
            return names[parts[0]], 1
    return None, 1


def _unit(text: str, words: Sequence[Word], index: int, after: int) -> str:
    """What the number at ``index``, whose words end before ``after``, counts; the second number's of a range."""
    if ordinal_at(words, index)[0] is not None:
        return ORDINAL
    if after < len(words) and words[after].folded in _OF_DAY:
        return words[after].folded
    own = words[index].folded.split("-")
    if len(own) > 1 and own[1] in _PERIODS:
        return _PERIODS[own[1]]
    skipped = [words[index].folded]
    for place in range(after, min(after + _REACH, len(words))):
        word, between = words[place], text[words[place - 1].span.end : words[place].span.start]
        second, _ = _simple_value(words, place)
        if _PAUSE.search(between) and (second is None or not _RANGE.fullmatch(between)):
            return ""
        if second is not None:
            joint = text[words[after - 1].span.end : word.span.start]
            first, _ = _simple_value(words, index)
            runs_down = "," in joint and first is not None and first >= second
            return _unit(text, words, place, place + 1) if _RANGE.fullmatch(joint) and not runs_down else ""
        if word.folded in _TIMES:
            skipped.append(word.folded)
            continue
        if word.folded in _APART:
            return ""
        period = _PERIODS.get(word.folded.split("-")[0])
        if period:
            rate = _rate(words[place + 1 : place + 3])
            return rate or (f"per {period}" if _OFTEN & set(skipped) else period)
        if word.content:
            return "" if word.folded in _OF_NOTHING else word.stem
    return ""


def _rate(follows: Sequence[Word]) -> str:
    """Of "days a week": how often, and not how many days."""
    if len(follows) < 2 or follows[0].folded not in _A_PERIOD or follows[1].folded not in _PERIODS:
        return ""
    return f"per {_PERIODS[follows[1].folded]}"


def rates_in(words: Sequence[Word]) -> frozenset[str]:
    """Periods that the words speak of: "every day" and "at night" give day, "weekly" week."""
    found = (_PERIODS.get(word.folded) or _RATES.get(word.folded) for word in words)
    return frozenset(period for period in found if period)


def alike(one: Quantity, other: Quantity) -> bool:
    """Whether two amounts come to the same: equal, or "90 minutes" and "an hour and a half"; 90 alone may be either."""
    if one.value is None or other.value is None:
        return False
    if one.value == other.value or (_YEARS[0] <= max(one.value, other.value) <= _YEARS[1] and _same_year(one, other)):
        return True
    first, second = PERIOD_DAYS.get(one.unit), PERIOD_DAYS.get(other.unit)
    if first and second:
        return abs(one.value * first - other.value * second) <= _ROUNDED * one.value * first
    bare, spoken, length = (one, other, second) if second else (other, one, first)
    return bool(length) and not bare.unit and bare.value in _in_smaller_units(spoken.value or 0.0, length or 1.0)


def _same_year(one: Quantity, other: Quantity) -> bool:
    """ "1979" and "in seventy-nine"."""
    short, full = sorted((one.value or 0.0, other.value or 0.0))
    return full % 100.0 == short >= 10.0


def _in_smaller_units(value: float, length: float) -> frozenset[float]:
    return frozenset(round(value * length / days, 4) for days in PERIOD_DAYS.values() if days < length)


def periods_in(words: Sequence[Word]) -> frozenset[str]:
    """Spans of time that the words speak of, however they count them: "every night" and "daily" give day."""
    return frozenset(_SPOKEN_PERIODS[word.folded] for word in words if word.folded in _SPOKEN_PERIODS)
