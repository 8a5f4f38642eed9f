"""Signatures, and the one form of what is signed."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from noteeval_desktop.domain.review import Review, ReviewKind
from noteeval_desktop.store.signing import Signer, canonical, fingerprint, is_by, review_content

ANN, BO = Signer(b"a" * 32), Signer(b"b" * 32)
SIGNED = ANN.sign("grüne Wiese".encode())


@pytest.mark.parametrize(
    ("public", "signature", "content", "holds"),
    [
        (ANN.public, SIGNED, "grüne Wiese", True),
        (ANN.public, SIGNED, "grüne Wiesen", False),
        (BO.public, SIGNED, "grüne Wiese", False),
        (ANN.public, SIGNED[:-2], "grüne Wiese", False),
        (ANN.public, "no signature", "grüne Wiese", False),
        ("no key", SIGNED, "grüne Wiese", False),
        ("", "", "", False),
    ],
)
def test_a_signature_holds_for_its_content_and_its_owner_alone(
    public: str, signature: str, content: str, holds: bool
) -> None:
    assert is_by(public, signature, content.encode()) is holds


@pytest.mark.parametrize(
    "small",
    [
        "0100000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000080",
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0000000000000000000000000000000000000000000000000000000000000080",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    ],
)
def test_a_key_with_which_anything_seems_signed_is_refused(small: str) -> None:
    """With S = 0 and R the neutral point, "01 00…" signs whatever there is."""
    for point in ("01" + "00" * 31, small):
        for content in (b"yes", b"no", b"a", b"b", b"c", b"d", b"e", b"f"):
            assert not is_by(small, point + "00" * 32, content)


@pytest.mark.parametrize("written", [str.upper, lambda key: f" {key}", lambda key: f"{key[:2]} {key[2:]}"])
def test_one_key_is_written_in_one_way(written) -> None:
    assert not is_by(written(ANN.public), SIGNED, "grüne Wiese".encode())


def test_a_fingerprint_is_read_out_in_six_groups_of_four() -> None:
    groups = fingerprint(ANN.public).split(" ")
    assert [len(group) for group in groups] == [4] * 6
    assert all(group.isalnum() for group in groups)
    assert groups != fingerprint(BO.public).split(" ")


def test_what_is_signed_has_one_form() -> None:
    assert canonical("p", {"b": 1, "a": "ü"}) == '["p",{"a":"ü","b":1}]'.encode()
    for without in (math.nan, "\ud800"):
        with pytest.raises(ValueError, match=r"JSON|surrogates"):
            canonical("p", without)


def test_members_that_hold_nothing_are_not_signed() -> None:
    now = datetime(2026, 4, 1, tzinfo=UTC)
    review = Review("r" * 32, ReviewKind.SUPERVISION, "Kim", "n" * 64, now)
    purpose, signed = json.loads(review_content("c", now, review))
    assert (purpose, signed["rater"], signed["case"]) == ("noteeval.review/1", "Kim", "c")
    assert all(value not in (None, False, "", []) for value in signed.values())
    assert True in json.loads(review_content("c", now, replace(review, carried=True)))[1].values()
