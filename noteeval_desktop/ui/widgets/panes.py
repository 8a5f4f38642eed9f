"""A splitter whose panes keep their shares of the window, whatever narrow size it had in between."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QByteArray, QDataStream, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QWidget


class Panes(QSplitter):
    """``shares`` are widths in pixels in a window of their sum; the reader's own drag replaces them.

    ``last_needs``: the width below which the others give way to the last pane, until the reader drags it narrower.
    Where even that is too narrow the first pane is folded away, unless the reader wants it; ``folded`` says so.
    """

    folded = Signal(bool)

    def __init__(self, shares: Sequence[int], last_needs: Callable[[], int]) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._shares: tuple[int, ...] = tuple(shares)
        self._last_needs, self._gives_way = last_needs, True
        self._unshown: QByteArray | None = QByteArray()
        self._wanted: dict[int, bool] = {}
        self._text = 1.0
        self.splitterMoved.connect(self._on_moved)

    def restoreState(self, state: QByteArray | bytes | bytearray | memoryview) -> bool:
        done = super().restoreState(state)
        if done:
            self._unshown = QByteArray(state)
            # Not from the splitter: in another window than the one that they were kept in they are other sizes, and
            # a last pane that is narrower there was not made so by the reader.
            # What QSplitter.saveState wrote begins with a mark, a version, and the sizes with their count before them.
            stream = QDataStream(self._unshown)
            stream.readInt32(), stream.readInt32()
            kept = tuple(stream.readInt32() for _ in range(stream.readInt32()))
            if len(kept) == self.count() and all(kept):
                self._shares, self._gives_way = kept, kept[-1] >= self._last_needs()
        return done

    def saveState(self) -> QByteArray:
        """What was restored, or nothing, where it was never shown: its sizes would be those of no window."""
        return super().saveState() if self._unshown is None else self._unshown

    def toggle(self, number: int) -> None:
        self.want(number, self._panes[number].isHidden())

    def want(self, number: int, shown: bool) -> None:
        """The reader's wish, which holds for every width."""
        self._wanted[number] = shown
        self._fold()
        self.setSizes(self._shared(self._room))

    def widen(self, number: int, by: int) -> None:
        """``by`` pixels more, or fewer, for one pane, from the widest of the others: without dragging."""
        sizes = self.sizes()
        other = max((n for n in range(len(sizes)) if n != number), key=lambda n: sizes[n])
        panes = self._panes
        by = max(panes[number].minimumWidth() - sizes[number], min(by, sizes[other] - panes[other].minimumWidth()))
        sizes[number] += by
        sizes[other] -= by
        self.setSizes(sizes)
        self._on_moved()

    def suit(self, text: float) -> None:
        """``text``: how many times the usual size the reader's is. Three panes of large text need a wider window."""
        self._text = text
        if self._unshown is None:
            self._fold()
            self.setSizes(self._shared(self._room))

    @property
    def _panes(self) -> list[QWidget]:
        return [pane for number in range(self.count()) if (pane := self.widget(number)) is not None]

    @property
    def _room(self) -> int:
        """For the panes that are shown. Their sizes from before one was folded, or came back, lack a handle or have one
        too many, and the last pane would be short of a pixel for its tabs."""
        shown = sum(not pane.isHidden() for pane in self._panes)
        return self.contentsRect().width() - self.handleWidth() * max(0, shown - 1)

    def _fold(self) -> None:
        panes = self._panes
        least = round(self._text * sum(pane.minimumWidth() for pane in panes[:-1])) + self._last_needs()
        for number, pane in enumerate(panes):
            pane.setVisible(self._wanted.get(number, number > 0 or self.width() >= least))
        self.folded.emit(panes[0].isHidden())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._unshown = None
        self._fold()
        self.setSizes(self._shared(self._room))

    def _shared(self, width: int) -> list[int]:
        shares = [0 if pane.isHidden() else share for pane, share in zip(self._panes, self._shares, strict=True)]
        whole = sum(shares) or 1
        sizes = [round(width * share / whole) for share in shares]
        lack = self._last_needs() - sizes[-1] if sizes[-1] and self._gives_way else 0
        if lack > sum(max(0, size - pane.minimumWidth()) for size, pane in zip(sizes[:-1], self._panes, strict=False)):
            return sizes  # what the others could give would not help it
        for number in range(len(sizes) - 2, -1, -1):
            pane = self._panes[number]
            given = max(0, min(lack, sizes[number] - pane.minimumWidth()))
            sizes[number] -= given
            sizes[-1] += given
            lack -= given
        return sizes

    def _on_moved(self) -> None:
        if all(self.sizes()):
            self._shares = tuple(self.sizes())
        self._gives_way = self._shares[-1] >= self._last_needs()
