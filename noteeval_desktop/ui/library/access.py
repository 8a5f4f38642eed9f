"""The way into the library: made when something is first kept, unlocked when it is first needed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QDialog, QWidget

from noteeval_desktop.domain.phrases import counted, tr
from noteeval_desktop.store.audit import Event, host_of
from noteeval_desktop.store.backup import Backup
from noteeval_desktop.store.errors import LibraryDamaged, LibraryLocked, LibraryMissing, LibraryNotEncrypted
from noteeval_desktop.store.keyed_file import SecretStore
from noteeval_desktop.store.library import Library, by_keychain
from noteeval_desktop.store.sealing import Cost
from noteeval_desktop.ui.library import work
from noteeval_desktop.ui.library.key_dialogs import WHY_A_PASSPHRASE, NewLibrary, RecoveryKey, Unlock
from noteeval_desktop.ui.widgets.dialogs import Asking
from noteeval_desktop.ui.widgets.jobs import JobRunner, Lane, problem, while_alive

# By the values of ``witness.PutBack``.
_PUT_BACK = {
    "keys": tr(
        "The library’s key file is an earlier one, or was changed by another program: an earlier passphrase may "
        "open it again."
    ),
    "library": tr("The library, or a part of it, is an earlier copy: changes made on this computer are missing."),
}
T = TypeVar("T")
Say = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class Place:
    """Where the library is, what deriving a key may cost (None: the usual cost), and the system's keychain, if any."""

    folder: Path
    cost: Cost | None = None
    find_keychain: Callable[[], SecretStore | None] = lambda: None


