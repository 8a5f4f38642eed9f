"""The user's rules name the cases that were left alone for long; nothing is done by naming them."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from noteeval_desktop.store.library import Library
from noteeval_desktop.store.retention import Rules, due, months_before
from noteeval_desktop.store.sealing import Cost
from tests.factories import make_case

NOW = datetime(2026, 3, 31, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("moment", "months", "before"),
    [
        ((2026, 3, 31), 1, (2026, 2, 28)),
        ((2024, 3, 31), 1, (2024, 2, 29)),
        ((2026, 1, 15), 1, (2025, 12, 15)),
        ((2026, 12, 1), 12, (2025, 12, 1)),
        ((2024, 2, 29), 84, (2017, 2, 28)),
    ],
)
def test_months_are_counted_by_the_calendar(
    moment: tuple[int, int, int], months: int, before: tuple[int, int, int]
) -> None:
    assert months_before(datetime(*moment), months) == datetime(*before)


@pytest.mark.parametrize(
    ("rules", "archive", "delete"),
    [
        (Rules(), [], []),
        (Rules(archive_after_months=6), ["eight years", "two years"], []),
        (Rules(delete_after_years=7), [], ["nine years, archived", "eight years"]),
        (Rules(archive_after_months=6, delete_after_years=7), ["two years"], ["nine years, archived", "eight years"]),
        (Rules(delete_after_years=8), [], ["nine years, archived", "eight years"]),
        (Rules(delete_after_years=10), [], []),
        (Rules(archive_after_months=1000, delete_after_years=100), [], []),
    ],
)
def test_rules_name_what_is_old(
    folder: Path, passphrase: str, cheap: Cost, rules: Rules, archive: list[str], delete: list[str]
) -> None:
    moments = [NOW]
    library, _ = Library.create(folder, passphrase, cost=cheap, clock=lambda: moments[0])
    for year, label in ((2017, "nine years, archived"), (2018, "eight years"), (2024, "two years"), (2026, "new")):
        moments[0] = datetime(year, 1, 2, tzinfo=UTC)
        case_id = library.cases.add(make_case(label=label))
        if "archived" in label:
            library.cases.set_archived(case_id, True)
    found = due(library.cases, rules, NOW)
    assert [case.labels.label for case in found.archive] == archive
    assert [case.labels.label for case in found.delete] == delete
    assert len(found) == len(archive) + len(delete)
    assert library.cases.count() == 3
    library.lock()


def test_either_rule_is_one() -> None:
    assert [Rules(*both).any for both in ((0, 0), (6, 0), (0, 7), (6, 7))] == [False, True, True, True]
