"""What changes is said to a screen reader, politely: it waits until the reader has finished, and the focus stays."""

from __future__ import annotations

from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QWidget


def announce(widget: QWidget, text: str) -> None:
    if text:
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, text))
