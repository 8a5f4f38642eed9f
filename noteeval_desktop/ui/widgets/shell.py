"""What a room may ask of the window around it: no room imports the window, which alone knows every room."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow

from noteeval_desktop.settings import Settings
from noteeval_desktop.ui.widgets.banner import Banner
from noteeval_desktop.ui.widgets.jobs import JobRunner
from noteeval_desktop.ui.widgets.theme import Theme


class Shell(QMainWindow):
    """A class and no protocol, because a room's dialogs take it for their parent."""

    jobs: JobRunner
    banner: Banner
    commands: Mapping[str, QAction]
    settings: Settings
    theme: Theme

    def keep_settings(self, settings: Settings) -> None:
        """They hold from now on, and are written soon."""
        raise NotImplementedError
