"""Drafts of the desk, kept beside the library until their work is done, and the cases opened lately.

Every method here reads or writes the disk or the keychain: call them from a job. They raise OSError, NoteEvalError or
sqlcipher3.Error.
"""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from noteeval_desktop.domain.decisions import Decision, DecisionKind
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.times import moment
from noteeval_desktop.domain.transcript import Role, Transcript, Turn
from noteeval_desktop.errors import NoteEvalError
from noteeval_desktop.guarded_json import from_json
from noteeval_desktop.platform.files import private_folder, replace_file
from noteeval_desktop.platform.locks import PassingLock
from noteeval_desktop.store.keyed_file import BUSY_SECONDS, FileKeys, KeyedFile, Unreadable, salt_of

MOST_RECENT = 6
_KEPT = "kept-"
_PAUSE_SECONDS = 0.02
_DESK = """
CREATE TABLE IF NOT EXISTS draft (id TEXT PRIMARY KEY, saved TEXT NOT NULL, content TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS recent (transcript TEXT, note TEXT, opened TEXT NOT NULL, PRIMARY KEY (transcript, note));
"""


@dataclass(frozen=True, slots=True)
class Draft:
    """What was on the desk; ``saved`` is local time; ``on_file``: the note's file, and what it says. ``session_file``
    and ``note_file`` hold the session and the note just as they are here: they are unsaved without these."""

    saved: datetime
    note_text: str
    note_path: Path | None
    transcript: Transcript | None
    decisions: tuple[Decision, ...] = ()
    label: str = ""
    on_file: tuple[Path, str] | None = None
    session_file: Path | None = None
    note_file: Path | None = None


@dataclass(frozen=True, slots=True)
class Orphan:
    """A draft whose window is gone, as a list shows it: nothing of what was said or written. With ``case_id`` the
    library holds it."""

    id: str
    saved: datetime
    words: int
    turns: int
    case_id: str = ""


@dataclass(frozen=True, slots=True)
class RecentCase:
    transcript: Path
    note: Path
    opened: datetime


