"""The library's key: random, kept only wrapped — by the keychain, a passphrase, and a recovery key to print."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from noteeval_desktop.store.errors import (
    KeyMissing,
    KeysDamaged,
    KeysMissing,
    MistypedRecoveryKey,
    StoreError,
    WrongRecoveryKey,
    told,
)
from noteeval_desktop.store.files import make_folder, write_private
from noteeval_desktop.store.keyed_file import SecretStore as SecretStore
from noteeval_desktop.store.sealing import (
    KEY_BYTES,
    Cost,
    Sealed,
    checked,
    checksum,
    seal,
    seal_with_passphrase,
    sealed_from_plain,
    unseal,
    unseal_with_passphrase,
)

FORMAT = "noteeval.library-keys/1"
# The file with the wrapped keys, of which a copy lies beside the backups.
KEYS, BACKUPS = "library.keys", "backups"
_RECOVERY_BYTES = 20
_CHECK_CHARACTERS = 4
_GROUP = 4
# Crockford's alphabet: no I, L, O or U, and what looks alike is read alike.
_BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
_PRINTED = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_LOOKS_LIKE = str.maketrans("OIL", "011")


@dataclass(frozen=True, slots=True)
class WrappedKeys:
    """What stands in the key file; of no use without a passphrase, the recovery key or the keychain.

    ``epoch`` grows with every change. ``other``, while the library is being encrypted anew: the key before or after.
    ``mac`` says that whoever wrote this had the library's key. ``coming``: what is valid instead of this as soon as the
    library stands under its key.
    """

    library: str
    passphrase: Sealed
    recovery: Sealed
    keychain: Sealed | None = None
    other: Sealed | None = None
    epoch: int = 0
    mac: str = ""
    coming: WrappedKeys | None = None

    def to_bytes(self) -> bytes:
        body = {"format": FORMAT, "library": self.library, **self.own_part(), "mac": self.mac}
        if self.coming:
            body["coming"] = {**self.coming.own_part(), "mac": self.coming.mac}
        return json.dumps(body | {"checksum": checksum(_canonical(body))}, indent=1).encode()

    def own_part(self) -> dict[str, Any]:
        slots = {name: getattr(self, name) for name in ("passphrase", "recovery", "keychain", "other")}
        return {"epoch": self.epoch, "slots": {name: slot.to_plain() for name, slot in slots.items() if slot}}


@dataclass(frozen=True, slots=True)
class NewKeys:
    """``recovery`` is shown and printed once and kept nowhere."""

    wrapped: WrappedKeys
    key: bytes
    recovery: str


def read_wrapped(content: bytes, name: str) -> WrappedKeys:
    """Raises KeysDamaged, also for a single changed byte."""
    try:
        body = json.loads(content)
        stated = body.pop("checksum")
        if body["format"] != FORMAT or stated != checksum(_canonical(body)):
            raise KeysDamaged(name)
        library, coming = body["library"], body.get("coming")
        if not isinstance(library, str):
            raise KeysDamaged(name)
        return replace(_part(library, body), coming=_part(library, coming) if coming else None)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise KeysDamaged(name) from error


def _part(library: str, body: dict[str, Any]) -> WrappedKeys:
    slots: Any = {kind: sealed_from_plain(slot) for kind, slot in body["slots"].items()}
    epoch, mac = body.get("epoch", 0), body.get("mac", "")
    if type(epoch) is not int or not isinstance(mac, str):
        raise ValueError("not as this program writes")
    return WrappedKeys(library, **slots, epoch=epoch, mac=mac)


def authenticated(wrapped: WrappedKeys, key: bytes) -> WrappedKeys:
    """As whoever has the library's key vouches for it; what opens the library is in ``wrapped``."""
    return replace(wrapped, mac=_mac(wrapped, key))


def is_authentic(wrapped: WrappedKeys, key: bytes) -> bool:
    return hmac.compare_digest(wrapped.mac.encode("utf-8", "surrogatepass"), _mac(wrapped, key).encode())


def _mac(wrapped: WrappedKeys, key: bytes) -> str:
    purpose = _purpose(wrapped.library, "mac").encode()
    derived = HKDF(algorithm=SHA256(), length=KEY_BYTES, salt=None, info=purpose).derive(key)
    return hmac.new(derived, _canonical(wrapped.own_part()), hashlib.sha256).hexdigest()


def new_keys(passphrase: str, cost: Cost, library: str = "") -> NewKeys:
    """Raises InputError for a passphrase that is too short."""
    library, key = library or os.urandom(8).hex(), os.urandom(KEY_BYTES)
    recovery, slot = _new_recovery(library, key)
    sealed = seal_with_passphrase(key, checked(passphrase), _purpose(library, "passphrase"), cost)
    return NewKeys(WrappedKeys(library, sealed, slot), key, recovery)


def open_with_passphrase(wrapped: WrappedKeys, passphrase: str) -> bytes:
    """Raises WrongPassphrase."""
    return unseal_with_passphrase(wrapped.passphrase, passphrase, _purpose(wrapped.library, "passphrase"))


def open_with_recovery(wrapped: WrappedKeys, printed: str) -> bytes:
    """Raises WrongRecoveryKey, which tells a typing error from the key of another library."""
    key = unseal(wrapped.recovery, _recovery_wrapper(_parsed(printed)), _purpose(wrapped.library, "recovery"))
    if key is None:
        raise WrongRecoveryKey
    return key


def open_with_keychain(wrapped: WrappedKeys, keychain: SecretStore) -> bytes:
    """Raises KeyMissing, or what the keychain raises."""
    wrapper = keychain.read(_keychain_name(wrapped)) if wrapped.keychain else None
    if wrapped.keychain is None or wrapper is None:
        raise KeyMissing
    try:
        key = unseal(wrapped.keychain, bytes.fromhex(wrapper), _purpose(wrapped.library, "keychain"))
    except ValueError as error:
        raise KeyMissing from error
    if key is None:
        raise KeyMissing
    return key


