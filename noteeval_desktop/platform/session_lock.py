"""Asks Windows and macOS to tell when the screen is locked, and takes it back; Linux tells whoever listens on D-Bus."""

from __future__ import annotations

import ctypes
import ctypes.util
import sys
from collections.abc import Callable
from ctypes import wintypes
from typing import Any

_THIS_SESSION = 0
_LEAVING = (b"com.apple.screenIsLocked", b"com.apple.screensaver.didstart")
_UTF8 = 0x08000100
_DELIVER_IMMEDIATELY = 4
_POINTER = ctypes.c_void_p
_Callback = ctypes.CFUNCTYPE(None, _POINTER, _POINTER, _POINTER, _POINTER, _POINTER)


def tell_window(window: int, wanted: bool = True) -> bool:
    """Have Windows send the session's messages to ``window``, or no longer; whether it does as asked.

    Undone before the window is destroyed: Windows keeps the registration otherwise.
    """
    if sys.platform != "win32":
        return False
    library = ctypes.windll.wtsapi32
    if wanted:
        return bool(library.WTSRegisterSessionNotification(wintypes.HWND(window), _THIS_SESSION))
    return bool(library.WTSUnRegisterSessionNotification(wintypes.HWND(window)))


class MacNotices:
    """Calls ``left`` when the screen is locked or its saver begins, between ``start`` and ``stop``.

    Through Core Foundation, whose notifications arrive in the main run loop, which is Qt's.
    """

    def __init__(self, left: Callable[[], object], foundation: Any = None) -> None:
        """``foundation``: Core Foundation as ctypes loads it; by default the system's."""
        self._left, self._foundation = left, foundation
        # Core Foundation keeps only its address: Python has to keep it alive.
        self._callback = _Callback(lambda *_: self._left() and None)
        self._observer = ctypes.cast(self._callback, _POINTER)
        self._center = None

    def start(self) -> None:
        if self._center is not None:
            return
        system = self._foundation = self._foundation or ctypes.CDLL(ctypes.util.find_library("CoreFoundation"))
        named, added = system.CFStringCreateWithCString, system.CFNotificationCenterAddObserver
        center, release = system.CFNotificationCenterGetDistributedCenter, system.CFRelease
        named.restype, named.argtypes = _POINTER, [_POINTER, ctypes.c_char_p, ctypes.c_uint32]
        center.restype, center.argtypes = _POINTER, []
        release.restype, release.argtypes = None, [_POINTER]
        added.restype = None
        added.argtypes = [_POINTER, _POINTER, _Callback, _POINTER, _POINTER, ctypes.c_long]
        self._center = center()
        for name in _LEAVING:
            text = named(None, name, _UTF8)
            added(self._center, self._observer, self._callback, text, None, _DELIVER_IMMEDIATELY)
            release(text)

    def stop(self) -> None:
        if self._center is None:
            return
        removed = self._foundation.CFNotificationCenterRemoveEveryObserver
        removed.restype, removed.argtypes = None, [_POINTER, _POINTER]
        removed(self._center, self._observer)
        self._center = None
