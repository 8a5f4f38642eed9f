"""Tells when the computer goes to sleep or its screen is locked: what each system's listener is."""

from __future__ import annotations

from ctypes import wintypes
from typing import Any

from PySide6.QtCore import QAbstractNativeEventFilter, QByteArray, QCoreApplication, QObject, Signal
from PySide6.QtWidgets import QWidget

from noteeval_desktop.platform.session_lock import MacNotices, tell_window


class ScreenLock(QObject):
    """``left`` when the screen is locked or the computer is about to sleep, while started.

    This one hears nothing: for systems that say nothing, and for tests, which emit ``left`` themselves.
    """

    left = Signal()

    def start(self) -> None:
        """Begin to listen; more than once is harmless."""

    def stop(self) -> None:
        """What the system says from now on is not passed on."""


class MacLock(ScreenLock):
    """The notification that the screen was locked. Sleep locks the screen first, unless the user has set that off; then
    the clock of ``inactivity`` notices on waking."""

    def __init__(self, foundation: Any = None) -> None:
        super().__init__()
        self._notices = MacNotices(self.left.emit, foundation)

    def start(self) -> None:
        self._notices.start()

    def stop(self) -> None:
        self._notices.stop()


_WM_POWERBROADCAST, _PBT_APMSUSPEND = 0x0218, 0x0004
_WM_WTSSESSION_CHANGE, _WTS_SESSION_LOCK = 0x02B1, 0x0007


def means_leaving(message: int, wparam: int) -> bool:
    """Whether a window message says that the session was locked or the computer is about to sleep."""
    return (message, wparam) in ((_WM_WTSSESSION_CHANGE, _WTS_SESSION_LOCK), (_WM_POWERBROADCAST, _PBT_APMSUSPEND))


class _Filter(QAbstractNativeEventFilter):
    def __init__(self, lock: WindowsLock) -> None:
        super().__init__()
        self._lock = lock

    def nativeEventFilter(self, kind: QByteArray | bytes | bytearray | memoryview, address: int) -> object:
        if QByteArray(kind) == b"windows_generic_MSG":
            message = wintypes.MSG.from_address(int(address))
            if means_leaving(message.message, message.wParam):
                self._lock.left.emit()
        return False, 0


class WindowsLock(ScreenLock):
    """Session and power messages, which come to a window."""

    def __init__(self, window: QWidget) -> None:
        super().__init__()
        self._window = window
        self._filter = _Filter(self)
        self._told: int | None = None  # the window's handle

    def start(self) -> None:
        if (application := QCoreApplication.instance()) is not None:
            application.installNativeEventFilter(self._filter)
        # Power messages come by themselves, those of the session only when asked for.
        if self._told is None and tell_window(window := int(self._window.winId())):
            self._told = window

    def stop(self) -> None:
        if (application := QCoreApplication.instance()) is not None:
            application.removeNativeEventFilter(self._filter)
        if self._told is not None:
            tell_window(self._told, wanted=False)
            self._told = None
