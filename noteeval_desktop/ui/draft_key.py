"""The key of the drafts: in the system keychain where there is one, otherwise in a file of this user's alone."""

from __future__ import annotations

import os
from pathlib import Path
from secrets import token_hex

NAME = "drafts"
KEY_BYTES = 32


def draft_key(folder: Path) -> bytes:
    """The key (32 bytes) of the drafts in ``folder``; made on first use.

    Without a trusted keychain it lies in ``folder`` with mode 0600: that keeps a copied draft file
    unreadable, but not from someone who can read the whole folder. Raises OSError.
    """
    file = folder / "draft.key"
    if not file.exists() and (kept := _from_keychain()) is not None:
        return kept
    return _from_file(file)


def _from_keychain() -> bytes | None:
    # Here, not above: loading the keychain's package takes longer than showing the window.
    from noteeval_desktop.secrets import Keychain, SecretsError

    try:
        keychain = Keychain()
        kept = keychain.read(NAME)
        if kept is None:
            kept = token_hex(KEY_BYTES)
            keychain.write(NAME, kept)
    except SecretsError:
        return None
    return bytes.fromhex(kept)


def _from_file(file: Path) -> bytes:
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="ascii") as out:
            out.write(token_hex(KEY_BYTES))
    return bytes.fromhex(file.read_text("ascii").strip())
