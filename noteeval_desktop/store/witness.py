"""What this computer's keychain remembers of a library, so that an earlier state put in its place is noticed.

Whoever can write the library's folder can put back an earlier key file, or an earlier library with the key file that
belongs to it; each is whole in itself, and only something kept elsewhere tells.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from enum import StrEnum

from noteeval_desktop.errors import NoteEvalError
from noteeval_desktop.store.audit import AuditLog
from noteeval_desktop.store.keys import SecretStore, WrappedKeys


class PutBack(StrEnum):
    """What is earlier than when the library was last used on this computer."""

    KEYS = "keys"
    LIBRARY = "library"


@dataclass(frozen=True, slots=True)
class Seen:
    """The key file's epoch, and the audit log's last entry: its number and what it seals."""

    epoch: int
    number: int
    chain: str


class Witness:
    """A keychain that cannot be read or written remembers nothing: it may be locked, which is no sign of anything."""

    def __init__(self, keychain: SecretStore, library: str) -> None:
        self._keychain, self._name = keychain, f"library-{library}-seen"

    def put_back(self, wrapped: WrappedKeys, audit: AuditLog) -> tuple[PutBack, ...]:
        """To be asked before anything is written into the log."""
        seen = self._seen()
        if seen is None:
            return ()
        chains = [entry.chain for entry in audit.entries(seen.number - 1)[:1]]
        found = [PutBack.KEYS] if wrapped.epoch < seen.epoch else []
        return (*found, *([PutBack.LIBRARY] if seen.number and chains != [seen.chain] else []))

    def note(self, wrapped: WrappedKeys, audit: AuditLog) -> None:
        number, chain = audit.last()
        try:
            self._keychain.write(self._name, json.dumps(asdict(Seen(wrapped.epoch, number, chain))))
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
        sound = seen is not None and type(seen.epoch) is int and type(seen.number) is int
        return seen if sound else None
