"""The audit log: what was done with which case, when. It only grows, and every entry seals those before it."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from urllib.parse import urlsplit

from noteeval_desktop.domain.tables import guarded
from noteeval_desktop.domain.times import moment
from noteeval_desktop.platform.account import account
from noteeval_desktop.store.database import Database, open_existing
from noteeval_desktop.store.errors import StoreError, told
from noteeval_desktop.store.tables import Tables

FAILED_UNLOCKS = "failed-unlocks"


def note_failure(folder: Path, moment: datetime) -> None:
    """The audit log is locked too: the moment waits beside it."""
    with told(FAILED_UNLOCKS):
        handle = os.open(folder / FAILED_UNLOCKS, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(moment.isoformat() + "\n")


def noted_failures(folder: Path, otherwise: datetime) -> tuple[datetime, ...]:
    """Moments cut short on a full disk count as ``otherwise``."""
    with told(FAILED_UNLOCKS):
        file = folder / FAILED_UNLOCKS
        lines = file.read_text("ascii", "replace").split() if file.exists() else []
    moments = []
    for line in lines:
        try:
            moments.append(datetime.fromisoformat(line))
        except ValueError:
            moments.append(otherwise)
    return tuple(moments)


def forget_failures(folder: Path) -> None:
    """Once they are in the audit log."""
    with told(FAILED_UNLOCKS):
        (folder / FAILED_UNLOCKS).unlink(missing_ok=True)


_START = "0" * 64
# Room for a host name, a file format or a count; never for a sentence.
_MOST = 80
_DETAIL = re.compile(rf"[\w.:/=,-]{{0,{_MOST}}}", re.ASCII)
_NOT_A_NAME = re.compile(r"[^\w.@-]")
_COLUMNS = ("number", "at", "event", "subject", "detail", "chain", "who")
_NOT_TAKEN = re.compile(r"[^\w.:-]", re.ASCII)


class Event(StrEnum):
    CREATED = "created"
    UNLOCKED = "unlocked"
    UNLOCK_FAILED = "unlock_failed"
    LOCKED = "locked"
    KEYS_CHANGED = "keys_changed"
    OPENED = "opened"
    SENT = "sent"
    EXPORTED = "exported"
    IMPORTED = "imported"
    STATUS = "status"
    DELETED = "deleted"
    BACKED_UP = "backed_up"
    BACKUP_TESTED = "backup_tested"
    RESTORED = "restored"
    PUT_BACK = "put_back"
    LOG_DAMAGED = "log_damaged"


@dataclass(frozen=True, slots=True)
class Entry:
    """``subject`` is a case's id or empty; ``detail`` a host, format, status or count; ``chain`` a SHA-256 in hex;
    ``who``: the account of the computer, empty in entries from before it was noted."""

    number: int
    at: datetime
    event: Event
    subject: str
    detail: str
    chain: str
    who: str = ""


class AuditLog:
    def __init__(self, database: Database) -> None:
        self._database = database

    def record(self, event: Event, subject: str = "", detail: str = "", at: datetime | None = None) -> None:
        """Raises ValueError for a subject or a detail that could be a text."""
        with self._database.writing() as db:
            append(db, event, subject, detail, at)

    def entries(self, since: int = 0) -> tuple[Entry, ...]:
        """Those numbered above ``since``, the oldest first."""
        with self._database.reading() as db:
            rows = list(db.query("SELECT * FROM audit WHERE number > ? ORDER BY number", [since]))
        return tuple(_entry(row) for row in rows)

    def take_over(self, entries: Sequence[Entry]) -> None:
        """Continue with the entries of a later state of this log; ValueError where they do not follow from it."""
        with self._database.writing() as db:
            for entry in entries:
                number, chain = _head(db)
                if entry.number != number + 1 or entry.chain != _linked(chain, entry):
                    raise ValueError("these entries continue another log")
                _insert(db, entry)

    def first_broken(self) -> int | None:
        """The number of the first entry that does not follow from those before it; None where all do.

        A log cut short at its end is not seen here: see ``witness``.
        """
        chain = _START
        for number, entry in enumerate(self.entries(), start=1):
            chain = _linked(chain, entry)
            if entry.number != number or entry.chain != chain:
                return number
        return None

    def last(self) -> tuple[int, str]:
        """The number of the last entry and its value in the chain, which stands for the whole log."""
        with self._database.reading() as db:
            return _head(db)


def host_of(address: str) -> str:
    """How a recipient is named: "llm.example.org:8443", with a dash for each letter that the log does not take."""
    parts = urlsplit(address)
    port = f":{parts.port}" if parts.port else ""
    return _NOT_TAKEN.sub("-", f"{parts.hostname or ''}{port}")[:_MOST]


def entries_in(path: Path, key: bytes) -> tuple[Entry, ...]:
    """None from a library that is missing or damaged: that is when restoring is needed most."""
    try:
        with open_existing(path, key) as database:
            return AuditLog(database).entries()
    except StoreError:
        return ()


def continue_with(audit: AuditLog, later: tuple[Entry, ...]) -> None:
    """Take over what a later state of the same log has more, as where a backup has taken a library's place."""
    own = audit.entries()
    # A library restored from an older backup before has gone on differently: its log stays in the replaced file.
    if later[: len(own)] == own:
        audit.take_over(later[len(own) :])


