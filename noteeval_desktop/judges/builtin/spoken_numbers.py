"""The ways in which people say a number: "150" is "one-fifty", "19th" is "the nineteenth"."""

from __future__ import annotations

import re
from functools import cache

from noteeval_desktop.judges.builtin.amount_phrases import NAMES, TENS

_UNITS = ("zero", *(name for name, value in NAMES.items() if value))
_TENS = ("", "", *TENS)
_ORDINALS = {
    "one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth",
    "twelve": "twelfth",
}  # fmt: skip
_HUNDRED, _THOUSAND = 100, 1000


@cache
def said_as(value: int, ordinal: bool = False) -> re.Pattern[str]:
    """A pattern for a whole number from 0 to 999, in digits or words; with ``ordinal`` for "19th" and "nineteenth"
    too. Raises ValueError for other numbers."""
    if not 0 <= value < _THOUSAND:
        raise ValueError("only numbers below a thousand are said so")
    names = [name.replace(" ", "[- ]") for name in _names(value)]
    digits = rf"{value}(?![\d.,]\d)"
    if ordinal:
        names += [_ordinal(name).replace(" ", "[- ]") for name in _names(value)]
        digits += rf"|{value}(?:st|nd|rd|th)"
    words = rf"(?<!ty[- ])(?:{'|'.join(names)})(?![- ](?:{'|'.join(_UNITS[1:10])})\b)"
    return re.compile(rf"(?<![\w.])(?:{digits}|{words})(?!\w)", re.IGNORECASE)


def _names(value: int) -> list[str]:
    if value < len(_UNITS):
        return [_UNITS[value]]
    if value < _HUNDRED:
        tens, rest = divmod(value, 10)
        return [f"{_TENS[tens]} {_UNITS[rest]}" if rest else _TENS[tens]]
    hundreds, rest = divmod(value, _HUNDRED)
    if not rest:
        return [f"{_UNITS[hundreds]} hundred", *(["a hundred"] if hundreds == 1 else [])]
    (more,) = _names(rest)
    short = [f"{_UNITS[hundreds]} {more}"] if rest >= 10 else []
    return [f"{_UNITS[hundreds]} hundred {more}", f"{_UNITS[hundreds]} hundred and {more}", *short]


def _ordinal(name: str) -> str:
    before, last = name.rpartition(" ")[0], name.rpartition(" ")[2]
    turned = _ORDINALS.get(last) or (f"{last.removesuffix('y')}ieth" if last.endswith("y") else f"{last}th")
    return f"{before} {turned}".strip()
