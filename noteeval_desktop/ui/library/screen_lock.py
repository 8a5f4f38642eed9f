"""Who tells on this system when the computer goes to sleep or its screen is locked."""

from __future__ import annotations

import sys

from PySide6.QtWidgets import QWidget

from noteeval_desktop.ui.library.screen_lock_port import MacLock, ScreenLock, WindowsLock


def screen_lock(window: QWidget) -> ScreenLock:
    """What fits this system. ``window`` is the one that Windows tells; it need not be shown yet."""
    if sys.platform == "win32":
        return WindowsLock(window)
    if sys.platform == "darwin":
        return MacLock()
    # Here, not above: the others have no bus.
    from noteeval_desktop.ui.library.screen_lock_dbus import DBusLock

    return DBusLock()
