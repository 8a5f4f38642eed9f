"""The keys of the drafts: in the system keychain where there is one, otherwise in files of this user's alone.

A key belongs to one database, known by the salt in its head: no failure of a keychain makes another key for it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from secrets import token_bytes
from typing import TYPE_CHECKING

from noteeval_desktop.errors import NoteEvalError
from noteeval_desktop.platform.files import write_private
from noteeval_desktop.ui.case import words

# Loads the keychain's package, which takes longer than showing the window.
if TYPE_CHECKING:
    from noteeval_desktop.secrets import SecretStore

KEY_BYTES, SALT_BYTES = 32, 16
# What one key for all databases was called before each had its own.
_SHARED_NAME, _SHARED_FILE = "drafts", "draft.key"


class NoDraftKey(NoteEvalError):
    """Neither the keychain nor a file holds the key of a database."""


class DraftKeys:
    """Of the databases in ``folder``; every method reads or writes the disk or the keychain."""

    def __init__(self, folder: Path, find_keychain: Callable[[], SecretStore | None]) -> None:
        self._folder, self._find = folder, find_keychain

    def make(self) -> tuple[bytes, bytes, bool]:
        """The salt and the key of a new database, and whether the keychain holds the key. Raises OSError."""
        salt, key = token_bytes(SALT_BYTES), token_bytes(KEY_BYTES)
        return salt, key, self.keep(salt, key)

    def guarded(self) -> bool:
        """Whether there is a keychain to hold a key."""
        return self._find() is not None

    def find(self, salt: bytes) -> tuple[bytes, bool]:
        """The key, and whether the keychain holds it. Raises NoDraftKey; SecretsError where the keychain fails."""
        for file in (self._file(salt), self._folder / _SHARED_FILE):
            key = _key_in(file)
            if key is not None:
                return key, False
        keychain = self._find()
        for name in (_name(salt), _SHARED_NAME):
            kept = keychain.read(name) if keychain is not None else None
            if kept is not None:
                return bytes.fromhex(kept), True
        raise NoDraftKey(words.DRAFT_KEY_MISSING)

    def keep(self, salt: bytes, key: bytes) -> bool:
        """In the keychain (True) or, where it takes none, in a file beside the database (False). Raises OSError.

        The file keeps a copied database unreadable, but not from someone who can read the whole folder.
        """
        from noteeval_desktop.secrets import SecretsError

        try:
            keychain = self._find()
            if keychain is not None:
                keychain.write(_name(salt), key.hex())
                for file in (self._file(salt), self._folder / _SHARED_FILE):
                    if _key_in(file) == key:
                        file.unlink()
                return True
        except SecretsError:
            # Told with each draft that is kept: its key lies beside it.
            pass
        if not self._file(salt).exists():
            write_private(self._file(salt), key.hex().encode())
        return False

    def forget(self, salt: bytes) -> None:
        """Its database is gone. Raises OSError or SecretsError."""
        self._file(salt).unlink(missing_ok=True)
        keychain = self._find()
        if keychain is not None:
            keychain.forget(_name(salt))

    def _file(self, salt: bytes) -> Path:
        return self._folder / f"{salt.hex()}.key"


def _name(salt: bytes) -> str:
    return f"{_SHARED_NAME} {salt.hex()}"


def _key_in(file: Path) -> bytes | None:
    """None where there is no file, or one that holds no key."""
    try:
        key = bytes.fromhex(file.read_text("ascii").strip())
    except (FileNotFoundError, ValueError):
        return None
    return key if len(key) == KEY_BYTES else None
