from __future__ import annotations

import json
import random
import unicodedata
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from noteeval_desktop.errors import InputError
from noteeval_desktop.store import keys
from noteeval_desktop.store.errors import KeyMissing, KeysDamaged, WrongPassphrase, WrongRecoveryKey
from noteeval_desktop.store.sealing import Cost, checksum


@pytest.fixture
def new(cheap: Cost, passphrase: str) -> keys.NewKeys:
    return keys.new_keys(passphrase, cheap)


def test_each_way_in_gives_the_same_key(new: keys.NewKeys, passphrase: str, keychain: Any) -> None:
    wrapped = keys.with_keychain(new.wrapped, new.key, keychain)
    wrapped = keys.read_wrapped(wrapped.to_bytes(), "keys")
    assert len(new.key) == 32
    assert keys.open_with_passphrase(wrapped, passphrase) == new.key
    assert keys.open_with_recovery(wrapped, new.recovery) == new.key
    assert keys.open_with_keychain(wrapped, keychain) == new.key


def test_the_key_file_and_the_keychain_hold_no_key_in_clear(new: keys.NewKeys, keychain: Any) -> None:
    content = keys.with_keychain(new.wrapped, new.key, keychain).to_bytes().decode()
    for form in (new.key.hex(), new.recovery, new.recovery.replace("-", "")):
        assert form not in content
        assert form not in str(keychain.kept)


def test_two_libraries_share_no_key(cheap: Cost, passphrase: str) -> None:
    one, two = keys.new_keys(passphrase, cheap), keys.new_keys(passphrase, cheap)
    assert one.key != two.key
    assert one.recovery != two.recovery
    with pytest.raises(WrongRecoveryKey, match="another library"):
        keys.open_with_recovery(one.wrapped, two.recovery)


@pytest.mark.parametrize(
    "typed",
    [str.lower, lambda key: key.replace("-", " "), lambda key: key.replace("-", ""), str.strip],
)
def test_a_recovery_key_is_read_as_people_type_it(new: keys.NewKeys, typed: Callable[[str], str]) -> None:
    assert keys.open_with_recovery(new.wrapped, f"  {typed(new.recovery)}\n") == new.key


@pytest.mark.parametrize(("printed", "typed"), [("0", "O"), ("0", "o"), ("1", "I"), ("1", "i"), ("1", "L"), ("1", "l")])
def test_what_looks_alike_in_a_recovery_key_is_read_alike(
    cheap: Cost, passphrase: str, monkeypatch: pytest.MonkeyPatch, printed: str, typed: str
) -> None:
    # A key of chance holds no 1 one time in three.
    monkeypatch.setattr("os.urandom", lambda count: bytes([0x00, 0x44] * count)[:count])
    new = keys.new_keys(passphrase, cheap)
    assert printed in new.recovery
    assert keys.open_with_recovery(new.wrapped, new.recovery.replace(printed, typed)) == new.key


def test_a_typing_error_in_a_recovery_key_is_told_from_another_librarys(new: keys.NewKeys) -> None:
    for place, character in enumerate(new.recovery):
        if character == "-":
            continue
        other = "7" if character != "7" else "8"
        with pytest.raises(WrongRecoveryKey, match="mistyped"):
            keys.open_with_recovery(new.wrapped, new.recovery[:place] + other + new.recovery[place + 1 :])
    for nonsense in ("", "É" * 36, new.recovery[:-5], "U" * 36):
        with pytest.raises(WrongRecoveryKey, match="mistyped"):
            keys.open_with_recovery(new.wrapped, nonsense)


@pytest.mark.parametrize("wrong", ["", "grune Wiese", "GRÜNE WIESE 緑 AM MORGEN", "\ud800"])
def test_a_wrong_passphrase_is_told_from_damage(new: keys.NewKeys, wrong: str) -> None:
    with pytest.raises(WrongPassphrase):
        keys.open_with_passphrase(new.wrapped, wrong)


def test_a_passphrase_is_the_same_however_its_accents_are_composed(new: keys.NewKeys, passphrase: str) -> None:
    assert keys.open_with_passphrase(new.wrapped, unicodedata.normalize("NFD", passphrase)) == new.key


