"""The dates of a note: there is such a day, it is not ahead, and it is this session's and no other's."""

from __future__ import annotations

import re
from collections.abc import Iterator

from noteeval_desktop.compliance.time_and_code import AUDITS, times
from noteeval_desktop.documents.note_head import Dated, dates_in, service_dates, signatures
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.phrases import long_day, tr
from noteeval_desktop.domain.remarks import Remark, RemarkKind
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.verdicts import Severity

_SAID = re.compile(r"\b(?:today(?:'s date)? is|the date is|recorded on|recording of|session of)\b", re.IGNORECASE)
# Whoever records says the date first.
_TURNS = 4


def dates(case: Case) -> Iterator[Remark]:
    """A date that can be read in two ways is taken the way that raises no question."""
    text, background = case.note.text, case.background
    service = service_dates(text)
    signed = [one for line in signatures(text) for one in dates_in(text, line)]
    for one in (*service, *signed):
        if not one.days:
            yield _remark("date-impossible", tr("This date does not exist."), one, Severity.HIGH)
        elif background and background.today and min(one.days) > background.today:
            yield _remark("date-ahead", tr("This date is in the future."), one, Severity.HIGH)
    first = next((one for one in service if one.days), None)
    if first is None:
        return
    for one in signed:
        if one.days and max(one.days) < min(first.days):
            yield _remark("signed-before", tr("It was signed before the day of the session."), one, Severity.MEDIUM)
    for said in _said_in_session(case):
        if said.days and not said.days & first.days:
            says = tr("The session was on {day}, as is said at the beginning; the note has a different date.")
            yield _remark("date-session", says.format(day=long_day(min(said.days))), first, Severity.HIGH)
    for earlier in background.earlier if background else ():
        copied = next(iter(service_dates(earlier.note.text)), None)
        # Two sessions on one day have times of their own.
        if copied and copied.days & first.days and not (times(text) and times(earlier.note.text)):
            says = tr("An earlier note for this client has the same date.")
            yield _remark("date-copied", says, first, Severity.MEDIUM)
            return


def _said_in_session(case: Case) -> Iterator[Dated]:
    for turn in case.transcript.turns[:_TURNS]:
        if said := _SAID.search(turn.text):
            yield from dates_in(turn.text, Span(said.end(), len(turn.text)))[:1]


def _remark(rule: str, says: str, one: Dated, severity: Severity) -> Remark:
    return Remark(RemarkKind.DATE, rule, says, AUDITS, one.span, severity=severity)
