"""A splitter whose panes keep their shares of the window, whatever narrow size it had in between."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QByteArray, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QWidget


class Panes(QSplitter):
    """``shares`` are widths in pixels in a window of their sum; the reader's own drag replaces them.

    ``last_needs``: the width below which the others give way to the last pane, until the reader drags it narrower.
    """

    def __init__(self, shares: Sequence[int], last_needs: Callable[[], int], parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._shares: tuple[int, ...] = tuple(shares)
        self._last_needs, self._gives_way = last_needs, True
        self._unshown: QByteArray | None = QByteArray()
        self.splitterMoved.connect(self._on_moved)

    def restoreState(self, state: QByteArray | bytes | bytearray | memoryview) -> bool:
        done = super().restoreState(state)
        if done:
            # A splitter that is not shown yet does not tell its sizes: they are read when it is.
            self._shares, self._unshown = (), QByteArray(state)
        return done

    def saveState(self) -> QByteArray:
        """What was restored, or nothing, where it was never shown: its sizes would be those of no window."""
        return super().saveState() if self._unshown is None else self._unshown

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._unshown = None
        if not self._shares:
            self._on_moved()
        self.setSizes(self._shared(sum(self.sizes())))

    def _shared(self, width: int) -> list[int]:
        whole = sum(self._shares) or 1
        sizes = [round(width * share / whole) for share in self._shares]
        lack = self._last_needs() - sizes[-1] if sizes[-1] and self._gives_way else 0
        for number in range(len(sizes) - 2, -1, -1):
            pane = self.widget(number)
            given = max(0, min(lack, sizes[number] - (pane.minimumWidth() if pane is not None else 0)))
            sizes[number] -= given
            sizes[-1] += given
            lack -= given
        return sizes

    def _on_moved(self) -> None:
        self._shares = tuple(self.sizes())
        self._gives_way = self._shares[-1] >= self._last_needs()
