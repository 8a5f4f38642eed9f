"""Every rule, and what all of them remark on a case."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from noteeval_desktop.compliance.template import unfinished
from noteeval_desktop.compliance.time_and_code import time_and_code
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.remarks import Remark

Rule = Callable[[Case], Iterable[Remark]]
RULES: tuple[Rule, ...] = (time_and_code, unfinished)


def remarks_on(case: Case) -> tuple[Remark, ...]:
    """In the order of the rules, and of each in the order of the note."""
    return tuple(remark for rule in RULES for remark in rule(case))
