"""Who wrote a case file or a review: Ed25519 (RFC 8032), one key a library; public keys and signatures as hex."""

from __future__ import annotations

import base64
import hashlib
import json
from datetime import datetime
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from noteeval_desktop.domain.plain import to_plain
from noteeval_desktop.domain.review import Review

_GROUP, _FINGERPRINT_BYTES = 4, 15
_EMPTY: tuple[Any, ...] = (None, False, "", [])


class Signer:
    """``secret``: 32 bytes of chance, kept in the library."""

    def __init__(self, secret: bytes) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(secret)
        self.public = self._key.public_key().public_bytes_raw().hex()

    def sign(self, content: bytes) -> str:
        return self._key.sign(content).hex()


def is_by(public: str, signature: str, content: bytes) -> bool:
    """Whether the owner of ``public`` signed ``content``; False also for what is no key or no signature."""
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public)).verify(bytes.fromhex(signature), content)
    except (ValueError, InvalidSignature):
        return False
    return True


def fingerprint(public: str) -> str:
    """What two people compare over the telephone: 24 letters and digits in groups of four."""
    text = base64.b32encode(hashlib.sha256(bytes.fromhex(public)).digest()[:_FINGERPRINT_BYTES]).decode()
    return " ".join(text[start : start + _GROUP] for start in range(0, len(text), _GROUP))


def canonical(purpose: str, plain: Any) -> bytes:
    """One form of JSON data; ValueError for what JSON or UTF-8 has no form for (NaN, half a surrogate pair)."""
    text = json.dumps([purpose, plain], ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))
    return text.encode()


def review_content(case_id: str, changed: datetime, review: Review) -> bytes:
    """What is signed of a review. Members that hold nothing are left out: a later version may add some."""
    plain = _filled(to_plain(review)) | {"case": case_id, "changed": changed.isoformat()}
    return canonical("noteeval.review/1", plain)


def _filled(plain: Any) -> Any:
    if isinstance(plain, dict):
        return {name: _filled(value) for name, value in plain.items() if value not in _EMPTY}
    return [_filled(value) for value in plain] if isinstance(plain, list) else plain