class Access(QObject):
    """Holds the unlocked library. Store calls run in the disk lane; what they return comes back as values."""

    unlocked = Signal()
    locked = Signal()
    restored = Signal()

    def __init__(self, window: QWidget, jobs: JobRunner, place: Place, say: Say) -> None:
        """``restored`` when a backup has taken the open library's place."""
        super().__init__(window)
        self._window, self._jobs, self._place, self._say = window, jobs, place, say
        self._submitted = 0
        self._was_locked = False
        self._hourly = QTimer(self, interval=3_600_000)
        self._hourly.timeout.connect(self.back_up)
        self.library: Library | None = None
        self.dialog: QDialog | None = None

    @property
    def folder(self) -> Path:
        return self._place.folder

    @property
    def cost(self) -> Cost | None:
        return self._place.cost

    def run(
        self,
        act: Callable[[Library], T],
        done: Callable[[T], object] = lambda _: None,
        failed: Callable[[Exception], object] | None = None,
        lane: Lane = Lane.DISK,
    ) -> None:
        """``act`` on the unlocked library; nothing while it is locked."""
        library = self.library
        if library is not None:
            self.submit(lambda: act(library), done, failed, lane)

    def run_for(
        self,
        owner: QObject,
        act: Callable[[Library], T],
        done: Callable[[T], object],
        say: Callable[[str], object],
        lane: Lane = Lane.DISK,
    ) -> None:
        """``run`` for a window that may be closed meanwhile; ``say`` gets what went wrong, in words."""
        self.run(act, while_alive(owner, done), while_alive(owner, lambda error: say(problem(error))), lane)

    def answer(self, asks: Asking, act: Callable[[Library], T], done: Callable[[T], object]) -> None:
        """``act`` for a dialog, which closes once it is done and otherwise says what went wrong."""

        def finished(result: T) -> None:
            asks.accept()
            done(result)

        self.run_for(asks, act, finished, asks.show_problem)

    def use(self, then: Callable[[], object], making: str = "", why: str = WHY_A_PASSPHRASE) -> None:
        """``then``, once it is unlocked. ``making``: make a library where there is none, asked for under this title;
        ``why`` it is made now."""
        if self.library is not None:
            then()
        else:
            place = self._place
            looked = partial(self._ask, then, making, why)
            self.submit(lambda: work.look(place.folder, place.find_keychain), looked)

    def take_out(self) -> Library | None:
        """The library, for whoever locks it; from now on it counts as locked."""
        library, self.library = self.library, None
        self._hourly.stop()
        if library is not None:
            self._was_locked = True
            self.locked.emit()
        return library

    def back_up(self) -> None:
        """Where a day has passed since the last backup; a large library is used meanwhile."""

        def failed(error: Exception) -> None:
            # Locked meanwhile: the backup is made up for when the library is next used.
            if not isinstance(error, LibraryLocked):
                self._tell(error)

        self.run(lambda library: library.back_up_if_due(), failed=failed, lane=Lane.ASIDE)

    def stop_backing_up(self) -> None:
        """The window is about to close and does not wait for a backup."""
        if self.library is not None:
            self.library.stop_backing_up()

    def note_export(self, what: str, case_id: str = "") -> None:
        """Into the audit log, while the library is open: ``what`` is a kind of file, never its name."""
        self.run(lambda library: library.record(Event.EXPORTED, case_id, what))

    def note_sending(self, address: str, case_id: str = "") -> None:
        """Into the audit log, while the library is open: where to, never what."""
        host = host_of(address)
        self.run(lambda library: library.record(Event.SENT, case_id, host))

    def find_library(self, done: Callable[[bool], object]) -> None:
        """Whether there is one, without opening it, and without the store, for which the first screen cannot wait."""
        folder = self._place.folder
        self.submit(lambda: any([*folder.glob("library.db"), *folder.glob("backups/library-*.db")]), done)

    def find_keychain(self, done: Callable[[SecretStore | None], object]) -> None:
        """The system's; None where it has none that is trusted."""
        self.submit(self._place.find_keychain, done)

    def _ask(
        self, then: Callable[[], object], making: str, why: str, found: tuple[bool, SecretStore | None, bool]
    ) -> None:
        exists, keychain, may_open = found
        if may_open and keychain is not None and not self._was_locked:
            self._unlock_by_keychain(keychain, then)
        elif exists:
            self.ask_unlock(tr("The library contains the cases kept on this computer."), then)
        elif making:
            skipped = tr("No library was created. You need one to keep or import cases.")
            if making == tr("Keep this case"):
                skipped = tr("Not saved. Closing the window discards this case.")
            asks = NewLibrary(self._window, making, keychain is not None, why)
            asks.asked.connect(lambda: self._make(asks, keychain if asks.keychain.isChecked() else None, then))
            asks.rejected.connect(lambda: self._say(skipped))
            self._open(asks)
        else:
            self._say(tr("Nothing has been kept yet. Open a case and choose “Keep this case…” in the Library menu."))

    def _make(self, asks: NewLibrary, keychain: SecretStore | None, then: Callable[[], object]) -> None:
        place, passphrase = self._place, asks.first.text()

        def made(result: tuple[Library, str]) -> None:
            library, recovery = result
            asks.accept()
            take = partial(self._take, library, then, made=True)
            self._open(RecoveryKey(self._window, recovery, self.submit, take))

        create = partial(work.create, place.folder, passphrase, keychain, place.cost)
        self.submit(create, made, while_alive(asks, lambda error: asks.show_problem(problem(error))))

    # Unlocking

    def ask_unlock(self, explained: str, then: Callable[[], object]) -> Unlock:
        asks, place = Unlock(self._window, explained), self._place

        def unlock() -> None:
            secret = asks.secret
            self._enter(asks, lambda: work.unlock(place.folder, secret, place.cost, place.find_keychain), then)

        def restore() -> None:
            backup, secret = asks.backup, asks.secret
            self._enter(asks, lambda: work.restore(place.folder, backup, secret, place.cost, place.find_keychain), then)

        asks.asked.connect(unlock)
        asks.restore_asked.connect(restore)
        self._open(asks)
        return asks

    def _unlock_by_keychain(self, keychain: SecretStore, then: Callable[[], object]) -> None:
        folder = self._place.folder

        def failed(error: Exception) -> None:
            # What is wrong is said once more by the passphrase, with what can be done about it.
            self.ask_unlock(tr("The keychain did not open the library."), then).say(problem(error))

        opens = partial(Library.open, folder, by_keychain(keychain), keychain=keychain)
        self.submit(opens, lambda library: self._take(library, then), failed)

    def _enter(self, asks: Unlock, open_it: Callable[[], Library], then: Callable[[], object]) -> None:
        folder = self._place.folder

        def failed(error: Exception) -> None:
            asks.show_problem(problem(error))
            if isinstance(error, LibraryDamaged | LibraryMissing | LibraryNotEncrypted) and not asks.offering:
                self.submit(lambda: Library.backups_in(folder), while_alive(asks, asks.offer_backups))

        def opened(library: Library) -> None:
            asks.accept()
            self._take(library, then)

        self.submit(open_it, opened, while_alive(asks, failed))

    def go_back_to(self, backup: Backup, failed: Callable[[Exception], object]) -> None:
        """Put ``backup`` in the open library's place; what was there is set aside beside the backups."""
        library = self.library
        if library is None:
            return

        def back(restored: Library) -> None:
            self.library = restored
            self.restored.emit()

        def not_restored(error: Exception) -> None:
            if library.locked:
                self.take_out()
                self.ask_unlock(problem(error), lambda: None)
            failed(error)

        self.submit(lambda: library.restored_from(backup), back, not_restored)

    def _take(self, library: Library, then: Callable[[], object], made: bool = False) -> None:
        self.library = library
        self.unlocked.emit()
        if not made:  # its first backup follows the first case
            self.back_up()
        self._hourly.start()
        then()
        earlier = tr(
            "⚠ {found} If you did not put back a copy yourself, somebody else may have. The audit log has noted it."
        ).format(found=" ".join(_PUT_BACK[one] for one in library.put_back))
        lost = tr(
            "⚠ {changes} saved just before NoteEval was stopped could not be read back: the disk has "
            "damaged what was written. Look at the case you worked on last."
        ).format(changes=counted(library.lost, "change"))
        found = [earlier] * bool(library.put_back) + [lost] * bool(library.lost)
        if found:
            self._say(" ".join(found))

    # The parts

    def _open(self, dialog: QDialog) -> None:
        self.dialog = dialog
        dialog.finished.connect(lambda _: self._close(dialog))
        dialog.open()

    def _close(self, dialog: QDialog) -> None:
        if self.dialog is dialog:
            self.dialog = None
        dialog.deleteLater()

    def submit(
        self,
        act: Callable[[], T],
        done: Callable[[T], object],
        failed: Callable[[Exception], object] | None = None,
        lane: Lane = Lane.DISK,
    ) -> None:
        # Each job has a name of its own: a newer job of one name would drop an older one that writes.
        self._submitted += 1
        self._jobs.call(lane, f"library {self._submitted}", act, done, failed or self._tell)

    def _tell(self, error: Exception) -> None:
        self._say(problem(error))
