"""A time-based psychotherapy code against the time that the note states."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from noteeval_desktop.documents.note_head import is_head, is_signature, lines_of
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.procedures import ADD_ONS, CODES, VISITS
from noteeval_desktop.domain.remarks import Remark, RemarkKind
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.verdicts import Severity

CPT_TIME = tr("CPT (American Medical Association), time ranges of psychotherapy codes; see your payer’s current text")
AUDITS = tr("What audits commonly check; see your payer’s current text")
_CODE = re.compile(rf"(?<![\w-])(?<!\b[A-Z]{{2}} )(?:{'|'.join(CODES)})(?![\w-])")
# A visit to a physician or nurse practitioner.
_VISIT = re.compile(rf"(?<![\w-]){VISITS}(?![\w-])")
_CLOCK = r"(\d{1,2}):(\d{2})\s?(?:([ap])\.?m\b\.?)?"
_RANGE = re.compile(
    rf"{_CLOCK}(?:[\s\W]|to|until|till|through|(?:session\s)?(?:end|stop)(?:\stime)?|(?:time\s)?out){{1,20}}?{_CLOCK}",
    re.IGNORECASE,
)
_LENGTH = r"(?<![\d.:-])(?:(\d)[\s-]?(?:h|hrs?|hours?)\.?,?\s?(?:and\s)?)?(\d{1,3})[\s-]?(?:mins?|minutes?)"
_MINUTES = re.compile(rf"{_LENGTH}\b", re.IGNORECASE)
_OF_THE_SESSION = re.compile(
    r"(?:psychotherapy\stime|(?:session|psychotherapy|therapy|appointment|visit)\s(?:lasted|was|ran|of|for))(?:\s(?:about|a\stotal\sof))?"
    rf"\s{_LENGTH}\b"
    rf"|{_LENGTH}[\s-](?:of\s)?(?:\w+\s){{0,2}}(?:session|psychotherapy|appointment|visit)\b",
    re.IGNORECASE,
)
_DAY = 24 * 60
_BELOW = 60  # characters


@dataclass(frozen=True, slots=True)
class Stated:
    """A length in minutes as the note states it. ``start``: the minute of the day, where it is told by the clock.
    ``psychotherapy``: of that alone, as the note says."""

    minutes: int
    span: Span
    start: int | None = None
    psychotherapy: bool = False


def times(text: str) -> tuple[Stated, ...]:
    """What the fields of a note, and sentences on the session itself, say of its length; in their order."""
    found = []
    for line in lines_of(text):
        words = line.of(text)
        if is_head(words.strip()) or is_signature(words.strip()):
            # Start and end may stand below each other.
            clocks = _RANGE.finditer(text, line.start, line.end + _BELOW)
            found += [_clocked(match) for match in clocks if match.start() < line.end]
            lengths = list(_MINUTES.finditer(words))
        else:
            lengths = list(_OF_THE_SESSION.finditer(words))
        found += [
            Stated(
                sum(int(told or 0) * unit for told, unit in zip(match.groups(), (60, 1) * 2, strict=False)),
                Span(*match.span()).shifted(line.start),
                psychotherapy="psychotherapy" in words.lower(),
            )
            for match in lengths
        ]
    return tuple(found)


def _clocked(match: re.Match[str]) -> Stated:
    """Without "am" or "pm" on both sides a session is taken to end within twelve hours."""
    hour, minute, half, last_hour, last_minute, last_half = match.groups()
    began, ended = _minute_of_day(hour, minute, half), _minute_of_day(last_hour, last_minute, last_half)
    told = (half and last_half) or max(int(hour), int(last_hour)) > 12
    length = (ended - began) % (_DAY if told else _DAY // 2)
    return Stated(length, Span(*match.span()), began)


def _minute_of_day(hour: str, minute: str, half: str | None) -> int:
    hours = int(hour) % 12 + (12 if half.lower() == "p" else 0) if half else int(hour)
    return hours * 60 + int(minute)


def time_and_code(case: Case) -> Iterator[Remark]:
    text = case.note.text
    stated = times(text)
    yield from _lengths(stated)
    codes = [(code.group(), Span(*code.span())) for code in _CODE.finditer(text)]
    for code, span in codes:
        least, most = CODES[code]
        if stated and all(_differs(code, one) for one in stated):
            stands = tr("{least} to {most} minutes") if most else tr("{least} minutes or more")
            says = tr("{code} stands for {range}; the note has {minutes}. Check the times and the code.").format(
                code=code, range=stands.format(least=least, most=most), minutes=stated[0].minutes
            )
            yield _remark("code-minutes", says, span, Severity.HIGH, CPT_TIME)
        if code == "90840" and not any(other == "90839" for other, _ in codes):
            says = tr("90840 adds half an hour to 90839, which the note does not have.")
            yield _remark("code-alone", says, span, Severity.MEDIUM, CPT_TIME)
        if code in ADD_ONS and not _VISIT.search(text):
            says = tr("{code} is added to a medical visit (such as 99213), which the note does not have.")
            yield _remark("code-alone", says.format(code=code), span, Severity.MEDIUM, CPT_TIME)
    yield from _overlaps(case, stated)


def _differs(code: str, stated: Stated) -> bool:
    least, most = CODES[code]
    # What a visit took besides is in its minutes, too.
    longest = most if code not in ADD_ONS or stated.psychotherapy else None
    return stated.minutes < least or (longest is not None and stated.minutes > longest)


def _lengths(stated: tuple[Stated, ...]) -> Iterator[Remark]:
    clock = next((one for one in stated if one.start is not None), None)
    if clock is None:
        return
    if clock.minutes > _DAY // 2:
        yield _remark("end-before-start", tr("The end is before the start."), clock.span, Severity.HIGH)
        return
    for one in stated:
        if one.start is None and not one.psychotherapy and abs(one.minutes - clock.minutes) > 1:
            says = tr("From start to stop it was {clock} minutes; the note also says {minutes}.")
            says = says.format(clock=clock.minutes, minutes=one.minutes)
            yield _remark("duration", says, one.span, Severity.MEDIUM)


def _overlaps(case: Case, stated: tuple[Stated, ...]) -> Iterator[Remark]:
    """With another note on the client of the same day; with the very same times it is this one in another version."""
    same_day = case.background.same_day if case.background else ()
    others = [other for one in same_day for other in times(one.note.text)]
    clock = next((one for one in stated if any(_overlap(one, other) for other in others)), None)
    if clock is not None:
        says = tr("Another note for this client has a session at the same time on the same day.")
        yield _remark("overlap", says, clock.span, Severity.HIGH)


def _overlap(one: Stated, other: Stated) -> bool:
    if one.start is None or other.start is None or (one.start, one.minutes) == (other.start, other.minutes):
        return False
    return one.start < other.start + other.minutes and other.start < one.start + one.minutes


def _remark(rule: str, says: str, span: Span, severity: Severity, source: str = AUDITS) -> Remark:
    return Remark(RemarkKind.CODE, rule, says, source, span, severity=severity)
