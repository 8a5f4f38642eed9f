"""Opening what is sealed in a case file: the part that runs in a limited child process.

Whoever wrote the file knew its passphrase, so that what comes out of the seal is no more to be trusted than the file.
"""

from __future__ import annotations

import json
import zlib
from datetime import datetime
from typing import Any

from noteeval_desktop.domain.plain import to_plain
from noteeval_desktop.store.errors import WrongPassphrase
from noteeval_desktop.store.sealing import Cost, Sealed, unseal_with_passphrase
from noteeval_desktop.store.signing import canonical, is_by
from noteeval_desktop.store.sound import MOST_BYTES, OutOfTime, bundle_of, parsed

FORMAT = "noteeval.case/1"
SIGNED = "signed"
READ, WRONG_PASSPHRASE, DAMAGED, FORGED = "read", "passphrase", "damaged", "forged"


def open_sealed(
    nonce: bytes, box: bytes, salt: bytes, cost: tuple[int, int, int], passphrase: str, now: str
) -> tuple[str, str, str]:
    """One of the words above, or how it is ``OutOfTime``; after ``READ`` the case as JSON, and who signed it (a public
    key or nothing)."""
    try:
        packed = unseal_with_passphrase(Sealed(nonce, box, salt, Cost(*cost)), passphrase, FORMAT)
    except WrongPassphrase:
        return WRONG_PASSPHRASE, "", ""
    try:
        data = parsed(_unpacked(packed))
        signer = _signer(data)
        bundle = bundle_of(data, datetime.fromisoformat(now))
    except OutOfTime as error:
        return str(error), "", ""
    except _Forged:
        return FORGED, "", ""
    except (ValueError, zlib.error, RecursionError):
        return DAMAGED, "", ""
    return READ, json.dumps(to_plain(bundle), ensure_ascii=False), signer


def signed_content(plain: dict[str, Any]) -> bytes:
    """What the signature of a case file is over."""
    return canonical(FORMAT, plain)


class _Forged(Exception):
    pass


def _signer(data: dict[str, Any]) -> str:
    signed = data.pop(SIGNED, None)
    if signed is None:
        return ""
    if not isinstance(signed, dict) or not all(isinstance(signed.get(name), str) for name in ("key", "signature")):
        raise ValueError("not a signature")
    if not is_by(signed["key"], signed["signature"], signed_content(data)):
        raise _Forged
    return str(signed["key"])


def _unpacked(packed: bytes) -> bytes:
    """At most ``MOST_BYTES``: a small file must not fill the memory."""
    inflater = zlib.decompressobj()
    text = inflater.decompress(packed, MOST_BYTES)
    if not inflater.eof or inflater.unused_data:
        raise ValueError("too large, cut short or more than a case")
    return text
