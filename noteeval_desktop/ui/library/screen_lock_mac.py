"""macOS: the notification that the screen was locked. Sleep locks the screen first, unless the user has set that off;
then the clock of ``inactivity`` notices on waking.
"""

from __future__ import annotations

from typing import Any

from noteeval_desktop.platform.session_lock import MacNotices
from noteeval_desktop.ui.library.screen_lock_port import ScreenLock


class MacLock(ScreenLock):
    def __init__(self, foundation: Any = None) -> None:
        super().__init__()
        self._notices = MacNotices(self.left.emit, foundation)

    def start(self) -> None:
        self._notices.start()

    def stop(self) -> None:
        self._notices.stop()
