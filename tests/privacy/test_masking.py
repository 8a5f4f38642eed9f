"""What stands for an identifier, where two meet, and the way back for every place."""

from __future__ import annotations

import pytest

from noteeval_desktop.domain.text import Span
from noteeval_desktop.privacy.masking import Identifier, IdentifierKind, Tokens, mask

TEXT = "Ann Lee met Ann in Oslo."
PERSON, PLACE = IdentifierKind.PERSON, IdentifierKind.PLACE


def found(start: int, end: int, kind: IdentifierKind = PERSON) -> Identifier:
    return Identifier(kind, Span(start, end), TEXT[start:end])


@pytest.mark.parametrize(
    ("identifiers", "masked"),
    [
        ([], TEXT),
        ([found(12, 15), found(0, 7)], "[PERSON-1] met [PERSON-2] in Oslo."),
        ([found(0, 3), found(12, 15), found(19, 23, PLACE)], "[PERSON-1] Lee met [PERSON-1] in [PLACE-1]."),
        ([found(0, 5), found(4, 7, PLACE)], "[PERSON-1] met Ann in Oslo."),
        ([found(0, 3), found(3, 7, PLACE)], "[PERSON-1][PLACE-1] met Ann in Oslo."),
        ([found(0, 7), found(4, 7, PLACE)], "[PERSON-1] met Ann in Oslo."),
        ([found(0, 7), found(1, 5, PLACE)], "[PERSON-1] met Ann in Oslo."),
        ([found(0, 3, PLACE), found(0, 7)], "[PERSON-1] met Ann in Oslo."),
        ([found(0, 3), found(2, 5, PLACE), found(4, 11, PLACE)], "[PERSON-1] Ann in Oslo."),
        ([found(0, 3), found(8, 13), found(12, 15, PLACE)], "[PERSON-1] Lee [PERSON-2] in Oslo."),
        ([found(19, 24, PLACE)], "Ann Lee met Ann in [PLACE-1]"),
    ],
    ids=[
        "none",
        "order",
        "same",
        "overlap",
        "touching",
        "at-the-end",
        "inside",
        "longest-first",
        "chain",
        "later",
        "to-the-last",
    ],
)
def test_what_is_found_is_replaced_and_what_overlaps_is_one(identifiers: list[Identifier], masked: str) -> None:
    assert mask(TEXT, identifiers, Tokens()).text == masked


def test_what_overlaps_is_restored_whole() -> None:
    tokens = Tokens()
    assert tokens.restore(mask(TEXT, [found(0, 5), found(4, 7, PLACE)], tokens).text) == TEXT


@pytest.mark.parametrize(
    ("masked", "original"),
    [
        ((0, 1), (0, 1)),
        ((0, 5), (0, 5)),
        ((4, 5), (4, 5)),
        ((5, 6), (5, 8)),
        ((6, 7), (5, 8)),
        ((5, 15), (5, 8)),
        ((14, 16), (5, 9)),
        ((15, 16), (8, 9)),
        ((15, 19), (8, 12)),
        ((20, 21), (12, 16)),
        ((3, 22), (3, 16)),
        ((28, 29), (16, 17)),
        ((29, 30), (17, 18)),
        ((0, 30), (0, 18)),
    ],
)
def test_every_place_finds_its_way_back(masked: tuple[int, int], original: tuple[int, int]) -> None:
    both = mask(
        "I sawAnn in Oslo!?", [Identifier(PERSON, Span(5, 8), "Ann"), Identifier(PLACE, Span(12, 16), "Oslo")], Tokens()
    )
    assert both.text == "I saw[PERSON-1] in [PLACE-1]!?"
    assert both.to_original(Span(*masked)) == Span(*original)


@pytest.mark.parametrize("again", ["Renée O'Neil", "RENEE O’NEIL", "renée  o'neil", "Rene\u0301e O'Neil"])
def test_who_is_named_again_has_the_same_token(again: str) -> None:
    tokens = Tokens()
    tokens.token(Identifier(PERSON, Span(0, 1), "Somebody"))
    token = tokens.token(Identifier(PERSON, Span(0, 1), "Renée O’Neil"))
    assert (token, tokens.token(Identifier(PERSON, Span(0, 1), again))) == ("[PERSON-2]", "[PERSON-2]")
    assert tokens.token(Identifier(PLACE, Span(0, 1), again)) == "[PERSON-2]"
    assert (
        tokens.restore("[PERSON-2], [PERSON-1]; [PERSON-3] [person-1]")
        == "Renée O’Neil, Somebody; [PERSON-3] [person-1]"
    )


def test_more_than_nine_are_told_apart() -> None:
    tokens = Tokens()
    names = [f"Name{letter}" for letter in "abcdefghijkl"]
    made = [tokens.token(Identifier(PERSON, Span(0, 1), name)) for name in names]
    assert made[10] == "[PERSON-11]"
    assert tokens.restore(" ".join(made)) == " ".join(names)
