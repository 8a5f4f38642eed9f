"""What dialogs are made of: a question with fields, which says what went wrong and loses nothing, and a list."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, Self, TypeVar

from PySide6.QtCore import QSize, Qt, Signal, SignalInstance
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QDialog, QFormLayout, QLineEdit, QPushButton, QTreeWidget, QTreeWidgetItem, QWidget

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.ui.widgets.parts import PushButton, button, column, field, row, show_once
from noteeval_desktop.ui.widgets.plain import PlainLabel, announce
from noteeval_desktop.ui.widgets.theme import HIT, UNIT
from noteeval_desktop.ui.widgets.words import CANCEL, PASSPHRASE

T = TypeVar("T")


class Asking(QDialog):
    """Text, fields, a place for what went wrong, and buttons; ``asked`` when it was filled in."""

    asked = Signal()

    def __init__(self, parent: QWidget, title: str, explained: str, go: str, skip: str = CANCEL) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setModal(True)
        self.form = QFormLayout()
        self.form.setVerticalSpacing(UNIT)
        self.said = PlainLabel("", wrap=True)
        self.said.setObjectName("said")
        self.said.hide()
        self.go, self.skip = QPushButton(go), PushButton(skip)
        self.go.setProperty("look", "primary")
        self.go.setDefault(True)
        self.go.clicked.connect(lambda: self.fill_in(tr("One moment…"), self.asked))
        self.skip.clicked.connect(self.reject)
        for each in (self.skip, self.go):
            each.setMinimumHeight(HIT + 4)
        self.buttons = row(None, self.skip, self.go)
        first = [PlainLabel(explained, wrap=True)] if explained else []
        column(*first, self.form, self.said, self.buttons, on=self, margins=(3, 3, 3, 2), spacing=2)
        self.setMinimumWidth(58 * UNIT)

    def ask(self, act: Callable[[], object]) -> Self:
        """Open it; ``act`` when it was filled in. Gone once it is closed."""
        self.asked.connect(lambda: act())
        return show_once(self)

    def side_button(self, number: int, text: str, does: Callable[[], object]) -> QPushButton:
        """Left of the buttons that every one of these dialogs has."""
        made = button(text, does)
        self.buttons.insertWidget(number, made)
        return made

    def field(self, name: str, secret: bool = False, shown: str = "") -> QLineEdit:
        made = field(name, shown, secret=secret)
        self.form.addRow(name, made)
        return made

    def problem(self) -> str:
        """What is wrong with what was filled in; empty: nothing."""
        return ""

    def show_problem(self, said: str) -> None:
        self.go.setEnabled(True)
        self.say(said)

    def say(self, said: str) -> None:
        self.said.setText(said)
        self.said.setVisible(bool(said))
        announce(self.said, said)
        self._make_room()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        # A screen reader reads what was made first before what was made last: the fields came after the buttons.
        for last in (self.said, *self.findChildren(QPushButton, options=Qt.FindChildOption.FindDirectChildrenOnly)):
            last.raise_()
        self._make_room()
        for number in range(self.form.rowCount()):
            item = self.form.itemAt(number, QFormLayout.ItemRole.FieldRole)
            field = item.widget() if item is not None else None
            if isinstance(field, QLineEdit) and field.isVisible() and not field.isReadOnly():
                field.setFocus()
                return

    def _make_room(self) -> None:
        """Qt gives wrapped text less height, and buttons and boxes less width, than they take."""
        layout = self.layout()
        if layout is not None:
            layout.activate()
            margins = layout.contentsMargins()
            inside = max(self.buttons.sizeHint().width(), self.form.minimumSize().width())
            self.setMinimumWidth(max(self.minimumWidth(), inside + margins.left() + margins.right()))
            self.setMinimumHeight(layout.totalHeightForWidth(self.width()))

    def fill_in(self, said: str, signal: SignalInstance) -> None:
        """``signal`` what was filled in, and say meanwhile what goes on; or what is wrong with it."""
        if problem := self.problem():
            self.show_problem(problem)
            return
        self.go.setEnabled(False)
        self.say(said)
        signal.emit()


class OnePassphrase(Asking):
    """A passphrase that is known: of a case file, or of the library before something that must be meant."""

    def __init__(self, parent: QWidget, title: str, explained: str, button: str) -> None:
        super().__init__(parent, title, explained, button)
        self.passphrase = self.field(PASSPHRASE, secret=True)


@dataclass(frozen=True)
class Column(Generic[T]):
    """Of a list: its heading, its width in pixels, and what stands in it of a row."""

    name: str
    width: int
    text: Callable[[T], str]


class Listing(QTreeWidget):
    """A list with headings; ``columns``: name and width in pixels."""

    def __init__(self, name: str, columns: Sequence[tuple[str, int]]) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setHeaderLabels([heading for heading, _ in columns])
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setAllColumnsShowFocus(True)
        for number, (_, width) in enumerate(columns):
            self.setColumnWidth(number, width)


class Rows(Listing, Generic[T]):
    """A line a value."""

    def __init__(self, name: str, columns: Sequence[Column[T]]) -> None:
        super().__init__(name, [(column.name, column.width) for column in columns])
        self.columns = tuple(columns)

    def show_rows(self, values: Iterable[T]) -> None:
        """In place of those shown before; the first is chosen."""
        self.clear()
        self.addTopLevelItems([self.line(value) for value in values])
        if (first := self.topLevelItem(0)) is not None:
            self.setCurrentItem(first)

    def line(self, value: T) -> QTreeWidgetItem:
        return line([column.text(value) for column in self.columns], value)

    def chosen(self) -> T | None:
        item = self.currentItem()
        return item.data(0, Qt.ItemDataRole.UserRole) if item is not None else None


def line(cells: Sequence[str], value: object = None) -> QTreeWidgetItem:
    item = QTreeWidgetItem(list(cells))
    item.setData(0, Qt.ItemDataRole.UserRole, value)
    item.setSizeHint(0, QSize(0, HIT))
    return item
