"""What the window keeps beside the library until its work is done: drafts of the desk, and sets of notes under review.

Each lies in one encrypted file, readable by this user alone, with a key of its own: in the system keychain where there
is one, otherwise in a file of this user's alone. A key belongs to one file, known by the salt in its head: no failure
of a keychain makes another key for it.

Every method here reads or writes the disk or the keychain: call them from a job. They raise OSError, NoteEvalError or
sqlcipher3.Error.
"""

from __future__ import annotations

import json
import time
import uuid
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from secrets import token_bytes
from typing import Any, Protocol

from noteeval_desktop.domain.decisions import Decision, DecisionKind
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.times import moment
from noteeval_desktop.domain.transcript import Role, Transcript, Turn
from noteeval_desktop.errors import NoteEvalError
from noteeval_desktop.guarded_json import from_json
from noteeval_desktop.platform.files import private_file, private_folder, replace_file, write_private
from noteeval_desktop.platform.locks import PassingLock

KEY_BYTES, SALT_BYTES = 32, 16
MOST_RECENT = 6
# What one key for all files was called before each had its own.
_SHARED_NAME, _SHARED_FILE = "drafts", "draft.key"
_BUSY_SECONDS = 10.0
_KEPT = "kept-"
_PAUSE_SECONDS = 0.02
_DESK = """
CREATE TABLE IF NOT EXISTS draft (id TEXT PRIMARY KEY, saved TEXT NOT NULL, content TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS recent (transcript TEXT, note TEXT, opened TEXT NOT NULL, PRIMARY KEY (transcript, note));
"""
_SETS = """
CREATE TABLE IF NOT EXISTS run (id TEXT PRIMARY KEY, begun TEXT NOT NULL, folder TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS entry (run TEXT, place INTEGER, pair TEXT NOT NULL, state TEXT NOT NULL,
  problem TEXT NOT NULL, summary TEXT, result BLOB, PRIMARY KEY (run, place));
"""


class NoFileKey(NoteEvalError):
    """Neither the keychain nor a file holds the key of an encrypted file."""


class SetsUnreadable(NoteEvalError):
    """The file of earlier sets, or its key, is damaged or missing."""


class _Unreadable(Exception):
    """Not with this key, or damaged."""


class SecretStore(Protocol):
    """Names to secrets. Raises NoteEvalError where it fails; ``noteeval_desktop.secrets`` has the real ones."""

    def read(self, name: str) -> str | None: ...

    def write(self, name: str, secret: str) -> None: ...

    def forget(self, name: str) -> None:
        """Remove it; nothing happens where there is none."""


class FileKeys:
    """Of the encrypted files in ``folder``."""

    def __init__(self, folder: Path, find_keychain: Callable[[], SecretStore | None]) -> None:
        self._folder, self._find = folder, find_keychain

    def make(self) -> tuple[bytes, bytes, bool]:
        """The salt and the key of a new file, and whether the keychain holds the key."""
        salt, key = token_bytes(SALT_BYTES), token_bytes(KEY_BYTES)
        return salt, key, self.keep(salt, key)

    def guarded(self) -> bool:
        """Whether there is a keychain to hold a key."""
        return self._find() is not None

    def find(self, salt: bytes) -> tuple[bytes, bool]:
        """The key, and whether the keychain holds it. Raises NoFileKey, and NoteEvalError where the keychain fails."""
        for file in (self._file(salt), self._folder / _SHARED_FILE):
            key = _key_in(file)
            if key is not None:
                return key, False
        keychain = self._find()
        for name in (_name(salt), _SHARED_NAME):
            kept = keychain.read(name) if keychain is not None else None
            if kept is not None:
                return bytes.fromhex(kept), True
        raise NoFileKey(tr("The key of earlier drafts is missing."))

    def keep(self, salt: bytes, key: bytes) -> bool:
        """In the keychain (True) or, where it takes none, in a file beside the encrypted one (False).

        That file keeps a copied database unreadable, but not from someone who can read the whole folder.
        """
        try:
            keychain = self._find()
            if keychain is not None:
                keychain.write(_name(salt), key.hex())
                for file in (self._file(salt), self._folder / _SHARED_FILE):
                    if _key_in(file) == key:
                        file.unlink()
                return True
        except NoteEvalError:
            # Told with each draft that is kept: its key lies beside it.
            pass
        if not self._file(salt).exists():
            write_private(self._file(salt), key.hex().encode())
        return False

    def forget(self, salt: bytes) -> None:
        """Its file is gone."""
        self._file(salt).unlink(missing_ok=True)
        keychain = self._find()
        if keychain is not None:
            keychain.forget(_name(salt))

    def _file(self, salt: bytes) -> Path:
        return self._folder / f"{salt.hex()}.key"


