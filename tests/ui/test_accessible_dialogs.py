"""What a screen reader finds in every window above the main one: each control with a name, a role and an action."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QTimer
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from noteeval_desktop.ui.judging.download_dialog import DownloadDialog
from noteeval_desktop.ui.scorecard.pdf_dialog import ask_pdf
from tests.ui.library.conftest import desk, hands
from tests.ui.supervision.conftest import Reviewer, submit
from tests.ui.test_accessibility import tree

__all__ = ["desk", "hands"]
ROLES = QAccessible.Role
PRESSED = (ROLES.Button, ROLES.ButtonMenu, ROLES.CheckBox, ROLES.RadioButton)
# An empty cell of a table has nothing to say.
READ = (ROLES.ScrollBar, ROLES.Window, ROLES.Dialog, ROLES.TreeItem, ROLES.Cell, ROLES.ListItem)
COMMANDS = (
    *("help", "model_card", "licences", "it", "privacy", "practice", "research", "checklists", "keys", "preview"),
    *("compare_responses", "drafts", "judge_settings", "choose_judge", "paste_transcript", "paste_note"),
)
LIBRARY = ("revisions", "library_keys", "backups", "audit_log", "old_cases", "agreement", "trainee", "cohort", "submit")


def windows(main: QWidget) -> set[QWidget]:
    return {widget for widget in QApplication.topLevelWidgets() if widget.isVisible() and widget is not main}


def walked(main: QWidget, act: Callable[[], object], qtbot, look_at: Callable[[QWidget], list[str]] | None = None):
    """What is wrong with the controls of the window that ``act`` opens, which is closed again."""
    before, wrong, seen = windows(main), [], []

    def look() -> None:
        for shown in windows(main) - before - set(seen):
            seen.append(shown)
            wrong.extend((look_at or faults)(shown))
            shown.close()

    timer = QTimer()
    timer.timeout.connect(look)
    timer.start(20)
    act()
    try:
        # A dialog that is closed may be gone altogether.
        qtbot.waitUntil(
            lambda: bool(seen) and not any(isValid(one) and one.isVisible() for one in seen), timeout=60_000
        )
    finally:
        timer.stop()
    return wrong


def faults(shown: QWidget) -> list[str]:
    found = []
    for node in tree(shown):
        role, name = node.role(), node.text(QAccessible.Text.Name)
        what = f"{shown.windowTitle()}: {role} {name!r} {node.object()}"
        state, widget = node.state(), node.object()
        if state.disabled or (isinstance(widget, QWidget) and widget.focusProxy() is not None):
            continue
        if state.focusable and role not in READ and not name:
            found.append(f"no name: {what}")
        if state.focusable and role is ROLES.NoRole:
            found.append(f"no role: {what}")
        if role in PRESSED and not (node.actionInterface() and node.actionInterface().actionNames()):
            found.append(f"no action: {what}")
        # Where Qt gives what is chosen for its name, a label or the description says what is chosen.
        if role is ROLES.ComboBox and not (
            node.text(QAccessible.Text.Description) or node.relations(QAccessible.RelationFlag.Label)
        ):
            found.append(f"not labelled: {what}")
        if "<p" in node.text(QAccessible.Text.Description):
            found.append(f"markup: {what}")
    return found


def test_every_control_of_a_dialog_has_a_name_a_role_and_an_action(opened, qtbot) -> None:
    assert [fault for name in COMMANDS for fault in walked(opened, opened.commands[name].trigger, qtbot)] == []


def test_every_control_of_the_dialogs_that_no_command_opens_has_them_too(opened, qtbot, tmp_path) -> None:
    download = DownloadDialog(tmp_path, 12_000_000_000, opened.jobs, opened)
    for act in (download.show, lambda: ask_pdf(opened, lambda _: None), opened.encoder.open):
        assert walked(opened, act, qtbot) == []


def test_every_control_of_the_librarys_windows_has_them_too(desk, hands, qtbot) -> None:
    assert walked(desk, desk.commands["keep_case"].trigger, qtbot) == []
    hands.keep(desk)
    wrong = walked(desk, desk.commands["library"].trigger, qtbot)
    for command in LIBRARY:
        wrong += walked(desk, desk.commands[command].trigger, qtbot)
    desk.commands["lock"].trigger()
    hands.settle(desk)
    assert wrong + walked(desk, desk.commands["library"].trigger, qtbot) == []


def test_every_control_of_a_review_has_them_too(desk, hands, qtbot) -> None:
    hands.keep(desk)
    submit(desk, hands)
    reviewer = Reviewer(desk, qtbot)
    shown = reviewer.open(desk.library.kept.id)
    wrong = faults(shown)
    wrong += walked(desk, lambda: reviewer.type("c"), qtbot)
    reviewer.mark_everything()
    wrong += faults(shown)
    reviewer.hand_in()
    assert wrong + faults(shown) == []
