"""Who may be sent a case: the network lock, and what the user agreed to for each address.

Kept in a small file of its own beside the settings: addresses, times and yes or no; no clinical text, no keys.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from urllib.parse import urlsplit

from noteeval_desktop import paths
from noteeval_desktop.errors import InputError
from noteeval_desktop.guarded_json import from_json
from noteeval_desktop.platform.files import private_folder, write_private

_MOST_BYTES = 1_000_000


class Agreement(StrEnum):
    """Does an agreement such as a BAA exist with the recipient? As the user says; the program does not judge it."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Consent:
    """The user's yes to sending cases to ``address``; ``given`` is the time, ISO 8601 in UTC."""

    address: str
    given: str
    agreement: Agreement = Agreement.UNKNOWN


@dataclass(frozen=True, slots=True)
class RemoteRules:
    """``locked``: remote judging is off altogether, whatever was agreed to."""

    locked: bool = False
    consents: tuple[Consent, ...] = ()

    def consent_to(self, base_url: str) -> Consent | None:
        address = recipient(base_url)
        return next((consent for consent in self.consents if consent.address == address), None)

    def agreed(self, base_url: str, agreement: Agreement, now: datetime | None = None) -> RemoteRules:
        """With the user's yes to ``base_url``, in place of an earlier one."""
        given = (now or datetime.now(UTC)).astimezone(UTC).isoformat(timespec="seconds")
        consent = Consent(recipient(base_url), given, agreement)
        return replace(self, consents=(*self.withdrawn(base_url).consents, consent))

    def withdrawn(self, base_url: str) -> RemoteRules:
        address = recipient(base_url)
        return replace(self, consents=tuple(consent for consent in self.consents if consent.address != address))

    def check_unlocked(self) -> None:
        """Raises InputError while the lock is on."""
        if self.locked:
            raise InputError("Remote judging", "is switched off", "Switch it on in the settings, or judge here.")

    def check(self, base_url: str) -> None:
        """Raises InputError while the lock is on, and where the user has not said yes to ``base_url``."""
        self.check_unlocked()
        if self.consent_to(base_url) is None:
            raise InputError(
                recipient(base_url), "you have not agreed to send cases there", "Agree in the judge's settings first."
            )


def recipient(base_url: str) -> str:
    """An address in one form: small scheme and host, no slash at the end. Another path is another recipient,
    because gateways pass paths on to different companies."""
    parts = urlsplit(base_url.strip())
    return f"{parts.scheme.lower()}://{parts.netloc.lower()}{parts.path.rstrip('/')}"


def rules_file() -> Path:
    return paths.data_folder() / "remote.json"


def load(path: Path | None = None) -> RemoteRules:
    """What was decided so far; nothing where there is no file. A file that cannot be read locks: it may have."""
    path = path or rules_file()
    try:
        if path.stat().st_size > _MOST_BYTES:
            return RemoteRules(locked=True)
        data = from_json(path.read_bytes())
        consents = (Consent(str(c["address"]), str(c["given"]), Agreement(c["agreement"])) for c in data["consents"])
        return RemoteRules(locked=data["locked"] is not False, consents=tuple(consents))
    except FileNotFoundError:
        return RemoteRules()
    except (OSError, ValueError, KeyError, TypeError):
        return RemoteRules(locked=True)


def save(rules: RemoteRules, path: Path | None = None) -> None:
    """Write the file whole or not at all. Raises OSError where the folder cannot be written."""
    path = path or rules_file()
    private_folder(path.parent)
    write_private(path, json.dumps(asdict(rules), indent=1).encode())