def test_any_change_of_the_key_file_is_damage(new: keys.NewKeys) -> None:
    content = new.wrapped.to_bytes()
    meaning = json.loads(content)
    chance = random.Random(1)
    for _ in range(300):
        changed = bytearray(content)
        changed[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
        try:
            same = json.loads(changed) == meaning
        except ValueError:
            same = False
        if same:
            assert keys.read_wrapped(bytes(changed), "k") == new.wrapped
        else:
            with pytest.raises(KeysDamaged):
                keys.read_wrapped(bytes(changed), "k")
    for cut in (b"", b"{}", b"[]", b"null", content[:-7], b"[" * 100_000):
        with pytest.raises(KeysDamaged):
            keys.read_wrapped(cut, "k")


def _restated(wrapped: keys.WrappedKeys, **changes: Any) -> bytes:
    """The key file with ``changes`` and the checksum that goes with them; None takes a member out."""
    body = {name: value for name, value in json.loads(wrapped.to_bytes()).items() if name != "checksum"}
    body = {name: value for name, value in (body | changes).items() if value is not None}
    return json.dumps(body | {"checksum": checksum(keys._canonical(body))}).encode()


def test_the_order_of_a_key_files_members_says_nothing(new: keys.NewKeys) -> None:
    members = json.loads(new.wrapped.to_bytes())
    turned = json.dumps(dict(reversed(members.items()))).encode()
    assert keys.read_wrapped(turned, "k") == new.wrapped


@pytest.mark.parametrize("changes", [{"library": 7}, {"epoch": "1"}, {"epoch": True}, {"epoch": 1.0}])
def test_a_key_file_of_another_form_is_damage_though_its_checksum_fits(
    new: keys.NewKeys, changes: dict[str, object]
) -> None:
    with pytest.raises(KeysDamaged):
        keys.read_wrapped(_restated(new.wrapped, **changes), "k")


def test_every_change_of_the_keys_counts_one_further(
    new: keys.NewKeys, passphrase: str, cheap: Cost, keychain: Any
) -> None:
    assert new.wrapped.epoch == 0
    assert keys.read_wrapped(_restated(new.wrapped, epoch=None), "k").epoch == 0, "of a version that did not count"
    kept = keys.with_keychain(replace(new.wrapped, epoch=4), new.key, keychain)
    changed = (
        kept,
        keys.without_keychain(kept, keychain),
        keys.with_passphrase(kept, new.key, passphrase, cheap),
        keys.with_new_recovery(kept, new.key).wrapped,
        keys.renewed(kept, passphrase, cheap).wrapped,
    )
    assert [one.epoch for one in changed] == [5, 6, 6, 6, 6]


def test_a_library_has_a_name_of_chance_and_keeps_it(new: keys.NewKeys, passphrase: str, cheap: Cost) -> None:
    assert len(bytes.fromhex(new.wrapped.library)) == 8
    assert keys.renewed(new.wrapped, passphrase, cheap).wrapped.library == new.wrapped.library


def test_a_recovery_key_is_printed_as_always(passphrase: str, cheap: Cost, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that were printed once must open what is opened by a later version."""
    monkeypatch.setattr("os.urandom", lambda count: bytes(range(count)))
    printed = keys.new_keys(passphrase, cheap).recovery
    assert printed == "000G-40R4-0M30-E209-185G-R38E-1W81-24GK-WYQB"


def test_a_new_passphrase_rewraps_the_same_key(new: keys.NewKeys, passphrase: str, cheap: Cost) -> None:
    changed = keys.with_passphrase(new.wrapped, new.key, "something else", cheap)
    assert keys.open_with_passphrase(changed, "something else") == new.key
    assert keys.open_with_recovery(changed, new.recovery) == new.key
    with pytest.raises(WrongPassphrase):
        keys.open_with_passphrase(changed, passphrase)


def test_a_new_recovery_key_voids_the_old(new: keys.NewKeys) -> None:
    drawn = keys.with_new_recovery(new.wrapped, new.key)
    changed, printed = drawn.wrapped, drawn.recovery
    assert keys.open_with_recovery(changed, printed) == new.key
    with pytest.raises(WrongRecoveryKey):
        keys.open_with_recovery(changed, new.recovery)


def test_a_keychain_without_the_key_says_so(new: keys.NewKeys, keychain: Any) -> None:
    with pytest.raises(KeyMissing):
        keys.open_with_keychain(new.wrapped, keychain)
    wrapped = keys.with_keychain(new.wrapped, new.key, keychain)
    name = next(iter(keychain.kept))
    for held in (None, "00" * 32, "not hex", ""):
        keychain.kept = {} if held is None else {name: held}
        with pytest.raises(KeyMissing):
            keys.open_with_keychain(wrapped, keychain)
    assert keys.without_keychain(wrapped, keychain).keychain is None


def test_a_short_passphrase_is_refused(cheap: Cost) -> None:
    for short in ("", "seven77", " " * 20):
        with pytest.raises(InputError, match="shorter"):
            keys.new_keys(short, cheap)


@pytest.mark.parametrize("cost", [(1 << 30, 1, 1), (64, 0, 1), (64, 1, 1000), (1, 1, 1), (64, 10**9, 1)])
def test_a_hostile_cost_is_not_paid(cost: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match="cost"):
        Cost(*cost)
