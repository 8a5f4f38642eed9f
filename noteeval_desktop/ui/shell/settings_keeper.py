"""Writes the settings off the GUI thread; the last choice is on the disk when the window has closed."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable

from PySide6.QtCore import QObject

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.settings import Settings
from noteeval_desktop.ui.widgets.jobs import JobRunner, Lane

_LAST_SECONDS = 10
Write = Callable[[Settings], object]


class SettingsKeeper(QObject):
    """``write`` raises OSError where the settings cannot be kept; ``say`` tells the reader."""

    def __init__(self, jobs: JobRunner, write: Write, say: Callable[[str], object], parent: QObject) -> None:
        super().__init__(parent)
        self._jobs, self._write, self._say = jobs, write, say

    def keep(self, settings: Settings) -> None:
        """Soon; a newer choice takes the place of one that is not yet written."""
        self._jobs.call(
            Lane.DISK,
            "settings",
            lambda: self._write(settings),
            lambda _: None,
            lambda error: self._say(_problem(error)),
        )

    def finish(self, settings: Settings) -> None:
        """When no job can be started any more: waits until they are written, or cannot be."""

        def write() -> None:
            try:
                self._write(settings)
            except OSError as error:
                print(_problem(error), file=sys.stderr)

        thread = threading.Thread(target=write)
        thread.start()
        thread.join(_LAST_SECONDS)


def _problem(error: Exception) -> str:
    reason = getattr(error, "strerror", None) or type(error).__name__
    return tr("The settings could not be saved ({reason}). They apply until you close the window.").format(
        reason=reason
    )
