"""Everything that can be asked of the window: names, menus and keys, in one table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QAbstractButton, QMenu, QMenuBar, QWidget

from noteeval_desktop.ui.case.empty_state import Recent
from noteeval_desktop.ui.shell import words
from noteeval_desktop.ui.widgets.plain import menu_text, native
from noteeval_desktop.ui.widgets.words import TABS


@dataclass(frozen=True, slots=True)
class Command:
    """``name`` is stable; ``keys`` are alternatives, the first is shown; ``icon`` names a drawing."""

    name: str
    menu: str
    keys: tuple[str, ...] = ()
    icon: str = ""
    separated: bool = False

    @property
    def text(self) -> str:
        return words.COMMANDS[self.name]


COMMANDS = (
    Command("open_transcript", "file", ("Ctrl+O",), "session"),
    Command("open_note", "file", ("Ctrl+Shift+O",), "note"),
    Command("open_case_file", "file"),
    Command("paste_transcript", "file"),
    Command("paste_note", "file"),
    Command("open_clipboard", "file", ("Ctrl+N",)),
    Command("review_many", "file", ("Ctrl+Shift+M",)),
    Command("open_sample", "file"),
    Command("swap", "file", (), "swap"),
    Command("save_note", "file", ("Ctrl+S",), "", True),
    Command("save_note_as", "file", ("Ctrl+Shift+S",)),
    Command("drafts", "file"),
    Command("preview", "file", ("Ctrl+P",), "", True),
    Command("export_pdf", "file", ("Ctrl+E",), "export"),
    Command("export_json", "file"),
    Command("export_csv", "file"),
    Command("check_scorecard", "file"),
    Command("close_case", "file", ("Ctrl+W",), "", True),
    Command("quit", "file", ("Ctrl+Q",)),
    Command("keep_case", "library", ("Ctrl+K",)),
    Command("revisions", "library"),
    Command("library", "library", ("Ctrl+L",), "", True),
    Command("lock", "library", ("Ctrl+Shift+L",)),
    Command("library_keys", "library", (), "", True),
    Command("backups", "library"),
    Command("audit_log", "library"),
    Command("old_cases", "library"),
    Command("undo", "edit", ("Ctrl+Z",)),
    Command("redo", "edit", ("Ctrl+Shift+Z", "Ctrl+Y")),
    Command("cut", "edit", ("Ctrl+X",), "", True),
    Command("copy", "edit", ("Ctrl+C",)),
    Command("paste", "edit", ("Ctrl+V",)),
    Command("select_all", "edit", ("Ctrl+A",)),
    Command("copy_note", "edit", ("Ctrl+Shift+C",)),
    Command("search", "edit", ("Ctrl+F",), "", True),
    Command("larger", "view", ("Ctrl++", "Ctrl+=")),
    Command("smaller", "view", ("Ctrl+-",)),
    Command("usual_size", "view", ("Ctrl+0",)),
    Command("session_pane", "view", ("F9",), "", True),
    Command("findings_pane", "view", ("Shift+F9",)),
    Command("wider", "view"),
    Command("narrower", "view"),
    Command("light", "view", (), "", True),
    Command("dark", "view"),
    Command("system", "view"),
    *(Command(f"tab_{number}", "findings", (f"Ctrl+{number}",), "", number == 1) for number in range(1, len(TABS) + 1)),
    Command("next_finding", "findings", ("F8",), "", True),
    Command("previous_finding", "findings", ("Shift+F8",)),
    Command("finding_actions", "findings", ("Alt+Return", "Alt+Enter")),
    Command("next_pane", "findings", ("F6",)),
    Command("recheck", "findings", ("F5",), "recheck", True),
    Command("cancel", "findings", ("Ctrl+.",)),
    Command("choose_judge", "findings", ("Ctrl+J",), "", True),
    Command("compare_judges", "findings"),
    Command("compare_reference", "findings"),
    Command("compare_responses", "findings", ("Ctrl+Shift+R",)),
    Command("judge_settings", "findings"),
    Command("review", "supervision", ("Ctrl+R",)),
    Command("review_anew", "supervision"),
    Command("agreement", "supervision"),
    Command("trainee", "supervision"),
    Command("cohort", "supervision"),
    Command("submit", "supervision", (), "", True),
    Command("feedback", "supervision", ("Ctrl+Shift+F",)),
    Command("first_steps", "help"),
    Command("help", "help", ("F1",), "help"),
    Command("supervisors", "help"),
    Command("model_card", "help"),
    Command("licences", "help"),
    Command("it", "help"),
    Command("privacy", "help"),
    Command("research", "help"),
    Command("keys", "help", ("Ctrl+/",)),
    Command("version", "help", (), "", True),
)


NEED_A_CHECK = (
    "preview",
    "export_pdf",
    "export_json",
    "export_csv",
    "next_finding",
    "previous_finding",
    "finding_actions",
)
NEED_A_CASE = (
    "recheck",
    "save_note",
    "save_note_as",
    "keep_case",
    "revisions",
    "submit",
    "feedback",
    "search",
    "swap",
    "close_case",
    "undo",
    "redo",
    "copy_note",
    "compare_reference",
)


def make_actions(owner: QWidget, does: Callable[[str], object], changed: Mapping[str, str]) -> dict[str, QAction]:
    """One action a command, whose name ``does`` gets; ``changed`` keys as in ``keys_of``."""
    actions = {}
    for command in COMMANDS:
        action = QAction(command.text, owner)
        action.setObjectName(command.name)
        action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
        action.triggered.connect(lambda _=False, name=command.name: does(name))
        owner.addAction(action)
        actions[command.name] = action
    set_keys(actions, changed)
    return actions


def keys_of(command: Command, changed: Mapping[str, str]) -> tuple[str, ...]:
    """``changed``: keys by command, where the reader chose another; empty for none."""
    if command.name not in changed:
        return command.keys
    return (changed[command.name],) if changed[command.name] else ()


def set_keys(actions: Mapping[str, QAction], changed: Mapping[str, str]) -> None:
    for command in COMMANDS:
        keys, action = keys_of(command, changed), actions[command.name]
        action.setShortcuts([QKeySequence(key) for key in keys])
        action.setToolTip(command.text + (f" ({native(keys[0])})" if keys else ""))


def name_keys(button: QAbstractButton, action: QAction) -> None:
    """The command's words and keys as the button's tooltip, also when the reader chooses other keys."""

    def show() -> None:
        button.setToolTip(action.toolTip())

    action.changed.connect(show)
    show()


def fill_menus(bar: QMenuBar, actions: Mapping[str, QAction]) -> QMenu:
    """Returns the menu of recent cases, which is filled when they are known."""
    recent = QMenu(words.OPEN_RECENT, bar)
    recent.setEnabled(False)
    for title in dict.fromkeys(command.menu for command in COMMANDS):
        menu = bar.addMenu(words.MENUS[title])
        for command in (command for command in COMMANDS if command.menu == title):
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
