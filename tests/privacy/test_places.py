"""A place is masked as one, and identifies nobody where it is a continent."""

from __future__ import annotations

import pytest

from noteeval_desktop import paths
from noteeval_desktop.privacy.identifiers import IdentifierFinder
from noteeval_desktop.privacy.lexicon import load_lexicon
from noteeval_desktop.privacy.masking import IdentifierKind


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("They flew to Asia, then to America.", ["Asia", "America"]),
        ("He came from Latin America.", ["Latin America"]),
        ("Her uncle lives in Tromso.", ["Tromso"]),
        ("They moved to Uusimaa last year.", ["Uusimaa"]),
        ("Her aunt in Africa called.", []),
        ("She has family in Siberia and Scandinavia.", ["Siberia", "Scandinavia"]),
    ],
)
def test_a_place_is_taken_for_no_person(text: str, places: list[str]) -> None:
    finder = IdentifierFinder(load_lexicon(paths.resources() / "lexicons"))
    found = finder.find(text)
    assert [one.text for one in found if one.kind is IdentifierKind.PERSON] == []
    told = [one.text for one in found if one.kind is IdentifierKind.PLACE]
    assert all(place in told for place in places)


def test_somebody_who_is_spoken_to_stays_a_person() -> None:
    finder = IdentifierFinder(load_lexicon(paths.resources() / "lexicons"))
    kinds = {one.text: one.kind for one in finder.find("She went back to Kateryna. He said goodbye to Oleksandr.")}
    assert kinds == {"Kateryna": IdentifierKind.PERSON, "Oleksandr": IdentifierKind.PERSON}
