"""Words, numbers and lists as a reader sees them: a translation starts here (``pybabel extract -k tr``)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime
from gettext import NullTranslations

# gettext's own functions look for a catalogue on the disk at each call: 40 µs, not 0.06.
_english = NullTranslations()
tr, ngettext = _english.gettext, _english.ngettext


def counted(number: int, one: str, many: str = "") -> str:
    """ "1 case", "12,041 cases", "2 people"; ``many`` is ``one`` with an s where it is not given."""
    return f"{number:,} {ngettext(one, many or f'{one}s', number)}"


def are(number: int, one: str = "is", many: str = "are") -> str:
    """The verb that goes with ``number`` things."""
    return ngettext(one, many, number)


def listed(parts: Iterable[str]) -> str:
    """ "a", "a and b", "a, b and c"."""
    *first, last = list(parts) or [""]
    return f"{', '.join(first)} and {last}" if first else last


def nearest(given: str, known: Iterable[str]) -> list[str]:
    """The one of ``known`` that ``given`` is likely to be a misspelling of; empty where none is."""
    from difflib import get_close_matches  # here, not above: who types everything right needs none

    return get_close_matches(given, list(known), 1, 0.7)


def did_you_mean(given: str, known: Iterable[str]) -> str:
    """ " (did you mean builtin?)", or nothing."""
    return "".join(tr(" (did you mean {near}?)").format(near=near) for near in nearest(given, known))


def sentence(text: str) -> str:
    """With a capital letter at its start, the rest as it is."""
    return text[:1].upper() + text[1:]


def inside(text: str) -> str:
    """For the middle of a sentence: with a small letter at its start, the rest as it is."""
    return text[:1].lower() + text[1:]


def percent(share: float) -> str:
    """ "88 %" of 0..1."""
    return f"{round(100 * share)} %"


def share_of(done: int | str, total: int | str) -> str:
    return tr("{done} of {total}").format(done=done, total=total)


def interval(low: str, high: str) -> str:
    return tr("{low} to {high}").format(low=low, high=high)


def duration(seconds: float) -> str:
    """ "45 s", "3 min", "2 h", "2 h 5 min"."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    hours, minutes = divmod(round(seconds / 60), 60)
    return " ".join(f"{count} {unit}" for count, unit in ((hours, "h"), (minutes, "min")) if count)


def decimal(value: float) -> str:
    """ "0.43", "−0.07"; what rounds to nothing has no minus."""
    return f"{value:z.2f}".replace("-", "−")


def size(count: int) -> str:
    """ "812 MB", "4.1 GB" of bytes."""
    return f"{count / 1e6:.0f} MB" if count < 1e9 else f"{count / 1e9:.1f} GB"


def day(known: date) -> str:
    """ "3 Mar 2026"."""
    return f"{known.day} {known:%b %Y}"


def moment(when: datetime) -> str:
    """ "3 Mar 2026, 09:05", local time."""
    local = when.astimezone()
    return f"{day(local)}, {local:%H:%M}"


def long_day(known: date) -> str:
    """ "3 March 2026"."""
    return f"{known.day} {known:%B %Y}"


def shortened(text: str, limit: int) -> str:
    """``text`` in one line of at most ``limit`` characters, cut at a word; a quotation keeps its end."""
    line = " ".join(text.split())
    if len(line) <= limit:
        return line
    end = "…”" if line.startswith("“") and line.endswith("”") else "…"
    cut = line[: limit - len(end)]
    return (cut.rsplit(" ", 1)[0] if " " in cut[limit // 2 :] else cut) + end
