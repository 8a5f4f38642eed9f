"""Backups: copies of the encrypted database, each read whole before it counts; kept by day, week and month."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from noteeval_desktop.platform.files import private_file, replace_file, sync_folder
from noteeval_desktop.store.database import Database, create, open_existing, opens
from noteeval_desktop.store.errors import LibraryDamaged, StoreError, told
from noteeval_desktop.store.files import make_folder, remove_parts
from noteeval_desktop.store.verdict_cache import VerdictCache

DAYS, WEEKS, MONTHS = 7, 5, 12
EVERY = timedelta(days=1)
_NAME = re.compile(r"library-(\d{4}-\d\d-\d\dT\d{6})\.db")
_STAMP = "%Y-%m-%dT%H%M%S"
_LEFTOVERS = ("", "-wal", "-shm", "-journal")


@dataclass(frozen=True, slots=True)
class Backup:
    """``made`` is UTC, to the second; ``size`` in bytes when it was listed."""

    path: Path
    made: datetime
    size: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class BackupTest:
    """A backup that was restored to try it: when, and how many cases were in it."""

    at: datetime
    cases: int


class Backups:
    def __init__(self, folder: Path, key: bytes) -> None:
        self._folder, self._key = folder, key

    def all(self) -> tuple[Backup, ...]:
        """The newest first."""
        return list_backups(self._folder)

    def due(self, now: datetime) -> bool:
        """None yet, or the latest is a day old, or from a day ahead: the clock was wrong then or is now."""
        latest = next(iter(self.all()), None)
        return latest is None or abs(now - latest.made) >= EVERY

    def make(self, database: Database, now: datetime, go_on: Callable[[], object]) -> tuple[Backup, int]:
        """Check the library, copy it, restore the copy to try it, and only then let older backups go.

        Returns the backup and how many cases were in it. ``go_on`` is called now and then and may raise to stop.
        A damaged library makes no backup, so it never pushes out a good one. Raises StoreError.
        """
        database.check()
        make_folder(self._folder)
        # What was being written when the program was killed may hold a case that is deleted meanwhile.
        remove_parts(self._folder)
        path = self._free_name(now)
        part = path.with_suffix(".part")
        try:
            with create(part, self._key) as copy:
                database.copy_to(copy, lambda *_: go_on())
                VerdictCache(copy).clear()
            go_on()
            cases = self.rehearse(part)
            with told(path.name):
                replace_file(part, path)
                sync_folder(self._folder)
        finally:
            remove_parts(self._folder)
        self._rotate(path)
        return next(backup for backup in self.all() if backup.path == path), cases

    def verify(self, backup: Backup) -> None:
        """Read all of it. Raises StoreError."""
        with open_existing(backup.path, self._key) as database:
            database.check()

    def rehearse(self, copy: Path) -> int:
        """Restore it to a place of its own, as restoring does, and read all of it; how many cases it holds.

        Raises StoreError.
        """
        place = self._folder / "rehearsal.part"
        _remove(place)
        try:
            _copy(copy, place)
            with open_existing(place, self._key) as database:
                database.check()
                with database.reading() as db:
                    return int(db.execute('SELECT count(*) FROM "case"').fetchone()[0])
        finally:
            _remove(place)

    def without(self, change: Callable[[Database], None]) -> tuple[str, ...]:
        """Apply a deletion to every copy of the library; returns the names of those where that failed."""
        failed = []
        remove_parts(self._folder)
        with told(self._folder.name):
            copies = sorted(self._folder.glob("*.db"))
        for path in copies:
            try:
                with open_existing(path, self._key) as database:
                    change(database)
            except StoreError:
                failed.append(path.name)
        return tuple(failed)

    def rekey(self, other: bytes) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Bring every copy of the library from ``other`` under this key.

        Returns the names of those that neither key opens, and of those that could not be written now.
        """
        damaged, later = [], []
        remove_parts(self._folder)
        with told(self._folder.name):
            copies = sorted(self._folder.glob("*.db")) if self._folder.is_dir() else []
        for path in copies:
            try:
                self._rekey(path, other)
            except LibraryDamaged:
                damaged.append(path.name)
            except StoreError:
                later.append(path.name)
        return tuple(damaged), tuple(later)

    def _rekey(self, path: Path, other: bytes) -> None:
        """Beside it first: a backup that is half under one key is under none."""
        if opens(path, self._key):
            return
        part = path.with_suffix(".part")
        try:
            with open_existing(path, other) as database:
                database.copy_under(part, self._key)
            with told(path.name):
                replace_file(part, path)
                sync_folder(self._folder)
        finally:
            remove_parts(self._folder)

    def _free_name(self, now: datetime) -> Path:
        """Names go up with time, also for several backups within a second."""
        moment = now.astimezone(UTC).replace(microsecond=0)
        taken = {backup.made for backup in self.all() if moment <= backup.made < moment + timedelta(minutes=1)}
        if taken:
            moment = max(taken) + timedelta(seconds=1)
        return self._folder / f"library-{moment.strftime(_STAMP)}.db"

    def _rotate(self, newest: Path) -> None:
        """``newest`` stays, also where the computer's clock was set back and another looks newer."""
        backups = self.all()
        kept = to_keep(backup.made for backup in backups)
        for backup in backups:
            if backup.made not in kept and backup.path != newest:
                _remove(backup.path)


def put_back(backup: Backup, library: Path) -> None:
    """Put a copy of ``backup`` in the place of ``library``, which is kept beside the backups. Raises StoreError."""
    part = library.with_suffix(".part")
    with told(library.name):
        _copy(backup.path, part)
        replaced = datetime.now(UTC).strftime(_STAMP + "%f")
        for ending in _LEFTOVERS:
            old = library.with_name(library.name + ending)
            if old.exists():
                replace_file(old, backup.path.with_name(f"replaced-{replaced}.db{ending}"))
        replace_file(part, library)
        sync_folder(library.parent)


def stamp(moment: datetime) -> str:
    """How a backup is named in the audit log: "2026-03-01T10:00:00", UTC."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S")


def _copy(source: Path, place: Path) -> None:
    with told(place.name):
        private_file(place)
        shutil.copyfile(source, place)
        with place.open("rb+") as file:
            os.fsync(file.fileno())


def list_backups(folder: Path) -> tuple[Backup, ...]:
    """The newest first; no key is needed. Raises StoreError."""
    with told(folder.name):
        return tuple(
            Backup(file, datetime.strptime(match[1], _STAMP).replace(tzinfo=UTC), file.stat().st_size)
            for file in (sorted(folder.iterdir(), reverse=True) if folder.is_dir() else ())
            if (match := _NAME.fullmatch(file.name))
        )


def to_keep(moments: Iterable[datetime]) -> frozenset[datetime]:
    """The newest of each of the last 7 days, 5 weeks and 12 months that have a backup, and all of the last 24 hours.

    One that is asked for must not push out that of an hour ago, which may hold what was changed since.
    """
    newest_first = sorted(moments, reverse=True)
    kept = {moment for moment in newest_first if newest_first[0] - moment < EVERY}
    # The ISO week with its year, which is not always the day's.
    for period, most in (("%Y-%m-%d", DAYS), ("%G-%V", WEEKS), ("%Y-%m", MONTHS)):
        newest: dict[str, datetime] = {}
        for moment in newest_first:
            newest.setdefault(moment.strftime(period), moment)
        kept |= set(list(newest.values())[:most])
    return frozenset(kept)


def _remove(path: Path) -> None:
    with told(path.name):
        for ending in _LEFTOVERS:
            path.with_name(path.name + ending).unlink(missing_ok=True)
