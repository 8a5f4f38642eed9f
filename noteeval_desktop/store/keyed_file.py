"""An encrypted file beside the library, readable by this user alone, with a key of its own.

The key is in the system keychain where there is one, otherwise in a file of this user's alone. It belongs to one file,
known by the salt in its head: no failure of a keychain makes another key for it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from secrets import token_bytes
from typing import Any, Protocol

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.errors import NoteEvalError
from noteeval_desktop.platform.files import private_file, write_private

KEY_BYTES, SALT_BYTES = 32, 16
# What one key for all files was called before each had its own.
_SHARED_NAME, _SHARED_FILE = "drafts", "draft.key"
BUSY_SECONDS = 10.0


class NoFileKey(NoteEvalError):
    """Neither the keychain nor a file holds the key of an encrypted file."""


class Unreadable(Exception):
    """Not with this key, or damaged."""


class SecretStore(Protocol):
    """Names to secrets. Raises NoteEvalError where it fails; ``noteeval_desktop.secrets`` has the real ones."""

    def read(self, name: str) -> str | None: ...

    def write(self, name: str, secret: str) -> None: ...

    def forget(self, name: str) -> None:
        """Remove it; nothing happens where there is none."""


class FileKeys:
    """Of the encrypted files in ``folder``."""

    def __init__(self, folder: Path, find_keychain: Callable[[], SecretStore | None]) -> None:
        self._folder, self._find = folder, find_keychain

    def make(self) -> tuple[bytes, bytes, bool]:
        """The salt and the key of a new file, and whether the keychain holds the key."""
        salt, key = token_bytes(SALT_BYTES), token_bytes(KEY_BYTES)
        return salt, key, self.keep(salt, key)

    def guarded(self) -> bool:
        """Whether there is a keychain to hold a key."""
        return self._find() is not None

    def find(self, salt: bytes) -> tuple[bytes, bool]:
        """The key, and whether the keychain holds it. Raises NoFileKey, and NoteEvalError where the keychain fails."""
        for file in (self._file(salt), self._folder / _SHARED_FILE):
            key = _key_in(file)
            if key is not None:
                return key, False
        keychain = self._find()
        for name in (_name(salt), _SHARED_NAME):
            kept = keychain.read(name) if keychain is not None else None
            if kept is not None:
                return bytes.fromhex(kept), True
        raise NoFileKey(tr("The key of earlier drafts is missing."))

    def keep(self, salt: bytes, key: bytes) -> bool:
        """In the keychain (True) or, where it takes none, in a file beside the encrypted one (False).

        That file keeps a copied database unreadable, but not from someone who can read the whole folder.
        """
        try:
            keychain = self._find()
            if keychain is not None:
                keychain.write(_name(salt), key.hex())
                for file in (self._file(salt), self._folder / _SHARED_FILE):
                    if _key_in(file) == key:
                        file.unlink()
                return True
        except NoteEvalError:
            # Told with each draft that is kept: its key lies beside it.
            pass
        if not self._file(salt).exists():
            write_private(self._file(salt), key.hex().encode())
        return False

    def forget(self, salt: bytes) -> None:
        """Its file is gone."""
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


def salt_of(file: Path) -> bytes | None:
    """What stands first in an encrypted file; None where there is none yet."""
    try:
        with file.open("rb") as head:
            salt = head.read(SALT_BYTES)
    except FileNotFoundError:
        return None
    return salt if len(salt) == SALT_BYTES else None


class KeyedFile:
    """``guarded``: whether the keychain holds the key of what was written last."""

    def __init__(self, file: Path, keys: FileKeys, schema: str) -> None:
        self._file, self._folder, self._keys, self._schema = file, file.parent, keys, schema
        self._known: tuple[bytes, bytes] | None = None
        self.guarded = True

    def _new(self) -> Any:
        salt, key, self.guarded = self._keys.make()
        self._known = salt, key
        private_file(self._file)
        return self._connect(self._file, salt, key)

    def _again(self, salt: bytes) -> Any:
        """The keychain is asked once, and what lies in a file goes into it as soon as there is one. Raises NoFileKey,
        Unreadable, and NoteEvalError where the keychain fails."""
        if self._known is not None and self._known[0] == salt:
            return self._connect(self._file, *self._known)
        key, guarded = self._keys.find(salt)
        database = self._connect(self._file, salt, key)
        self._known, self.guarded = (salt, key), guarded or self._keys.keep(salt, key)
        return database

    def _connect(self, file: Path, salt: bytes, key: bytes) -> Any:
        # Here, not above: it takes longer to load than most of the window.
        import sqlcipher3

        database = sqlcipher3.connect(str(file), timeout=BUSY_SECONDS)
        try:
            database.execute("PRAGMA cipher_log_level = NONE")
            database.execute(f"PRAGMA key = \"x'{(key + salt).hex()}'\"")
            # The key may lie beside it: what was deleted must not stay readable in it.
            database.execute("PRAGMA secure_delete = ON")
            database.executescript(self._schema)
        except sqlcipher3.OperationalError:
            database.close()
            raise
        except sqlcipher3.DatabaseError as error:
            database.close()
            raise Unreadable from error
        return database
