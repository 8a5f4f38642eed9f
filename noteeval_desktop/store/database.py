"""One encrypted SQLite file (SQLCipher), opened so that a mistake cannot leave it in clear."""

from __future__ import annotations

import hashlib
import mmap
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, Self

import sqlcipher3

from noteeval_desktop.platform.files import private_file, replace_file, sync_folder
from noteeval_desktop.store.errors import (
    LibraryDamaged,
    LibraryExists,
    LibraryInUse,
    LibraryLocked,
    LibraryMissing,
    LibraryNotEncrypted,
    told,
)
from noteeval_desktop.store.migrations import migrate
from noteeval_desktop.store.tables import Tables

PLAIN_HEADER = b"SQLite format 3\x00"
PAGE_BYTES = 4096
# Of the 64 bytes at a page's end that authenticate it.
_TAG_BYTES = 16
_BUSY_SECONDS = 2.0
_MOST_FREE = 4


class Database:
    """Every use goes through ``reading`` or ``writing``: one thread at a time, errors as StoreError.

    ``found`` is the state (see ``state``) in which the file was opened; ``after_writing`` is called after each change.
    """

    def __init__(self, path: Path, connection: Any, found: str) -> None:
        self._path, self._name = path, path.name
        self._connection = connection
        self._utils: Tables | None = Tables(connection)
        self._lock = threading.RLock()
        self.found = found
        self.after_writing: Callable[[], object] = lambda: None

    @contextmanager
    def reading(self) -> Iterator[Tables]:
        """Raises LibraryLocked after ``close``."""
        with self._lock, told(self._name):
            if self._utils is None:
                raise LibraryLocked
            yield self._utils

    @contextmanager
    def writing(self) -> Iterator[Tables]:
        """One transaction: when the block ends well it is on the disk, otherwise nothing has changed."""
        with self.reading() as db:
            outermost = not db.conn.in_transaction
            with db.atomic():
                yield db
                if outermost:
                    db.execute("UPDATE state SET generation = generation + 1")
            if outermost:
                # The change is on the disk, in the log. Where the file itself has no room for it, the next one tries
                # again; to call it failed would be wrong.
                with suppress(sqlcipher3.OperationalError):
                    _settle(db.conn)
                self.after_writing()

    def state(self) -> str:
        """Stands for every page of the file; empty while a part of it is in the log."""
        with self.reading():
            log = self._path.with_name(f"{self._name}-wal")
            return "" if log.exists() and log.stat().st_size else _state(self._path)

    def generation(self) -> int:
        """How many changes led here."""
        with self.reading() as db:
            return int(db.execute("SELECT generation FROM state").fetchone()[0])

    def check(self) -> None:
        """Read and authenticate every page. Raises LibraryDamaged."""
        with self.reading() as db:
            # What a killed program left in the log belongs to the file: without it pages are of two states.
            _settle(db.conn)
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

    def copy_under(self, path: Path, key: bytes) -> None:
        """Write all of it into ``path`` under another key, to the disk, and read that again. Raises StoreError."""
        with told(path.name), self.reading() as db:
            path.unlink(missing_ok=True)
            private_file(path)
            # No journal, which takes as much room again: whatever stops it leaves what nobody takes for a library.
            with closing(sqlcipher3.connect(str(path), isolation_level=None)) as copy:
                for pragma in ("cipher_log_level = NONE", _key(key), "journal_mode = OFF", "synchronous = OFF"):
                    copy.execute(f"PRAGMA {pragma}").fetchall()
                db.conn.backup(copy, pages=1000)
            with path.open("rb+") as file:
                os.fsync(file.fileno())
        with open_existing(path, key) as database:
            database.check()

    def switch(self, copy: Path, old: bytes, new: bytes) -> None:
        """Put ``copy``, which is under ``new``, in the place of this file, which is under ``old``, and go on with it.

        Raises StoreError, with the file as it was.
        """
        with self.reading() as db:
            if _settle(db.conn):
                raise LibraryInUse(self._name)
            key = old
            try:
                # Its last connection takes the log away: one of another file must not stand beside the copy.
                self._connection.close()
                replace_file(copy, self._path)
                key = new
                sync_folder(self._path.parent)
            finally:
                self._utils = None
                again = _connect(self._path, key)
                self._connection, self._utils, self.found = again._connection, again._utils, again.found

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
            self.after_writing()

    def close(self) -> None:
        with self._lock:
            if self._utils is not None:
                self._utils = None
                with told(self._name):
                    self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


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


def opens(path: Path, key: bytes) -> bool:
    """Whether the file is under this key. Raises StoreError where it cannot be read."""
    check_encrypted(path)
    with told(path.name), closing(sqlcipher3.connect(str(path), timeout=_BUSY_SECONDS, isolation_level=None)) as one:
        try:
            for pragma in ("cipher_log_level = NONE", _key(key)):
                one.execute(f"PRAGMA {pragma}").fetchall()
            one.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        except sqlcipher3.DatabaseError as error:
            if "not a database" in str(error):
                return False
            raise
    return True


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
            _key(key),
            "journal_mode = WAL",
            "synchronous = FULL",
            "foreign_keys = ON",
            "secure_delete = ON",
            "temp_store = MEMORY",
            # In KiB. Of 10,000 cases a filtered list takes 8 ms instead of 23: pages are deciphered once.
            "cache_size = -32768",
        ):
            connection.execute(f"PRAGMA {pragma}").fetchall()
        found = "" if _settle(connection) else _state(path)
        migrate(Tables(connection), path.name)
    except BaseException:
        connection.close()
        raise
    return Database(path, connection, found)


def _key(key: bytes) -> str:
    return f"key = \"x'{key.hex()}'\""


def _settle(connection: Any) -> bool:
    """Bring the log into the file and empty it; True where another connection that reads was in the way.

    Of what stands in the log alone, one changed bit takes all that follows, and nobody hears of it.
    """
    connection.execute("PRAGMA busy_timeout = 0").fetchall()
    try:
        return bool(connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0])
    finally:
        connection.execute(f"PRAGMA busy_timeout = {round(_BUSY_SECONDS * 1000)}").fetchall()


def _state(path: Path) -> str:
    """A page's end authenticates it, so that these stand for all that the file says."""
    if not path.stat().st_size:
        return ""
    digest = hashlib.sha256()
    with (
        path.open("rb") as file,
        mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content,
        memoryview(content) as view,
    ):
        for place in range(PAGE_BYTES - _TAG_BYTES, PAGE_BYTES):
            with view[place::PAGE_BYTES] as column:
                digest.update(bytes(column))
    return digest.hexdigest()
