"""Who wrote a case file or a review: Ed25519 (RFC 8032), one key a library; public keys and signatures as hex."""

from __future__ import annotations

import base64
import hashlib
import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from noteeval_desktop.domain.plain import to_plain
from noteeval_desktop.domain.review import Review
from noteeval_desktop.domain.text import HALF_PAIRS
from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.store.records import Bundle, BundledReview

_GROUP, _FINGERPRINT_BYTES = 4, 15
# Curve points of small order (RFC 8032; the sign of x aside), also as numbers above the field's: with such a key a
# signature can be made that holds for anything.
_SMALL_ORDER = frozenset(
    (
        *("00" * 32, "01" + "00" * 31, "ec" + "ff" * 30 + "7f", "ed" + "ff" * 30 + "7f", "ee" + "ff" * 30 + "7f"),
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    )
)
_EMPTY: tuple[Any, ...] = (None, False, "", [])


class Signer:
    """``secret``: 32 bytes of chance, kept in the library."""

    def __init__(self, secret: bytes) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(secret)
        self.public = self._key.public_key().public_bytes_raw().hex()

    def sign(self, content: bytes) -> str:
        return self._key.sign(content).hex()


def is_by(public: str, signature: str, content: bytes) -> bool:
    """Whether the owner of ``public`` signed ``content``; False also for what is no key or no signature, and for a key
    that nobody owns or that is written in another way, which would look like another key."""
    try:
        point = bytes.fromhex(public)
        plainly = point.hex() == public and (point[:-1] + bytes([point[-1] & 0x7F])).hex() not in _SMALL_ORDER
        if not plainly:
            return False
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public)).verify(bytes.fromhex(signature), content)
    except (ValueError, IndexError, InvalidSignature):
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


@dataclass(frozen=True, slots=True)
class ReviewSeal:
    """What the owner of a key signed of a review; ``session`` and ``rubric`` are fingerprints, empty where the seal was
    made by an earlier program, which covered the marks and the note alone."""

    signature: str
    session: str = ""
    rubric: str = ""

    @classmethod
    def read(cls, seal: str) -> ReviewSeal:
        parts = seal.split(":")
        return cls(parts[3], parts[1], parts[2]) if len(parts) == 4 and parts[0] == "2" else cls(seal)

    def __str__(self) -> str:
        return f"2:{self.session}:{self.rubric}:{self.signature}"


def sealed(signer: Signer, case: Bundle, one: BundledReview) -> BundledReview:
    """With its session, its note and its rubric, as they stand in the ``case``."""
    session, rubric = _session(case.transcripts[-1].transcript), _rubrics(case)[-1]
    content = _whole_content(case.id, one, session, rubric)
    return BundledReview(one.changed, one.review, signer.public, str(ReviewSeal(signer.sign(content), session, rubric)))


def seal_holds(case: Bundle, one: BundledReview) -> bool:
    """Whether the review's signer sealed it as it stands, over this case's session and a note and a rubric in it; of an
    earlier program's seal, whether it holds for the marks."""
    seal = ReviewSeal.read(one.seal)
    if not seal.session:
        return is_by(one.signer, seal.signature, review_content(case.id, one.changed, one.review))
    return (
        seal.session == _session(case.transcripts[-1].transcript)
        and seal.rubric in _rubrics(case)
        and one.review.note_sha256 in {revision.note.sha256 for revision in case.revisions}
        and is_by(one.signer, seal.signature, _whole_content(case.id, one, seal.session, seal.rubric))
    )


def _rubrics(case: Bundle) -> list[str]:
    """Of its evaluations, from the oldest to the newest; nothing where there is none."""
    return [one.kept.evaluation.judge.rubric.replace(":", "") for one in case.evaluations] or [""]


def _session(transcript: Transcript) -> str:
    plain = json.dumps(_filled(to_plain(transcript)), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(HALF_PAIRS.sub("\ufffd", plain).encode()).hexdigest()


def _whole_content(case_id: str, one: BundledReview, session: str, rubric: str) -> bytes:
    of_review = review_content(case_id, one.changed, one.review).decode()
    return canonical("noteeval.review/2", {"review": of_review, "session": session, "rubric": rubric})


def review_content(case_id: str, changed: datetime, review: Review) -> bytes:
    """What an earlier program signed of a review, and a part of what this one does.

    Members that hold nothing are left out: a later version may add some.
    """
    plain = _filled(to_plain(review)) | {"case": case_id, "changed": changed.isoformat()}
    return canonical("noteeval.review/1", plain)


def _filled(plain: Any) -> Any:
    if isinstance(plain, dict):
        return {name: _filled(value) for name, value in plain.items() if value not in _EMPTY}
    return [_filled(value) for value in plain] if isinstance(plain, list) else plain
