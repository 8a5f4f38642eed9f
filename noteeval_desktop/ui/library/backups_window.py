"""The backups of the library: made by themselves, tested by restoring, and put back when they are needed."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QMessageBox, QWidget

from noteeval_desktop.store.backup import Backup, BackupTest
from noteeval_desktop.store.library import Library
from noteeval_desktop.ui.library import words
from noteeval_desktop.ui.library.access import Access
from noteeval_desktop.ui.library.page import Page
from noteeval_desktop.ui.widgets.dialogs import line, table
from noteeval_desktop.ui.widgets.jobs import Lane, while_alive
from noteeval_desktop.ui.widgets.words import CANCEL

_COLUMNS = ((words.MADE, 190), (words.SIZE, 110), (words.TESTED_BY_RESTORING, 330))
Listed = tuple[tuple[Backup, ...], Mapping[datetime, BackupTest]]


class BackupsWindow(Page):
    """``listed`` after each reading of the list."""

    listed = Signal()

    def __init__(self, access: Access, parent: QWidget) -> None:
        super().__init__(access, words.BACKUPS, words.ABOUT_BACKUPS, parent)
        self.list = table(words.BACKUPS, _COLUMNS)
        self.list.itemSelectionChanged.connect(self._enable)
        self.body.addWidget(self.list, 1)
        self.make = self.button(words.BACK_UP_NOW, self._make)
        self.test = self.button(words.TEST_BY_RESTORING, self._test)
        self.restore = self.button(words.GO_BACK_TO_THIS_ONE, self._restore)
        self.finish(720, 420)
        self._enable()
        access.restored.connect(self._on_restored)
        self.refresh()

    def refresh(self) -> None:
        folder = self.access.folder

        def read(library: Library) -> Listed:
            return Library.backups_in(folder), library.tested_backups()

        self.run(read, self._show)

    def _show(self, listed: Listed) -> None:
        backups, tests = listed
        self.list.clear()
        for backup in backups:
            test = tests.get(backup.made)
            cells = (words.moment(backup.made), words.megabytes(backup.size), words.tested(test))
            self.list.addTopLevelItem(line(cells, backup))
        first = self.list.topLevelItem(0)
        if first is not None:
            self.list.setCurrentItem(first)
        self._enable()
        self.listed.emit()

    def chosen(self) -> Backup | None:
        item = self.list.currentItem()
        return item.data(0, Qt.ItemDataRole.UserRole) if item is not None else None

    def _enable(self) -> None:
        for button in (self.test, self.restore):
            button.setEnabled(self.chosen() is not None)

    def _make(self) -> None:
        self.say(words.BACKING_UP)
        self.run(lambda library: library.back_up(), lambda _: self._done(words.THE_LIBRARY_WAS_BACKED_UP), Lane.ASIDE)

    def _test(self) -> None:
        if (backup := self.chosen()) is not None:
            self.say(words.RESTORING_IT_TO_TEST)
            self.run(
                lambda library: library.test_backup(backup),
                lambda test: self._done(words.backup_is_whole(words.moment(backup.made), words.cases(test.cases))),
                Lane.ASIDE,
            )

    def _done(self, said: str) -> None:
        self.say(said)
        self.refresh()

    def _restore(self) -> None:
        backup = self.chosen()
        if backup is not None and self._sure(backup):
            self.say(words.READING_THE_BACKUP)
            self.access.go_back_to(backup, while_alive(self, self.fail))

    def _sure(self, backup: Backup) -> bool:
        box = QMessageBox(self)
        box.setWindowTitle(words.GO_BACK_TO_A_BACKUP)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(words.ask_to_go_back(words.moment(backup.made)))
        box.setInformativeText(words.WHAT_RESTORING_DOES)
        go = box.addButton(words.GO_BACK, QMessageBox.ButtonRole.DestructiveRole)
        box.setDefaultButton(box.addButton(CANCEL, QMessageBox.ButtonRole.RejectRole))
        box.exec()
        return box.clickedButton() is go

    def _on_restored(self) -> None:
        self._done(words.THE_LIBRARY_WAS_RESTORED)
