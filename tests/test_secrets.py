from __future__ import annotations

from pathlib import Path

import keyring.backend
import keyring.backends.fail
import keyring.backends.null
import keyring.errors
import pytest

from noteeval_desktop.secrets import Keychain, PassphraseFile, SecretsError


class SystemKeychain(keyring.backend.KeyringBackend):
    """A back end that passes for the system's; ``loses`` makes it forget what it is given."""

    priority = 1.0

    def __init__(self, loses: bool = False, locked: bool = False) -> None:
        super().__init__()
        self.kept: dict[tuple[str, str], str] = {}
        self.loses, self.locked = loses, locked

    def get_password(self, service: str, username: str) -> str | None:
        if self.locked:
            raise keyring.errors.KeyringLocked
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        if not self.loses:
            self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.kept[service, username]


SystemKeychain.__module__ = "keyring.backends.SecretService"


def test_a_keychain_keeps_reads_and_forgets() -> None:
    store = Keychain(SystemKeychain())
    store.write("judge", "s€cret")
    assert store.read("judge") == "s€cret"
    store.forget("judge")
    store.forget("judge")
    assert store.read("judge") is None


@pytest.mark.parametrize("backend", [keyring.backends.null.Keyring(), keyring.backends.fail.Keyring()])
def test_a_back_end_that_keeps_nothing_is_refused(backend: keyring.backend.KeyringBackend) -> None:
    with pytest.raises(SecretsError, match="no keychain"):
        Keychain(backend)


def test_a_keychain_that_loses_the_key_is_noticed() -> None:
    with pytest.raises(SecretsError, match="did not keep"):
        Keychain(SystemKeychain(loses=True)).write("judge", "x")


def test_a_locked_keychain_says_so() -> None:
    with pytest.raises(SecretsError, match="Unlock"):
        Keychain(SystemKeychain(locked=True)).read("judge")


def test_a_passphrase_file_keeps_secrets_sealed(tmp_path: Path) -> None:
    path = tmp_path / "keys"
    PassphraseFile(path, "correct horse").write("judge", "sk-planted")
    assert b"sk-planted" not in path.read_bytes()
    assert path.stat().st_mode & 0o077 == 0
    again = PassphraseFile(path, "correct horse")
    assert again.read("judge") == "sk-planted"
    again.forget("judge")
    assert PassphraseFile(path, "correct horse").read("judge") is None
    assert list(tmp_path.iterdir()) == [path]


def test_a_wrong_passphrase_and_a_damaged_file_are_told(tmp_path: Path) -> None:
    path = tmp_path / "keys"
    PassphraseFile(path, "right").write("judge", "x")
    with pytest.raises(SecretsError, match="wrong"):
        PassphraseFile(path, "wrong")
    path.write_text(path.read_text()[:-9])
    with pytest.raises(SecretsError, match="damaged"):
        PassphraseFile(path, "right")


@pytest.mark.parametrize("named", ["nowhere.Keyring", "nowhere", "keyring.backends.null.Nothing"])
def test_a_keychain_that_the_environment_names_wrongly_is_told(named: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("keyring.core._keyring_backend", None)
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", named)
    with pytest.raises(SecretsError, match=r"cannot be set up .* Check PYTHON_KEYRING_BACKEND"):
        Keychain()


def test_a_user_without_a_home_has_no_keychain(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere() -> keyring.backend.KeyringBackend:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(keyring, "get_keyring", nowhere)
    with pytest.raises(SecretsError, match=r"cannot be set up \(RuntimeError\)"):
        Keychain()
