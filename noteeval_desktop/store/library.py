"""The library as the rest of the program sees it: make, unlock, use, back up, restore, lock.

Every method reads or writes the disk: call them from a job, one at a time (the disk lane). In ``folder`` stand
``library.db``, ``library.keys``, ``library.lock`` and ``backups/``.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

from noteeval_desktop.store import case_file, keys, rekeying
from noteeval_desktop.store.audit import AuditLog, Event, append, continue_with, entries_in
from noteeval_desktop.store.backup import Backup, Backups, BackupTest, list_backups, put_back, stamp
from noteeval_desktop.store.cases import Cases, Clock, now
from noteeval_desktop.store.database import Database, create, open_existing
from noteeval_desktop.store.errors import (
    KeyMissing,
    LibraryExists,
    LibraryLocked,
    StoreError,
    WrongPassphrase,
    WrongRecoveryKey,
    told,
)
from noteeval_desktop.store.failed_unlocks import forget_failures, note_failure, noted_failures
from noteeval_desktop.store.files import FolderLock, make_folder
from noteeval_desktop.store.key_file import BACKUPS, KEYS, keep_keys, read_keys, set_aside
from noteeval_desktop.store.keys import SecretStore, WrappedKeys
from noteeval_desktop.store.rekeying import Rekeyed
from noteeval_desktop.store.sealing import Cost
from noteeval_desktop.store.supervision import Supervision
from noteeval_desktop.store.taking_in import Imported
from noteeval_desktop.store.verdict_cache import VerdictCache
from noteeval_desktop.store.witness import PutBack, Witness

DATABASE, LOCK = "library.db", "library.lock"
# Reading and authenticating every page takes about a second for this much; daily backups check larger ones.
CHECKED_ON_OPENING = 64 << 20
Unlock = Callable[[WrappedKeys], bytes]


def by_passphrase(passphrase: str) -> Unlock:
    """Raises WrongPassphrase when used."""
    return lambda wrapped: keys.open_with_passphrase(wrapped, passphrase)


def by_recovery_key(printed: str) -> Unlock:
    """Raises WrongRecoveryKey when used. Ask for a new passphrase afterwards (``set_passphrase``)."""
    return lambda wrapped: keys.open_with_recovery(wrapped, printed)


def by_keychain(keychain: SecretStore) -> Unlock:
    """Raises KeyMissing, or what the keychain raises, when used."""
    return lambda wrapped: keys.open_with_keychain(wrapped, keychain)


class Library:
    """Unlocked. ``cases``, ``audit`` and ``verdicts`` are its parts; after ``lock`` they raise LibraryLocked.

    ``put_back``: what somebody seems to have replaced by an earlier state of it since it was last used here.
    """

    def __init__(
        self,
        folder: Path,
        key: bytes,
        wrapped: WrappedKeys,
        lock: FolderLock,
        clock: Clock,
        keychain: SecretStore | None = None,
    ) -> None:
        """For ``open``, ``create`` and ``restore``."""
        self._folder, self._key, self._wrapped, self._lock, self._clock = folder, key, wrapped, lock, clock
        self._keychain = keychain
        self._copies, self._stopped = threading.Lock(), threading.Event()
        self._database = rekeying.open_either(folder / DATABASE, key, wrapped)
        self._backups = Backups(folder / BACKUPS, key)
        self.cases = Cases(self._database, clock)
        self.audit = AuditLog(self._database)
        self.verdicts = VerdictCache(self._database)
        self.supervision = Supervision(self._database)
        self.put_back: tuple[PutBack, ...] = ()

    @staticmethod
    def exists(folder: Path) -> bool:
        """Whether there is a library, or backups of one, to unlock or restore."""
        return (folder / DATABASE).exists() or bool(list_backups(folder / BACKUPS))

    @staticmethod
    def create(
        folder: Path, passphrase: str, keychain: SecretStore | None = None, cost: Cost | None = None, clock: Clock = now
    ) -> tuple[Library, str]:
        """A new library, unlocked, and its recovery key: show and print it now, it is kept nowhere.

        Raises InputError for a short passphrase, LibraryExists, what the keychain raises, or another StoreError.
        """
        make_folder(folder)
        with ExitStack() as undo:
            lock = FolderLock(folder / LOCK, DATABASE)
            undo.callback(lock.release)
            if Library.exists(folder):
                raise LibraryExists(DATABASE)
            new = keys.new_keys(passphrase, cost or Cost())
            wrapped = keys.with_keychain(new.wrapped, new.key, keychain) if keychain else new.wrapped
            set_aside(folder / KEYS, clock())
            keep_keys(folder, wrapped)
            # Under another name until it is whole: a half-made library must not look like a damaged one.
            part = folder / "library.part"
            part.unlink(missing_ok=True)
            create(part, new.key).close()
            with told(DATABASE):
                part.replace(folder / DATABASE)
            library = Library(folder, new.key, wrapped, lock, clock, keychain)
            undo.callback(library._database.close)
            library.record(Event.CREATED)
            undo.pop_all()
        return library, new.recovery

    @staticmethod
    def open(
        folder: Path,
        unlock: Unlock,
        clock: Clock = now,
        keychain: SecretStore | None = None,
        restored: bool = False,
    ) -> Library:
        """Unlock. Raises LibraryInUse, KeysMissing, KeysDamaged, what ``unlock`` raises, LibraryMissing,
        LibraryDamaged, LibraryNotEncrypted, LibraryNewer, LibraryReadOnly or LibraryFull; nothing is changed then.

        ``keychain``: where this computer remembers what state it was in; ``restored``: an earlier one is expected.
        """
        with ExitStack() as undo:
            lock = FolderLock(folder / LOCK, DATABASE)
            undo.callback(lock.release)
            wrapped = read_keys(folder)
            key = _unlocked(folder, wrapped, unlock, clock)
            library = Library(folder, key, wrapped, lock, clock, keychain)
            undo.callback(library._database.close)
            library._begin(restored)
            undo.pop_all()
        return library

    @staticmethod
    def restore(
        folder: Path, backup: Backup, unlock: Unlock, clock: Clock = now, keychain: SecretStore | None = None
    ) -> Library:
        """Put a backup in the library's place, after reading all of it, and open it; the library has to be locked.

        What was there before is kept beside the backups; its audit log, where it can be read, goes on in the
        restored library. Raises as ``open`` does.
        """
        lock = FolderLock(folder / LOCK, DATABASE)
        try:
            wrapped = read_keys(folder)
            key = _unlocked(folder, wrapped, unlock, clock)
            wrapped, _ = rekeying.finish(folder, wrapped, key)
            Backups(folder / BACKUPS, key).verify(backup)
            later = entries_in(folder / DATABASE, key)
            put_back(backup, folder / DATABASE)
            restored = open_existing(folder / DATABASE, key)
            try:
                continue_with(AuditLog(restored), later)
            finally:
                restored.close()
        finally:
            lock.release()
        library = Library.open(folder, lambda _: key, clock, keychain, restored=True)
        library.record(Event.RESTORED, detail=stamp(backup.made))
        return library

    def restored_from(self, backup: Backup) -> Library:
        """Put a backup in the place of this library, which is locked then, and open it.

        Raises StoreError, with this library still open where the backup is damaged, and locked otherwise.
        """
        with self._copies:
            self._backups.verify(backup)
        folder, key, clock, keychain = self._folder, self._key, self._clock, self._keychain
        self.lock()
        return Library.restore(folder, backup, lambda _: key, clock, keychain)

    @staticmethod
    def asks_keychain(folder: Path) -> bool:
        """Whether the keychain may open it. Raises KeysMissing or KeysDamaged."""
        return read_keys(folder).keychain is not None

    @staticmethod
    def backups_in(folder: Path) -> tuple[Backup, ...]:
        """The newest first; works while the library is locked or damaged."""
        return list_backups(folder / BACKUPS)

    def lock(self) -> None:
        """Close the database and drop the key; views and the clipboard are the caller's to empty."""
        self.stop_backing_up()
        try:
            self.record(Event.LOCKED)
            self._note_state()
        finally:
            # Locking must not fail on a full disk.
            self._key = b""
            self._backups = Backups(self._folder / BACKUPS, b"")
            self._database.close()
            self._lock.release()

    def record(self, event: Event, case_id: str = "", detail: str = "") -> None:
        """Into the audit log, for what happens outside the store: what was sent where, exported in which format."""
        self.audit.record(event, case_id, detail, self._clock())

    def check(self) -> None:
        """Read and authenticate everything. Raises LibraryDamaged."""
        self._database.check()

    def confirm(self, passphrase: str) -> None:
        """Before something that must be meant. Raises WrongPassphrase."""
        keys.open_with_passphrase(self._wrapped, passphrase)

    def set_passphrase(self, passphrase: str, cost: Cost | None = None) -> None:
        """From now on this one opens the library and its backups. Raises InputError.

        No page is written anew: an earlier copy of the key file, with the passphrase of its day, still opens them.
        """
        self._change_keys(keys.with_passphrase(self._wrapped, self._key, passphrase, cost or Cost()))

    def rekey(self, passphrase: str, keychain: SecretStore | None = None, cost: Cost | None = None) -> Rekeyed:
        """Encrypt the library and its backups anew, so that no earlier key file opens them, under ``passphrase``.

        ``keychain`` opens it from then on where one did before. Raises InputError or StoreError; then everything is
        as it was.
        """
        was_in_keychain, before = self.in_keychain, (self._wrapped, self._key)
        with self._copies:
            new = keys.renewed(self._wrapped, passphrase, cost or Cost())
            rekeying.begin(self._folder, self._database, before, (new.wrapped, new.key))
            self._key, self._backups = new.key, Backups(self._folder / BACKUPS, new.key)
            other = keys.with_other_key(new.wrapped, new.key, before[1])
            self._wrapped, left = rekeying.finish(self._folder, other, new.key)
        self.record(Event.KEYS_CHANGED, detail="encrypted-anew")
        if was_in_keychain and keychain is not None:
            self.use_keychain(keychain)
        self._note_state()
        return Rekeyed(new.recovery, left)

    def new_recovery_key(self) -> str:
        """The earlier printed one is void."""
        wrapped, printed = keys.with_new_recovery(self._wrapped, self._key)
        self._change_keys(wrapped)
        return printed

    def use_keychain(self, keychain: SecretStore) -> None:
        """Raises what the keychain raises; then nothing has changed."""
        wrapped = keys.with_keychain(self._wrapped, self._key, keychain)
        self._keychain = keychain
        self._change_keys(wrapped)

    def forget_keychain(self, keychain: SecretStore) -> None:
        wrapped = keys.without_keychain(self._wrapped, keychain)
        Witness(keychain, wrapped.library).forget()
        self._keychain = None
        self._change_keys(wrapped)

    @property
    def locked(self) -> bool:
        return not self._key

    @property
    def in_keychain(self) -> bool:
        return self._wrapped.keychain is not None

    def back_up(self) -> Backup:
        """Made and tested by restoring; reading and writing go on meanwhile in other threads.

        Raises LibraryDamaged, LibraryFull or another StoreError, and LibraryLocked where it is locked or told to
        stop meanwhile; earlier backups stay then.
        """
        with self._copies:
            self._go_on()
            # A connection of its own: the library's serves one thread at a time.
            source = open_existing(self._folder / DATABASE, self._key)
            try:
                backup, cases = self._backups.make(source, self._clock(), self._go_on)
            finally:
                source.close()
        self.record(Event.BACKED_UP, detail=stamp(backup.made))
        self._record_test(backup, cases)
        return backup

    def _go_on(self) -> None:
        if self._stopped.is_set():
            raise LibraryLocked

    def stop_backing_up(self) -> None:
        """For whoever is about to lock it: a backup that is being made is given up at the next occasion."""
        self._stopped.set()

    def test_backup(self, backup: Backup) -> BackupTest:
        """Restore it beside the library, read all of it, and remove that again. Raises StoreError."""
        with self._copies:
            cases = self._backups.rehearse(backup.path)
        return self._record_test(backup, cases)

    def _record_test(self, backup: Backup, cases: int) -> BackupTest:
        self.record(Event.BACKUP_TESTED, detail=f"{stamp(backup.made)},cases={cases}")
        return BackupTest(self._clock(), cases)

    def tested_backups(self) -> Mapping[datetime, BackupTest]:
        """The latest test of each backup that passed one, by when it was made; from the audit log."""
        found = {}
        for entry in self.audit.entries():
            if entry.event is Event.BACKUP_TESTED:
                made, _, cases = entry.detail.partition(",cases=")
                found[datetime.fromisoformat(made).replace(tzinfo=UTC)] = BackupTest(entry.at, int(cases))
        return found

    def back_up_if_due(self) -> Backup | None:
        """Call after unlocking and then hourly."""
        return self.back_up() if self._backups.due(self._clock()) else None

    def delete(self, *case_ids: str) -> tuple[str, ...]:
        """Remove cases for good, from the file, its journal, its index and every backup.

        Returns the names of backups that could not be changed (damaged ones): they may still hold them, encrypted.
        """
        # Not while a backup is made: it would keep what is deleted here.
        with self._copies:
            return self._delete(case_ids)

    def _delete(self, case_ids: tuple[str, ...]) -> tuple[str, ...]:
        for case_id in case_ids:
            self.cases.remove(case_id)
        # Which case a kept answer quotes is not known: all go, and are asked for again where they are needed.
        self.verdicts.clear()
        self._database.shred()

        def remove(copy: Database) -> None:
            VerdictCache(copy).clear()
            cases = Cases(copy)
            held = [case_id for case_id in case_ids if cases.has(case_id)]
            for case_id in held:
                cases.remove(case_id)
            if held:
                copy.shred()

        return self._backups.without(remove)

    def export_case(self, case_id: str, path: Path, passphrase: str, cost: Cost | None = None) -> None:
        """One encrypted file for someone else; see ``case_file.export_case``."""
        case_file.export_case(self._database, case_id, path, passphrase, cost or Cost())

    def import_case(self, path: Path, passphrase: str) -> Imported:
        """Take in a case file and say what is new; see ``case_file.import_case``."""
        return case_file.import_case(self._database, path, passphrase, self._clock())

    def _note_state(self) -> None:
        if self._keychain is not None:
            Witness(self._keychain, self._wrapped.library).note(self._wrapped, self.audit)

    def _begin(self, restored: bool) -> None:
        if (self._folder / DATABASE).stat().st_size <= CHECKED_ON_OPENING:
            self._database.check()
        failed = noted_failures(self._folder, self._clock())
        if self._keychain is not None and not restored:
            self.put_back = Witness(self._keychain, self._wrapped.library).put_back(self._wrapped, self.audit)
        with self._database.writing() as db:
            for moment in failed:
                append(db, Event.UNLOCK_FAILED, at=moment)
            append(db, Event.UNLOCKED, at=self._clock())
            for what in self.put_back:
                append(db, Event.PUT_BACK, detail=what.value, at=self._clock())
        forget_failures(self._folder)
        self._wrapped, _ = rekeying.finish(self._folder, self._wrapped, self._key)
        self._note_state()

    def _change_keys(self, wrapped: WrappedKeys) -> None:
        keep_keys(self._folder, wrapped)
        self._wrapped = wrapped
        self.record(Event.KEYS_CHANGED)
        self._note_state()


def _unlocked(folder: Path, wrapped: WrappedKeys, unlock: Unlock, clock: Clock) -> bytes:
    try:
        return unlock(wrapped)
    except (WrongPassphrase, WrongRecoveryKey, KeyMissing) as error:
        try:
            note_failure(folder, clock())
        except StoreError as unnoted:
            # The user has to hear of the passphrase first; that the disk is full comes up with the next saving.
            error.add_note(str(unnoted))
        raise
