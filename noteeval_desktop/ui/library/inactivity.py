"""Tells when nobody has touched the program for a while, and when the computer slept."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QTimer, Signal

_TICK_MS = 5000
_TOUCHES = frozenset(
    {
        QEvent.Type.KeyPress,
        QEvent.Type.MouseButtonPress,
        QEvent.Type.MouseMove,
        QEvent.Type.Wheel,
        QEvent.Type.TouchBegin,
        QEvent.Type.TabletPress,
    }
)


class Inactivity(QObject):
    """``passed`` once after ``minutes`` without a touch, up to five seconds early: of the touches between two looks the
    first is noted, and nothing listens until the next. Wall time: a computer that slept wakes up locked."""

    passed = Signal()

    def __init__(self, minutes: Callable[[], int], parent: QObject, clock: Callable[[], float] = time.time) -> None:
        super().__init__(parent)
        self._minutes, self.clock = minutes, clock
        self._touched = 0.0
        self._timer = QTimer(self)
        self._timer.setInterval(_TICK_MS)
        self._timer.timeout.connect(self.look)

    def start(self) -> None:
        """Watches the events of the program: only while there is something to lock."""
        self._touched = self.clock()
        self._timer.start()
        self._listen()

    def stop(self) -> None:
        self._timer.stop()
        self._rest()

    def look(self) -> None:
        if not self._timer.isActive():
            return
        if self.clock() - self._touched >= 60 * self._minutes():
            self.stop()
            self.passed.emit()
        else:
            self._listen()

    def _listen(self) -> None:
        if (application := QCoreApplication.instance()) is not None:
            application.installEventFilter(self)

    def _rest(self) -> None:
        if (application := QCoreApplication.instance()) is not None:
            application.removeEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in _TOUCHES:
            # The first touch after a sleep must not pass for presence during it.
            self.look()
            self._touched = self.clock()
            self._rest()
        return False
