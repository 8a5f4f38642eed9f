"""Tells when the computer goes to sleep or its screen is locked: what each system's listener is."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal


class ScreenLock(QObject):
    """``left`` when the screen is locked or the computer is about to sleep, while started.

    This one hears nothing: for systems that say nothing, and for tests, which emit ``left`` themselves.
    """

    left = Signal()

    def start(self) -> None:
        """Begin to listen; more than once is harmless."""

    def stop(self) -> None:
        """What the system says from now on is not passed on."""
