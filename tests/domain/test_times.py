from __future__ import annotations

from datetime import timedelta, timezone

import pytest

from noteeval_desktop.domain.times import day, moment


@pytest.mark.parametrize(
    "text",
    [
        "0001-01-01T00:00:00+23:59",
        "0001-01-01T00:00:00",
        "9999-12-31T23:59:59-23:59",
        "9999-12-31T23:59:59",
        "2026-03-01T10:00:00+00:00",
    ],
)
def test_a_time_that_is_read_can_be_shown_in_every_zone(text: str) -> None:
    for hours in (-23, 0, 23):
        moment(text).astimezone(timezone(timedelta(hours=hours)))


def test_what_is_in_bounds_stays_as_it_is() -> None:
    assert moment("2026-03-01T10:00:00+02:00").isoformat() == "2026-03-01T10:00:00+02:00"
    assert day("2026-03-01").isoformat() == "2026-03-01"
    assert [day(text).year for text in ("0001-01-01", "9999-12-31")] == [1900, 9000]
