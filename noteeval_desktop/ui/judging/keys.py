"""Keys of endpoints: in the system's keychain, or, where there is none, in a file under a passphrase."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from noteeval_desktop.domain.phrases import tr

# Imported where it is needed: the keychain and its ciphers take longer to load than the window to show.
if TYPE_CHECKING:
    from noteeval_desktop.secrets import PassphraseFile
    from noteeval_desktop.store.keyed_file import SecretStore


def system_keychain() -> SecretStore | None:
    """None where this system has none that is trusted."""
    from noteeval_desktop.secrets import Keychain, SecretsError

    try:
        return Keychain()
    except SecretsError:
        return None


class Keys:
    """Looked up by address. Opening the file costs Argon2's time: call ``unlock`` off the GUI thread."""

    def __init__(self, file: Path, find_keychain: Callable[[], SecretStore | None] = system_keychain) -> None:
        """The keychain is looked for when a key is first needed: most windows never need one."""
        self._file, self._find = file, find_keychain
        self._opened: PassphraseFile | None = None

    @cached_property
    def _keychain(self) -> SecretStore | None:
        return self._find()

    @property
    def _store(self) -> SecretStore | None:
        return self._keychain or self._opened

    @property
    def where(self) -> str:
        return tr("the system's keychain") if self._keychain is not None else tr("a file protected by a passphrase")

    @property
    def asks_passphrase(self) -> bool:
        """To read: only where there is a file to open."""
        return self._store is None and self._file.exists()

    @property
    def asks_passphrase_to_write(self) -> bool:
        return self._store is None

    @property
    def is_new_file(self) -> bool:
        return self._store is None and not self._file.exists()

    def unlock(self, passphrase: str) -> None:
        """Raises SecretsError for a wrong passphrase."""
        from noteeval_desktop.secrets import PassphraseFile

        self._opened = PassphraseFile(self._file, passphrase)

    def read(self, address: str) -> str:
        """Empty where there is none. Raises SecretsError."""
        return (self._store.read(address) or "") if self._store is not None else ""

    def write(self, address: str, key: str) -> None:
        """An empty key is forgotten. Raises SecretsError."""
        from noteeval_desktop.secrets import SecretsError

        if self._store is None:
            raise SecretsError(tr("The keys are locked. Enter the passphrase first."))
        if key:
            self._store.write(address, key)
        else:
            self._store.forget(address)
