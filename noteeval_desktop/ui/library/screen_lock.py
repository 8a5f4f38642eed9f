"""Who tells on this system when the computer goes to sleep or its screen is locked."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from noteeval_desktop.ui.library.screen_lock_port import ScreenLock

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


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
