"""Sealing under a passphrase: Argon2id (RFC 9106) and AES-256-GCM.

A checksum over the sealed bytes is looked at first, so that damage is not taken for a wrong passphrase.
"""

from __future__ import annotations

import base64
import hashlib
import os
import unicodedata
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.errors import InputError
from noteeval_desktop.store.errors import WrongPassphrase

KEY_BYTES = 32
SHORTEST_PASSPHRASE = 8
_SALT_BYTES, _NONCE_BYTES = 16, 12
# A file may ask for no more than this, as nothing vouches for what it asks: 256 MiB, and about a second.
_MOST_KIB, _MOST_KIB_IN_ALL, _MOST_LANES = 1 << 18, 1 << 20, 16


@dataclass(frozen=True, slots=True)
class Cost:
    """What deriving a key takes; by default the second recommended option of RFC 9106 (64 MiB, 3 passes)."""

    memory_kib: int = 65_536
    passes: int = 3
    lanes: int = 4

    def __post_init__(self) -> None:
        if not (
            all(type(value) is int for value in (self.memory_kib, self.passes, self.lanes))
            and 1 <= self.lanes <= _MOST_LANES
            and 8 * self.lanes <= self.memory_kib <= _MOST_KIB
            and self.passes >= 1
            and self.memory_kib * self.passes <= _MOST_KIB_IN_ALL
        ):
            raise ValueError("not a cost that this program would pay")


@dataclass(frozen=True, slots=True)
class Sealed:
    """``salt`` and ``cost`` are empty where the key was not derived from a passphrase."""

    nonce: bytes
    box: bytes
    salt: bytes = b""
    cost: Cost | None = None

    def to_plain(self) -> dict[str, Any]:
        parts = {"nonce": _text(self.nonce), "box": _text(self.box)}
        derived = {} if self.cost is None else {"salt": _text(self.salt), "cost": asdict(self.cost)}
        return parts | derived

    def holding(self, box: bytes) -> Sealed:
        return replace(self, box=box)


def sealed_from_plain(data: Mapping[str, Any]) -> Sealed:
    """Raises KeyError, TypeError or ValueError where the data do not fit."""
    cost = Cost(**data["cost"]) if "cost" in data else None
    salt, nonce = _bytes(data["salt"]) if cost else b"", _bytes(data["nonce"])
    if len(nonce) != _NONCE_BYTES or (cost and len(salt) != _SALT_BYTES):
        raise ValueError("not as this program seals")
    return Sealed(nonce, _bytes(data["box"]), salt, cost)


def checked(passphrase: str) -> str:
    """A new passphrase; raises InputError for one that is too short."""
    if len(passphrase.strip()) < SHORTEST_PASSPHRASE:
        raise InputError(
            tr("Passphrase"),
            tr("is shorter than {least} characters").format(least=SHORTEST_PASSPHRASE),
            tr("Choose several words, for instance."),
        )
    return passphrase


def seal(secret: bytes, key: bytes, purpose: str) -> Sealed:
    """Under a key of 32 bytes; it opens only for the same ``purpose``."""
    nonce = os.urandom(_NONCE_BYTES)
    return Sealed(nonce, AESGCM(key).encrypt(nonce, secret, purpose.encode()))


def unseal(sealed: Sealed, key: bytes, purpose: str) -> bytes | None:
    """None where the key or the purpose is another."""
    try:
        return AESGCM(key).decrypt(sealed.nonce, sealed.box, purpose.encode())
    except InvalidTag:
        return None


def seal_with_passphrase(secret: bytes, passphrase: str, purpose: str, cost: Cost) -> Sealed:
    salt = os.urandom(_SALT_BYTES)
    inner = seal(secret, _derive(passphrase, salt, cost), purpose)
    return Sealed(inner.nonce, inner.box, salt, cost)


def unseal_with_passphrase(sealed: Sealed, passphrase: str, purpose: str) -> bytes:
    """Raises WrongPassphrase; the caller has checked for damage before."""
    if sealed.cost is None:
        raise WrongPassphrase
    secret = unseal(sealed, _derive(passphrase, sealed.salt, sealed.cost), purpose)
    if secret is None:
        raise WrongPassphrase
    return secret


def checksum(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _derive(passphrase: str, salt: bytes, cost: Cost) -> bytes:
    # One passphrase, whichever way a keyboard composes its accents.
    typed = unicodedata.normalize("NFKC", passphrase).encode("utf-8", "surrogatepass")
    kdf = Argon2id(salt=salt, length=KEY_BYTES, iterations=cost.passes, lanes=cost.lanes, memory_cost=cost.memory_kib)
    return kdf.derive(typed)


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def _bytes(text: str) -> bytes:
    return base64.b64decode(text, validate=True)
