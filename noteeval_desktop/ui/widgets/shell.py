"""What a room may ask of the window around it: no room imports the window, which alone knows every room."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QFrame, QMainWindow, QPushButton, QToolButton, QWidget

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.settings import Settings
from noteeval_desktop.ui.widgets.jobs import JobRunner
from noteeval_desktop.ui.widgets.parts import ToolButton, dressed, grounded, restyle, row, tool
from noteeval_desktop.ui.widgets.plain import ElidedLabel, PlainLabel, announce, in_font_of
from noteeval_desktop.ui.widgets.theme import HIT, UNIT
from noteeval_desktop.ui.widgets.words import CANCEL


class Banner(QFrame):
    """Says what happened and how to go on. One message at a time, the newest; stays until it is closed or replaced."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("banner")
        self._label = PlainLabel("", wrap=True)
        self._label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.buttons: list[QPushButton] = []
        self._passing = False
        close = ToolButton()
        close.setText("✕")
        close.setMinimumSize(HIT, HIT)
        close.setAccessibleName(tr("Close the message"))
        close.clicked.connect(self.hide)
        self._row = row((self._label, 1), close, on=self, margins=(2, 0.5, 1, 0.5))
        self.hide()

    @property
    def text(self) -> str:
        return self._label.text() if not self.isHidden() else ""

    def say(
        self,
        message: str,
        actions: Sequence[tuple[str, Callable[[], object]]] = (),
        passing: bool = False,
        look: str = "",
    ) -> None:
        """``passing``: what is said is over once a session or a note is opened."""
        self._passing = passing
        restyle(self, "look", look)
        for button in self.buttons:
            button.hide()
            button.deleteLater()
        self.buttons = [dressed(QPushButton(), text, self.hide) for text, _ in actions]
        for button, (_, act) in zip(self.buttons, actions, strict=True):
            button.clicked.connect(lambda _=False, act=act: act())
            self._row.insertWidget(self._row.count() - 1, button)
        in_font_of(self, self.buttons)
        self._label.setText(message)
        self.setAccessibleName(message)
        self.show()
        # The focus stays where it is: without this a screen reader would say nothing.
        announce(self, message)

    def tell(self, message: str) -> None:
        """That what was asked for is done: calm, not as a warning."""
        self.say(message, passing=True, look="done")

    def qualify(self, added: str) -> None:
        """What was told is over, or holds again where nothing is ``added``. It stays: what is below must not move."""
        if self.property("look") == "done":
            self._label.setText(f"{self.accessibleName()} {added}".rstrip())

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            in_font_of(self, self.buttons)

    def let_pass(self) -> None:
        if self._passing:
            self.hide()


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
