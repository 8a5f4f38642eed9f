"""The way into the library: made when something is first kept, unlocked when it is first needed."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QDialog, QFileDialog, QWidget

from noteeval_desktop.ui.files import WriteText
from noteeval_desktop.ui.jobs import Emit, JobRunner, Lane
from noteeval_desktop.ui.judging.alive import while_alive
from noteeval_desktop.ui.library import words

if TYPE_CHECKING:
    from noteeval_desktop.store.library import Library
    from noteeval_desktop.store.sealing import Cost
    from noteeval_desktop.ui.library.dialogs import NewPassphrase, RecoveryKey, Unlock

T = TypeVar("T")
Say = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class Place:
    """Where the library is, and what deriving a key may cost; None: the usual cost."""

    folder: Path
    cost: Cost | None = None


class Access(QObject):
    """Holds the unlocked library. Store calls run in the disk lane; what they return comes back as values."""

    unlocked = Signal()
    locked = Signal()

    def __init__(self, window: QWidget, jobs: JobRunner, place: Place, say: Say, write_text: WriteText) -> None:
        super().__init__(window)
        self._window, self._jobs, self._place, self._say = window, jobs, place, say
        self._write_text = write_text
        self._submitted = 0
        self.library: Library | None = None
        self.dialog: QDialog | None = None

    @property
    def cost(self) -> Cost | None:
        return self._place.cost

    def run(
        self,
        act: Callable[[Library], T],
        done: Callable[[T], object] = lambda _: None,
        failed: Callable[[Exception], object] | None = None,
    ) -> None:
        """``act`` on the unlocked library; nothing while it is locked."""
        library = self.library
        if library is not None:
            self.submit(lambda: act(library), done, failed)

    def use(self, then: Callable[[], object], keeps: bool = False) -> None:
        """``then``, once the library is unlocked. ``keeps``: make one where there is none."""
        if self.library is not None:
            then()
        else:
            self.submit(self._exists, lambda exists: self._ask(exists, then, keeps))

    def take_out(self) -> Library | None:
        """The library, for whoever locks it; from now on it counts as locked."""
        library, self.library = self.library, None
        if library is not None:
            self.locked.emit()
        return library

    def _exists(self) -> bool:
        from noteeval_desktop.store.library import Library

        return Library.exists(self._place.folder)

    def _ask(self, exists: bool, then: Callable[[], object], keeps: bool) -> None:
        if exists:
            self.ask_unlock("The library holds the cases that were kept on this computer.", then)
        elif keeps:
            self._ask_new(then)
        else:
            self._say("Nothing has been kept yet. Open a case and choose “Keep this case…” in the Library menu.")

    # Making

    def _ask_new(self, then: Callable[[], object]) -> None:
        from noteeval_desktop.ui.library.dialogs import NewPassphrase

        asks = NewPassphrase(
            self._window, "Keep this case", words.WHY_A_PASSPHRASE, "Make the library", "Skip: keep nothing"
        )
        asks.asked.connect(lambda: self._make(asks, then))
        asks.rejected.connect(lambda: self._say(words.NOTHING_KEPT))
        self._open(asks)

    def _make(self, asks: NewPassphrase, then: Callable[[], object]) -> None:
        from noteeval_desktop.ui.library import work

        place, passphrase = self._place, asks.first.text()

        def made(result: tuple[Library, str]) -> None:
            library, recovery = result
            asks.accept()
            self._show_recovery(recovery, lambda: self._take(library, then))

        self.submit(lambda: work.create(place.folder, passphrase, place.cost), made, _tell(asks))

    def _show_recovery(self, key: str, then: Callable[[], object]) -> None:
        from noteeval_desktop.ui.library.dialogs import RecoveryKey

        shows = RecoveryKey(self._window, key)
        shows.print_asked.connect(lambda: self._print_key(shows, key))
        shows.save_asked.connect(lambda: self._save_key(shows, key))
        shows.accepted.connect(lambda: then())
        self._open(shows)

    def _print_key(self, shows: RecoveryKey, key: str) -> None:
        # Here, not above: printing loads a library that the first screen does not need.
        from PySide6.QtGui import QTextDocument
        from PySide6.QtPrintSupport import QPrintDialog, QPrinter

        printer = QPrinter()
        if QPrintDialog(printer, shows).exec():
            document = QTextDocument()
            document.setPlainText(_printed(key))
            document.print_(printer)
            shows.say("Sent to the printer.")

    def _save_key(self, shows: RecoveryKey, key: str) -> None:
        chosen, _ = QFileDialog.getSaveFileName(shows, "Save the recovery key", "recovery-key.txt", "Text (*.txt)")
        if chosen:
            path, write = Path(chosen), self._write_text
            saved = while_alive(shows, lambda _: shows.say(f"Saved {path.name}. Move it away from this computer."))
            self.submit(lambda: write(path, _printed(key)), saved, _tell(shows))

    # Unlocking

    def ask_unlock(self, explained: str, then: Callable[[], object]) -> Unlock:
        from noteeval_desktop.ui.library.dialogs import Unlock

        asks = Unlock(self._window, explained)
        asks.asked.connect(lambda: self._unlock(asks, then))
        asks.restore_asked.connect(lambda: self._restore(asks, then))
        self._open(asks)
        return asks

    def _unlock(self, asks: Unlock, then: Callable[[], object]) -> None:
        from noteeval_desktop.ui.library import work

        place, secret, new = self._place, asks.secret, asks.new_passphrase
        self._enter(asks, lambda: work.unlock(place.folder, secret, new, place.cost), then)

    def _restore(self, asks: Unlock, then: Callable[[], object]) -> None:
        from noteeval_desktop.ui.library import work

        folder, passphrase = self._place.folder, asks.passphrase.text()
        asks.go.setEnabled(False)
        asks.say("Reading the latest backup…")
        self._enter(asks, lambda: work.restore(folder, passphrase), then)

    def _enter(self, asks: Unlock, open_it: Callable[[], Library], then: Callable[[], object]) -> None:
        from noteeval_desktop.store.errors import LibraryDamaged, LibraryMissing, LibraryNotEncrypted

        def failed(error: Exception) -> None:
            if isinstance(error, LibraryDamaged | LibraryMissing | LibraryNotEncrypted):
                asks.restore.setVisible(bool(asks.passphrase.text()))
            asks.show_problem(words.problem(error))

        def opened(library: Library) -> None:
            asks.accept()
            self._take(library, then)

        self.submit(open_it, opened, while_alive(asks, failed))

    def _take(self, library: Library, then: Callable[[], object]) -> None:
        self.library = library
        self.unlocked.emit()
        self.run(lambda opened: opened.back_up_if_due())
        then()

    # The parts

    def _open(self, dialog: QDialog) -> None:
        self.dialog = dialog
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def submit(
        self,
        act: Callable[[], T],
        done: Callable[[T], object],
        failed: Callable[[Exception], object] | None = None,
    ) -> None:
        # Each job has a name of its own: a newer job of one name would drop an older one that writes.
        self._submitted += 1

        def work(cancel: threading.Event, emit: Emit) -> object:
            return act()

        def fail(error: Exception) -> None:
            (failed or self._tell)(error)

        def finished(result: object) -> None:
            done(result)  # type: ignore[arg-type]  # what ``act`` returned

        self._jobs.submit(Lane.DISK, f"library {self._submitted}", work, finished, fail)

    def _tell(self, error: Exception) -> None:
        self._say(words.problem(error))


def _tell(asks: NewPassphrase | RecoveryKey) -> Callable[[Exception], None]:
    return while_alive(asks, lambda error: asks.show_problem(words.problem(error)))


def _printed(key: str) -> str:
    return f"NoteEval: recovery key of the library\n\n{key}\n\nIt opens the library if the passphrase is forgotten.\n"
