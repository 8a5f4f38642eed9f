"""What is asked about the library's keys: a new library, unlocking, another passphrase, the recovery key."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtCore import Signal
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QWidget

from noteeval_desktop.store.backup import Backup
from noteeval_desktop.ui.library import key_words, words
from noteeval_desktop.ui.library.dialogs import NewPassphrase, wrong_pair
from noteeval_desktop.ui.library.entering import Secret
from noteeval_desktop.ui.widgets.dialogs import Asking
from noteeval_desktop.ui.widgets.plain import PlainLabel
from noteeval_desktop.ui.widgets.theme import HIT, UNIT, sized
from noteeval_desktop.ui.widgets.words import PASSPHRASE, PRINT

_KEY_SIZE = 16


class NewLibrary(NewPassphrase):
    """First start: why a passphrase, and whether this system's keychain may open the library too."""

    def __init__(self, parent: QWidget, title: str, has_keychain: bool, why: str = key_words.WHY_A_PASSPHRASE) -> None:
        super().__init__(
            parent, title, why, words.MAKE_A_LIBRARY, key_words.SKIP, named=key_words.NEW_LIBRARY_PASSPHRASE
        )
        self.keychain = QCheckBox(key_words.LET_THE_KEYCHAIN)
        self.keychain.setMinimumHeight(HIT)
        if has_keychain:
            self.form.addRow("", self.keychain)
        self.form.addRow(
            "", PlainLabel(key_words.WHAT_A_KEYCHAIN_MEANS if has_keychain else key_words.NO_KEYCHAIN, "muted", True)
        )


class Unlock(Asking):
    """By passphrase, or by recovery key with a new passphrase; ``restore_asked`` once a library proved damaged."""

    restore_asked = Signal()

    def __init__(self, parent: QWidget, explained: str) -> None:
        super().__init__(parent, key_words.UNLOCK_THE_LIBRARY, explained, key_words.UNLOCK)
        self.passphrase = self.field(PASSPHRASE, secret=True)
        self.recovery = self.field(key_words.RECOVERY_KEY)
        self.first = self.field(key_words.NEW_PASSPHRASE, secret=True)
        self.second = self.field(words.REPEAT_PASSPHRASE, secret=True)
        self.backups = QComboBox()
        self.backups.setAccessibleName(key_words.BACKUP)
        self.backups.setMinimumHeight(HIT)
        self.form.addRow(key_words.BACKUP, self.backups)
        self.form.setRowVisible(self.backups, False)
        self.by_recovery = self.side_button(0, key_words.FORGOT, lambda: self._show_recovery(True))
        self.restore = self.side_button(1, key_words.RESTORE_THIS_BACKUP, self._on_restore)
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
            self.say(key_words.no_backup_beside(self.said.text()))
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
        self.say(key_words.FORGOTTEN if shown else "")
        (self.recovery if shown else self.passphrase).setFocus()


class ChangePassphrase(NewPassphrase):
    """The present one, a new one twice, and whether the library is encrypted anew under it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(
            parent,
            key_words.CHANGE_THE_PASSPHRASE,
            key_words.A_NEW_PASSPHRASE,
            words.CHANGE_IT,
            named=key_words.NEW_PASSPHRASE,
        )
        self.current = QLineEdit()
        self.current.setEchoMode(QLineEdit.EchoMode.Password)
        self.current.setAccessibleName(key_words.CURRENT_PASSPHRASE)
        self.form.insertRow(0, key_words.CURRENT_PASSPHRASE, self.current)
        self.anew = QCheckBox(key_words.ENCRYPT_ANEW)
        self.anew.setMinimumHeight(HIT)
        self.anew.setChecked(True)
        self.form.addRow("", self.anew)
        self.form.addRow("", PlainLabel(key_words.WHAT_ENCRYPTING_ANEW_DOES, "muted", True))
        for before, after in pairwise((self.current, self.first, self.second, self.anew)):
            self.setTabOrder(before, after)


class RecoveryKey(Asking):
    """Shows the key once. ``print_asked``, ``save_asked``, ``copy_asked``; closes only when the reader says so, who
    may still be pressing Enter after the passphrase. ``to_come``: it holds once the reader has it, and Cancel leaves
    all as it is; whoever waits for ``asked`` closes the dialog then."""

    print_asked = Signal()
    save_asked = Signal()
    copy_asked = Signal()

    def __init__(self, parent: QWidget, key: str, to_come: bool = False) -> None:
        explained = key_words.A_KEY_TO_COME if to_come else key_words.WHY_A_RECOVERY_KEY
        super().__init__(parent, key_words.RECOVERY_KEY, explained, key_words.I_HAVE_IT)
        self._to_come = to_come
        self.key = shown = QLineEdit(key)
        shown.setReadOnly(True)
        shown.setAccessibleName(key_words.RECOVERY_KEY)
        shown.setFont(sized(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont), _KEY_SIZE))
        shown.setMinimumWidth(shown.fontMetrics().horizontalAdvance(key) + 4 * UNIT)
        shown.setCursorPosition(0)
        self.form.addRow(shown)
        self.kept = QCheckBox(key_words.KEY_IS_KEPT)
        self.kept.setMinimumHeight(HIT)
        self.kept.toggled.connect(self.go.setEnabled)
        self.form.addRow(self.kept)
        self.go.setAutoDefault(False)
        self.go.setDefault(False)
        self.go.setEnabled(False)
        self.skip.setVisible(to_come)
        self.side_button(0, PRINT, self.print_asked.emit)
        self.side_button(1, words.SAVE_AS_PDF, self.save_asked.emit)
        self.side_button(2, key_words.COPY, self.copy_asked.emit)
        if not to_come:
            self.asked.connect(self.accept)

    def say_kept(self, said: str) -> None:
        self.kept.setChecked(True)
        self.say(said)

    def reject(self) -> None:
        """Escape does not throw a key away that holds already."""
        if self._to_come:
            super().reject()
        else:
            self.say(key_words.WRITE_DOWN_THE_KEY_FIRST_THEN)
