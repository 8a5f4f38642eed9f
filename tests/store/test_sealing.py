"""What a passphrase and a key seal, and what a file may ask this program to pay for opening it."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

import pytest

from noteeval_desktop.errors import InputError
from noteeval_desktop.store.errors import WrongPassphrase
from noteeval_desktop.store.sealing import (
    Cost,
    checked,
    checksum,
    seal,
    seal_with_passphrase,
    sealed_from_plain,
    unseal,
    unseal_with_passphrase,
)

KEY, SECRET, PURPOSE = bytes(range(32)), b"what is kept", "the purpose"


def test_without_another_word_it_costs_what_rfc_9106_recommends() -> None:
    assert asdict(Cost()) == {"memory_kib": 65_536, "passes": 3, "lanes": 4}


@pytest.mark.parametrize(
    "cost", [(8, 1, 1), (128, 1, 16), (1 << 18, 4, 1), (1 << 18, 1, 16), (1 << 10, 1 << 10, 1), (8, 1 << 17, 1)]
)
def test_a_cost_within_the_bounds_is_paid(cost: tuple[int, int, int]) -> None:
    assert tuple(asdict(Cost(*cost)).values()) == cost


@pytest.mark.parametrize(
    "cost",
    [
        (7, 1, 1),
        (127, 1, 16),
        (136, 1, 17),
        ((1 << 18) + 1, 1, 1),
        (1 << 18, 5, 1),
        (1 << 10, (1 << 10) + 1, 1),
        (64, 0, 1),
        (64, 1, 0),
        (64.0, 1, 1),
        (64, True, 1),
        (64, 1, True),
    ],
)
def test_a_cost_beyond_the_bounds_is_not(cost: tuple[Any, Any, Any]) -> None:
    with pytest.raises(ValueError, match="not a cost"):
        Cost(*cost)


def test_what_is_sealed_opens_for_its_key_and_its_purpose_alone() -> None:
    sealed = seal(SECRET, KEY, PURPOSE)
    assert SECRET not in sealed.box
    assert unseal(sealed, KEY, PURPOSE) == SECRET
    assert unseal(sealed, KEY[::-1], PURPOSE) is None
    assert unseal(sealed, KEY, "another") is None
    assert unseal(sealed.holding(sealed.box[:-1] + bytes([sealed.box[-1] ^ 1])), KEY, PURPOSE) is None
    assert seal(SECRET, KEY, PURPOSE).nonce != sealed.nonce


def test_what_a_passphrase_seals_opens_for_it_alone(cheap: Cost, passphrase: str) -> None:
    sealed, again = (seal_with_passphrase(SECRET, passphrase, PURPOSE, cheap) for _ in range(2))
    assert sealed.salt != again.salt
    assert unseal_with_passphrase(sealed, passphrase, PURPOSE) == SECRET
    for typed, purpose, box in (
        ("another one", PURPOSE, sealed),
        (passphrase, "another", sealed),
        (passphrase, PURPOSE, replace(sealed, salt=again.salt)),
        (passphrase, PURPOSE, seal(SECRET, KEY, PURPOSE)),
    ):
        with pytest.raises(WrongPassphrase):
            unseal_with_passphrase(box, typed, purpose)


def test_what_was_sealed_years_ago_still_opens() -> None:
    """As it was written in November 2026."""
    sealed = {
        "nonce": "8y5vgluvx/peTQKe",
        "box": "1xJteb6Rg3wIfW0HvwNp+Yskm/yeTRY69MdEjA==",
        "salt": "EdNxmx8AWfB0UPUgFrJBBA==",
        "cost": {"memory_kib": 64, "passes": 1, "lanes": 1},
    }
    assert unseal_with_passphrase(sealed_from_plain(sealed), "grüne Wiese ﬁ", PURPOSE) == SECRET


def test_what_is_written_down_is_read_back(cheap: Cost, passphrase: str) -> None:
    for sealed in (seal(SECRET, KEY, PURPOSE), seal_with_passphrase(SECRET, passphrase, PURPOSE, cheap)):
        assert sealed_from_plain(sealed.to_plain()) == sealed
    assert set(seal(SECRET, KEY, PURPOSE).to_plain()) == {"nonce", "box"}


@pytest.mark.parametrize("part", ["nonce", "salt"])
@pytest.mark.parametrize("text", ["", "AAAA", "AAAAAAAAAAAAAAAAAAAAAAAAAAA=", "no base64!"])
def test_a_nonce_or_salt_of_another_length_is_refused(cheap: Cost, passphrase: str, part: str, text: str) -> None:
    plain = seal_with_passphrase(SECRET, passphrase, PURPOSE, cheap).to_plain()
    with pytest.raises(ValueError):  # noqa: PT011
        sealed_from_plain(plain | {part: text})


def test_what_is_no_base64_is_not_passed_over(cheap: Cost, passphrase: str) -> None:
    plain = seal_with_passphrase(SECRET, passphrase, PURPOSE, cheap).to_plain()
    with pytest.raises(ValueError):  # noqa: PT011
        sealed_from_plain(plain | {"nonce": f"!{plain['nonce']}"})


def test_a_passphrase_of_eight_characters_is_long_enough() -> None:
    assert checked("achtacht") == "achtacht"
    for short in ("sieben7", " sieben7 "):
        with pytest.raises(InputError):
            checked(short)


def test_a_checksum_is_sha_256() -> None:
    assert checksum(b"") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
