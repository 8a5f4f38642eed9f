"""Everything that can be asked of the window: names, keys and menus, in one table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QAbstractButton, QMenu, QMenuBar, QWidget

from noteeval_desktop.ui.case.empty_state import recent_name
from noteeval_desktop.ui.findings import TABS
from noteeval_desktop.ui.shell import words
from noteeval_desktop.ui.widgets.plain import native

if TYPE_CHECKING:
    from noteeval_desktop.ui.case.drafts import RecentCase


@dataclass(frozen=True, slots=True)
class Command:
    """``name`` is stable; ``keys`` are alternatives, the first is shown; ``icon`` names a drawing."""

    name: str
    text: str
    menu: str
    keys: tuple[str, ...] = ()
    icon: str = ""
    separated: bool = False


COMMANDS = (
    Command("open_transcript", "Open session transcript…", "File", ("Ctrl+O",), "session"),
    Command("open_note", "Open note…", "File", ("Ctrl+Shift+O",), "note"),
    Command("paste_transcript", "Paste session transcript…", "File"),
    Command("paste_note", "Paste note…", "File"),
    Command("open_clipboard", "New from clipboard", "File", ("Ctrl+N",)),
    Command("review_many", "Review many…", "File", ("Ctrl+Shift+M",)),
    Command("open_sample", "Open the sample case", "File"),
    Command("swap", "Swap transcript and note", "File", (), "swap"),
    Command("save_note", "Save note", "File", ("Ctrl+S",), "", True),
    Command("save_note_as", "Save note as…", "File", ("Ctrl+Shift+S",)),
    Command("drafts", "Unsaved drafts…", "File"),
    Command("preview", "Preview and print the scorecard…", "File", ("Ctrl+P",), "", True),
    Command("export_pdf", "Export scorecard as PDF…", "File", ("Ctrl+E",), "export"),
    Command("export_json", "Export as JSON…", "File"),
    Command("export_csv", "Export as CSV…", "File"),
    Command("check_scorecard", "Check a scorecard…", "File"),
    Command("close_case", "Close the case", "File", ("Ctrl+W",), "", True),
    Command("quit", "Quit", "File", ("Ctrl+Q",)),
    Command("keep_case", "Keep this case…", "Library", ("Ctrl+K",)),
    Command("revisions", "Revisions of this case…", "Library"),
    Command("library", "Open the library…", "Library", ("Ctrl+L",), "", True),
    Command("lock", "Lock the library", "Library", ("Ctrl+Shift+L",)),
    Command("library_keys", "Passphrase and keys…", "Library", (), "", True),
    Command("backups", "Backups…", "Library"),
    Command("audit_log", "Audit log…", "Library"),
    Command("old_cases", "Old cases…", "Library"),
    Command("undo", "Undo", "Edit", ("Ctrl+Z",)),
    Command("redo", "Redo", "Edit", ("Ctrl+Shift+Z", "Ctrl+Y")),
    Command("cut", "Cut", "Edit", ("Ctrl+X",), "", True),
    Command("copy", "Copy", "Edit", ("Ctrl+C",)),
    Command("paste", "Paste", "Edit", ("Ctrl+V",)),
    Command("select_all", "Select all", "Edit", ("Ctrl+A",)),
    Command("copy_note", "Copy note", "Edit", ("Ctrl+Shift+C",)),
    Command("search", "Search this pane", "Edit", ("Ctrl+F",), "", True),
    Command("larger", "Larger text", "View", ("Ctrl++", "Ctrl+=")),
    Command("smaller", "Smaller text", "View", ("Ctrl+-",)),
    Command("usual_size", "Normal text size", "View", ("Ctrl+0",)),
    Command("session_pane", "Show or hide the session", "View", ("F9",), "", True),
    Command("findings_pane", "Show or hide the findings", "View", ("Shift+F9",)),
    Command("wider", "Widen this pane", "View"),
    Command("narrower", "Narrow this pane", "View"),
    Command("light", "Light", "View", (), "", True),
    Command("dark", "Dark", "View"),
    Command("system", "Follow the system", "View"),
    *(
        Command(f"tab_{number}", name, "Findings", (f"Ctrl+{number}",), "", number == 1)
        for number, name in enumerate(TABS, 1)
    ),
    Command("next_finding", "Next finding", "Findings", ("F8",), "", True),
    Command("previous_finding", "Previous finding", "Findings", ("Shift+F8",)),
    Command("finding_actions", "Actions for this finding", "Findings", ("Alt+Return", "Alt+Enter")),
    Command("next_pane", "Next pane", "Findings", ("F6",)),
    Command("recheck", "Check again", "Findings", ("F5",), "recheck", True),
    Command("cancel", "Stop checking", "Findings", ("Ctrl+.",)),
    Command("choose_judge", "Choose the judge…", "Findings", ("Ctrl+J",), "", True),
    Command("compare_judges", "Compare two judges…", "Findings"),
    Command("compare_reference", "Compare with a reference note…", "Findings"),
    Command("compare_responses", "Compare responses…", "Findings", ("Ctrl+Shift+R",)),
    Command("judge_settings", "Judge settings…", "Findings"),
    Command("review", "Review as supervisor…", "Supervision", ("Ctrl+R",)),
    Command("review_anew", "Review under another name…", "Supervision"),
    Command("agreement", "Agreement between raters…", "Supervision"),
    Command("trainee", "A clinician over time…", "Supervision"),
    Command("cohort", "Everybody, week by week…", "Supervision"),
    Command("submit", "Submit this note…", "Supervision", (), "", True),
    Command("feedback", "Feedback on this note…", "Supervision", ("Ctrl+Shift+F",)),
    Command("help", "How to read the marks", "Help", ("F1",), "help"),
    Command("model_card", "How the judge was made", "Help"),
    Command("keys", "Keyboard", "Help", ("Ctrl+/",)),
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


# With the letter that opens each, with Alt.
_MENUS = {
    "File": "&File",
    "Library": "&Library",
    "Edit": "&Edit",
    "View": "&View",
    "Findings": "Fi&ndings",
    "Supervision": "&Supervision",
    "Help": "&Help",
}


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
        menu = bar.addMenu(_MENUS[title])
        for command in (command for command in COMMANDS if command.menu == title):
            if command.separated and menu.actions():
                menu.addSeparator()
            menu.addAction(actions[command.name])
            if command.name == "open_sample":
                menu.addMenu(recent)
    return recent


def show_recent_menu(menu: QMenu, cases: object, choose: Callable[[RecentCase], object]) -> None:
    """Recent cases by when they were opened: a menu may be seen over someone's shoulder."""
    assert isinstance(cases, tuple)
    menu.clear()
    menu.setEnabled(bool(cases))
    for case in cases:
        menu.addAction(recent_name(case)).triggered.connect(lambda _=False, case=case: choose(case))
