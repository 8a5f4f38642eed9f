"""A time-based psychotherapy code against the time that the note states."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from noteeval_desktop.documents.note_head import is_head, is_signature, lines_of
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.remarks import Remark, RemarkKind
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.verdicts import Severity

CPT_TIME = tr("CPT (American Medical Association), time rule for psychotherapy, 2013; couple and family, 2017")
# Minutes with the client, from and to; None: no end.
CODES: dict[str, tuple[int, int | None]] = {
    "90832": (16, 37),
    "90834": (38, 52),
    "90837": (53, None),
    "90833": (16, 37),
    "90836": (38, 52),
    "90838": (53, None),
    "90839": (30, None),
    "90840": (75, None),
    "90846": (26, None),
    "90847": (26, None),
}
# Psychotherapy beside an evaluation and management service: start and stop are of both.
ADD_ONS = ("90833", "90836", "90838")
_CODE = re.compile(rf"(?<![\w-])(?<!\b[A-Z]{{2}} )(?:{'|'.join(CODES)})(?![\w-])")
_CLOCK = r"(\d{1,2}):(\d{2})\s?(?:([ap])\.?m\b\.?)?"
_RANGE = re.compile(
    rf"{_CLOCK}\W{{0,3}}(?:to|until|till|through|\s|-|–|—|/|\||,|;|(?:end|stop|time\sout|out)(?:\stime)?|:){{1,12}}"
    rf"\s*{_CLOCK}",
    re.IGNORECASE,
)
_MINUTES = re.compile(r"(?<![\d.:-])(\d{1,3})[\s-]?(?:mins?|minutes?)\b", re.IGNORECASE)
_OF_THE_SESSION = re.compile(
    r"(?:session|psychotherapy|therapy|appointment|visit)\s(?:time\s)?(?:lasted|was|ran|of|for)(?:\s(?:about|a\stotal\sof))?"
    r"\s(\d{1,3})[\s-]?(?:mins?|minutes?)\b"
    r"|(?<![\d.:-])(\d{1,3})[\s-]?(?:mins?|minutes?)[\s-](?:of\s)?(?:\w+\s){0,2}(?:session|psychotherapy|appointment|visit)\b",
    re.IGNORECASE,
)
_DAY = 24 * 60


@dataclass(frozen=True, slots=True)
class Stated:
    """A length in minutes as the note states it. ``of``: of psychotherapy alone where it says so."""

    minutes: int
    span: Span
    clock: bool = False
    psychotherapy: bool = False


def times(text: str) -> tuple[Stated, ...]:
    """What the fields of a note, and sentences on the session itself, say of its length; in their order."""
    found = []
    for line in lines_of(text):
        words = line.of(text)
        if is_head(words.strip()) or is_signature(words.strip()):
            found += [_clocked(match, line.start) for match in _RANGE.finditer(words)]
            lengths = list(_MINUTES.finditer(words))
        else:
            lengths = list(_OF_THE_SESSION.finditer(words))
        found += [
            Stated(
                int(next(filter(None, match.groups()))),
                Span(*match.span()).shifted(line.start),
                psychotherapy="psychotherapy" in words.lower(),
            )
            for match in lengths
        ]
    return tuple(found)


def _clocked(match: re.Match[str], start: int) -> Stated:
    """Without "am" or "pm" on both sides a session is taken to end within twelve hours."""
    hour, minute, half, last_hour, last_minute, last_half = match.groups()
    began, ended = _minute_of_day(hour, minute, half), _minute_of_day(last_hour, last_minute, last_half)
    told = (half and last_half) or max(int(hour), int(last_hour)) > 12
    return Stated((ended - began) % (_DAY if told else _DAY // 2), Span(*match.span()).shifted(start), clock=True)


def _minute_of_day(hour: str, minute: str, half: str | None) -> int:
    hours = int(hour) % 12 + (12 if half.lower() == "p" else 0) if half else int(hour)
    return hours * 60 + int(minute)


def time_and_code(case: Case) -> Iterator[Remark]:
    text = case.note.text
    stated = times(text)
    for code in _CODE.finditer(text):
        name = code.group()
        least, most = CODES[name]
        for one in stated[:1]:
            too_long = most is not None and one.minutes > most and (name not in ADD_ONS or one.psychotherapy)
            if not one.minutes < least and not too_long:
                continue
            stands = tr("{least} to {most} minutes") if most else tr("{least} minutes and more")
            yield Remark(
                RemarkKind.CODE,
                "code-minutes",
                tr("{code} stands for {range}; the note has {minutes}. Check the times and the code.").format(
                    code=name, range=stands.format(least=least, most=most), minutes=one.minutes
                ),
                CPT_TIME,
                Span(*code.span()),
                severity=Severity.HIGH,
            )
