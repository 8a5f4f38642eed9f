"""Numbers as people say them."""

from __future__ import annotations

import pytest

from noteeval_desktop.judges.builtin.spoken_numbers import said_as


@pytest.mark.parametrize(
    ("value", "said", "is_it"),
    [
        (150, "Yeah. One-fifty. I missed a couple.", True),
        (150, "a hundred and fifty, no: one hundred and fifty", True),
        (150, "one fifty-five", False),
        (1, "One. It's like a one.", True),
        (1, "someone, anyone", False),
        (25, "Twenty-five.", True),
        (5, "at five", True),
        (5, "fifty-five", False),
        (5, "5.5", False),
        (100, "a hundred", True),
        (225, "two twenty-five", True),
        (205, "two five", False),
        (0, "zero 🙂", True),
    ],
)
def test_a_number_is_known_as_it_is_said(value: int, said: str, is_it: bool) -> None:
    assert bool(said_as(value).search(said)) is is_it


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (19, "the nineteenth, at five"),
        (19, "on the 19th"),
        (21, "the twenty-first"),
        (2, "the second"),
        (30, "thirtieth"),
    ],
)
def test_a_date_is_known_as_it_is_said(value: int, said: str) -> None:
    assert said_as(value, ordinal=True).search(said)
    assert not said_as(value).search("the first")


@pytest.mark.parametrize("value", [-1, 1000])
def test_larger_numbers_are_not_looked_for(value: int) -> None:
    with pytest.raises(ValueError, match="below a thousand"):
        said_as(value)
