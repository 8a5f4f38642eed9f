"""What windows are put together from: rows and columns, buttons, and a question before what cannot be undone."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QCheckBox,
    QComboBox,
    QDialog,
    QFormLayout,
    QHBoxLayout,
    QLayout,
    QLineEdit,
    QListWidget,
    QMessageBox,
    QPlainTextEdit,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.ui.widgets.plain import breakable, explain, name_choice
from noteeval_desktop.ui.widgets.theme import HIT, UNIT, open_at

L = TypeVar("L", bound=QBoxLayout)
B = TypeVar("B", QPushButton, QToolButton)
W = TypeVar("W", bound=QWidget)
D = TypeVar("D", bound=QDialog)
# What stands in a row or a column: with a share of the room that is left, where it takes one; None takes it all.
Part = QWidget | QLayout | None
Parts = Part | tuple[Part, int]
Margins = tuple[float, ...] | None


def row(*parts: Parts, on: QWidget | None = None, margins: Margins = None, spacing: float | None = None) -> QHBoxLayout:
    """Side by side; ``margins`` (one for all, or left, top, right, bottom) and ``spacing`` in UNITs, or the style's."""
    return _filled(QHBoxLayout(on) if on else QHBoxLayout(), parts, margins, spacing)


def column(
    *parts: Parts, on: QWidget | None = None, margins: Margins = None, spacing: float | None = None
) -> QVBoxLayout:
    """One below the other; as ``row``."""
    return _filled(QVBoxLayout(on) if on else QVBoxLayout(), parts, margins, spacing)


def _filled(layout: L, parts: tuple[Parts, ...], margins: Margins, spacing: float | None) -> L:
    if margins is not None:
        layout.setContentsMargins(*(round(side * UNIT) for side in (margins if len(margins) == 4 else 4 * margins)))
    if spacing is not None:
        layout.setSpacing(round(spacing * UNIT))
    for each in parts:
        part, share = each if isinstance(each, tuple) else (each, 0)
        if part is None:
            layout.addStretch(share or 1)
        elif isinstance(part, QLayout):
            layout.addLayout(part, share)
        else:
            layout.addWidget(part, share)
    return layout


def empty(layout: QLayout) -> None:
    """Nothing that stood in it is seen or kept."""
    while (item := layout.takeAt(0)) is not None:
        if (widget := item.widget()) is not None:
            widget.hide()
            widget.deleteLater()


class PushButton(QPushButton):
    """Enter presses it where it has the focus, and nowhere else: of one that is no default, Qt would press the dialog's
    default in its place."""

    def __init__(self, text: str = "") -> None:
        super().__init__(text)
        self.setAutoDefault(False)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)


