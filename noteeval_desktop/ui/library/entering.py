"""The ways into the library and what is done with its keys, as jobs: values in, values out, no widget.

Imported when the library is first asked for: the store loads what the first screen does not need.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from noteeval_desktop.store.backup import Backup
from noteeval_desktop.store.errors import StoreError
from noteeval_desktop.store.keys import NewKeys, SecretStore
from noteeval_desktop.store.library import Library, Unlock, by_keychain, by_passphrase, by_recovery_key
from noteeval_desktop.store.sealing import Cost
from noteeval_desktop.store.witness import MemoryFile

FindKeychain = Callable[[], SecretStore | None]


@dataclass(frozen=True, slots=True)
class Door:
    """What was found: whether there is a library, this system's keychain, and whether that may open the library."""

    exists: bool
    keychain: SecretStore | None
    by_keychain: bool


@dataclass(frozen=True, slots=True)
class Secret:
    """What was typed: the passphrase or, with a new passphrase, the recovery key."""

    typed: str
    new_passphrase: str = ""

    @property
    def unlock(self) -> Unlock:
        return by_recovery_key(self.typed) if self.new_passphrase else by_passphrase(self.typed)


def look(folder: Path, find_keychain: FindKeychain) -> Door:
    exists, keychain = Library.exists(folder), find_keychain()
    return Door(exists, keychain, exists and keychain is not None and _asks_keychain(folder))


def _asks_keychain(folder: Path) -> bool:
    try:
        return Library.asks_keychain(folder)
    except StoreError:
        # Unlocking meets it again, and says it where there is room to.
        return False


def create(folder: Path, passphrase: str, keychain: SecretStore | None, cost: Cost | None) -> tuple[Library, str]:
    library, recovery = Library.create(folder, passphrase, keychain, cost)
    library.remember_in(_memory(folder, lambda: keychain))
    return library, recovery


def unlock(folder: Path, secret: Secret, cost: Cost | None, find_keychain: FindKeychain) -> Library:
    """The keychain, or else a file, remembers in which state the library was left."""
    library = Library.open(folder, secret.unlock, keychain=_memory(folder, find_keychain))
    return _with_new_passphrase(library, secret, cost)


def unlock_by_keychain(folder: Path, keychain: SecretStore) -> Library:
    return Library.open(folder, by_keychain(keychain), keychain=keychain)


def restore(folder: Path, backup: Backup, secret: Secret, cost: Cost | None, find_keychain: FindKeychain) -> Library:
    """The backup in the library's place; what was there is kept beside the backups."""
    library = Library.restore(folder, backup, secret.unlock, keychain=_memory(folder, find_keychain))
    return _with_new_passphrase(library, secret, cost)


def _memory(folder: Path, find_keychain: FindKeychain) -> SecretStore:
    return find_keychain() or MemoryFile(folder.with_name("library-state.json"))


def _with_new_passphrase(library: Library, secret: Secret, cost: Cost | None) -> Library:
    if secret.new_passphrase:
        try:
            library.set_passphrase(secret.new_passphrase, cost)
        except BaseException:
            library.lock()
            raise
    return library


def change_passphrase(library: Library, current: str, new: str, cost: Cost | None) -> None:
    library.confirm(current)
    library.set_passphrase(new, cost)


def draw_keys(library: Library, current: str, new: str, cost: Cost | None) -> NewKeys:
    library.confirm(current)
    return library.draw_keys(new, cost)


def draw_recovery_key(library: Library, passphrase: str) -> NewKeys:
    library.confirm(passphrase)
    return library.draw_recovery_key()


def use_keychain(library: Library, passphrase: str, keychain: SecretStore) -> None:
    library.confirm(passphrase)
    library.use_keychain(keychain)
