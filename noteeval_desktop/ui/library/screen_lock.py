"""Tells when the computer goes to sleep or its screen is locked: the port, and what each system says."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


class ScreenLock(QObject):
    """``left`` when the screen is locked or the computer is about to sleep, while started.

    This one hears nothing: for systems that say nothing, and for tests, which emit ``left`` themselves.
    """

    left = Signal()

    def start(self) -> None:
        """Begin to listen; more than once is harmless."""

    def stop(self) -> None:
        """What the system says from now on is not passed on."""


def screen_lock(window: QWidget) -> ScreenLock:
    """What fits this system. ``window`` is the one that Windows tells; it need not be shown yet."""
    if sys.platform == "win32":
        from noteeval_desktop.ui.library.screen_lock_windows import WindowsLock

        return WindowsLock(window)
    if sys.platform == "darwin":
        from noteeval_desktop.ui.library.screen_lock_mac import MacLock

        return MacLock()
    from noteeval_desktop.ui.library.screen_lock_dbus import DBusLock

    return DBusLock()