def _name(salt: bytes) -> str:
    return f"{_SHARED_NAME} {salt.hex()}"


def _key_in(file: Path) -> bytes | None:
    """None where there is no file, or one that holds no key."""
    try:
        key = bytes.fromhex(file.read_text("ascii").strip())
    except (FileNotFoundError, ValueError):
        return None
    return key if len(key) == KEY_BYTES else None


def _salt(file: Path) -> bytes | None:
    """What stands first in an encrypted file; None where there is none yet."""
    try:
        with file.open("rb") as head:
            salt = head.read(SALT_BYTES)
    except FileNotFoundError:
        return None
    return salt if len(salt) == SALT_BYTES else None


class _KeyedFile:
    """``guarded``: whether the keychain holds the key of what was written last."""

    def __init__(self, file: Path, keys: FileKeys, schema: str) -> None:
        self._file, self._folder, self._keys, self._schema = file, file.parent, keys, schema
        self._known: tuple[bytes, bytes] | None = None
        self.guarded = True

    def _new(self) -> Any:
        salt, key, self.guarded = self._keys.make()
        self._known = salt, key
        private_file(self._file)
        return self._connect(self._file, salt, key)

    def _again(self, salt: bytes) -> Any:
        """The keychain is asked once, and what lies in a file goes into it as soon as there is one. Raises NoFileKey,
        _Unreadable, and NoteEvalError where the keychain fails."""
        if self._known is not None and self._known[0] == salt:
            return self._connect(self._file, *self._known)
        key, guarded = self._keys.find(salt)
        database = self._connect(self._file, salt, key)
        self._known, self.guarded = (salt, key), guarded or self._keys.keep(salt, key)
        return database

    def _connect(self, file: Path, salt: bytes, key: bytes) -> Any:
        # Here, not above: it takes longer to load than most of the window.
        import sqlcipher3

        database = sqlcipher3.connect(str(file), timeout=_BUSY_SECONDS)
        try:
            database.execute("PRAGMA cipher_log_level = NONE")
            database.execute(f"PRAGMA key = \"x'{(key + salt).hex()}'\"")
            # The key may lie beside it: what was deleted must not stay readable in it.
            database.execute("PRAGMA secure_delete = ON")
            database.executescript(self._schema)
        except sqlcipher3.OperationalError:
            database.close()
            raise
        except sqlcipher3.DatabaseError as error:
            database.close()
            raise _Unreadable from error
        return database


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


class DraftStore(_KeyedFile):
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
        give_up = time.monotonic() + _BUSY_SECONDS
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
        salt = _salt(self._file)
        if salt is not None:
            try:
                return self._again(salt)
            except (NoteEvalError, _Unreadable) as error:
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
            salt = _salt(file)
            try:
                aside = None if salt is None else self._connect(file, salt, self._keys.find(salt)[0])
            except (NoteEvalError, _Unreadable):
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


@dataclass(frozen=True, slots=True)
class KeptSet:
    """A set as a list shows it: nothing of what is in it. ``folder``: where results are written as well; or empty."""

    id: str
    begun: datetime
    notes: int
    left: int
    folder: str = ""