def append(db: Tables, event: Event, subject: str = "", detail: str = "", at: datetime | None = None) -> None:
    """Within the transaction of the act itself, so that neither is kept without the other."""
    if not _DETAIL.fullmatch(subject) or not _DETAIL.fullmatch(detail):
        raise ValueError("the audit log takes no texts")
    number, chain = _head(db)
    who = _NOT_A_NAME.sub("-", account())[:_MOST]
    entry = Entry(number + 1, at or datetime.now(UTC), event, subject, detail, chain, who)
    _insert(db, replace(entry, chain=_linked(chain, entry)))


def _head(db: Tables) -> tuple[int, str]:
    row = db.execute("SELECT number, chain FROM audit ORDER BY number DESC LIMIT 1").fetchone()
    return (int(row[0]), str(row[1])) if row else (0, _START)


def _insert(db: Tables, entry: Entry) -> None:
    db.execute(f"INSERT INTO audit({', '.join(_COLUMNS)}) VALUES (?, ?, ?, ?, ?, ?, ?)", _row(entry))


def _linked(chain: str, entry: Entry) -> str:
    """Entries from before there was a ``who`` are sealed without it."""
    *sealed, _, who = _row(entry)
    return hashlib.sha256(json.dumps([chain, *sealed, *([who] if who else [])]).encode()).hexdigest()


def _entry(row: dict[str, str]) -> Entry:
    return Entry(
        int(row["number"]),
        moment(row["at"]),
        Event(row["event"]),
        row["subject"],
        row["detail"],
        row["chain"],
        row["who"],
    )


def as_csv(entries: Sequence[Entry]) -> str:
    """A heading and one line an entry; times as ISO 8601 in UTC."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_COLUMNS)
    writer.writerows(map(guarded, _row(entry)) for entry in entries)
    return text.getvalue()


def as_json(entries: Sequence[Entry], first_broken: int | None) -> str:
    """``first_broken`` as ``AuditLog.first_broken`` found it.

    Each ``chain`` is the SHA-256 of the JSON list [chain before, number, at, event, subject, detail, who], without
    ``who`` where that is empty; the first entry follows 64 zeros.
    """
    lines = [dict(zip(_COLUMNS, _row(entry), strict=True)) for entry in entries]
    said = {"format": "noteeval.audit/1", "unbroken": first_broken is None, "first_broken": first_broken}
    return json.dumps(said | {"entries": lines}, indent=1) + "\n"


def _row(entry: Entry) -> list[object]:
    return [entry.number, entry.at.isoformat(), entry.event.value, entry.subject, entry.detail, entry.chain, entry.who]
