"""Tooltips that stay while they are read (WCAG 2.2, 1.4.13): Qt's end by time, and when the pointer goes to them."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QCursor, QHelpEvent, QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QApplication, QToolTip, QWidget

from noteeval_desktop.ui.widgets.plain import NO_END_MS, Application, show_tip

_LOOK_MS = 1000


class Tips(QObject):
    """A tooltip ends when the pointer has left it and what it explains, or at Esc, which then does nothing else.

    Listens only while there is one or is about to be: that Python sees every event of the program was a quarter of all
    that the window computed.
    """

    def __init__(self, application: Application, parent: QObject) -> None:
        super().__init__(parent)
        self._application = application
        self._looking = QTimer(self, interval=_LOOK_MS)
        self._looking.timeout.connect(self._look)
        application.tip_due.connect(self._listen)

    def _listen(self) -> None:
        self._application.installEventFilter(self)
        self._looking.start()

    def _look(self) -> None:
        if not QToolTip.isVisible():
            self._looking.stop()
            self._application.removeEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind is QEvent.Type.ToolTip and isinstance(watched, QWidget) and isinstance(event, QHelpEvent):
            return self._asked(watched, event)
        if kind is QEvent.Type.Timer and watched.inherits("QTipLabel"):
            return QApplication.widgetAt(QCursor.pos()) is watched  # its timers hide it, and come again
        if kind in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress) and isinstance(event, QKeyEvent):
            return event.key() == Qt.Key.Key_Escape and QToolTip.isVisible() and self._ended(event)
        return False

    def _asked(self, watched: QWidget, event: QHelpEvent) -> bool:
        watched.setToolTipDuration(NO_END_MS)
        view = watched.parent()
        if not isinstance(view, QAbstractItemView) or view.viewport() is not watched:
            return False
        index = view.indexAt(event.pos())
        said = index.data(Qt.ItemDataRole.ToolTipRole)
        if said:
            show_tip(event.globalPos(), said, watched, view.visualRect(index))
        return bool(said)

    def _ended(self, event: QKeyEvent) -> bool:
        if event.type() is QEvent.Type.KeyPress:
            for shown in QApplication.topLevelWidgets():
                if shown.inherits("QTipLabel"):
                    shown.hide()
        event.accept()
        return True