class ToolButton(QToolButton):
    """Enter presses it where it has the focus: Qt would hand Enter on, to a dialog's default or to the window."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)


def button(text: str, does: Callable[[], object], look: str = "", hint: str = "", height: int = HIT + 4) -> QPushButton:
    """``look`` as in the style sheet."""
    return dressed(PushButton(), text, does, look, hint, height)


def tool(text: str, does: Callable[[], object], look: str = "", hint: str = "", height: int = HIT) -> QToolButton:
    """One for a bar; as ``button``."""
    return dressed(ToolButton(), text, does, look, hint, height)


def dressed(made: B, text: str, does: Callable[[], object], look: str = "", hint: str = "", height: int = HIT) -> B:
    """A button of any kind; as ``button``."""
    made.setText(text)
    made.setMinimumHeight(height)
    made.clicked.connect(lambda: does())
    if look:
        made.setProperty("look", look)
    if hint:
        explain(made, hint)
    return made


def restyle(shown: QWidget, name: str, value: str) -> None:
    """With another property that the style sheet tells widgets apart by."""
    shown.setProperty(name, value)
    shown.style().unpolish(shown)
    shown.style().polish(shown)


def tick(text: str, on: bool = False, hint: str = "") -> QCheckBox:
    made = QCheckBox(text)
    made.setMinimumHeight(HIT)
    made.setChecked(on)
    if hint:
        explain(made, hint)
    return made


def choice(
    name: str,
    entries: Iterable[tuple[str, object]] = (),
    chosen: object = None,
    does: Callable[[], object] | None = None,
) -> QComboBox:
    """``entries``: names and what they stand for, the first where ``chosen`` is none of these; ``does`` once the reader
    has chosen."""
    made = QComboBox()
    name_choice(made, name)
    made.setMinimumHeight(HIT)
    for text, value in entries:
        made.addItem(text, value)
    if chosen is not None:
        made.setCurrentIndex(max(made.findData(chosen), 0))
    if does is not None:
        made.activated.connect(lambda _: does())
    return made


def field(name: str, shown: str = "", hint: str = "", secret: bool = False) -> QLineEdit:
    """A line to type in; ``hint`` while it is empty."""
    made = QLineEdit(shown)
    made.setAccessibleName(name)
    made.setPlaceholderText(hint)
    made.setMinimumHeight(HIT)
    if secret:
        made.setEchoMode(QLineEdit.EchoMode.Password)
    return made


def search_field(name: str) -> QLineEdit:
    made = field(name, hint=name)
    made.setClearButtonEnabled(True)
    return made


def writing(name: str, shown: str = "", hint: str = "", read_only: bool = False) -> QPlainTextEdit:
    """Lines to type in, which Tab leaves; ``hint`` while there are none."""
    made = QPlainTextEdit(shown)
    made.setAccessibleName(name)
    made.setPlaceholderText(hint)
    made.setTabChangesFocus(True)
    made.setReadOnly(read_only)
    return made


def wrapped_list(name: str) -> QListWidget:
    made = QListWidget()
    made.setAccessibleName(name)
    made.setWordWrap(True)
    made.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    return made


def form(on: QWidget | None = None, margin: float = 0) -> QFormLayout:
    """Names and fields, which take the room; ``margin`` in UNITs."""
    made = QFormLayout(on) if on else QFormLayout()
    made.setContentsMargins(*4 * [round(margin * UNIT)])
    made.setSpacing(UNIT)
    made.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
    return made


def progress_bar(name: str, steps: int = 100, thin: bool = False) -> QProgressBar:
    made = QProgressBar()
    made.setRange(0, steps)
    made.setTextVisible(False)
    made.setAccessibleName(name)
    if thin:
        made.setObjectName("progress_line")
        made.setFixedHeight(3)
    return made


def grounded(made: W, name: str) -> W:
    """With a ground of its own, by its ``name`` in the style sheet."""
    made.setObjectName(name)
    made.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    return made


def scrolling(inside: QWidget, name: str = "around") -> QScrollArea:
    """``inside``, as wide as there is room, in an area that scrolls."""
    made = QScrollArea()
    made.setObjectName(name)
    made.setWidgetResizable(True)
    made.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    made.setWidget(inside)
    return made


class Fitted(QWidget):
    """Calls ``fit`` whenever its room or its letters have changed."""

    def fit(self) -> None:
        raise NotImplementedError

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.fit()


class Window(QDialog):
    """``size``: at first. ``once``: gone once it is closed."""

    def __init__(self, parent: QWidget | None, title: str, size: tuple[int, int], once: bool = False) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, once)
        open_at(self, *size)


def show_once(dialog: D, modal: bool = True) -> D:
    """Gone once it is closed."""
    dialog.finished.connect(dialog.deleteLater)
    if modal:
        dialog.open()
    else:
        dialog.show()
    return dialog


class MenuButton(ToolButton):
    """Opens its menu by click, Space and Enter; ``look`` as in the style sheet.

    In this mode alone a screen reader is told that the menu hangs on the button; the part with an arrow has no width.
    """

    def __init__(self, text: str = "", look: str = "push") -> None:
        super().__init__()
        self.setText(text)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)
        self.setProperty("look", look)
        self.setMinimumHeight(HIT)
        self.clicked.connect(self.showMenu)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """The second press does nothing: it may have been meant for what lay there before."""
        event.accept()


def sure(parent: QWidget, asked: str, explained: str, go: str, stay: str = "", title: str = "") -> bool:
    """Whether the reader agrees to ``go``; Enter and Escape ``stay`` (Cancel)."""
    box = QMessageBox(parent)
    box.setWindowTitle(title)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(breakable(asked))
    box.setInformativeText(breakable(explained))
    agreed = box.addButton(go, QMessageBox.ButtonRole.DestructiveRole)
    box.setDefaultButton(box.addButton(stay or tr("Cancel"), QMessageBox.ButtonRole.RejectRole))
    box.exec()
    # What it asked about may be of a case, of which nothing stays behind.
    box.deleteLater()
    return box.clickedButton() is agreed
