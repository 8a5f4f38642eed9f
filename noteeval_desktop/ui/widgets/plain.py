"""Text from files and models is shown as it is: no markup, no mnemonics, no links."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QCursor, QFileOpenEvent, QHelpEvent, QKeyEvent, QKeySequence, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractItemView, QApplication, QComboBox, QLabel, QSplitter, QToolTip, QWidget

from noteeval_desktop.domain.phrases import shortened as shortened


class Application(QApplication):
    """``file_opened(Path)``: macOS names the files to open here, not on the command line, also while it runs.
    ``tip_due``: the pointer has rested, and whatever is below is about to be asked for its tooltip."""

    file_opened = Signal(object)
    tip_due = Signal()

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QFileOpenEvent) and event.url().isLocalFile():
            self.file_opened.emit(Path(event.file()))
            return True
        if event.type() is QEvent.Type.Timer:  # its only two are those of tooltips
            self.tip_due.emit()
        return super().event(event)


NO_END_MS = 2**31 - 1
_LEAST_SHOWN = 4  # "S…" tells nobody anything
_BREAK = "\u200b"  # of no width
_LONG_WORD = re.compile(rf"[^\s{_BREAK}]{{65,}}")  # a SHA-256, which is copied, stays as it is


def breakable(text: str) -> str:
    """With places to break in words that are longer than a line: Qt breaks at words only, and would cut one off or
    widen the window for it."""
    return _LONG_WORD.sub(lambda word: _BREAK.join(re.findall(".{1,10}", word[0])), text)


class PlainLabel(QLabel):
    """A label that never reads its text as markup."""

    def __init__(self, text: str = "", look: str = "", wrap: bool = False) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(wrap)
        if look:
            self.setProperty("look", look)
        self.setText(text)

    def setText(self, text: str) -> None:
        super().setText(breakable(text) if self.wordWrap() else text)

    def say(self, text: str) -> None:
        """What happened, for a screen reader too."""
        self.setText(text)
        self.setAccessibleName(text)


class ElidedLabel(PlainLabel):
    """A line that ends in "…" where there is no room, if it can behind a " · " (what is cut there misleads nobody, as
    "nothing …" would), with all of it as tooltip: it must not widen the window.

    The tooltip is made when it is asked for: one that is set would be read as a description, after the text itself.
    """

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent) and not self.toolTip():
            show_tip(event.globalPos(), tooltip(self.text()), self)
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, self.shown)

    @property
    def shown(self) -> str:
        """What there is room for."""
        whole = left = self.text()
        while (cut := left if left == whole else f"{left} …") and self.fontMetrics().horizontalAdvance(
            cut
        ) > self.width():
            if " · " not in left:
                cut = self.fontMetrics().elidedText(cut, Qt.TextElideMode.ElideRight, self.width())
                return cut if len(cut) >= _LEAST_SHOWN else ""
            left = left.rpartition(" · ")[0]
        return cut


def tooltip(text: str) -> str:
    """``text`` for a tooltip, which Qt would otherwise take for HTML when it looks like it."""
    # Not above: the first screen shows none, and html brings the names of two thousand characters.
    from html import escape

    return f"<p style='white-space:pre-wrap'>{escape(text)}</p>" if text else ""


def show_tip(at: QPoint, text: str, of: QWidget, while_in: QRect | None = None) -> None:
    """Until the pointer moves on: nobody has to read against the clock. ``text`` is a ``tooltip``; empty ends it."""
    application = QApplication.instance()
    if isinstance(application, Application):  # asked for by a key, it comes without the pointer
        application.tip_due.emit()
    QToolTip.showText(at, text, of, while_in or QRect(), NO_END_MS)


def explain(widget: QWidget, text: str) -> None:
    """``text`` as tooltip, and without markup as description for a screen reader."""
    widget.setToolTip(tooltip(text))
    widget.setAccessibleDescription(text)


def name_choice(box: QComboBox, name: str) -> None:
    """For a box without a label: on Linux Qt gives what is chosen as its name, and only the description is left."""
    box.setAccessibleName(name)
    box.setAccessibleDescription(name)


def in_font_of(whole: QWidget, parts: Iterable[QWidget]) -> None:
    """For what is put in later: under a style sheet Qt does not give it the font that the reader enlarged."""
    for part in parts:
        part.setFont(whole.font())


def read_in_order(split: QSplitter) -> None:
    """A splitter puts each new pane below those before it, and a screen reader reads from the lowest up."""
    panes = [split.widget(number) for number in range(split.count())]
    for part in (*panes, *(split.handle(number) for number in range(1, split.count()))):
        if part is not None:
            part.raise_()


def native(keys: str) -> str:
    """``keys``, as "Ctrl+S", in this system's writing, as "⌘S"."""
    return QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)


def menu_text(text: str) -> str:
    """``text`` for a button or a menu, where ``&`` would mark a key."""
    return text.replace("&", "&&")


def announce(widget: QWidget, text: str) -> None:
    if text:
        # Not above: PySide sets up all that its events can be.
        from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent

        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, text))


_LOOK_MS = 1000


class Tips(QObject):
    """Tooltips stay while they are read (WCAG 2.2, 1.4.13): Qt's end by time, and when the pointer goes to them. Here
    one ends when the pointer has left it and what it explains, or at Esc, which then does nothing else.

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
