"""The library's backups: made, tested by restoring, gone back to."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from noteeval_desktop.domain.phrases import counted, moment, tr
from noteeval_desktop.store.backup import Backup, BackupTest
from noteeval_desktop.store.library import Library
from noteeval_desktop.ui.library.access import Access
from noteeval_desktop.ui.library.page import Page
from noteeval_desktop.ui.widgets.dialogs import Column, Rows
from noteeval_desktop.ui.widgets.jobs import Lane, problem, while_alive
from noteeval_desktop.ui.widgets.parts import sure

_BACKUPS = tr("Backups")
_Tested = tuple[Backup, BackupTest | None]
_BACKUP_COLUMNS = (
    Column[_Tested](tr("Made"), 190, lambda one: moment(one[0].made)),
    Column[_Tested](tr("Size"), 110, lambda one: tr("{mb:,.1f} MB").format(mb=max(one[0].size / 1e6, 0.1))),
    Column[_Tested](
        tr("Tested by restoring"),
        330,
        lambda one: f"{moment(one[1].at)} · {counted(one[1].cases, 'case')}" if one[1] else tr("not yet"),
    ),
)


class BackupsWindow(Page):
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
        self.list = Rows(_BACKUPS, _BACKUP_COLUMNS)
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

        def read(library: Library) -> list[_Tested]:
            tests = library.tested_backups()
            return [(backup, tests.get(backup.made)) for backup in Library.backups_in(folder)]

        def show(listed: list[_Tested]) -> None:
            self.list.show_rows(listed)
            self._enable()

        self.run(read, show)

    def chosen(self) -> Backup | None:
        chosen = self.list.chosen()
        return chosen[0] if chosen else None

    def _enable(self) -> None:
        for act in (self.test, self.restore):
            act.setEnabled(self.chosen() is not None)

    def _make(self) -> None:
        self.said.say(tr("Backing up…"))
        self.run(lambda library: library.back_up(), lambda _: self._done(tr("The library was backed up.")), Lane.ASIDE)

    def _test(self) -> None:
        if (backup := self.chosen()) is not None:
            self.said.say(tr("Restoring it to test it…"))
            self.run(
                lambda library: library.test_backup(backup),
                lambda test: self._done(
                    tr("The backup of {made} is complete: {cases}.").format(
                        made=moment(backup.made), cases=counted(test.cases, "case")
                    )
                ),
                Lane.ASIDE,
            )

    def _done(self, said: str) -> None:
        self.said.say(said)
        self.refresh()

    def _restore(self) -> None:
        backup = self.chosen()
        if backup is not None and sure(
            self,
            tr("Restore the library from {made}?").format(made=moment(backup.made)),
            tr(
                "Cases and changes since then leave the library. The present library is not lost: an encrypted copy is "
                "kept beside the backups."
            ),
            tr("Go back to it"),
            title=tr("Go back to a backup"),
        ):
            self.said.say(tr("Reading the backup…"))
            self.access.go_back_to(backup, while_alive(self, lambda error: self.said.say(problem(error))))

    def _on_restored(self) -> None:
        self._done(tr("The library was restored. The previous version is kept beside the backups."))
