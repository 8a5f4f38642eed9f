"""Keys of endpoints: in the system's keychain, or, where there is none, in a file under a passphrase."""

from __future__ import annotations

from pathlib import Path

from noteeval_desktop.secrets import Keychain, PassphraseFile, SecretsError, SecretStore


class Keys:
    """Looked up by address. Opening the file costs Argon2's time: call off the GUI thread."""

    def __init__(self, file: Path, keychain: SecretStore | None) -> None:
        """``keychain`` None: this system has none."""
        self._file, self._store = file, keychain

    @classmethod
    def of_this_system(cls, file: Path) -> Keys:
        try:
            return cls(file, Keychain())
        except SecretsError:
            return cls(file, None)

    @property
    def where(self) -> str:
        return "the system's keychain" if isinstance(self._store, Keychain) else "a file protected by a passphrase"

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
        self._store = PassphraseFile(self._file, passphrase)

    def read(self, address: str) -> str:
        """Empty where there is none. Raises SecretsError."""
        return (self._store.read(address) or "") if self._store is not None else ""

    def write(self, address: str, key: str) -> None:
        """An empty key is forgotten. Raises SecretsError."""
        if self._store is None:
            raise SecretsError("The keys are locked. Enter the passphrase first.")
        if key:
            self._store.write(address, key)
        else:
            self._store.forget(address)
