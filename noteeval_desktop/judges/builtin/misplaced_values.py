"""What a text says that could have been another of its kind: weekdays, months, spans of time, amounts, medications."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from noteeval_desktop.domain.text import Span
from noteeval_desktop.judges.builtin.amount_phrases import CLOCK, ORDINAL
from noteeval_desktop.judges.builtin.findings import Clash
from noteeval_desktop.judges.builtin.misplaced_classes import CLASSES, drugs_in
from noteeval_desktop.judges.builtin.misplaced_doers import CLOSE_KIN
from noteeval_desktop.judges.builtin.quantities import PERIOD_DAYS, SCALE, Quantity, alike
from noteeval_desktop.judges.builtin.words import ClaimLexicon, Word

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
_IN_A_MONTH = re.compile(
    r"\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)(?:uary|ruary|ch|il|e|y|ust|ember|ober)? (?:the )?$"
)
_FIRST_DAYS = re.compile(
    r"(?:\b(?:the|on) (?=\w+(?: of [A-Z]|[.,!?;]|$))|\b[A-Z][a-z]+ )"
    r"(?:(?P<first>first)|(?P<second>second)|(?P<third>third))\b"
)
_YEAR = re.compile(r"\b(?:19[3-9]\d|20[0-4]\d)\b")
_SENTENCE_START = re.compile(r"(?:^|[.!?]\s+)$")
_SPANS = frozenset({"minute", "hour", "day", "week", "month", "year"})
# "Six of seven days" counts six.
_OF_A_WHOLE = re.compile(
    r"(?:\d|\b(?:out|all|none|most|some|each|one|two|three|four|five|six|seven|eight|nine|ten)) of (?:the )?"
    r"(?:last |past )?$",
    re.IGNORECASE,
)
_DOZENFOLD = 12.0
_MONEY = {"$": "dollar", "£": "quid", "€": "euro"}
_UNITS = {
    "min": "minute", "mins": "minute", "hr": "hour", "hrs": "hour", "h": "hour", "d": "day", "wk": "week",
    "wks": "week", "mo": "month", "mos": "month", "yr": "year", "yrs": "year", "ft": "feet", "foot": "feet",
    "lb": "pound", "lbs": "pound", "kg": "kilo", "kgs": "kilo", "kilograms": "kilo", "kilos": "kilo", "mg": "mg",
    "milligrams": "mg", "bucks": "dollar", "points": "", "point": "",
}  # fmt: skip
# The second number of "2-3 nights a week".
_SECOND = re.compile(r"\s*(?:-|–|to|or)\s*\d+(?:\.\d+)?(?![\d/])")
# "17 at intake" and "eleven and I'm up at four" count no intakes.
_PARTED = re.compile(r"[\s)]*(?:at|when|and|in|for|to|but|so|if|then|as|by|were|was|is)\b", re.IGNORECASE)
_TIME_OF_DAY = re.compile(r"\s?(?:[ap]\.?m\b|o['’]clock\b)", re.IGNORECASE)
_SCORED = re.compile(r"\s?(?:/\s?100?\b|out of\b|%|per ?cent\b)", re.IGNORECASE)
_SHORT = re.compile(r"[ -]?(" + "|".join(sorted(_UNITS, key=len, reverse=True)) + r")\b", re.IGNORECASE)
_ADVERBS = {
    "wk": "week",
    "daily": "day",
    "nightly": "day",
    "night": "day",
    "weekly": "week",
    "monthly": "month",
    "yearly": "year",
}
_RATE = re.compile(
    r"(?:[ -]?(?:times?|x|nights?|days?|evenings?|mornings?))?"
    r"(?: ?/ ?| (?:a|an|per|each|every) | |[^.,;:?!\d]{0,25} per )"
    r"(daily|nightly|weekly|monthly|yearly|(?:(?<=/)|(?<=/ )|(?<=a )|(?<=an )|(?<=per )|(?<=each )|(?<=every ))"
    r"(?:day|night|week|wk|month|year))\b",
    re.IGNORECASE,
)
# Bounds and differences follow from what was said without being said: "fewer than ten", "three points lower".
_BOUND = re.compile(
    r"\b(?:(?:fewer|less|more|greater|higher|lower|older|younger) than|under|over|above|below|at (?:least|most)|up to|"
    r"all but|within|almost|nearly|another)(?: (?:about|approximately|around|roughly|a|an))? [$£€]?$",
    re.IGNORECASE,
)
_DIFFERENCE = re.compile(
    r"^[%\w]* ?(?:\w+ )?(?:lower|higher|less|more|fewer|earlier|later|heavier|lighter|left)\b|^s\b", re.IGNORECASE
)
_AS_SOON_AS = re.compile(r" (?:s?he|they|it|the|h(?:er|is)|their|client|pt|patient|cl|work|this|that)\b", re.IGNORECASE)
_OLDEST = 110.0
_OLD = re.compile(r"[\w-]+?(?:[ -]?years?[- ]old| ?y/?o\b|[ -]years? of age)", re.IGNORECASE)
_AGED = re.compile(
    r"\b(?:i['’]m|i am|s?he['’]s|s?he is|turned|turning|aged?(?: as| of| is|:)?|at|(?:client|patient|pt) is) $",
    re.IGNORECASE,
)
_THOUSANDS = re.compile(r" ?[kK]\b")
_DEFINITE = re.compile(r"\b(?:the|this|that|last|past|next|each|every|other|same) $", re.IGNORECASE)
_TIMES = frozenset({"", "time"})
# A store is a place, to store is not.
_WHERE = frozenset(
    (
        "a", "an", "the", "at", "in", "to", "from", "his", "her", "their", "my", "your", "our", "local", "and", "or",
        "school", "delivery", "near", "this", "that", "old", "new", "of",
    )
)  # fmt: skip
# "In Tucson", "to Denver"; a month, a day or a group is no town.
_TOWN = re.compile(
    r"\b(?:in|near|outside|(?:mov\w+|went|gone?|going|goes|flew|fly|flying|travel\w*|drive|drove|back|return\w*) to) "
    r"([A-Z][a-z]{2,})\b(?! [A-Z])"
)
_NO_TOWNS = frozenset((*_DAYS, *_MONTHS, "plan", "session", "english", "spanish", "client", "therapist", "court"))
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
    owned: bool = False

    def same(self, other: Value) -> bool:
        """Whether it may be the same: amounts of a like number, of what may be one thing; spans of one length."""
        if self.amount is None or other.amount is None:
            return bool(self.keys & other.keys)
        if self.family == "age":
            return self.amount.value == other.amount.value
        # "Six nights a week" is "six nights out of seven".
        if self.family == "rate" and other.family in ("amount", "span"):
            return self.amount.value == other.amount.value
        if self.family == other.family:
            first, second = _length(self.amount), _length(other.amount)
            if first and second:
                return abs(first - second) <= _ABOUT * max(first, second)
        return alike(self.amount, other.amount) and _of_one_thing(self.amount, other.amount)

    def twin(self, other: Value) -> bool:
        """Whether the other is as many of another period: "seven months" for "seven weeks"."""
        if self.family != "span" or other.family != "span" or self.amount is None or other.amount is None:
            return False
        return self.amount.value == other.amount.value and not self.same(other)

    def rivals(self, other: Value) -> bool:
        """Whether the other is another of the kind, of what may be the same thing."""
        rate_and_amount = self.family == "rate" and other.family == "amount"
        if (self.family != other.family and not rate_and_amount) or self.same(other):
            return False
        if rate_and_amount:
            return other.amount is not None and other.amount.unit in _TIMES
        if self.amount is None or other.amount is None:
            return True
        if self.family in ("span", "rate"):
            return True
        return other.amount.unit in (self.amount.unit, "") and _near_in_size(self.amount, other.amount)


def _length(amount: Quantity) -> float:
    """In days; of a rate, the days between two of its times."""
    value = amount.value or 0.0
    if amount.unit.startswith("per "):
        return PERIOD_DAYS.get(amount.unit.removeprefix("per "), 0.0) / value if value else 0.0
    return value * PERIOD_DAYS.get(amount.unit, 0.0)


def _near_in_size(one: Quantity, other: Quantity) -> bool:
    """Numbers of the same thing are seldom a dozen times one another, or one whole and the other of hundredths."""
    low, high = sorted((one.value or 0.0, other.value or 0.0))
    decimals = [value != int(value) for value in (low, high)]
    return low > 0.0 and high / low <= _DOZENFOLD and (decimals[0] == decimals[1] or high < _DOZENFOLD)


def _of_one_thing(one: Quantity, other: Quantity) -> bool:
    return one.unit == other.unit or not one.unit or not other.unit


def values_in(
    text: str, words: Sequence[Word], quantities: Sequence[Quantity], lexicon: ClaimLexicon
) -> tuple[Value, ...]:
    return (
        *_days(text),
        *_months(text),
        *_years(text),
        *_amounts(text, quantities),
        *_single_spans(text),
        *_dates(text),
        *_terms(words),
        *_towns(text),
        *_kin(text, words, lexicon),
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
        alone = text[found.end() : found.end() + 1] in (",", ".", "?", "!")
        if found["modal"] and not alone and _SENTENCE_START.search(text[: found.start()]):
            continue
        name = next(month for month in _MONTHS if month.startswith(found.group().lower()[:3]))
        yield Value("month", Span(*found.span()), Clash.TIME, frozenset({name}))


def _years(text: str) -> Iterator[Value]:
    for found in _YEAR.finditer(text):
        yield Value("year", Span(*found.span()), Clash.TIME, frozenset({found.group()}))


def _amounts(text: str, quantities: Sequence[Quantity]) -> Iterator[Value]:
    for quantity in quantities:
        if quantity.value is None or quantity.unit == SCALE:
            continue
        unit = _unit(text, quantity)
        times = 1000.0 if _THOUSANDS.match(text[quantity.span.end :]) else 1.0
        amount = replace(quantity, unit=unit, value=quantity.value * times)
        if _IN_A_MONTH.search(text[: quantity.span.start]) or unit == ORDINAL:
            yield Value(ORDINAL, quantity.span, Clash.TIME, amount=replace(quantity, unit=ORDINAL))
        elif unit == CLOCK:
            yield Value(CLOCK, quantity.span, Clash.TIME, amount=amount)
        else:
            family = (
                "age"
                if _is_age(text, quantity)
                else "span"
                if unit in PERIOD_DAYS
                else "rate"
                if unit.startswith("per ")
                else "amount"
            )
            yield Value(family, quantity.span, Clash.NUMBER, amount=amount)


def _is_age(text: str, quantity: Quantity) -> bool:
    if quantity.unit not in ("", "year", "old", "y", "yo") or (quantity.value or 0.0) > _OLDEST:
        return False
    called = _AGED.search(text[: quantity.span.start]) and not quantity.unit
    return bool(called or _OLD.match(text[quantity.span.start :]))


def _unit(text: str, quantity: Quantity) -> str:
    """The unit by one name: "min" and "mg" as they are written, "twice weekly" and "two days of it per week"."""
    after = text[quantity.span.end :]
    ranged = _SECOND.match(after)
    after = after[ranged.end() :] if ranged else after
    if quantity.shown[:1] in _MONEY:
        return _MONEY[quantity.shown[0]]
    if quantity.unit in ("am", "pm") or _TIME_OF_DAY.match(after):
        return CLOCK
    if not quantity.unit.startswith("per ") and _SCORED.match(after):
        return "score"
    rate = _RATE.match(after)
    if rate and quantity.unit not in ("hour", "minute"):
        return f"per {_ADVERBS.get(rate[1].lower(), rate[1].lower())}"
    short = _SHORT.match(after)
    if short:
        return _UNITS[short[1].lower()]
    if _PARTED.match(after) and quantity.unit not in PERIOD_DAYS and not quantity.unit.startswith("per "):
        return ""
    often = quantity.shown.lower() in _OFTEN and not quantity.unit.startswith("per ")
    return "time" if often else quantity.unit


def follows_from_others(text: str, value: Value) -> bool:
    """Whether a claim's number bounds or compares what was said, and need not have been said itself."""
    if value.amount is None:
        return False
    before = text[: value.span.start]
    spanned = value.span.of(text).lower().endswith(("fortnight", "week")) and _DEFINITE.search(before)
    after = text[value.span.end :]
    difference = _DIFFERENCE.search(after.lstrip()) or (value.amount.unit == "time" and _AS_SOON_AS.match(after))
    return bool(_OF_A_WHOLE.search(before) or _BOUND.search(before) or difference or spanned)


