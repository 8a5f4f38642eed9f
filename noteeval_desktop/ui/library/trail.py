"""What leaves the program while the library is open goes into its audit log: where to, never what."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from PySide6.QtCore import QObject

from noteeval_desktop.domain.evaluation import Evaluation

if TYPE_CHECKING:
    from noteeval_desktop.store.audit import Event
    from noteeval_desktop.store.library import Library
    from noteeval_desktop.ui.library.desk import LibraryDesk
    from noteeval_desktop.ui.main_window import MainWindow


class Trail(QObject):
    def __init__(self, window: MainWindow, desk: LibraryDesk) -> None:
        super().__init__(desk)
        self._window, self._desk = window, desk
        window.files.exported.connect(self._on_exported)
        window.session.evaluation_finished.connect(self._on_evaluation)

    def _on_exported(self, kind: str) -> None:
        from noteeval_desktop.store.audit import Event

        self._record(Event.EXPORTED, f"scorecard.{kind}")

    def _on_evaluation(self, evaluation: Evaluation) -> None:
        if evaluation.usage.bytes_sent:
            from noteeval_desktop.store.audit import Event

            host = urlsplit(self._window.settings.base_url).netloc
            # A host name in letters that the log does not take stands as it goes over the wire.
            self._record(Event.SENT, host.encode("idna").decode("ascii")[-80:])

    def _record(self, event: Event, detail: str) -> None:
        kept = self._desk.kept

        def record(library: Library) -> None:
            library.record(event, kept.id if kept else "", detail)

        self._desk.access.run(record)
