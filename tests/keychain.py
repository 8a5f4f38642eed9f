"""A system's keychain, in memory."""

from __future__ import annotations

from noteeval_desktop.secrets import SecretsError


class InMemory:
    """A keychain that works; with ``broken`` it takes and gives nothing."""

    def __init__(self) -> None:
        self.kept: dict[str, str] = {}
        self.broken = False

    def read(self, name: str) -> str | None:
        self._answer()
        return self.kept.get(name)

    def write(self, name: str, secret: str) -> None:
        self._answer()
        self.kept[name] = secret

    def forget(self, name: str) -> None:
        self._answer()
        self.kept.pop(name, None)

    def _answer(self) -> None:
        if self.broken:
            raise SecretsError("The keychain could not be read. Unlock it and try again.")
