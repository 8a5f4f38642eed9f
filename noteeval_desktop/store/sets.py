"""Sets of notes under review, kept beside the library until their work is done.

Every method here reads or writes the disk or the keychain: call them from a job. They raise OSError, NoteEvalError or
sqlcipher3.Error.
"""

from __future__ import annotations

import json
import uuid
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.errors import NoteEvalError
from noteeval_desktop.guarded_json import from_json
from noteeval_desktop.platform.files import private_folder
from noteeval_desktop.store.keyed_file import FileKeys, KeyedFile, NoFileKey, Unreadable, salt_of

Values = Mapping[str, Any]
_SETS = """
CREATE TABLE IF NOT EXISTS run (id TEXT PRIMARY KEY, begun TEXT NOT NULL, folder TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS entry (run TEXT, place INTEGER, pair TEXT NOT NULL, state TEXT NOT NULL,
  problem TEXT NOT NULL, summary TEXT, result BLOB, PRIMARY KEY (run, place));
"""


class SetsUnreadable(NoteEvalError):
    """The file of earlier sets, or its key, is damaged or missing."""


@dataclass(frozen=True, slots=True)
class KeptSet:
    """A set as a list shows it: nothing of what is in it. ``folder``: where results are written as well; or empty."""

    id: str
    begun: datetime
    notes: int
    left: int
    folder: str = ""


class SetStore(KeyedFile):
    """Sets of notes under review, kept through a crash.

    They hold paths, which may be names, and results, which hold what was said.
    """

    def __init__(self, folder: Path, keys: FileKeys) -> None:
        super().__init__(folder / "sets.db", keys, _SETS)

    def add(self, pairs: Sequence[Values], state: str) -> str:
        """A set of notes, each by what it is made of; returns the set's id."""
        run = uuid.uuid4().hex
        with self._open() as database:
            database.execute("INSERT INTO run VALUES (?, ?, ?)", (run, datetime.now().isoformat(), ""))
            database.executemany(
                "INSERT INTO entry VALUES (?, ?, ?, ?, '', NULL, NULL)",
                [(run, place, json.dumps(pair), state) for place, pair in enumerate(pairs)],
            )
        return run

    def change(self, run: str, place: int, state: str, problem: str, row: Values | None, data: Values | None) -> None:
        """What became of a note: ``row`` is None until it was checked, ``data`` its result."""
        summary = json.dumps(row) if row is not None else None
        result = zlib.compress(json.dumps(data).encode()) if data is not None else None
        with self._open() as database:
            database.execute(
                "UPDATE entry SET state = ?, problem = ?, summary = ?, result = ? WHERE run = ? AND place = ?",
                (state, problem, summary, result, run, place),
            )

    def sets(self, waiting: Sequence[str]) -> tuple[KeptSet, ...]:
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

    def notes(self, run: str) -> list[tuple[Any, str, str, Any]]:
        """What each is made of, its state, what was wrong, and its row as ``change`` has it."""
        with self._open() as database:
            rows = database.execute(
                "SELECT pair, state, problem, summary FROM entry WHERE run = ? ORDER BY place", (run,)
            ).fetchall()
        return [(from_json(pair), state, said, row and from_json(row)) for pair, state, said, row in rows]

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
        salt = salt_of(self._file)
        try:
            database = self._again(salt) if salt is not None else self._new()
        except (NoFileKey, Unreadable) as error:
            said = tr("Earlier sets could not be opened. Move {file} out of NoteEval's folder to begin anew.")
            raise SetsUnreadable(said.format(file=self._file.name)) from error
        with closing(database), database:
            yield database
