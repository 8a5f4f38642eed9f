"""Drafts that survive a crash, and the cases opened lately: one encrypted file, readable by this user alone.

The key is kept apart (draft_key.py). A draft holds the note and the session as they stood, and is deleted
when its window closes in peace. Recent cases are listed by when they were opened; their paths, which may
hold names, are only in the encrypted file.
"""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from PySide6.QtCore import QLockFile

from noteeval_desktop.domain.decisions import Decision, DecisionKind
from noteeval_desktop.domain.transcript import Role, Transcript, Turn

MOST_RECENT = 6
_SCHEMA = """
CREATE TABLE IF NOT EXISTS draft (id TEXT PRIMARY KEY, saved TEXT NOT NULL, content TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS recent (transcript TEXT, note TEXT, opened TEXT NOT NULL, PRIMARY KEY (transcript, note));
"""


@dataclass(frozen=True, slots=True)
class Draft:
    """What was on the desk; ``saved`` is local time."""

    saved: datetime
    note_text: str
    note_path: Path | None
    transcript: Transcript | None
    decisions: tuple[Decision, ...] = ()
    label: str = ""


@dataclass(frozen=True, slots=True)
class RecentCase:
    transcript: Path
    note: Path
    opened: datetime


class DraftStore:
    """One a window. Every method reads or writes the disk: call them from a job. Raises OSError, sqlcipher3.Error."""

    def __init__(self, folder: Path, key: Callable[[Path], bytes]) -> None:
        self._folder, self._key = folder, key
        self._id = uuid.uuid4().hex
        self._lock: QLockFile | None = None

    def save(self, draft: Draft) -> None:
        self._claim()
        with self._open() as database:
            database.execute(
                "INSERT OR REPLACE INTO draft VALUES (?, ?, ?)",
                (self._id, draft.saved.isoformat(), json.dumps(_to_json(draft))),
            )

    def discard(self) -> None:
        """This window's draft is no longer needed."""
        if self._lock is not None:
            with self._open() as database:
                database.execute("DELETE FROM draft WHERE id = ?", (self._id,))
            self._lock.unlock()
            self._lock = None

    def orphans(self) -> tuple[Draft, ...]:
        """Take over the drafts of windows that ended without closing, the newest first."""
        if not (self._folder / "desk.db").exists():
            return ()
        taken = []
        with self._open() as database:
            for name, content in database.execute("SELECT id, content FROM draft ORDER BY saved DESC").fetchall():
                lock = self._lock_file(name)
                if name != self._id and lock.tryLock(0):
                    taken.append(_from_json(json.loads(content)))
                    database.execute("DELETE FROM draft WHERE id = ?", (name,))
                    lock.unlock()
        return tuple(taken)

    def remember(self, case: RecentCase) -> None:
        with self._open() as database:
            database.execute(
                "INSERT OR REPLACE INTO recent VALUES (?, ?, ?)",
                (str(case.transcript), str(case.note), case.opened.isoformat()),
            )
            database.execute(
                "DELETE FROM recent WHERE opened NOT IN (SELECT opened FROM recent ORDER BY opened DESC LIMIT ?)",
                (MOST_RECENT,),
            )

    def recent(self) -> tuple[RecentCase, ...]:
        """The newest first; files that are gone are left out."""
        if not (self._folder / "desk.db").exists():
            return ()
        with self._open() as database:
            rows = database.execute("SELECT transcript, note, opened FROM recent ORDER BY opened DESC").fetchall()
        cases = (RecentCase(Path(t), Path(n), datetime.fromisoformat(opened)) for t, n, opened in rows)
        return tuple(case for case in cases if case.transcript.exists() and case.note.exists())

    def _claim(self) -> None:
        if self._lock is None:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._lock = self._lock_file(self._id)
            self._lock.tryLock(0)

    def _lock_file(self, name: str) -> QLockFile:
        lock = QLockFile(str(self._folder / f"{name}.lock"))
        # Stale only when its process is gone, however long a window stays open.
        lock.setStaleLockTime(0)
        return lock

    @contextmanager
    def _open(self) -> Iterator[Any]:
        # Here, not above: it takes longer to load than most of the window.
        import sqlcipher3

        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        file = self._folder / "desk.db"
        if not file.exists():
            os.close(os.open(file, os.O_WRONLY | os.O_CREAT, 0o600))
        database = sqlcipher3.connect(str(file), timeout=5)
        try:
            database.execute("PRAGMA cipher_log_level = NONE")
            database.execute(f"PRAGMA key = \"x'{self._key(self._folder).hex()}'\"")
            database.executescript(_SCHEMA)
            with database:
                yield database
        finally:
            database.close()


def _to_json(draft: Draft) -> dict[str, Any]:
    turns = draft.transcript.turns if draft.transcript else ()
    return {
        "saved": draft.saved.isoformat(),
        "note": draft.note_text,
        "note_path": str(draft.note_path) if draft.note_path else None,
        "sha256": draft.transcript.source_sha256 if draft.transcript else None,
        "turns": [[turn.speaker, turn.role.value, turn.text, turn.start] for turn in turns],
        "decisions": [[d.kind.value, d.subject, d.reason, d.when.isoformat()] for d in draft.decisions],
        "label": draft.label,
    }


def _from_json(data: dict[str, Any]) -> Draft:
    turns = tuple(
        Turn(index, speaker, Role(role), text, start)
        for index, (speaker, role, text, start) in enumerate(data["turns"])
    )
    return Draft(
        saved=datetime.fromisoformat(data["saved"]),
        note_text=data["note"],
        note_path=Path(data["note_path"]) if data["note_path"] else None,
        transcript=Transcript(turns, data["sha256"] or "") if turns else None,
        decisions=tuple(
            Decision(DecisionKind(kind), subject, reason, datetime.fromisoformat(when))
            for kind, subject, reason, when in data.get("decisions", ())
        ),
        label=data.get("label", ""),
    )