def _dates(text: str) -> Iterator[Value]:
    """ "The third of May", "June first": words that elsewhere only count off."""
    for found in _FIRST_DAYS.finditer(text):
        name = "first" if found["first"] else "second" if found["second"] else "third"
        span = Span(*found.span(name))
        value = {"first": 1.0, "second": 2.0, "third": 3.0}[name]
        yield Value(ORDINAL, span, Clash.TIME, amount=Quantity(span, value, ORDINAL, found[name]))


def _single_spans(text: str) -> Iterator[Value]:
    for found in _A_SPAN.finditer(text):
        span = Span(*found.span("span"))
        yield Value("span", span, Clash.NUMBER, amount=Quantity(span, 1.0, found["period"].lower(), found["span"]))


def _towns(text: str) -> Iterator[Value]:
    for found in _TOWN.finditer(text):
        if found[1].lower().removesuffix("s") not in _NO_TOWNS:
            yield Value("town", Span(*found.span(1)), Clash.TERM, frozenset({found[1].lower()}))


def _kin(text: str, words: Sequence[Word], lexicon: ClaimLexicon) -> Iterator[Value]:
    """Close relatives of the client's own: "his mother" is somebody else's, as is what several have in common."""
    for place, word in enumerate(words):
        name = lexicon.relations.get(word.folded)
        if name in CLOSE_KIN and word.folded != name + "s":
            ways = {name} | lexicon.implied.get(name, frozenset())
            before = words[place - 1].folded if place else ""
            yield Value(
                "kin", word.span, Clash.PERSON, frozenset(ways), owned=before in ("his", "her", "their", "whose")
            )


def _terms(words: Sequence[Word]) -> Iterator[Value]:
    for place, word in enumerate(words):
        for family, keys in CLASSES.get(word.folded, ()):
            if family != "place" or not place or words[place - 1].folded in _WHERE:
                yield Value(family, word.span, Clash.TERM, keys)
    for span, keys in drugs_in(words):
        yield Value("drug", span, Clash.TERM, keys)
