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

from noteeval_desktop.errors import NoteEvalError
from noteeval_desktop.store import case_file, keys, rekeying
from noteeval_desktop.store.audit import (
    AuditLog,
    Event,
    append,
    continue_with,
    entries_in,
    forget_failures,
    note_failure,
    noted_failures,
)
from noteeval_desktop.store.backup import Backup, Backups, BackupTest, list_backups, put_back, stamp
from noteeval_desktop.store.cases import Cases, Clock, now
from noteeval_desktop.store.database import Database, create, open_existing
from noteeval_desktop.store.errors import (
    KeyMissing,
    KeysChanged,
    KeysNotChanged,
    LibraryExists,
    LibraryLocked,
    NotConfirmed,
    StoreError,
    WrongPassphrase,
    WrongRecoveryKey,
    told,
)
from noteeval_desktop.store.files import FolderLock, make_folder, remove_parts, room_for
from noteeval_desktop.store.keys import (
    BACKUPS,
    KEYS,
    NewKeys,
    SecretStore,
    WrappedKeys,
    keep_keys,
    read_keys,
    set_aside,
)
from noteeval_desktop.store.log import lost_in_log
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

    ``put_back``: what somebody seems to have replaced by an earlier state of it since it was last used here; ``lost``:
    how many changes a damaged log could not give back.
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
        self.lost = lost_in_log(folder / DATABASE)
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
            keep_keys(folder, keys.authenticated(wrapped, new.key))
            # Under another name until it is whole: a half-made library must not look like a damaged one.
            remove_parts(folder)
            part = folder / "library.part"
            create(part, new.key).close()
            with told(DATABASE):
                part.replace(folder / DATABASE)
            library = Library(folder, new.key, wrapped, lock, clock, keychain)
            undo.callback(library._database.close)
            library._keep(wrapped, Event.CREATED)
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
            remove_parts(folder)
            wrapped, key = _unlocked(folder, unlock, clock)
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
            wrapped, key = _unlocked(folder, unlock, clock)
            keep_keys(folder, keys.authenticated(wrapped, key))
            wrapped, _ = rekeying.finish(folder, wrapped, key)
            Backups(folder / BACKUPS, key).verify(backup)
            later = entries_in(folder / DATABASE, key)
            put_back(backup, folder / DATABASE)
            with open_existing(folder / DATABASE, key) as restored:
                continue_with(AuditLog(restored), later)
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
        """Before something that must be meant. Raises NotConfirmed."""
        try:
            keys.open_with_passphrase(self._wrapped, passphrase)
        except WrongPassphrase:
            raise NotConfirmed from None

    def set_passphrase(self, passphrase: str, cost: Cost | None = None) -> None:
        """From now on this one opens the library and its backups. Raises InputError.

        No page is written anew: an earlier copy of the key file, with the passphrase of its day, still opens them.
        """
        self._change_keys(keys.with_passphrase(self._wrapped, self._key, passphrase, cost or Cost()))

    def draw_keys(self, passphrase: str, cost: Cost | None = None) -> NewKeys:
        """For ``rekey``, once the reader has the new recovery key on paper; changes nothing. Raises InputError."""
        return keys.renewed(self._wrapped, passphrase, cost or Cost())

    def rekey(self, new: NewKeys, keychain: SecretStore | None = None) -> Rekeyed:
        """Encrypt the library and its backups anew, so that no earlier key file opens them.

        ``keychain`` opens it from then on where one did before. Raises StoreError; then everything is as it was.
        """
        was_in_keychain, before = self.in_keychain, (self._wrapped, self._key)
        with self._copies:
            rekeying.begin(self._folder, self._folder / DATABASE, self._database, before, (new.wrapped, new.key))
            self._key, self._backups = new.key, Backups(self._folder / BACKUPS, new.key)
            self._wrapped = keys.with_other_key(new.wrapped, new.key, before[1])
            try:
                self._keep(self._wrapped, Event.KEYS_CHANGED, "encrypted-anew")
                self._wrapped, left = rekeying.finish(self._folder, self._wrapped, new.key)
                self._settle_epoch()
            except StoreError:
                # The new keys hold; to say that nothing has changed would lock the reader out. Opening makes up for it.
                left = tuple(backup.path.name for backup in self._backups.all())
        if was_in_keychain and keychain is not None:
            try:
                self.use_keychain(keychain)
            except NoteEvalError:
                return Rekeyed(left, keychain=False)
        return Rekeyed(left)

    def remember_in(self, memory: SecretStore) -> None:
        """Where it is noted from now on in which state the library is."""
        self._keychain = memory
        self._database.after_writing = self._note_state
        self._note_state()

    def draw_recovery_key(self) -> NewKeys:
        """For ``take_recovery_key``, once the reader has it on paper: nothing is changed yet."""
        return keys.with_new_recovery(self._wrapped, self._key)

    def take_recovery_key(self, new: NewKeys) -> None:
        """The earlier printed one is void. Raises StoreError; then it still holds."""
        self._change_keys(new.wrapped)

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
            with open_existing(self._folder / DATABASE, self._key) as source:
                backup, cases = self._backups.make(source, self._clock(), self._go_on)
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

        def remove(copy: Database) -> None:
            VerdictCache(copy).clear()
            cases = Cases(copy)
            held = [case_id for case_id in case_ids if cases.has(case_id)]
            for case_id in held:
                cases.remove(case_id)
            if held:
                copy.shred()

        # Not while a backup is made: it would keep what is deleted here.
        with self._copies:
            for case_id in case_ids:
                self.cases.remove(case_id)
            # Which case a kept answer quotes is not known: all go, and are asked for again where they are needed.
            self.verdicts.clear()
            self._database.shred()
            return self._backups.without(remove)

    def export_case(self, case_id: str, path: Path, passphrase: str, cost: Cost | None = None) -> None:
        """One encrypted file for someone else; see ``case_file.export_case``."""
        case_file.export_case(self._database, case_id, path, passphrase, cost or Cost())

    def import_case(self, path: Path, passphrase: str) -> Imported:
        """Take in a case file and say what is new; see ``case_file.import_case``."""
        return case_file.import_case(self._database, path, passphrase, self._clock())

    def _note_state(self) -> None:
        if self._keychain is not None:
            Witness(self._keychain, self._wrapped.library).note(self._wrapped, self._database)

    def _begin(self, restored: bool) -> None:
        if (self._folder / DATABASE).stat().st_size <= CHECKED_ON_OPENING:
            self._database.check()
        failed = noted_failures(self._folder, self._clock())
        self.put_back = () if restored else self._put_back()
        with self._database.writing() as db:
            for moment in failed:
                append(db, Event.UNLOCK_FAILED, at=moment)
            append(db, Event.UNLOCKED, at=self._clock())
            for what in self.put_back:
                append(db, Event.PUT_BACK, detail=what.value, at=self._clock())
            if self.lost:
                append(db, Event.LOG_DAMAGED, detail=f"changes={self.lost}", at=self._clock())
        forget_failures(self._folder)
        self._wrapped, _ = rekeying.finish(self._folder, self._wrapped, self._key)
        present = read_keys(self._folder)
        if present.coming is not None or not keys.is_authentic(present, self._key):
            self._wrapped = keys.authenticated(self._wrapped, self._key)
            keep_keys(self._folder, self._wrapped)
        self._settle_epoch()
        self._database.after_writing = self._note_state
        self._note_state()

    def _put_back(self) -> tuple[PutBack, ...]:
        found = set()
        known = self._known_epoch()
        if known >= 0 and not (known <= self._wrapped.epoch and keys.is_authentic(self._wrapped, self._key)):
            found.add(PutBack.KEYS)
        if self._keychain is not None:
            found.update(Witness(self._keychain, self._wrapped.library).put_back(self._wrapped, self._database))
        return tuple(one for one in PutBack if one in found)

    def _known_epoch(self) -> int:
        with self._database.reading() as db:
            return int(db.execute("SELECT epoch FROM state").fetchone()[0])

    def _settle_epoch(self) -> None:
        if self._known_epoch() != self._wrapped.epoch:
            with self._database.writing() as db:
                db.execute("UPDATE state SET epoch = ?", [self._wrapped.epoch])

    def _change_keys(self, wrapped: WrappedKeys) -> None:
        with room_for(rekeying.ROOM, self._folder, DATABASE):
            keep_keys(self._folder, keys.authenticated(wrapped, self._key))
        self._keep(wrapped, Event.KEYS_CHANGED)

    def _keep(self, wrapped: WrappedKeys, event: Event, detail: str = "") -> None:
        """What stands in the key file, or is about to; the library knows from then on that no earlier one is valid."""
        self._wrapped = keys.authenticated(wrapped, self._key)
        with self._database.writing() as db:
            append(db, event, detail=detail, at=self._clock())
            db.execute("UPDATE state SET epoch = ?", [wrapped.epoch])
        self._note_state()


def _unlocked(folder: Path, unlock: Unlock, clock: Clock) -> tuple[WrappedKeys, bytes]:
    """What is valid of the key file, and the key."""
    wrapped = read_keys(folder)
    problem: StoreError | None = None
    for one in (wrapped, wrapped.coming):
        if one is None:
            continue
        try:
            key = unlock(one)
            if wrapped.coming is None:
                return wrapped, key
            return rekeying.valid(folder / DATABASE, wrapped, key, coming=one is wrapped.coming), key
        except (KeysChanged, KeysNotChanged) as error:
            problem = error
        except (WrongPassphrase, WrongRecoveryKey, KeyMissing) as error:
            problem = problem or error
    assert problem is not None
    if not isinstance(problem, KeysChanged | KeysNotChanged):
        try:
            note_failure(folder, clock())
        except StoreError as unnoted:
            # The user has to hear of the passphrase first; that the disk is full comes up with the next saving.
            problem.add_note(str(unnoted))
    raise problem