def with_passphrase(wrapped: WrappedKeys, key: bytes, passphrase: str, cost: Cost) -> WrappedKeys:
    """The same key under another passphrase; no case is written anew. Raises InputError."""
    sealed = seal_with_passphrase(key, checked(passphrase), _purpose(wrapped.library, "passphrase"), cost)
    return replace(wrapped, passphrase=sealed, epoch=wrapped.epoch + 1)


def renewed(wrapped: WrappedKeys, passphrase: str, cost: Cost) -> NewKeys:
    """Another key for the same library, with a recovery key of its own; the keychain does not hold it yet.

    Raises InputError.
    """
    new = new_keys(passphrase, cost, wrapped.library)
    return replace(new, wrapped=replace(new.wrapped, epoch=wrapped.epoch + 1))


def with_other_key(wrapped: WrappedKeys, key: bytes, other: bytes) -> WrappedKeys:
    return replace(wrapped, other=seal(other, key, _purpose(wrapped.library, "other")))


def other_key(wrapped: WrappedKeys, key: bytes) -> bytes | None:
    return unseal(wrapped.other, key, _purpose(wrapped.library, "other")) if wrapped.other else None


def both(old: tuple[WrappedKeys, bytes], new: tuple[WrappedKeys, bytes]) -> WrappedKeys:
    """Both are what a key file holds, with the key in it. The new one is valid once the library is under its key."""
    coming = authenticated(with_other_key(*new, old[1]), new[1])
    return replace(authenticated(with_other_key(*old, new[1]), old[1]), coming=coming)


def with_new_recovery(wrapped: WrappedKeys, key: bytes) -> NewKeys:
    """The earlier recovery key no longer opens the library."""
    recovery, slot = _new_recovery(wrapped.library, key)
    return NewKeys(replace(wrapped, recovery=slot, epoch=wrapped.epoch + 1), key, recovery)


def with_keychain(wrapped: WrappedKeys, key: bytes, keychain: SecretStore) -> WrappedKeys:
    """Raises what the keychain raises."""
    wrapper = os.urandom(KEY_BYTES)
    keychain.write(_keychain_name(wrapped), wrapper.hex())
    sealed = seal(key, wrapper, _purpose(wrapped.library, "keychain"))
    return replace(wrapped, keychain=sealed, epoch=wrapped.epoch + 1)


def without_keychain(wrapped: WrappedKeys, keychain: SecretStore) -> WrappedKeys:
    keychain.forget(_keychain_name(wrapped))
    return replace(wrapped, keychain=None, epoch=wrapped.epoch + 1)


def _purpose(library: str, slot: str) -> str:
    return f"{FORMAT}|{library}|{slot}"


def _keychain_name(wrapped: WrappedKeys) -> str:
    return f"library-{wrapped.library}"


def _canonical(body: dict[str, Any]) -> bytes:
    return json.dumps(body, sort_keys=True, separators=(",", ":")).encode()


def _new_recovery(library: str, key: bytes) -> tuple[str, Sealed]:
    secret = os.urandom(_RECOVERY_BYTES)
    return _print(secret), seal(key, _recovery_wrapper(secret), _purpose(library, "recovery"))


def _recovery_wrapper(secret: bytes) -> bytes:
    return HKDF(algorithm=SHA256(), length=KEY_BYTES, salt=None, info=FORMAT.encode()).derive(secret)


def _print(secret: bytes) -> str:
    """36 characters in groups of four; the last four are a checksum."""
    text = _encoded(secret) + _encoded(hashlib.sha256(secret).digest()[:5])[:_CHECK_CHARACTERS]
    return "-".join(text[start : start + _GROUP] for start in range(0, len(text), _GROUP))


def _encoded(data: bytes) -> str:
    return base64.b32encode(data).decode("ascii").translate(str.maketrans(_BASE32, _PRINTED))


def _parsed(printed: str) -> bytes:
    text = "".join(printed.upper().split()).replace("-", "").translate(_LOOKS_LIKE)
    try:
        secret = base64.b32decode(text[:-_CHECK_CHARACTERS].translate(str.maketrans(_PRINTED, _BASE32)))
    except ValueError as error:
        raise MistypedRecoveryKey from error
    if len(secret) != _RECOVERY_BYTES or _print(secret).replace("-", "") != text:
        raise MistypedRecoveryKey
    return secret


def keep_keys(folder: Path, wrapped: WrappedKeys) -> None:
    """Here and beside the backups, so that neither is lost with the other."""
    make_folder(folder / BACKUPS)
    write_private(folder / KEYS, wrapped.to_bytes(), folder / BACKUPS / KEYS)


def read_keys(folder: Path) -> WrappedKeys:
    """From the key file, or its copy where that is missing or damaged. Raises KeysMissing or KeysDamaged."""
    problem: StoreError = KeysMissing(KEYS)
    for place in (folder / KEYS, folder / BACKUPS / KEYS):
        if not place.exists():
            continue
        with told(KEYS):
            content = place.read_bytes()
        try:
            wrapped = read_wrapped(content, KEYS)
        except KeysDamaged as error:
            problem = error
            continue
        if place.parent != folder:
            write_private(folder / KEYS, content)
        return wrapped
    raise problem


def set_aside(file: Path, now: datetime) -> None:
    """The keys of a library that was moved elsewhere are not overwritten."""
    if file.exists():
        with told(file.name):
            file.replace(file.with_name(f"{file.name}.{now:%Y-%m-%dT%H%M%S%f}"))
