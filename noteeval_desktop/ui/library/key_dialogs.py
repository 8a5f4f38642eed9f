"""What is asked about the library's keys: a new library, unlocking, another passphrase, the recovery key."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QWidget

from noteeval_desktop.store.backup import Backup
from noteeval_desktop.ui.library import words
from noteeval_desktop.ui.library.dialogs import NewPassphrase, wrong_pair
from noteeval_desktop.ui.library.entering import Secret
from noteeval_desktop.ui.widgets.dialogs import Asking
from noteeval_desktop.ui.widgets.plain import PlainLabel
from noteeval_desktop.ui.widgets.theme import HIT, UNIT, sized

_KEY_SIZE = 16


class NewLibrary(NewPassphrase):
    """First start: why a passphrase, and whether this system's keychain may open the library too."""

    def __init__(self, parent: QWidget, title: str, has_keychain: bool) -> None:
        super().__init__(parent, title, words.WHY_A_PASSPHRASE, "Create the library", "Skip (nothing is saved)")
        self.keychain = QCheckBox(words.LET_THE_KEYCHAIN)
        self.keychain.setMinimumHeight(HIT)
        if has_keychain:
            self.form.addRow("", self.keychain)
        self.form.addRow(
            "", PlainLabel(words.WHAT_A_KEYCHAIN_MEANS if has_keychain else words.NO_KEYCHAIN, "muted", True)
        )


class Unlock(Asking):
    """By passphrase, or by recovery key with a new passphrase; ``restore_asked`` once a library proved damaged."""

    restore_asked = Signal()

    def __init__(self, parent: QWidget, explained: str) -> None:
        super().__init__(parent, "Unlock the library", explained, "Unlock")
        self.passphrase = self.field("Passphrase", secret=True)
        self.recovery = self.field(words.RECOVERY_KEY)
        self.first = self.field(words.NEW_PASSPHRASE, secret=True)
        self.second = self.field(words.REPEAT_PASSPHRASE, secret=True)
        self.backups = QComboBox()
        self.backups.setAccessibleName("Backup")
        self.backups.setMinimumHeight(HIT)
        self.form.addRow("Backup", self.backups)
        self.form.setRowVisible(self.backups, False)
        self.by_recovery = self.side_button(0, "Forgot the passphrase…", lambda: self._show_recovery(True))
        self.restore = self.side_button(1, "Restore this backup", self._on_restore)
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
            self.backups.addItem(words.backup(backup.made, backup.size), backup)
        self.form.setRowVisible(self.backups, bool(backups))
        self.restore.setVisible(bool(backups))
        if not backups:
            self.say(words.no_backup_beside(self.said.text()))
        self._make_room()

    @property
    def offering(self) -> bool:
        return self.backups.count() > 0

    @property
    def backup(self) -> Backup:
        chosen = self.backups.currentData()
        assert isinstance(chosen, Backup)
        return chosen

    def _on_restore(self) -> None:
        problem = self.problem()
        if problem:
            self.show_problem(problem)
            return
        self.go.setEnabled(False)
        self.say(words.READING_THE_BACKUP)
        self.restore_asked.emit()

    def _show_recovery(self, shown: bool) -> None:
        for field in (self.recovery, self.first, self.second):
            self.form.setRowVisible(field, shown)
        self.form.setRowVisible(self.passphrase, not shown)
        self.by_recovery.setVisible(not shown)
        self.say(words.FORGOTTEN if shown else "")
        (self.recovery if shown else self.passphrase).setFocus()


class ChangePassphrase(NewPassphrase):
    """The present one, a new one twice, and whether the library is encrypted anew under it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, "Change the passphrase", words.A_NEW_PASSPHRASE, "Change", named="New passphrase")
        self.current = QLineEdit()
        self.current.setEchoMode(QLineEdit.EchoMode.Password)
        self.current.setAccessibleName(words.CURRENT_PASSPHRASE)
        self.form.insertRow(0, "Current passphrase", self.current)
        self.anew = QCheckBox(words.ENCRYPT_ANEW)
        self.anew.setMinimumHeight(HIT)
        self.anew.setChecked(True)
        self.form.addRow("", self.anew)
        self.form.addRow("", PlainLabel(words.WHAT_ENCRYPTING_ANEW_DOES, "muted", True))


class RecoveryKey(Asking):
    """Shows the key once. ``print_asked``, ``save_asked``, ``copy_asked``; closes only when the reader says so."""

    print_asked = Signal()
    save_asked = Signal()
    copy_asked = Signal()

    def __init__(self, parent: QWidget, key: str) -> None:
        super().__init__(parent, "Recovery key", words.WHY_A_RECOVERY_KEY, "I have it")
        self.key = shown = QLineEdit(key)
        shown.setReadOnly(True)
        shown.setAccessibleName(words.RECOVERY_KEY)
        shown.setFont(sized(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont), _KEY_SIZE))
        shown.setMinimumWidth(shown.fontMetrics().horizontalAdvance(key) + 4 * UNIT)
        shown.setCursorPosition(0)
        self.form.addRow(shown)
        self.skip.hide()
        self.side_button(0, "Print…", self.print_asked.emit)
        self.side_button(1, "Save as PDF…", self.save_asked.emit)
        self.side_button(2, "Copy", self.copy_asked.emit)
        self.asked.connect(self.accept)

    def reject(self) -> None:
        """Escape does not throw the key away."""
        self.say(words.WRITE_DOWN_THE_KEY_FIRST_THEN)
