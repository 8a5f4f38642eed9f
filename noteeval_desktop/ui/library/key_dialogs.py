"""What opens the library, asked for: passphrases, the keychain, the recovery key."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, Signal
from PySide6.QtGui import QFontDatabase, QGuiApplication, QPageSize, QPdfWriter, QTextDocument
from PySide6.QtWidgets import QLineEdit, QWidget

from noteeval_desktop.domain.phrases import moment, tr
from noteeval_desktop.errors import InputError
from noteeval_desktop.platform.files import write_private
from noteeval_desktop.store.backup import Backup
from noteeval_desktop.ui.library.work import Secret
from noteeval_desktop.ui.widgets.choosing import save_file
from noteeval_desktop.ui.widgets.dialogs import Asking
from noteeval_desktop.ui.widgets.jobs import problem, while_alive
from noteeval_desktop.ui.widgets.parts import choice, field, tick
from noteeval_desktop.ui.widgets.plain import PlainLabel
from noteeval_desktop.ui.widgets.theme import UNIT, sized
from noteeval_desktop.ui.widgets.words import CANCEL, PASSPHRASE, PRINT, SENT_TO_THE_PRINTER

_SHORTEST = 8


def wrong_pair(first: QLineEdit, second: QLineEdit) -> str:
    if len(first.text().strip()) < _SHORTEST:
        return tr("The passphrase needs at least {SHORTEST} characters. Several words are easiest to remember.").format(
            SHORTEST=_SHORTEST
        )
    return "" if first.text() == second.text() else tr("The two passphrases differ. Type the second one again.")


class NewPassphrase(Asking):
    """A passphrase chosen, twice: for a new library, or for a case that travels."""

    def __init__(
        self,
        parent: QWidget,
        title: str,
        explained: str,
        button: str,
        skip: str = CANCEL,
        named: str = PASSPHRASE,
    ) -> None:
        super().__init__(parent, title, explained, button, skip)
        self.first = self.field(named, secret=True)
        self.second = self.field(tr("Repeat passphrase"), secret=True)

    def problem(self) -> str:
        return wrong_pair(self.first, self.second)


Submit = Callable[[Callable[[], object], Callable[[object], object], Callable[[Exception], object]], object]
WHY_A_PASSPHRASE = tr(
    "Cases are saved in an encrypted library on this computer. Your passphrase opens it. "
    "If you skip this, nothing is saved."
)
WHAT_A_KEYCHAIN_MEANS = tr(
    "With the keychain, NoteEval does not ask for the passphrase when it starts. Anyone "
    "who uses this computer under your account can then open the library. After it has "
    "locked itself, you still need the passphrase."
)
NO_KEYCHAIN = tr("This computer has no keychain that can be trusted, so you need the passphrase at each start.")
_NEW_PASSPHRASE = tr("New passphrase")
_BACKUP = tr("Backup")
_KEY_SIZE = 16


class NewLibrary(NewPassphrase):
    """First start: why a passphrase, and whether this system's keychain may open the library too."""

    def __init__(self, parent: QWidget, title: str, has_keychain: bool, why: str = WHY_A_PASSPHRASE) -> None:
        super().__init__(
            parent,
            title,
            why,
            tr("Create the library"),
            tr("Skip (nothing is saved)"),
            named=tr("New passphrase for the library"),
        )
        self.keychain = tick(tr("Let this computer's keychain open the library too"))
        if has_keychain:
            self.form.addRow("", self.keychain)
        self.form.addRow("", PlainLabel(WHAT_A_KEYCHAIN_MEANS if has_keychain else NO_KEYCHAIN, "muted", True))


