"""Dates that are moved, all of a case by the same whole weeks: weekday, order and distance hold."""

from __future__ import annotations

import hmac
import re
import secrets
from collections import Counter
from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import Path

from noteeval_desktop import paths
from noteeval_desktop.domain.text import Span
from noteeval_desktop.platform.files import private_folder, write_private
from noteeval_desktop.privacy.masking import IdentifierKind
from noteeval_desktop.privacy.patterns import PATTERNS

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_FULL = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September", "October"),
    *("November", "December"),
)
_ORDINALS = (
    *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh"),
    *("twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth"),
    *("twentieth", "twenty-first", "twenty-second", "twenty-third", "twenty-fourth", "twenty-fifth"),
    *("twenty-sixth", "twenty-seventh", "twenty-eighth", "twenty-ninth", "thirtieth", "thirty-first"),
)
_MONTH = re.compile(r"(?<![a-z])(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)([a-z]*)", re.I)
_DAY = re.compile(
    rf"(?<!\d)(\d{{1,2}})(st|nd|rd|th)?(?!\d)|\b({'|'.join(sorted(_ORDINALS, key=len, reverse=True))})\b".replace(
        "-", "[- ]"
    ),
    re.I,
)
_YEAR = re.compile(r"(?<!\d)\d{4}(?!\d)")
_FIRST_TWO = re.compile(r"(?<!\d)(\d{1,2})[-/.](\d{1,2})[-/.](?:\d{4}|\d{2})(?!\d)")
_NUMBERS = re.compile(r"\d+")
_DATES = tuple(pattern for kind, pattern in PATTERNS if kind is IdentifierKind.DATE)
_WEEKS = range(5, 100)
_LEAP_YEAR, _NO_YEAR = 2024, 2025
_CENTURY = 50  # '50 and later are of the last one


class Calendar:
    """Moves dates by ``weeks``; those that name no year are of ``year``. ``day_first``: 3/4 is in April."""

    def __init__(self, weeks: int, year: int = _NO_YEAR, *, day_first: bool = False) -> None:
        self._by, self._year, self._day_first = timedelta(weeks=weeks), year, day_first
        self._originals: dict[str, str] = {}

    def moved(self, text: str) -> str | None:
        """``text``, a date, in its own form; None where it names no day of a month."""
        moved = self._moved(text, self._by)
        if moved is not None:
            self._originals.setdefault(moved, text)
        return moved

    def restored(self, text: str) -> str:
        """With the dates that were moved as they were, in another form too where that can be nothing but a date."""
        spans = {Span(*found.span()) for pattern in _DATES for found in pattern.finditer(text)}
        position, parts = 0, []
        for span in sorted(spans, key=lambda span: (span.start, -span.end)):
            if span.start < position:
                continue
            said, sure = span.of(text), _MONTH.search(span.of(text)) or _YEAR.search(span.of(text))
            back = self._originals.get(said) or (self._moved(said, -self._by) if sure else None) or said
            parts += [text[position : span.start], back]
            position = span.end
        return "".join(parts) + text[position:]

    def _moved(self, text: str, by: timedelta) -> str | None:
        try:
            return self._worded(text, by) if _MONTH.search(text) else self._numeric(text, by)
        except (ValueError, OverflowError):  # of the 31st of June there is none
            return None

    def _day(self, year: int | None, month: int, day: int) -> date:
        if year is None:
            year = _LEAP_YEAR if (month, day) == (2, 29) else self._year
        elif year < 100:
            year += 1900 if year >= _CENTURY else 2000
        return date(year, month, day)

    def _numeric(self, text: str, by: timedelta) -> str | None:
        found = list(_NUMBERS.finditer(text))
        if len(found) not in (2, 3):
            return None
        numbers = [int(one.group()) for one in found]
        if len(found[0].group()) == 4:
            order = "ymd"
        elif numbers[0] > 12 or (numbers[1] <= 12 and self._day_first):
            order = "dmy"
        else:
            order = "mdy"
        if len(found) == 2 and (numbers[1] > 31 or order == "ymd"):  # a month and a year
            return None
        parts = dict(zip(order, numbers, strict=False))
        day = self._day(parts.get("y"), parts["m"], parts["d"]) + by
        if len(found) == 2:  # moved to 1/3 it would read as a third
            return f"{_FULL[day.month - 1][:3]} {day.day}"
        new, padded = {"y": day.year, "m": day.month, "d": day.day}, all(len(one.group()) > 1 for one in found)
        for one, letter in reversed(list(zip(found, order, strict=True))):
            width = len(one.group())
            number = new[letter] % 100 if letter == "y" and width == 2 else new[letter]
            text = text[: one.start()] + (f"{number:02}" if padded else str(number)) + text[one.end() :]
        return text

    def _worded(self, text: str, by: timedelta) -> str | None:
        month, year = _MONTH.search(text), _YEAR.search(text)
        day = next((d for d in _DAY.finditer(text) if not year or d.start() != year.start()), None)
        if month is None or day is None or " week" in text:
            return None
        number = int(day[1]) if day[1] else _ORDINALS.index(day[3].casefold().replace(" ", "-")) + 1
        short = _MONTHS.index(month[1].casefold()) + 1
        moved = self._day(int(year.group()) if year else None, short, number) + by
        name = (
            _FULL[moved.month - 1]
            if month[1].casefold() == "may" or month[2].casefold() not in ("", "t")
            else _FULL[moved.month - 1][:3]
        )
        name = name.upper() if month[1].isupper() else name if month[1][0].isupper() else name.casefold()
        said = _ORDINALS[moved.day - 1] if day[3] else f"{moved.day}{_ending(moved.day) if day[2] else ''}"
        pieces = [(month.span(), name), (day.span(), said)] + ([(year.span(), str(moved.year))] if year else [])
        for (start, end), new in sorted(pieces, reverse=True):
            text = text[:start] + new + text[end:]
        return text


def _ending(day: int) -> str:
    return "th" if day in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")


def calendar_of(texts: Sequence[str], session: str) -> Calendar:
    """For a case of ``texts``: the same for a ``session`` every time, so that what was answered is not asked again.
    Nobody else can tell by how much: a key that never leaves this computer goes into it. Raises OSError where that
    cannot be kept."""
    drawn = hmac.digest(_key(paths.data_folder() / "dates.key"), session.encode(), "sha256")
    weeks = _WEEKS[int.from_bytes(drawn[:4], "big") % len(_WEEKS)]
    whole = "\n".join(texts)
    years = Counter(re.findall(r"(?<![\d])20\d\d(?!\d)", whole))
    numeric = [(int(first), int(second)) for first, second in _FIRST_TWO.findall(whole)]
    day_first = any(first > 12 >= second for first, second in numeric)
    year = int(years.most_common(1)[0][0]) if years else _NO_YEAR
    return Calendar(-weeks, year, day_first=day_first)


def _key(path: Path) -> bytes:
    if not path.is_file():
        private_folder(path.parent)
        write_private(path, secrets.token_bytes(32))
    return path.read_bytes()
