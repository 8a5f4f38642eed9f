"""A window about the library: what it shows, a line that says what happened, and buttons."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QDialog, QPushButton, QWidget

from noteeval_desktop.ui.library.access import Access
from noteeval_desktop.ui.widgets.jobs import Lane
from noteeval_desktop.ui.widgets.parts import button, column, row
from noteeval_desktop.ui.widgets.plain import PlainLabel
from noteeval_desktop.ui.widgets.theme import open_at
from noteeval_desktop.ui.widgets.words import CLOSE


class Page(QDialog):
    def __init__(self, access: Access, title: str, explained: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.access = access
        self.body = column(PlainLabel(explained, wrap=True), on=self, margins=(2,), spacing=1)
        self.said = PlainLabel("", look="accent", wrap=True)
        self.said.setMinimumHeight(self.said.fontMetrics().lineSpacing())
        self.buttons = row(None, spacing=1)

    def finish(self, width: int, height: int) -> None:
        """After the parts of its own: the line that says what happened, the buttons, and Close."""
        self.body.addWidget(self.said)
        self.button(CLOSE, self.reject)
        self.body.addLayout(self.buttons)
        open_at(self, width, height)

    def button(self, text: str, does: Callable[[], object]) -> QPushButton:
        made = button(text, does)
        self.buttons.addWidget(made)
        return made

    def run(self, act: Callable[..., object], done: Callable[..., object], lane: Lane = Lane.DISK) -> None:
        """``act(library)`` off the GUI thread, then ``done``; a problem is said here."""
        self.access.run_for(self, act, done, self.said.say, lane)
