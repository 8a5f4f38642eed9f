"""A town is masked, a country or a continent is not, and somebody who is spoken to is a person."""

from __future__ import annotations

import pytest

from noteeval_desktop.privacy.identifiers import IdentifierFinder
from noteeval_desktop.privacy.masking import IdentifierKind


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("They flew to Asia, then to America.", []),
        ("Her uncle lives in Tromso.", ["Tromso"]),
        ("They moved to Uusimaa last year.", ["Uusimaa"]),
        ("Her aunt in Africa called.", []),
        ("She has family in Siberia and Scandinavia.", []),
    ],
)
def test_a_town_is_masked_and_a_continent_is_not(text: str, places: list[str], finder: IdentifierFinder) -> None:
    assert [one.text for one in finder.find(text)] == places


def test_somebody_who_is_spoken_to_stays_a_person(finder: IdentifierFinder) -> None:
    kinds = {one.text: one.kind for one in finder.find("She went back to Kateryna. He said goodbye to Oleksandr.")}
    assert kinds == {"Kateryna": IdentifierKind.PERSON, "Oleksandr": IdentifierKind.PERSON}
