"""Linux: what logind and the desktops' screen savers say on D-Bus."""

from __future__ import annotations

from PySide6.QtCore import SLOT, Slot
from PySide6.QtDBus import QDBusConnection, QDBusMessage

from noteeval_desktop.ui.library.screen_lock_port import ScreenLock

_LOGIND = "org.freedesktop.login1"
# Interface, signal, and the slot that takes its arguments.
_SYSTEM = (
    (f"{_LOGIND}.Manager", "PrepareForSleep", "on_active(bool)"),
    # Of any session: with several people logged in, the library locks once too often rather than once too seldom.
    (f"{_LOGIND}.Session", "Lock", "on_lock(QDBusMessage)"),
)
# GNOME, Cinnamon and MATE have names of their own beside the common one, which KDE and others use.
_DESKTOPS = tuple(
    (f"org.{desktop}.ScreenSaver", "ActiveChanged", "on_active(bool)")
    for desktop in ("freedesktop", "gnome", "cinnamon", "mate")
)


class DBusLock(ScreenLock):
    """Where there is no bus nothing is heard, and only inactivity locks."""

    def __init__(self, system: QDBusConnection | None = None, session: QDBusConnection | None = None) -> None:
        """The computer's buses, looked for when first started."""
        super().__init__()
        self._system, self._session = system, session
        self._connected, self._listening = False, False

    def start(self) -> None:
        self._listening = True
        if self._connected:
            return
        self._connected = True
        system = self._system or QDBusConnection.systemBus()
        session = self._session or QDBusConnection.sessionBus()
        for bus, signals in ((system, _SYSTEM), (session, _DESKTOPS)):
            for interface, name, slot in signals:
                # No service and no path: desktops differ in both. PySide takes the slot as str, whatever it declares.
                bus.connect("", "", interface, name, self, SLOT(slot))  # type: ignore[call-overload]

    def stop(self) -> None:
        self._listening = False

    @Slot(bool)
    def on_active(self, begins: bool) -> None:
        """The screen saver or sleep begins (or ends)."""
        if begins and self._listening:
            self.left.emit()

    @Slot(QDBusMessage)
    def on_lock(self, message: QDBusMessage) -> None:
        if self._listening:
            self.left.emit()
