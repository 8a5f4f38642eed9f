"""Keys that the reader chooses reach the window, are kept, and never meet another command's."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QPushButton

from noteeval_desktop import settings
from noteeval_desktop.ui.shell.actions import KeysSheet
from noteeval_desktop.ui.shell.commands import COMMANDS

UI = Path(settings.__file__).parent / "ui"


@pytest.fixture
def sheet(window) -> KeysSheet:
    return KeysSheet(window, "Keyboard", COMMANDS, window.settings.keys, window.choose_keys)


def _keys(window, name: str) -> str:
    return window.commands[name].shortcut().toString()


def test_a_chosen_key_is_the_commands_key_and_is_kept(window, sheet, qtbot) -> None:
    sheet.fields["recheck"].setKeySequence(QKeySequence("Ctrl+T"))
    assert _keys(window, "recheck") == "Ctrl+T"
    assert "Ctrl+T" in window.commands["recheck"].toolTip()
    qtbot.waitUntil(lambda: settings.load()[0].keys == {"recheck": "Ctrl+T"})


def test_a_key_that_is_taken_is_refused(window, sheet) -> None:
    sheet.fields["recheck"].setKeySequence(QKeySequence("F8"))
    assert _keys(window, "recheck") == "F5"
    assert "F8" in sheet.said.text()
    assert sheet.fields["recheck"].keySequence().toString() == "F5"


def test_a_command_can_have_no_key_and_get_the_usual_one_back(window, sheet, qtbot) -> None:
    sheet.fields["quit"].setKeySequence(QKeySequence())
    assert _keys(window, "quit") == ""
    qtbot.waitUntil(lambda: settings.load()[0].keys == {"quit": ""})
    sheet.use_usual()
    assert _keys(window, "quit") == "Ctrl+Q"
    qtbot.waitUntil(lambda: settings.load()[0].keys == {})


def test_esc_closes_the_sheet_and_is_no_key_to_choose(window, sheet, qtbot) -> None:
    with qtbot.waitActive(sheet):
        sheet.show()
    assert isinstance(sheet.focusWidget(), QPushButton)  # the first key pressed reaches no field
    field = sheet.fields["recheck"]
    field.setFocus()
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert sheet.isVisible()
    assert _keys(window, "recheck") == "F5"
    qtbot.keyClick(sheet.focusWidget(), Qt.Key.Key_Escape)
    assert not sheet.isVisible()
    assert settings.load()[0].keys == {}


def test_damaged_keys_in_the_settings_are_set_back(tmp_path) -> None:
    path = tmp_path / "settings.json"
    path.write_text('{"keys": {"quit": 3}}')
    loaded, warning = settings.load(path)
    assert loaded.keys == {}
    assert "keys" in warning


def test_no_message_spells_a_key_that_may_be_another_here() -> None:
    """A Mac writes ⌘S, and a reader may have chosen another key: messages name the command, tooltips its keys."""
    spelled = re.compile(r"(Ctrl|Alt|Shift)\+|\bF[1-9]\d?\b")
    found = []
    for path in UI.rglob("*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
        notes = {id(_doc(node)) for node in ast.walk(tree) if isinstance(node, documented)}
        texts = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in notes]
        for node in texts:
            if isinstance(node.value, str) and " " in node.value and spelled.search(node.value):
                found.append(f"{path.name}:{node.lineno}: {node.value}")
    assert found == []


def _doc(node: ast.Module | ast.ClassDef | ast.FunctionDef) -> ast.expr | None:
    first = next(iter(node.body), None)
    return first.value if isinstance(first, ast.Expr) else None
