"""Ways to tell of another amount: near and far numbers, in digits or in words, and other spans of time."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence

from noteeval_desktop.measures.wording import Way, put, replaced

_NAMES = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
)  # fmt: skip
_TIMES = ("once", "twice")
_NUMBER = re.compile(
    r"(?<![\w.$/(-])\d{1,4}(?![\w.]*\d)(?!st\b|nd\b|rd\b|th\b|\))|(?<=\d-)\d{1,3}\b|"
    rf"\b(?:{'|'.join((*_NAMES[2:], *_TIMES))})\b",
    re.IGNORECASE,
)
_SCALE_END = re.compile(r"(?:out of|scale (?:of|from) \w+(?: to|-|–)?|scale of|/)\s*$", re.IGNORECASE)
_LADDER = ("minute", "hour", "day", "week", "month", "year")
_STEPS = {
    word: [other for other in _LADDER if 0 < abs(_LADDER.index(other) - place) <= 2]
    for place, word in enumerate(_LADDER)
}
_SPANS: Mapping[str, Sequence[str]] = (
    _STEPS
    | {f"{word}s": [f"{other}s" for other in others] for word, others in _STEPS.items()}
    | {"daily": ["weekly", "monthly"], "weekly": ["daily", "monthly", "yearly"], "monthly": ["weekly", "daily"]}
)
_SPAN = re.compile(rf"\b(?:{'|'.join(_SPANS)})\b", re.IGNORECASE)


def _numbers(text: str) -> list[re.Match[str]]:
    return [match for match in _NUMBER.finditer(text) if not _SCALE_END.search(text[: match.start()])]


def _value(shown: str) -> int:
    word = shown.lower()
    if word in _TIMES:
        return _TIMES.index(word) + 1
    return int(word) if word.isdecimal() else _NAMES.index(word)


def _shown(like: str, value: int) -> str:
    if like.lower() in _TIMES:
        return _TIMES[value - 1] if value <= len(_TIMES) else f"{_named(value)} times"
    return str(value) if like.isdecimal() else _named(value)


def _named(value: int) -> str:
    return _NAMES[value] if value < len(_NAMES) else str(value)


def _shifted(others: Callable[[int], Sequence[int]]) -> Way:
    def way(text: str, rng: random.Random, note: str) -> str | None:
        matches = _numbers(text)
        if not matches:
            return None
        match = rng.choice(matches)
        value = _value(match[0])
        shown = [_shown(match[0], other) for other in others(value) if other > 0 and other != value]
        new = [word for word in shown if word.lower() not in text.lower()]
        return put(text, match, rng.choice(new)) if new else None

    return way


def _in_other_form(text: str, rng: random.Random, note: str) -> str | None:
    matches = [match for match in _numbers(text) if match[0].lower() not in _TIMES]
    if not matches:
        return None
    match = rng.choice(matches)
    value = _value(match[0])
    other = max(1, value + rng.choice((-2, -1, 1, 2, 3, 5)))
    return put(text, match, _named(other) if match[0].isdecimal() else str(other)) if other != value else None


def _other_span(text: str, rng: random.Random, note: str) -> str | None:
    return replaced(text, _SPAN, lambda match: rng.choice(_SPANS[match[0].lower()]), rng)


NUMBER_WAYS: Mapping[str, Way] = {
    "next": _shifted(lambda value: (value - 1, value + 1)),
    "near": _shifted(lambda value: (value - 3, value - 2, value + 2, value + 3)),
    "more": _shifted(lambda value: (value * 2, value * 3, value * 4, value * 10)),
    "less": _shifted(lambda value: (value // 2, value // 3, max(1, value // 4))),
    "other form": _in_other_form,
    "other span": _other_span,
}
