"""Commands as actions: their menus, and their keys, which the reader may change."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QAbstractButton, QMenu, QMenuBar, QWidget

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.ui.case.empty_state import Recent
from noteeval_desktop.ui.widgets.plain import menu_text, native


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


def name_keys(button: QAbstractButton, action: QAction) -> None:
    """The command's words and keys as the button's tooltip, also when the reader chooses other keys."""

    def show() -> None:
        button.setToolTip(action.toolTip())

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
