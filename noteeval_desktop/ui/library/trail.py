"""What leaves the program while the library is open goes into its audit log: where to, never what."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from PySide6.QtCore import QObject

from noteeval_desktop.domain.evaluation import Evaluation

if TYPE_CHECKING:
    from noteeval_desktop.store.audit import Event
    from noteeval_desktop.store.library import Library
    from noteeval_desktop.ui.library.desk import LibraryDesk
    from noteeval_desktop.ui.main_window import MainWindow


_MOST = 80
_NOT_TAKEN = re.compile(r"[^\w.:-]", re.ASCII)


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

            self._record(Event.SENT, _host(self._window.settings.base_url))

    def _record(self, event: Event, detail: str) -> None:
        kept = self._desk.kept

        def record(library: Library) -> None:
            library.record(event, kept.id if kept else "", detail)

        self._desk.access.run(record)


def _host(address: str) -> str:
    """ "llm.example.org:8443", with a dash for each letter that the log does not take."""
    parts = urlsplit(address)
    port = f":{parts.port}" if parts.port else ""
    return _NOT_TAKEN.sub("-", f"{parts.hostname or ''}{port}")[:_MOST]
