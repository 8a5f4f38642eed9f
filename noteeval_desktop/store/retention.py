"""Which cases have been left alone for so long that the user's own rules would archive or delete them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from noteeval_desktop.store.cases import Cases
from noteeval_desktop.store.records import CaseQuery, CaseSummary, SortBy

_ALL = 1_000_000


@dataclass(frozen=True, slots=True)
class Rules:
    """Months and years since a case was last changed; 0: never."""

    archive_after_months: int = 0
    delete_after_years: int = 0

    @property
    def any(self) -> bool:
        return bool(self.archive_after_months or self.delete_after_years)


@dataclass(frozen=True, slots=True)
class Due:
    """What the rules would touch, the oldest first. Nothing is done with it before someone has seen it and agreed."""

    archive: tuple[CaseSummary, ...] = ()
    delete: tuple[CaseSummary, ...] = ()

    def __len__(self) -> int:
        return len(self.archive) + len(self.delete)


def due(cases: Cases, rules: Rules, now: datetime) -> Due:
    """A case that is to be deleted is not also archived; those in the archive can only be deleted."""
    delete: tuple[CaseSummary, ...] = ()
    if rules.delete_after_years:
        before = months_before(now, 12 * rules.delete_after_years)
        delete = tuple(sorted((*_old(cases, before, False), *_old(cases, before, True)), key=lambda case: case.changed))
    archive: tuple[CaseSummary, ...] = ()
    if rules.archive_after_months:
        leaving = {case.id for case in delete}
        before = months_before(now, rules.archive_after_months)
        archive = tuple(case for case in _old(cases, before, False) if case.id not in leaving)
    return Due(archive, delete)


def months_before(moment: datetime, months: int) -> datetime:
    """The same day that many months earlier, or the last of its month."""
    number = moment.year * 12 + moment.month - 1 - months
    year, month = divmod(number, 12)
    day = moment.day
    while True:
        try:
            return moment.replace(year=year, month=month + 1, day=day)
        except ValueError:
            if day <= 28:
                raise
            day -= 1


def _old(cases: Cases, before: datetime, archived: bool) -> tuple[CaseSummary, ...]:
    query = CaseQuery(unchanged_since=before, archived=archived, sort=SortBy.CHANGED, descending=False)
    return cases.find(query, _ALL)
