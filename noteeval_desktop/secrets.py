"""Keys: in the system's keychain, or in a file under a passphrase; never in settings, logs or exports."""

from __future__ import annotations

import base64
import configparser
import json
import os
from pathlib import Path

import keyring
import keyring.errors
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.errors import NoteEvalError
from noteeval_desktop.guarded_json import from_json
from noteeval_desktop.platform.files import private_folder, write_private

SERVICE = "NoteEval Desktop"
# A null or plain-text back end "succeeds" and keeps nothing, or keeps it in clear: only these are trusted.
TRUSTED = (
    "keyring.backends.macOS",
    "keyring.backends.Windows",
    "keyring.backends.SecretService",
    "keyring.backends.libsecret",
    "keyring.backends.kwallet",
)
# RFC 9106, second recommended option: 64 MiB, 3 passes, 4 lanes.
_MEMORY_KIB, _PASSES, _LANES = 65_536, 3, 4
_FORMAT = "noteeval.secrets/1"


class SecretsError(NoteEvalError):
    """A secret that could not be kept or read."""


class Keychain:
    """The system's own: Keychain, Credential Locker, Secret Service or KWallet."""

    def __init__(self, backend: keyring.backend.KeyringBackend | None = None) -> None:
        """Raises SecretsError where this system has none that is trusted."""
        backend = backend or _configured()
        if backend.__class__.__module__ == "keyring.backends.chainer":
            backend = next((b for b in getattr(backend, "backends", ()) if _trusted(b)), backend)
        if not _trusted(backend):
            raise SecretsError(tr("This system has no keychain. Protect your keys with a passphrase instead."))
        self._backend = backend

    def read(self, name: str) -> str | None:
        try:
            return self._backend.get_password(SERVICE, name)
        except keyring.errors.KeyringError as error:
            raise SecretsError(tr("The keychain could not be read. Unlock it and try again.")) from error

    def write(self, name: str, secret: str) -> None:
        try:
            self._backend.set_password(SERVICE, name, secret)
        except keyring.errors.KeyringError as error:
            raise SecretsError(tr("The keychain did not accept the key. Unlock it and try again.")) from error
        if self.read(name) != secret:
            raise SecretsError(tr("The keychain did not keep the key. Protect it with a passphrase instead."))

    def forget(self, name: str) -> None:
        if self.read(name) is None:
            return
        try:
            self._backend.delete_password(SERVICE, name)
        except keyring.errors.KeyringError as error:
            raise SecretsError(tr("The keychain did not remove the key. Remove it there by hand.")) from error


class PassphraseFile:
    """Secrets in one file, AES-256-GCM under a key that Argon2id derives from a passphrase."""

    def __init__(self, path: Path, passphrase: str) -> None:
        """Opens or, with the first ``write``, makes the file. Raises SecretsError for a wrong passphrase or damage."""
        self._path = path
        self._passphrase = passphrase.encode()
        self._secrets = self._load()

    def read(self, name: str) -> str | None:
        return self._secrets.get(name)

    def write(self, name: str, secret: str) -> None:
        self._save({**self._secrets, name: secret})

    def forget(self, name: str) -> None:
        self._save({known: secret for known, secret in self._secrets.items() if known != name})

    def _key(self, salt: bytes) -> bytes:
        kdf = Argon2id(salt=salt, length=32, iterations=_PASSES, lanes=_LANES, memory_cost=_MEMORY_KIB)
        return kdf.derive(self._passphrase)

    def _load(self) -> dict[str, str]:
        if not self._path.exists():
            return {}
        try:
            sealed = from_json(self._path.read_text("utf-8"))
            salt, nonce, box = (base64.b64decode(sealed[part]) for part in ("salt", "nonce", "box"))
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise SecretsError(
                tr("{name} is damaged. Remove it and enter the keys again.").format(name=self._path.name)
            ) from error
        try:
            opened = AESGCM(self._key(salt)).decrypt(nonce, box, _FORMAT.encode())
        except InvalidTag as error:
            raise SecretsError(tr("The passphrase is wrong, or the file is damaged. Try again.")) from error
        return dict(from_json(opened))

    def _save(self, secrets: dict[str, str]) -> None:
        salt, nonce = os.urandom(16), os.urandom(12)
        box = AESGCM(self._key(salt)).encrypt(nonce, json.dumps(secrets).encode(), _FORMAT.encode())
        sealed = {
            name: base64.b64encode(part).decode() for name, part in (("salt", salt), ("nonce", nonce), ("box", box))
        }
        try:
            private_folder(self._path.parent)
            write_private(self._path, json.dumps(sealed).encode())
        except OSError as error:
            raise SecretsError(
                tr("{name} could not be written ({reason}).").format(name=self._path.name, reason=error.strerror)
            ) from error
        self._secrets = secrets


def _configured() -> keyring.backend.KeyringBackend:
    """Raises SecretsError where the environment or keyring's settings name a back end that cannot be loaded."""
    try:
        return keyring.get_keyring()
    except (ImportError, AttributeError, TypeError, ValueError, RuntimeError, OSError, configparser.Error) as error:
        raise SecretsError(
            tr(
                "This system's keychain cannot be set up ({name}). Check PYTHON_KEYRING_BACKEND and "
                "keyringrc.cfg, or protect your keys with a passphrase instead."
            ).format(name=type(error).__name__)
        ) from error


def _trusted(backend: object) -> bool:
    return backend.__class__.__module__.startswith(TRUSTED)
