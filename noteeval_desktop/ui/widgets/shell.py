"""What a room may ask of the window around it: no room imports the window, which alone knows every room."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QMainWindow, QToolButton, QWidget

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.settings import Settings
from noteeval_desktop.ui.widgets.banner import Banner
from noteeval_desktop.ui.widgets.jobs import JobRunner
from noteeval_desktop.ui.widgets.parts import grounded, row, tool
from noteeval_desktop.ui.widgets.plain import ElidedLabel, PlainLabel
from noteeval_desktop.ui.widgets.theme import HIT, UNIT
from noteeval_desktop.ui.widgets.words import CANCEL


class StatusLine(QWidget):
    cancel_asked = Signal()
    step_asked = Signal(int)
    undo_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        grounded(self, "status_line")
        self._news, self._done, self._checked, self._whose, self._draft = "", "", "", "", ""
        self._said = ElidedLabel("", look="muted")
        self._place = PlainLabel("", look="muted")
        self.cancel = _button(CANCEL, tr("Stop checking"), self.cancel_asked.emit)
        self.cancel.hide()
        self.undo = _button(tr("Undo"), tr("Undo"), self.undo_asked.emit)
        self.undo.hide()
        self._place.setMinimumWidth(self._place.fontMetrics().horizontalAdvance(tr("188 of 188")))
        self._place.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        back = _button("◂", tr("Previous suggestion"), lambda: self.step_asked.emit(-1))
        self.steps = back, _button("▸", tr("Next suggestion"), lambda: self.step_asked.emit(1))
        # First, and the place as wide as it gets: what is under the mouse stays there when a check begins or ends.
        parts = self.cancel, self.undo, (self._said, 1), self._place, *self.steps
        self._row = row(*parts, on=self, margins=(2, 0.25, 1, 0.25), spacing=0.5)

    def add(self, widget: QWidget) -> None:
        """Between what was checked and the place among the findings."""
        self._row.insertWidget(self._row.indexOf(self._place), widget)
        self._row.insertSpacing(self._row.indexOf(self._place), UNIT)

    def show_working(self, said: str) -> None:
        self._said.setText(said)
        self.cancel.show()

    def show_idle(self) -> None:
        self.cancel.hide()
        # Where there is no room for all, the end goes: what is saved and whose marks these are is asked for more often.
        parts = (self._news, self._done, self._draft, self._whose, self._checked)
        self._said.setText(" · ".join(filter(None, parts)))

    def say(self, news: str) -> None:
        """What was just done: first, until something else is to be said."""
        self._show(news)

    def show_done(self, said: str) -> None:
        """What was decided last, and can be undone."""
        self._done = said
        self.undo.setVisible(bool(said))
        self._show()

    def show_checked(self, said: str) -> None:
        self._checked = said
        self._show()

    def show_whose(self, said: str) -> None:
        self._whose = said
        self._show()

    def show_draft(self, said: str) -> None:
        self._draft = said
        self._show()

    def _show(self, news: str = "") -> None:
        self._news = news
        if self.cancel.isHidden():
            self.show_idle()

    def show_place(self, said: str, steps: bool) -> None:
        self._place.setText(said)
        for button in self.steps:
            button.setEnabled(steps)

    @property
    def text(self) -> str:
        return self._said.text()


def _button(text: str, said: str, does: Callable[[], object]) -> QToolButton:
    button = tool(text, does, hint=said)
    button.setAccessibleName(said)
    button.setMinimumWidth(HIT)
    return button


class KeyedWindow(QMainWindow):
    """Enter presses the button that has the focus, as it does in a dialog."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        button = self.focusWidget()
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter) or not isinstance(button, QAbstractButton):
            super().keyPressEvent(event)
        else:
            button.click()


class Shell(KeyedWindow):
    """A class and no protocol, because a room's dialogs take it for their parent."""

    jobs: JobRunner
    banner: Banner
    status: StatusLine
    commands: Mapping[str, QAction]
    settings: Settings

    def keep_settings(self, settings: Settings) -> None:
        """They hold from now on, and are written soon."""
        raise NotImplementedError
