"""Sets of notes under review, kept through a crash: one encrypted file, readable by this user alone.

It holds paths, which may be names, and results, which hold what was said. The key is kept as that of the drafts is
(ui/case/draft_key.py). Each result is on the disk before the window tells of it.
"""

from __future__ import annotations

import json
import uuid
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from noteeval_desktop.batch import Pair
from noteeval_desktop.domain.note_rows import NoteRow, NoteState
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.errors import NoteEvalError
from noteeval_desktop.guarded_json import from_json
from noteeval_desktop.platform.files import private_file, private_folder
from noteeval_desktop.ui.case.draft_key import SALT_BYTES, DraftKeys
from noteeval_desktop.ui.many.entries import Entry, State

_SCHEMA = """
CREATE TABLE IF NOT EXISTS run (id TEXT PRIMARY KEY, begun TEXT NOT NULL, folder TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS entry (run TEXT, place INTEGER, pair TEXT NOT NULL, state TEXT NOT NULL,
  problem TEXT NOT NULL, summary TEXT, result BLOB, PRIMARY KEY (run, place));
"""
_BUSY_S = 10


class SetsUnreadable(NoteEvalError):
    """The file of earlier sets, or its key, is damaged or missing."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A set as a list shows it: nothing of what is in it. ``folder``: where results are written as well; or empty."""

    id: str
    begun: datetime
    notes: int
    left: int
    folder: str = ""


class RunStore:
    """Every method reads or writes the disk: call them from a job. Raises OSError, NoteEvalError, sqlcipher3.Error."""

    def __init__(self, folder: Path, keys: DraftKeys) -> None:
        self._folder, self._keys = folder, keys
        self._known: tuple[bytes, bytes] | None = None
        self.guarded = True

    def begin(self, pairs: Sequence[Pair]) -> str:
        """Returns the new set's id."""
        run = uuid.uuid4().hex
        with self._open() as database:
            database.execute("INSERT INTO run VALUES (?, ?, ?)", (run, datetime.now().isoformat(), ""))
            database.executemany(
                "INSERT INTO entry VALUES (?, ?, ?, ?, '', NULL, NULL)",
                [(run, place, json.dumps(_pair_to_json(pair)), State.WAITING) for place, pair in enumerate(pairs)],
            )
        return run

    def keep(self, run: str, place: int, entry: Entry, data: Mapping[str, Any] | None = None) -> None:
        summary = json.dumps(asdict(entry.row)) if entry.row is not None else None
        result = zlib.compress(json.dumps(data).encode()) if data is not None else None
        with self._open() as database:
            database.execute(
                "UPDATE entry SET state = ?, problem = ?, summary = ?, result = ? WHERE run = ? AND place = ?",
                (entry.state, entry.problem, summary, result, run, place),
            )

    def kept(self) -> tuple[Kept, ...]:
        """The newest first."""
        if not self._file.exists():
            self.guarded = self._keys.guarded()
            return ()
        with self._open() as database:
            rows = database.execute(
                "SELECT run.id, begun, count(*), sum(state IN ('waiting', 'checking')), folder FROM run "
                "JOIN entry ON entry.run = run.id GROUP BY run.id ORDER BY begun DESC"
            ).fetchall()
        return tuple(Kept(r[0], datetime.fromisoformat(r[1]), r[2], r[3], r[4]) for r in rows)

    def entries(self, run: str) -> tuple[Entry, ...]:
        """What was being checked when the program ended waits again."""
        with self._open() as database:
            rows = database.execute(
                "SELECT pair, state, problem, summary FROM entry WHERE run = ? ORDER BY place", (run,)
            ).fetchall()
        return tuple(_entry(*row) for row in rows)

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

    @property
    def _file(self) -> Path:
        return self._folder / "sets.db"

    @contextmanager
    def _open(self) -> Iterator[Any]:
        # Here, not above: it takes longer to load than most of the window.
        import sqlcipher3

        private_folder(self._folder)
        salt, key = self._key()
        database = sqlcipher3.connect(str(self._file), timeout=_BUSY_S)
        try:
            database.execute("PRAGMA cipher_log_level = NONE")
            database.execute(f"PRAGMA key = \"x'{(key + salt).hex()}'\"")
            database.execute("PRAGMA secure_delete = ON")
            try:
                database.executescript(_SCHEMA)
            except sqlcipher3.OperationalError:
                raise
            except sqlcipher3.DatabaseError as error:
                raise SetsUnreadable(
                    tr("Earlier sets could not be opened. Move {name} out of NoteEval's folder to begin anew.").format(
                        name=self._file.name
                    )
                ) from error
            with database:
                yield database
        finally:
            database.close()

    def _key(self) -> tuple[bytes, bytes]:
        salt = _head(self._file)
        if len(salt) < SALT_BYTES:
            salt, key, self.guarded = self._keys.make()
            self._known = salt, key
            private_file(self._file)
        elif self._known is None or self._known[0] != salt:
            key, self.guarded = self._keys.find(salt)
            self._known = salt, key
        return self._known


def _pair_to_json(pair: Pair) -> dict[str, Any]:
    return {name: str(value) if isinstance(value, Path) else value for name, value in asdict(pair).items()}


def _entry(pair: str, state: str, problem: str, summary: str | None) -> Entry:
    about = from_json(pair)
    for name in ("transcript", "note", "reference"):
        about[name] = Path(about[name]) if about[name] else None
    row = None
    if summary is not None:
        fields = from_json(summary)
        sections = fields.pop("sections")
        fields["state"] = NoteState(fields.get("state", NoteState.CHECKED))
        fields = {name: tuple(value) if isinstance(value, list) else value for name, value in fields.items()}
        row = NoteRow(**fields, sections={name: tuple(shares) for name, shares in (sections or {}).items()})
    known = State(state)
    return Entry(Pair(**about), State.WAITING if known is State.CHECKING else known, problem, row)


def _head(file: Path) -> bytes:
    """An encrypted database begins with its salt."""
    try:
        with file.open("rb") as opened:
            return opened.read(SALT_BYTES)
    except FileNotFoundError:
        return b""
