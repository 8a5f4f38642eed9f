"""Says what happened and how to go on, without standing in the way."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QFrame, QPushButton, QWidget

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.ui.widgets.parts import ToolButton, dressed, restyle, row
from noteeval_desktop.ui.widgets.plain import PlainLabel, announce, in_font_of
from noteeval_desktop.ui.widgets.theme import HIT


class Banner(QFrame):
    """One message at a time, the newest; stays until it is closed or replaced."""

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
