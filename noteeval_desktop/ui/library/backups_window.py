"""The backups of the library: made by themselves, tested by restoring, and put back when they are needed."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QMessageBox, QWidget

from noteeval_desktop.domain.phrases import counted, moment, tr
from noteeval_desktop.store.backup import Backup, BackupTest
from noteeval_desktop.store.library import Library
from noteeval_desktop.ui.library.access import Access
from noteeval_desktop.ui.library.page import Page
from noteeval_desktop.ui.widgets.dialogs import line, table
from noteeval_desktop.ui.widgets.jobs import Lane, while_alive
from noteeval_desktop.ui.widgets.words import CANCEL

_BACKUPS = tr("Backups")


_COLUMNS = ((tr("Made"), 190), (tr("Size"), 110), (tr("Tested by restoring"), 330))
Listed = tuple[tuple[Backup, ...], Mapping[datetime, BackupTest]]


class BackupsWindow(Page):
    """``listed`` after each reading of the list."""

    listed = Signal()

    def __init__(self, access: Access, parent: QWidget) -> None:
        super().__init__(
            access,
            _BACKUPS,
            tr(
                "The library is backed up on each day of use. Backups are encrypted like the library "
                "and tested by restoring them. NoteEval keeps 7 daily, 5 weekly and 12 monthly ones."
            ),
            parent,
        )
        self.list = table(_BACKUPS, _COLUMNS)
        self.list.itemSelectionChanged.connect(self._enable)
        self.body.addWidget(self.list, 1)
        self.make = self.button(tr("Back up now"), self._make)
        self.test = self.button(tr("Test by restoring"), self._test)
        self.restore = self.button(tr("Go back to this one…"), self._restore)
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
            cells = (
                moment(backup.made),
                tr("{max:,.1f} MB").format(max=max(backup.size / 1000000.0, 0.1)),
                f"{moment(test.at)} · {counted(test.cases, 'case')}" if test else tr("not yet"),
            )
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
        self.say(tr("Backing up…"))
        self.run(lambda library: library.back_up(), lambda _: self._done(tr("The library was backed up.")), Lane.ASIDE)

    def _test(self) -> None:
        if (backup := self.chosen()) is not None:
            self.say(tr("Restoring it to test it…"))
            self.run(
                lambda library: library.test_backup(backup),
                lambda test: self._done(
                    tr("The backup of {made} is whole: {cases}.").format(
                        made=moment(backup.made), cases=counted(test.cases, "case")
                    )
                ),
                Lane.ASIDE,
            )

    def _done(self, said: str) -> None:
        self.say(said)
        self.refresh()

    def _restore(self) -> None:
        backup = self.chosen()
        if backup is not None and self._sure(backup):
            self.say(tr("Reading the backup…"))
            self.access.go_back_to(backup, while_alive(self, self.fail))

    def _sure(self, backup: Backup) -> bool:
        box = QMessageBox(self)
        box.setWindowTitle(tr("Go back to a backup"))
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(tr("Restore the library from {made}?").format(made=moment(backup.made)))
        box.setInformativeText(
            tr(
                "Cases and changes since then leave the library. The present library is not lost: an "
                "encrypted copy is kept beside the backups."
            )
        )
        go = box.addButton(tr("Go back to it"), QMessageBox.ButtonRole.DestructiveRole)
        box.setDefaultButton(box.addButton(CANCEL, QMessageBox.ButtonRole.RejectRole))
        box.exec()
        return box.clickedButton() is go

    def _on_restored(self) -> None:
        self._done(tr("The library was restored. The previous version is kept beside the backups."))
