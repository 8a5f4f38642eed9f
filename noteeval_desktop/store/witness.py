"""What this computer's keychain remembers of a library, so that an earlier state put in its place is noticed.

Whoever can write the library's folder can put back an earlier key file, or an earlier library with the key file that
belongs to it; each is whole in itself, and only something kept elsewhere tells.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.errors import NoteEvalError
from noteeval_desktop.store.audit import AuditLog
from noteeval_desktop.store.database import Database
from noteeval_desktop.store.errors import told
from noteeval_desktop.store.files import write_private
from noteeval_desktop.store.keys import SecretStore, WrappedKeys


class PutBack(StrEnum):
    """What is earlier than when the library was last used on this computer."""

    KEYS = "keys"
    LIBRARY = "library"


@dataclass(frozen=True, slots=True)
class Seen:
    """The key file's epoch, the audit log's last entry (its number and what it seals), how many changes led there, and
    what stands for every page of the file then (empty: not known)."""

    epoch: int
    number: int
    chain: str
    generation: int = 0
    state: str = ""


class Witness:
    """A keychain that cannot be read or written remembers nothing: it may be locked, which is no sign of anything."""

    def __init__(self, keychain: SecretStore, library: str) -> None:
        self._keychain, self._name = keychain, f"library-{library}-seen"

    def put_back(self, wrapped: WrappedKeys, database: Database) -> tuple[PutBack, ...]:
        """To be asked before anything is written into the library.

        A library further on than was noted is none that was put back: the program was killed in between, or another
        computer has used it.
        """
        seen = self._seen()
        if seen is None:
            return ()
        generation = database.generation()
        chains = [entry.chain for entry in AuditLog(database).entries(seen.number - 1)[:1]]
        mixed = (
            generation == seen.generation and "" not in (seen.state, database.found) and seen.state != database.found
        )
        earlier = generation < seen.generation or mixed or (seen.number and chains != [seen.chain])
        found = [PutBack.KEYS] if wrapped.epoch < seen.epoch else []
        return (*found, *([PutBack.LIBRARY] if earlier else []))

    def note(self, wrapped: WrappedKeys, database: Database) -> None:
        number, chain = AuditLog(database).last()
        seen = Seen(wrapped.epoch, number, chain, database.generation(), database.state())
        try:
            self._keychain.write(self._name, json.dumps(asdict(seen)))
        except NoteEvalError:
            # The next one is noted; until then the earlier one still holds.
            return

    def forget(self) -> None:
        """Raises what the keychain raises."""
        self._keychain.forget(self._name)

    def _seen(self) -> Seen | None:
        try:
            kept = self._keychain.read(self._name)
            seen = Seen(**json.loads(kept)) if kept else None
        except (NoteEvalError, ValueError, TypeError):
            return None
        if seen is None or any(type(one) is not int for one in (seen.epoch, seen.number, seen.generation)):
            return None
        return seen


_ABOUT = tr(
    "Says in which state the library was left, so that an earlier copy put in its place is noticed. It holds no "
    "secret. It cannot promise more: whoever can put back the library may put back or remove this file as well."
)


class MemoryFile:
    """Where there is no keychain: a file beside the library's folder. It says itself what it cannot promise."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self, name: str) -> str | None:
        """Raises StoreError where there is one that cannot be read."""
        return self._all().get(name)

    def write(self, name: str, secret: str) -> None:
        self._keep({**self._all(), name: secret})

    def forget(self, name: str) -> None:
        self._keep({known: secret for known, secret in self._all().items() if known != name})

    def _all(self) -> dict[str, str]:
        with told(self._path.name):
            content = self._path.read_bytes() if self._path.exists() else b"{}"
        try:
            kept = json.loads(content)
        except ValueError:
            # Cut short or changed: as good as none, and the next state is noted anew.
            return {}
        return {name: text for name, text in kept.items() if isinstance(text, str)} if isinstance(kept, dict) else {}

    def _keep(self, states: dict[str, str]) -> None:
        write_private(self._path, json.dumps({**states, "about": _ABOUT}, indent=1).encode())
