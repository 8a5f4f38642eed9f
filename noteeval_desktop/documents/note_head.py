"""What says whose a note is, when and by whom: its title, its fields, its signature.

They are no sentences about the session: "Nobody says “90834”" helps nobody. A diagnosis stays, for the checklist.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from noteeval_desktop.domain.text import Span

_LONGEST = 160
_HEAD_LINES, _FOOT_LINES = 15, 4
# With the address and the numbers of a practice below them.
_SIGNED_WITHIN = 10
_KIND = (
    r"(?:soap|dap|birp|girp|pirp|sirp|pie|progress|session|therapy|psychotherapy|individual|group|couples?|family|case"
    r"|clinical|treatment|contact|intake|counsell?ing)"
)
_TITLE = re.compile(
    rf"[#*_\s]*(?:(?:soap|dap|birp|girp|pirp|sirp|pie)[*_:\s]*"
    rf"|(?:{_KIND}[\s/&,-]+)+notes?\b(?:[\s–—|(#:,*_-]+[\w/&'’.)]+){{0,6}}[*_:\s]*)$",
    re.IGNORECASE,
)
_NAME = (
    r"(?:(?:clients?|patients?|pt|couple)(?:'s|’s)?\s?(?:name|id|initials|no\.?|number)?|name|initials|d\.?o\.?b\.?|date\sof\sbirth"
    r"|age|pronouns|gender|mrn|chart|record\s(?:no\.?|number)|case\s(?:no\.?|number|id)|(?:service|session|visit|note)?\s?date"
    r"|date\sof\s(?:service|session|visit|note)|dos|(?:session\s)?(?:start|end|stop)(?:\stime)?|time(?:\s(?:in|out))?|duration|length(?:\sof\ssession)?"
    r"|session(?:\s(?:no\.?|number|type|length|time|format))?|type\sof\s(?:session|service|note)|location|place\sof\sservice|pos"
    r"|modality|setting|format|cpt(?:\scode)?|billing\scode|service(?:\scode)?|units?|insurance|payer|provider|clinician"
    r"|therapist|counsell?or|supervisor|agency|clinic|credentials|licen[sc]e|present|attendees|participants"
    r"|in\sattendance)"
)
# "Client: Renee C.", "CPT 90834": a label and its colon, or one and a number with nothing but fields behind it.
_NUMBER = r"\d[\d/:.-]{0,12}(?:\s?[ap]\.?m\.?)?(?:$|\s{2}|\s*[|;,–\t]|\s+[A-Z][\w/ ]{0,20}[:#])"
_FIELD = re.compile(rf"[#*_\-•\s]*{_NAME}[*_]*\s*(?:[:：][*_]*|#|(?={_NUMBER}))(?P<value>.*)$", re.IGNORECASE)
# A value of this many words, or with the end of a sentence in it, is something that was said.
_MOST_WORDS = 14
# Or it has so many fields.
_FIELDS = 3
_SENTENCE = re.compile(
    r"\b(?!Dr|Mr|Mrs|Ms|St|No|Ave|Rd)[A-Za-z]{2,}\.\s+[A-Z]|\b(?:reports?|reported|states?|stated|said|was|is|has|had)\b"
)
# "J. Abara, trainee counsellor   11/18/2026", with nothing but a date behind it.
_ROLE = (
    r"(?i:(?:(?:trainee|student|associate|licensed|registered|clinical|mental\shealth|senior|resident|practicum)\s)*"
    r"(?:counsell?or|therapist|psycholog(?:ist|y)|psychotherapist|psychiatrist|social\sworker|clinician|intern|trainee"
    r"|student|resident)\s*(?:[(,;|].{0,30}|[\d/.\s:-]*)$)"
)
_SIGNATURE = re.compile(
    r"[*_\s]*(?:(?i:electronically\ssigned\b|signed(?:\sby\b|\s?:)|(?:(?:clinician|therapist|provider|supervisor)(?:'s|’s)?\s)?signature\b)"
    r"|_{4,}|(?:[A-Z][\w.'’-]*\s){0,3}[A-Z][\w.'’-]*,\s*(?:[\w.]+,\s*){0,3}"
    rf"(?:(?i:l?i?csw|lcsw-?\w|lmsw|a?mft|lmft|lpcc?|lcpc|lmhc|apcc|psy\.?d|ph\.?d|pmhnp)\b|{_ROLE}))"
    r".*$"
)


_ENDS = r"(?=\s{2,}|\t|\s*[|;]|,?\s+(?:d\.?o\.?b|date|session|cpt|mrn|therapist|clinician|provider|time|age)\b|$)"
_CLIENT = re.compile(
    rf"(?:^|\s{{2}}|[|;,\t*]\s*)(?:client|patient|pt)(?:'s|’s)?(?:\s(?:name|initials|id))?[*_]*\s*:[*_]*\s*(\S.*?){_ENDS}",
    re.IGNORECASE,
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = rf"((?:{'|'.join(_MONTHS)})[a-z]*)\.?"
_DAY = (
    r"(?:(\d{4})-(\d\d?)-(\d\d?)|(\d\d?)[/.](\d\d?)[/.](\d{4}|\d\d(?!\d))"
    rf"|(?:[a-z]+day,?\s)?(?:(\d\d?)(?:st|nd|rd|th)?\s{_MONTH}|{_MONTH}\s(\d\d?)(?:st|nd|rd|th)?),?\s(\d{{4}}))\b"
)
ANY_DAY = re.compile(rf"(?<![\w/.-]){_DAY}", re.IGNORECASE)
_DATE = re.compile(
    r"\b(?:(?:service |session |visit |note )?date(?: of (?:service|session|visit|note))?|dos)[*_]*\s*:[*_]*\s*"
    rf"{_DAY}",
    re.IGNORECASE,
)
_LABEL = re.compile(
    rf"(?:^|\s{{2}}|[|;,\t*•-]\s*)(?P<label>{_NAME})[*_]*\s*[:：#][*_]*\s*"
    rf"(?P<value>\S.*?)(?=\s{{2,}}|\t|\s*[|;]|,?\s+{_NAME}[*_]*\s*[:：#]|$)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Field:
    """Of a note's head: "date of service" and what stands behind it, ``span``; ``label`` in small letters."""

    label: str
    value: str
    span: Span


