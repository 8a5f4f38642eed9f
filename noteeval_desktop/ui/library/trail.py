"""What leaves the program while the library is open goes into its audit log: where to, never what."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

if TYPE_CHECKING:
    from noteeval_desktop.ui.library.desk import LibraryDesk
    from noteeval_desktop.ui.shell.main_window import MainWindow


class Trail(QObject):
    def __init__(self, window: MainWindow, desk: LibraryDesk) -> None:
        super().__init__(desk)
        self._window, self._desk = window, desk
        window.files.exported.connect(self._on_exported)
        window.judging.sending.connect(self._on_sending)

    def _on_exported(self, kind: str) -> None:
        self._desk.access.note_export(f"scorecard.{kind}", self._case_id)

    def _on_sending(self, address: str, of_case: bool) -> None:
        from noteeval_desktop.store.audit import Event, host_of

        host, case_id = host_of(address), self._case_id if of_case else ""
        self._desk.access.run(lambda library: library.record(Event.SENT, case_id, host))

    @property
    def _case_id(self) -> str:
        return self._desk.kept.id if self._desk.kept else ""