class Unlock(Asking):
    """By passphrase, or by recovery key with a new passphrase; ``restore_asked`` once a library proved damaged."""

    restore_asked = Signal()

    def __init__(self, parent: QWidget, explained: str) -> None:
        super().__init__(parent, tr("Unlock the library"), explained, tr("Unlock"))
        self.passphrase = self.field(PASSPHRASE, secret=True)
        self.recovery = self.field(tr("Recovery key"))
        self.first = self.field(_NEW_PASSPHRASE, secret=True)
        self.second = self.field(tr("Repeat passphrase"), secret=True)
        self.backups = choice(_BACKUP)
        self.form.addRow(_BACKUP, self.backups)
        self.form.setRowVisible(self.backups, False)
        self.by_recovery = self.side_button(0, tr("Forgot the passphrase…"), lambda: self._show_recovery(True))
        self.restore = self.side_button(
            1, tr("Restore this backup"), lambda: self.fill_in(tr("Reading the backup…"), self.restore_asked)
        )
        self.restore.hide()
        self._show_recovery(False)

    @property
    def secret(self) -> Secret:
        if self.form.isRowVisible(self.passphrase):
            return Secret(self.passphrase.text())
        return Secret(self.recovery.text(), self.first.text())

    def problem(self) -> str:
        return "" if self.form.isRowVisible(self.passphrase) else wrong_pair(self.first, self.second)

    def offer_backups(self, backups: Sequence[Backup]) -> None:
        """The newest first; the one that is chosen takes the damaged library's place."""
        self.backups.clear()
        for backup in backups:
            self.backups.addItem(
                tr("{made} · {size:,.1f} MB").format(made=moment(backup.made), size=max(backup.size / 1e6, 0.1)), backup
            )
        self.form.setRowVisible(self.backups, bool(backups))
        self.restore.setVisible(bool(backups))
        if not backups:
            self.say(tr("{text} There is no backup beside it.").format(text=self.said.text()))
        self._make_room()

    @property
    def offering(self) -> bool:
        return self.backups.count() > 0

    @property
    def backup(self) -> Backup:
        chosen = self.backups.currentData()
        assert isinstance(chosen, Backup)
        return chosen

    def _show_recovery(self, shown: bool) -> None:
        for each in (self.recovery, self.first, self.second):
            self.form.setRowVisible(each, shown)
        self.form.setRowVisible(self.passphrase, not shown)
        self.by_recovery.setVisible(not shown)
        self.say(tr("Type the recovery key that you printed last, and choose a new passphrase.") if shown else "")
        (self.recovery if shown else self.passphrase).setFocus()


