"""One encrypted SQLite file (SQLCipher), opened so that a mistake cannot leave it in clear."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlcipher3
import sqlite_utils

from noteeval_desktop.platform.files import private_file
from noteeval_desktop.store.errors import (
    LibraryDamaged,
    LibraryExists,
    LibraryLocked,
    LibraryMissing,
    LibraryNotEncrypted,
    told,
)
from noteeval_desktop.store.migrations import migrate

PLAIN_HEADER = b"SQLite format 3\x00"
_BUSY_SECONDS = 2.0
_MOST_FREE = 4


class Database:
    """Every use goes through ``reading`` or ``writing``: one thread at a time, errors as StoreError."""

    def __init__(self, path: Path, connection: Any) -> None:
        self._name = path.name
        self._connection = connection
        self._utils: sqlite_utils.Database | None = sqlite_utils.Database(connection)
        self._lock = threading.RLock()

    @contextmanager
    def reading(self) -> Iterator[sqlite_utils.Database]:
        """Raises LibraryLocked after ``close``."""
        with self._lock, told(self._name):
            if self._utils is None:
                raise LibraryLocked
            yield self._utils

    @contextmanager
    def writing(self) -> Iterator[sqlite_utils.Database]:
        """One transaction: when the block ends well it is on the disk, otherwise nothing has changed."""
        with self.reading() as db, db.atomic():
            yield db

    def check(self) -> None:
        """Read and authenticate every page. Raises LibraryDamaged."""
        with self.reading() as db:
            found = [row[0] for row in db.conn.execute("PRAGMA cipher_integrity_check")]
            sound = not found and [row[0] for row in db.conn.execute("PRAGMA integrity_check")] == ["ok"]
        if not sound:
            raise LibraryDamaged(self._name)

    def copy_to(self, other: Database, progress: Callable[[int, int, int], object] | None = None) -> None:
        """Write all pages into ``other``, which has the same key; ``progress`` may raise to stop.

        As they stand now: what another connection writes meanwhile does not make it begin anew.
        """
        with self.reading() as db, other.reading() as target:
            db.execute("BEGIN")
            try:
                db.execute("SELECT count(*) FROM sqlite_schema").fetchone()
                db.conn.backup(target.conn, pages=1000, progress=progress)
            finally:
                db.execute("ROLLBACK")

    def rekey(self, key: bytes) -> None:
        """Encrypt every page anew, all or none; from now on ``key`` opens it. Raises StoreError."""
        with self.reading() as db:
            db.execute(f"PRAGMA rekey = \"x'{key.hex()}'\"").fetchall()
            # Pages under the key before, which the journal has replaced, go from the file.
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def shred(self) -> None:
        """Merge the word index and empty the journal, so that nothing deleted is left in the file or beside it.

        What is deleted from tables is overwritten at once (secure_delete). Deleting from the word index only marks:
        its words go when its segments are merged. The file is rewritten only where much of it has become free: for
        10,000 cases that takes twice as long as all the rest, in the library and in each backup.
        """
        with self.writing() as db:
            db.execute("INSERT INTO case_words(case_words) VALUES ('optimize')")
        with self.reading() as db:
            free, pages = (
                int(db.execute(f"PRAGMA {count}").fetchone()[0]) for count in ("freelist_count", "page_count")
            )
            if free * _MOST_FREE > pages:
                db.execute("VACUUM")
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def close(self) -> None:
        with self._lock:
            if self._utils is not None:
                self._utils = None
                with told(self._name):
                    self._connection.close()


def create(path: Path, key: bytes) -> Database:
    """A new database with today's tables. Raises LibraryExists or another StoreError."""
    if path.exists():
        raise LibraryExists(path.name)
    with told(path.name):
        private_file(path)
        database = _connect(path, key)
    check_encrypted(path)
    return database


def open_existing(path: Path, key: bytes) -> Database:
    """Open and bring up to date; the key has been authenticated before, so what does not open is damaged.

    Raises LibraryMissing, LibraryNotEncrypted, LibraryDamaged, LibraryNewer, LibraryReadOnly or another StoreError.
    """
    check_encrypted(path)
    with told(path.name):
        # SQLite would open the file for reading only and fail at the first change instead.
        path.open("r+b").close()
        return _connect(path, key)


def check_encrypted(path: Path) -> None:
    """Raises LibraryMissing, LibraryNotEncrypted, or LibraryDamaged for an empty file."""
    with told(path.name):
        if not path.is_file():
            raise LibraryMissing(path.name)
        with path.open("rb") as file:
            header = file.read(len(PLAIN_HEADER))
    if header == PLAIN_HEADER:
        raise LibraryNotEncrypted(path.name)
    # SQLite takes an empty file for a new database: that would pass off a lost library as an empty one.
    if len(header) < len(PLAIN_HEADER):
        raise LibraryDamaged(path.name)


def _connect(path: Path, key: bytes) -> Database:
    # Jobs run on pool threads; Database lets in one at a time. Transactions are begun by hand.
    connection = sqlcipher3.connect(str(path), timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        for pragma in (
            "cipher_log_level = NONE",
            f"key = \"x'{key.hex()}'\"",
            "journal_mode = WAL",
            "synchronous = FULL",
            "foreign_keys = ON",
            "secure_delete = ON",
            "temp_store = MEMORY",
            # In KiB. Of 10,000 cases a filtered list takes 8 ms instead of 23: pages are deciphered once.
            "cache_size = -32768",
        ):
            connection.execute(f"PRAGMA {pragma}").fetchall()
        migrate(sqlite_utils.Database(connection), path.name)
    except BaseException:
        connection.close()
        raise
    return Database(path, connection)
