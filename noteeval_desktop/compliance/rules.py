"""Every rule, and what all of them remark on a case."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from noteeval_desktop.compliance.abbreviations import abbreviations
from noteeval_desktop.compliance.dates import dates
from noteeval_desktop.compliance.diagnoses import diagnoses
from noteeval_desktop.compliance.identity import identity
from noteeval_desktop.compliance.signature import signature
from noteeval_desktop.compliance.template import left_over, unfinished
from noteeval_desktop.compliance.time_and_code import time_and_code
from noteeval_desktop.compliance.wording import wording
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.remarks import Remark

Rule = Callable[[Case], Iterable[Remark]]
RULES: tuple[Rule, ...] = (
    time_and_code,
    dates,
    signature,
    identity,
    unfinished,
    left_over,
    diagnoses,
    abbreviations,
    wording,
)


def remarks_on(case: Case) -> tuple[Remark, ...]:
    """In the order of the rules, and of each in the order of the note."""
    return tuple(remark for rule in RULES for remark in rule(case))
