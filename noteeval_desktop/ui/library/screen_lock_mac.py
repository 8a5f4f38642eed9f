"""macOS: the notification that the screen was locked. Sleep locks the screen first, unless the user has set that off;
then the clock of ``inactivity`` notices on waking.
"""

from __future__ import annotations

import ctypes
import ctypes.util
from typing import Any

from noteeval_desktop.ui.library.screen_lock import ScreenLock

_LEAVING = (b"com.apple.screenIsLocked", b"com.apple.screensaver.didstart")
_UTF8 = 0x08000100
_DELIVER_IMMEDIATELY = 4
_POINTER = ctypes.c_void_p
_Callback = ctypes.CFUNCTYPE(None, _POINTER, _POINTER, _POINTER, _POINTER, _POINTER)


class MacLock(ScreenLock):
    """Through Core Foundation, whose notifications arrive in the main run loop, which is Qt's."""

    def __init__(self, foundation: Any = None) -> None:
        """``foundation``: Core Foundation as ctypes loads it; by default the system's."""
        super().__init__()
        self._foundation = foundation
        self._connected, self._listening = False, False
        # Core Foundation keeps only its address: Python has to keep it alive.
        self._callback = _Callback(self._on_notification)

    def start(self) -> None:
        self._listening = True
        if self._connected:
            return
        self._connected = True
        system = self._foundation or ctypes.CDLL(ctypes.util.find_library("CoreFoundation"))
        named, added = system.CFStringCreateWithCString, system.CFNotificationCenterAddObserver
        center = system.CFNotificationCenterGetDistributedCenter
        named.restype, named.argtypes = _POINTER, [_POINTER, ctypes.c_char_p, ctypes.c_uint32]
        center.restype, center.argtypes = _POINTER, []
        added.restype = None
        added.argtypes = [_POINTER, _POINTER, _Callback, _POINTER, _POINTER, ctypes.c_long]
        for name in _LEAVING:
            added(center(), None, self._callback, named(None, name, _UTF8), None, _DELIVER_IMMEDIATELY)

    def stop(self) -> None:
        self._listening = False

    def _on_notification(self, center: int, observer: int, name: int, sender: int, details: int) -> None:
        if self._listening:
            self.left.emit()
