from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

import pytest

from noteeval_desktop.domain.plain import from_plain, to_plain
from noteeval_desktop.domain.transcript import Role


@dataclass(frozen=True)
class Inner:
    share: float
    role: Role = Role.CLIENT


@dataclass(frozen=True)
class Outer:
    name: str
    count: int
    day: date
    sure: bool = False
    inner: tuple[Inner, ...] = ()
    pair: tuple[str, int] | None = None


WHOLE = Outer("Zoë 😀", 3, date(2026, 2, 28), True, (Inner(0.5, Role.OTHER), Inner(1.0)), ("a", 1))


def test_a_value_comes_back_as_it_was() -> None:
    plain = to_plain(WHOLE)
    assert plain["inner"][0] == {"share": 0.5, "role": "other"}
    assert plain["pair"] == ["a", 1]
    assert from_plain(Outer, plain) == WHOLE


def test_fields_added_since_take_their_defaults_and_unknown_ones_are_left_out() -> None:
    assert from_plain(Outer, {"name": "x", "count": 1, "day": "2026-01-01", "colour": "red"}) == Outer(
        "x", 1, date(2026, 1, 1)
    )


@pytest.mark.parametrize(
    "change",
    [
        {"name": None},
        {"name": 3},
        {"count": True},
        {"count": 3.0},
        {"count": "3"},
        {"sure": 1},
        {"day": "yesterday"},
        {"day": 5},
        {"inner": {"share": 1.0}},
        {"inner": [{"role": "client"}]},
        {"inner": [{"share": "1"}]},
        {"inner": [{"share": 1.0, "role": "nobody"}]},
        {"pair": ["a"]},
        {"pair": ["a", 1, 2]},
    ],
)
def test_what_does_not_fit_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="not a Outer"):
        from_plain(Outer, to_plain(WHOLE) | change)


@pytest.mark.parametrize("data", [None, [], "text", 3])
def test_other_data_are_refused(data: object) -> None:
    with pytest.raises(ValueError, match="not a Outer"):
        from_plain(Outer, data)


def test_a_whole_number_may_stand_for_a_share() -> None:
    found = from_plain(Inner, {"share": 1})
    assert found.share == 1.0
    assert type(found.share) is float


def test_only_plain_values_are_written() -> None:
    assert to_plain(datetime(2026, 1, 2, 3, 4)) == "2026-01-02T03:04:00"
    with pytest.raises(TypeError, match="bytes"):
        to_plain(b"key")