class ChangePassphrase(NewPassphrase):
    """The present one, a new one twice, and whether the library is encrypted anew under it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(
            parent,
            tr("Change the passphrase"),
            tr(
                "After a change the old passphrase no longer works here. But anyone who has an earlier copy of "
                "the library’s key file and knows the old passphrase can still open the library, unless you "
                "re-encrypt it."
            ),
            tr("Change"),
            named=_NEW_PASSPHRASE,
        )
        name = tr("Current passphrase")
        self.current = field(name, secret=True)
        self.form.insertRow(0, name, self.current)
        self.anew = tick(tr("Re-encrypt the library and its backups"), True)
        self.form.addRow("", self.anew)
        self.form.addRow(
            "",
            PlainLabel(
                tr(
                    "Takes a few seconds, and gives you a new recovery key to print. Earlier copies of the key file "
                    "then open neither the library nor its backups. Earlier copies of the whole library stay "
                    "readable to anyone who has them."
                ),
                "muted",
                True,
            ),
        )
        for before, after in pairwise((self.current, self.first, self.second, self.anew)):
            self.setTabOrder(before, after)


class RecoveryKey(Asking):
    """Shows the key once; closes only when the reader says so, who may still be pressing Enter after the passphrase."""

    def __init__(
        self, parent: QWidget, key: str, submit: Submit, then: Callable[[], object], to_come: bool = False
    ) -> None:
        """``submit(act, done, failed)`` runs ``act`` off the GUI thread; ``then`` once the reader has the key.
        ``to_come``: it holds from then on, and ``then`` closes the dialog; Cancel leaves all as it is."""
        explained = (
            tr(
                "If you forget the passphrase, only this new recovery key opens the library. Print it or write "
                "it down now, and keep it away from this computer. It is not shown again. Nothing has changed "
                "yet: “I have it” makes it take effect."
            )
            if to_come
            else tr(
                "If you forget the passphrase, only this recovery key opens the library. Print it or write it "
                "down now, and keep it away from this computer. It is not shown again."
            )
        )
        super().__init__(parent, tr("Recovery key"), explained, tr("I have it"))
        self._submit, self._to_come = submit, to_come
        self.key = shown = field(tr("Recovery key"), key)
        shown.setReadOnly(True)
        shown.setFont(sized(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont), _KEY_SIZE))
        shown.setMinimumWidth(shown.fontMetrics().horizontalAdvance(key) + 4 * UNIT)
        shown.setCursorPosition(0)
        self.form.addRow(shown)
        self.kept = tick(tr("I have written it down or saved it"))
        self.kept.toggled.connect(self.go.setEnabled)
        self.form.addRow(self.kept)
        self.go.setAutoDefault(False)
        self.go.setDefault(False)
        self.go.setEnabled(False)
        self.skip.setVisible(to_come)
        self.side_button(0, PRINT, self._print)
        self.side_button(1, tr("Save as PDF…"), self._choose_file)
        self.side_button(2, tr("Copy"), self._copy)
        if not to_come:
            self.asked.connect(self.accept)
        self.finished.connect(lambda _: self._take_back())
        (self.asked if to_come else self.accepted).connect(lambda: then())

    def _document(self) -> QTextDocument:
        document = QTextDocument()
        document.setPlainText(
            tr(
                "NoteEval: recovery key of the library\n\n{key}\n\nIt opens the library if the passphrase is "
                "forgotten: choose “Forgot the passphrase…” where the passphrase is asked. Keep it away from "
                "the computer, as safe as the notes themselves.\n"
            ).format(key=self.key.text())
        )
        return document

    def _print(self) -> None:
        # Here, not above: printing loads a library that the first screen does not need.
        from PySide6.QtPrintSupport import QPrintDialog, QPrinter

        printer = QPrinter()
        if QPrintDialog(printer, self).exec():
            self._document().print_(printer)
            self._say_kept(SENT_TO_THE_PRINTER)

    def _choose_file(self) -> None:
        if chosen := save_file(self, tr("Save the recovery key"), "recovery-key.pdf", "PDF (*.pdf)"):
            self.save_to(Path(chosen))

    def save_to(self, path: Path) -> None:
        # In memory: nothing of it may be left on the disk but the file that was asked for.
        buffer = QBuffer()
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        writer = QPdfWriter(buffer)
        writer.setTitle(tr("NoteEval: recovery key"))
        writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
        self._document().print_(writer)
        # The file is only whole once its writer is gone.
        del writer
        content = bytes(buffer.data().data())

        def write() -> None:
            try:
                write_private(path, content)
            except OSError as error:
                problem = tr("could not be written ({strerror})").format(strerror=error.strerror)
                raise InputError(path.name, problem, tr("Choose another folder.")) from error

        saved = tr("Saved {name}. Move it away from this computer.").format(name=path.name)
        done = while_alive(self, lambda _: self._say_kept(saved))
        self._submit(write, done, while_alive(self, lambda error: self.say(problem(error))))

    def _take_back(self) -> None:
        clipboard = QGuiApplication.clipboard()
        if clipboard.text() == self.key.text():
            clipboard.clear()

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.key.text())
        self._say_kept(tr("Copied. Paste it into a safe place now; “I have it” clears the clipboard."))

    def _say_kept(self, said: str) -> None:
        self.kept.setChecked(True)
        self.say(said)

    def reject(self) -> None:
        """Escape does not throw a key away that holds already."""
        if self._to_come:
            super().reject()
        else:
            self.say(tr("Print, save, copy or write down the key first, then choose “I have it”."))