@dataclass(frozen=True, slots=True)
class KeptNote:
    """A note of a set: what it is made of, and what became of it. ``summary`` is None until it was checked."""

    pair: Mapping[str, Any]
    state: str
    problem: str = ""
    summary: Mapping[str, Any] | None = None


class SetStore(_KeyedFile):
    """Sets of notes under review, kept through a crash.

    They hold paths, which may be names, and results, which hold what was said.
    """

    def __init__(self, folder: Path, keys: FileKeys) -> None:
        super().__init__(folder / "sets.db", keys, _SETS)

    def begin(self, notes: Sequence[KeptNote]) -> str:
        """Returns the new set's id."""
        run = uuid.uuid4().hex
        with self._open() as database:
            database.execute("INSERT INTO run VALUES (?, ?, ?)", (run, datetime.now().isoformat(), ""))
            database.executemany(
                "INSERT INTO entry VALUES (?, ?, ?, ?, '', NULL, NULL)",
                [(run, place, json.dumps(note.pair), note.state) for place, note in enumerate(notes)],
            )
        return run

    def keep(self, run: str, place: int, note: KeptNote, data: Mapping[str, Any] | None = None) -> None:
        """``data``: its result."""
        summary = json.dumps(note.summary) if note.summary is not None else None
        result = zlib.compress(json.dumps(data).encode()) if data is not None else None
        with self._open() as database:
            database.execute(
                "UPDATE entry SET state = ?, problem = ?, summary = ?, result = ? WHERE run = ? AND place = ?",
                (note.state, note.problem, summary, result, run, place),
            )

    def kept(self, waiting: Sequence[str]) -> tuple[KeptSet, ...]:
        """The newest first; what is in a state of ``waiting`` is left to do."""
        if not self._file.exists():
            self.guarded = self._keys.guarded()
            return ()
        with self._open() as database:
            rows = database.execute(
                f"SELECT run.id, begun, count(*), sum(state IN ({', '.join('?' * len(waiting))})), folder FROM run "
                "JOIN entry ON entry.run = run.id GROUP BY run.id ORDER BY begun DESC",
                tuple(waiting),
            ).fetchall()
        return tuple(KeptSet(r[0], datetime.fromisoformat(r[1]), *r[2:]) for r in rows)

    def notes(self, run: str) -> tuple[KeptNote, ...]:
        with self._open() as database:
            rows = database.execute(
                "SELECT pair, state, problem, summary FROM entry WHERE run = ? ORDER BY place", (run,)
            ).fetchall()
        return tuple(KeptNote(from_json(r[0]), r[1], r[2], from_json(r[3]) if r[3] is not None else None) for r in rows)

    def result(self, run: str, place: int) -> dict[str, Any] | None:
        with self._open() as database:
            row = database.execute("SELECT result FROM entry WHERE run = ? AND place = ?", (run, place)).fetchone()
        return from_json(zlib.decompress(row[0])) if row and row[0] else None

    def write_to(self, run: str, folder: Path) -> None:
        """Where results that are still to come are written as well, unencrypted."""
        with self._open() as database:
            database.execute("UPDATE run SET folder = ? WHERE id = ?", (str(folder), run))

    def throw_away(self, run: str) -> None:
        with self._open() as database:
            database.execute("DELETE FROM entry WHERE run = ?", (run,))
            database.execute("DELETE FROM run WHERE id = ?", (run,))

    @contextmanager
    def _open(self) -> Iterator[Any]:
        private_folder(self._folder)
        salt = _salt(self._file)
        try:
            database = self._again(salt) if salt is not None else self._new()
        except (NoFileKey, _Unreadable) as error:
            said = tr("Earlier sets could not be opened. Move {file} out of NoteEval's folder to begin anew.")
            raise SetsUnreadable(said.format(file=self._file.name)) from error
        with closing(database), database:
            yield database
