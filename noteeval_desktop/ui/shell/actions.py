"""Commands as actions: their menus, and their keys, which the reader may change on a sheet of all of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractButton, QFormLayout, QKeySequenceEdit, QLineEdit, QMenu, QMenuBar, QWidget

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.ui.case.empty_state import Recent
from noteeval_desktop.ui.widgets.parts import Window, button, column, row, scrolling
from noteeval_desktop.ui.widgets.plain import PlainLabel, menu_text, native
from noteeval_desktop.ui.widgets.theme import HIT, UNIT


@dataclass(frozen=True, slots=True)
class Command:
    """``name`` is stable; ``does`` takes the window, once its rooms are built; ``keys`` are alternatives, the first is
    shown. ``needs`` "case" or "check": off until there is one."""

    name: str
    text: str
    does: Callable[..., object]
    keys: tuple[str, ...] = ()
    separated: bool = False
    needs: str = ""


Menus = Mapping[str, Sequence[Command]]


def make_actions(owner: QWidget, commands: Sequence[Command], ask: Callable[[Command], object]) -> dict[str, QAction]:
    """One action a command, which ``ask`` gets; without keys."""
    actions = {}
    for command in commands:
        action = QAction(command.text, owner)
        action.setObjectName(command.name)
        action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
        action.triggered.connect(lambda _=False, command=command: ask(command))
        action.setEnabled(not command.needs)
        owner.addAction(action)
        actions[command.name] = action
    return actions


def keys_of(command: Command, changed: Mapping[str, str]) -> tuple[str, ...]:
    """``changed``: keys by command, where the reader chose another; empty for none."""
    if command.name not in changed:
        return command.keys
    return (changed[command.name],) if changed[command.name] else ()


def set_keys(actions: Mapping[str, QAction], commands: Sequence[Command], changed: Mapping[str, str]) -> None:
    """``changed`` as in ``keys_of``."""
    for command in commands:
        keys, action = keys_of(command, changed), actions[command.name]
        action.setShortcuts([QKeySequence(key) for key in keys])
        action.setToolTip(command.text + (f" ({native(keys[0])})" if keys else ""))


def name_keys(named: QAbstractButton, action: QAction) -> None:
    """The command's words and keys as the button's tooltip, also when the reader chooses other keys."""

    def show() -> None:
        named.setToolTip(action.toolTip())

    action.changed.connect(show)
    show()


def fill_menus(bar: QMenuBar, menus: Menus, actions: Mapping[str, QAction]) -> QMenu:
    """Returns the menu of recent cases, which is filled when they are known."""
    recent = QMenu(tr("Open recent"), bar)
    recent.setEnabled(False)
    for title, commands in menus.items():
        menu = bar.addMenu(title)
        for command in commands:
            if command.separated and menu.actions():
                menu.addSeparator()
            menu.addAction(actions[command.name])
            if command.name == "open_sample":
                menu.addMenu(recent)
    return recent


def show_recent_menu(menu: QMenu, cases: Recent) -> None:
    menu.clear()
    menu.setEnabled(bool(cases))
    for name, open_it in cases:
        menu.addAction(menu_text(name)).triggered.connect(lambda _=False, act=open_it: act())


class _KeysField(QKeySequenceEdit):
    """Esc leaves the field as it is, and is no key to choose: the next one closes the sheet."""

    left = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Cancel):
            self.left.emit()
        else:
            super().keyPressEvent(event)


class KeysSheet(Window):
    """``save`` gets the keys that differ from the usual ones, by command, at every change."""

    def __init__(
        self,
        parent: QWidget,
        title: str,
        commands: Sequence[Command],
        changed: Mapping[str, str],
        save: Callable[[dict[str, str]], object],
    ) -> None:
        super().__init__(parent, title, (70 * UNIT, 80 * UNIT))
        self._commands, self._changed, self._save = commands, dict(changed), save
        self.fields: dict[str, _KeysField] = {}
        self.said = PlainLabel(tr("Click a field and press the new keys."), look="muted", wrap=True)
        inside = QWidget()
        form = QFormLayout(inside)
        form.setHorizontalSpacing(4 * UNIT)
        for command in self._commands:
            field = self.fields[command.name] = _KeysField()
            self._show(command)
            field.setMaximumSequenceLength(1)
            field.setClearButtonEnabled(True)
            field.setMinimumHeight(HIT)
            # What is typed into is a field inside, and a screen reader hears of that.
            for named in (field, *field.findChildren(QLineEdit)):
                named.setAccessibleName(tr("Keys for {text}").format(text=command.text))
            field.keySequenceChanged.connect(lambda keys, of=command: self._choose(of, keys.toString()))
            form.addRow(PlainLabel(command.text.removesuffix("…")), field)
        close = button(tr("Close"), self.close, height=HIT)
        foot = row((self.said, 1), button(tr("Reset all keys"), self.use_usual, height=HIT), close)
        column((scrolling(inside), 1), foot, on=self, margins=(2,))
        # A field would take the first key that is pressed.
        close.setFocus()
        for field in self.fields.values():
            field.left.connect(close.setFocus)

    def _choose(self, command: Command, keys: str) -> None:
        for other in self._commands if keys else ():
            # As Qt writes them, so that they compare.
            if other is not command and keys in (QKeySequence(k).toString() for k in keys_of(other, self._changed)):
                taken = tr("{keys} is already used for “{text}”.")
                self.said.setText(taken.format(keys=native(keys), text=other.text.removesuffix("…")))
                self._show(command)
                return
        if keys == next(iter(command.keys), ""):
            self._changed.pop(command.name, None)
        else:
            self._changed[command.name] = keys
        self.said.setText(tr("Saved."))
        self._save(dict(self._changed))

    def use_usual(self) -> None:
        self._changed.clear()
        for command in self._commands:
            self._show(command)
        self.said.setText(tr("All keys are reset."))
        self._save({})

    def _show(self, command: Command) -> None:
        field = self.fields[command.name]
        field.blockSignals(True)
        field.setKeySequence(QKeySequence(next(iter(keys_of(command, self._changed)), "")))
        field.blockSignals(False)