class DraftStore(KeyedFile):
    """Drafts that survive a crash, and the cases opened lately. One a window.

    A draft holds the note, the session and the decisions as they stood; it stays until its window closes in peace or,
    after a crash, until someone takes it up or throws it away. Recent cases are listed by when they were opened; their
    paths, which may hold names, are only in the encrypted file. A file that cannot be opened is set aside under another
    name and tried again at each start; ``problem`` then says so.
    """

    def __init__(self, folder: Path, keys: FileKeys) -> None:
        super().__init__(folder / "desk.db", keys, _DESK)
        self._id = uuid.uuid4().hex
        self._lock: PassingLock | None = None
        self._parked: dict[str, PassingLock] = {}
        self.problem = ""

    def save(self, draft: Draft) -> None:
        if self._id.startswith(_KEPT):
            self.discard()
            self._id = uuid.uuid4().hex
        self._save(draft.saved, _to_json(draft))

    def note_kept(self, case_id: str, saved: datetime) -> None:
        """The library holds the draft of this kept case: what is kept here says no more than that."""
        if self._id != _KEPT + case_id:
            self.discard()
            self._id = _KEPT + case_id
        self._save(saved, {"case": case_id})

    def _save(self, saved: datetime, content: dict[str, Any]) -> None:
        self._claim()
        with self._open() as database:
            database.execute(
                "INSERT OR REPLACE INTO draft VALUES (?, ?, ?)", (self._id, saved.isoformat(), json.dumps(content))
            )

    def discard(self) -> None:
        """This window's draft is no longer needed."""
        if self._lock is not None:
            with self._open() as database:
                database.execute("DELETE FROM draft WHERE id = ?", (self._id,))
            self._lock.release()
            self._lock = None

    def park(self) -> str:
        """Leave this window's draft as it is, for ``take``; what is drafted next is another. Returns its id."""
        parked = self._id
        if self._lock is not None:
            self._parked[parked] = self._lock
        self._id, self._lock = uuid.uuid4().hex, None
        return parked

    def orphans(self) -> tuple[Orphan, ...]:
        """The drafts of windows that ended without closing, the newest first. They stay until ``take`` or
        ``throw_away``."""
        if not any(self._folder.glob("desk*.db")):
            return ()
        with self._open() as database:
            self._take_back(database)
            rows = database.execute("SELECT id, saved, content FROM draft ORDER BY saved DESC").fetchall()
        found = []
        for name, saved, content in rows:
            lock = self._locked(name) if name != self._id and name not in self._parked else None
            if lock is not None:
                lock.release()
                data = {"note": "", "turns": (), "case": ""} | from_json(content)
                found.append(Orphan(name, moment(saved), len(data["note"].split()), len(data["turns"]), data["case"]))
        return tuple(found)

    def take(self, name: str) -> Draft | None:
        """From now on it is this window's draft, in the place of its own; None where another window has it."""
        lock = self._parked.pop(name, None) or self._locked(name)
        if lock is None:
            return None
        with ExitStack() as unless_taken:
            unless_taken.callback(lock.release)
            with self._open() as database:
                row = database.execute("SELECT content FROM draft WHERE id = ?", (name,)).fetchone()
            if row is None:
                return None
            draft = _from_json(from_json(row[0]))
            self.discard()
            unless_taken.pop_all()
        self._id, self._lock = name, lock
        return draft

    def throw_away(self, name: str) -> None:
        """A draft of a window that ended, for good; nothing where another window has it."""
        lock = self._locked(name)
        if lock is not None:
            try:
                with self._open() as database:
                    database.execute("DELETE FROM draft WHERE id = ?", (name,))
            finally:
                lock.release()

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

    def forget_recent(self, note: Path) -> None:
        """Each session that was opened with ``note``."""
        with self._open() as database:
            database.execute("DELETE FROM recent WHERE note = ?", (str(note),))

    def recent(self) -> tuple[RecentCase, ...]:
        """The newest first; those whose files are gone are left out."""
        if not self._file.exists():
            return ()
        with self._open() as database:
            rows = database.execute("SELECT transcript, note, opened FROM recent ORDER BY opened DESC").fetchall()
        cases = [RecentCase(Path(t), Path(n), moment(opened)) for t, n, opened in rows]
        return tuple(case for case in cases if case.transcript.exists() and case.note.exists())

    # Whose draft is whose

    def _claim(self) -> None:
        if self._lock is None:
            private_folder(self._folder)
            self._lock = self._locked(self._id)

    def _locked(self, name: str) -> PassingLock | None:
        """None where a window that runs has it; of one that was killed the system has let go."""
        try:
            return PassingLock(self._folder / f"{name}.lock")
        except BlockingIOError:
            return None

    # The file

    @contextmanager
    def _open(self) -> Iterator[Any]:
        private_folder(self._folder)
        # Two windows that start together must not each make the file, with a key of its own.
        give_up = time.monotonic() + BUSY_SECONDS
        while (alone := self._locked("desk")) is None:
            if time.monotonic() > give_up:
                raise TimeoutError("desk.lock")
            time.sleep(_PAUSE_SECONDS)
        try:
            with closing(self._database()) as database, database:
                yield database
        finally:
            alone.release()

    def _database(self) -> Any:
        salt = salt_of(self._file)
        if salt is not None:
            try:
                return self._again(salt)
            except (NoteEvalError, Unreadable) as error:
                self._set_aside(salt, error)
        return self._new()

    def _set_aside(self, salt: bytes, error: Exception) -> None:
        file = self._file
        aside = file.with_name(f"desk-{salt.hex()}.db")
        for end in ("", "-journal"):
            if (part := file.with_name(file.name + end)).exists():
                replace_file(part, aside.with_name(aside.name + end))
        self._known = None
        said = tr("They were not changed: they are in {file}, and NoteEval tries them again at each start.")
        reason = str(error) if isinstance(error, NoteEvalError) else ""
        parts = (tr("Earlier drafts could not be opened."), reason, said.format(file=aside.name))
        self.problem = " ".join(filter(None, parts))

    def _take_back(self, database: Any) -> None:
        """What was set aside and can be opened again."""
        for file in sorted(self._folder.glob("desk-*.db")):
            salt = salt_of(file)
            try:
                aside = None if salt is None else self._connect(file, salt, self._keys.find(salt)[0])
            except (NoteEvalError, Unreadable):
                continue  # said when it was set aside
            if aside is None or salt is None:
                continue
            with closing(aside):
                for table in ("draft", "recent"):
                    rows = aside.execute(f"SELECT * FROM {table}").fetchall()
                    database.executemany(f"INSERT OR IGNORE INTO {table} VALUES (?, ?, ?)", rows)
            database.commit()
            file.unlink()
            self._keys.forget(salt)


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
        "on_file": [str(part) for part in draft.on_file] if draft.on_file else None,
        "session_file": str(draft.session_file) if draft.session_file else None,
        "note_file": str(draft.note_file) if draft.note_file else None,
    }


def _from_json(data: dict[str, Any]) -> Draft:
    turns = tuple(
        Turn(index, speaker, Role(role), text, start)
        for index, (speaker, role, text, start) in enumerate(data["turns"])
    )
    return Draft(
        saved=moment(data["saved"]),
        note_text=data["note"],
        note_path=Path(data["note_path"]) if data["note_path"] else None,
        transcript=Transcript(turns, data["sha256"] or "") if turns else None,
        decisions=tuple(
            Decision(DecisionKind(kind), subject, reason, moment(when))
            for kind, subject, reason, when in data.get("decisions", ())
        ),
        label=data.get("label", ""),
        on_file=(Path(on_file[0]), on_file[1]) if (on_file := data.get("on_file")) else None,
        session_file=Path(path) if (path := data.get("session_file")) else None,
        note_file=Path(path) if (path := data.get("note_file")) else None,
    )