@dataclass(frozen=True, slots=True)
class Dated:
    """A date as it is written: ``days`` are what it may mean, both of "03/04/2026"; none where there is no such day."""

    days: frozenset[date]
    span: Span


def client_and_date(text: str, day_first: bool) -> tuple[str, date | None]:
    """What the fields above a note say; "" and None where they do not. ``day_first``: how "03/04/2026" is meant."""
    lines = [line.strip() for line in text.splitlines() if line.strip()][:_HEAD_LINES]
    head = "\n".join(line for line in lines if is_head(line))
    client = next((found[1].strip(" *_") for line in head.splitlines() if (found := _CLIENT.search(line))), "")
    told = _DATE.search(head)
    return client, None if told is None else _day(told, day_first)


def _day(told: re.Match[str], day_first: bool) -> date | None:
    if told[11]:
        named = (told[8] or told[9])[:3].lower()
        year, month, day = int(told[11]), _MONTHS.index(named) + 1, int(told[7] or told[10])
    elif told[1]:
        year, month, day = int(told[1]), int(told[2]), int(told[3])
    else:
        year, month, day = int(told[6]) + 2000 * (len(told[6]) == 2), int(told[4]), int(told[5])
        if (day_first or month > 12) and day <= 12:
            month, day = day, month
    try:
        return date(year, month, day)
    except ValueError:
        return None


def service_dates(text: str) -> tuple[Dated, ...]:
    """The dates that the note's fields give its session, in their order."""
    return tuple(
        _dated(found, line.start)
        for line in lines_of(text)
        if is_head(line.of(text))
        for found in _DATE.finditer(line.of(text))
    )


def dates_in(text: str, line: Span) -> tuple[Dated, ...]:
    """Every date with its year on a line, whatever it is of."""
    return tuple(_dated(found, line.start) for found in ANY_DAY.finditer(line.of(text)))


def _dated(found: re.Match[str], start: int) -> Dated:
    days = frozenset(day for day_first in (False, True) if (day := _day(found, day_first)))
    first = next(at for at in range(1, 12) if found[at])
    return Dated(days, Span(found.start(first), found.end()).shifted(start))


def fields(text: str) -> tuple[Field, ...]:
    """Every "Label: value" of the lines that are fields, wherever they stand."""
    return tuple(
        Field(
            " ".join(found["label"].lower().split()),
            found["value"].strip(" *_"),
            Span(*found.span("value")).shifted(line.start),
        )
        for line in lines_of(text)
        if is_head(line.of(text))
        for found in _LABEL.finditer(line.of(text))
    )


def lines_of(text: str) -> Iterator[Span]:
    """Every line that is not blank, without its break."""
    start = 0
    for line in text.split("\n"):
        if line.strip():
            yield Span(start, start + len(line))
        start += len(line) + 1


def is_head(line: str) -> bool:
    """A title such as "DAP NOTE", or fields such as "Client: R. C.   DOB 03/14/1991"."""
    if len(line) > _LONGEST:
        return False
    field = _FIELD.match(line)
    if field:
        short = len(field["value"].split()) <= _MOST_WORDS or len(_LABEL.findall(line)) >= _FIELDS
        return short and not _SENTENCE.search(field["value"])
    return bool(_TITLE.match(line))


def signatures(text: str) -> tuple[Span, ...]:
    """The lines at a note's end that are signed, or are to be."""
    return tuple(line for line in tuple(lines_of(text))[-_SIGNED_WITHIN:] if is_signature(line.of(text).strip()))


def is_signature(line: str) -> bool:
    return len(line) <= _LONGEST and bool(_SIGNATURE.match(line)) and len(line.split()) <= _MOST_WORDS


def written(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The stretches of ``text[start:end]``, where it stands before the first heading, that are no head."""
    stretches: list[tuple[int, int]] = []
    looked = 0
    position, opened = start, False
    for line in text[start:end].splitlines(keepends=True):
        looked += bool(line.strip())
        if looked <= _HEAD_LINES and line.strip() and is_head(line.rstrip()):
            opened = False
        elif opened:
            stretches[-1] = (stretches[-1][0], position + len(line))
        elif line.strip():
            stretches.append((position, position + len(line)))
            opened = True
        position += len(line)
    return stretches


def before_signature(text: str, start: int, end: int) -> int:
    """Where ``text[start:end]``, the last of the note, ends without its signature."""
    lines = text[start:end].rstrip().splitlines(keepends=True)
    for count, line in enumerate(reversed(lines[1:]), 1):
        if count > _FOOT_LINES:
            break
        if is_signature(line.strip()):
            return start + sum(map(len, lines[:-count]))
    return end
