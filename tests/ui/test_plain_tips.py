"""A tooltip shows the names of files and cases as they are: what looks like markup would be fetched from the disk."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QPushButton

import noteeval_desktop
from noteeval_desktop.ui.widgets.plain import explain

UI = Path(noteeval_desktop.__file__).parent / "ui"
SETTERS = ("setToolTip", "setTabToolTip", "setStatusTip", "setWhatsThis")
# ``explain`` itself.
MADE_OF_MARKUP = {"widgets/plain.py"}
# The names of commands and tabs, which are constants, with their keys.
CONSTANT = {
    "shell/actions.py": ("command.text + (f' ({native(keys[0])})' if keys else '')", "action.toolTip()"),
    "library/case_acts.py": ("f\"{text.rstrip('…')} ({native(key)})\" if key else f'{text} (Enter)'",),
    "library/list_window.py": ("action.toolTip()",),
    "findings/pane.py": ("f\"{name} ({native(f'Ctrl+{number}')})\"",),
}


def is_plain(value: ast.expr) -> bool:
    if isinstance(value, ast.IfExp):
        return is_plain(value.body) and is_plain(value.orelse)
    if isinstance(value, ast.BoolOp):
        return all(map(is_plain, value.values))
    if isinstance(value, ast.Call):
        named = value.func.id if isinstance(value.func, ast.Name) else ""
        return named == "tooltip" or (named == "tr" and isinstance(value.args[0], ast.Constant))
    if isinstance(value, ast.Name):
        return value.id.isupper()
    constant = isinstance(value, ast.Attribute) and isinstance(value.value, ast.Name) and value.attr.isupper()
    return isinstance(value, ast.Constant) or (constant and value.value.id.endswith("words"))  # type: ignore[attr-defined]


def is_constant(file: str, value: ast.expr) -> bool:
    return any(ast.dump(ast.parse(one, mode="eval").body) == ast.dump(value) for one in CONSTANT.get(file, ()))


def told(tree: ast.AST) -> Iterator[ast.expr]:
    """What is given as a tooltip: to a widget or an item, or by a model when Qt asks."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in SETTERS:
            yield node.args[-1]
        elif isinstance(node, ast.If) and any(_is_tip(part) for part in ast.walk(node.test)):
            yield from (part.value for part in node.body if isinstance(part, ast.Return) and part.value is not None)


def _is_tip(part: ast.AST) -> bool:
    return (isinstance(part, ast.Attribute) and part.attr == "ToolTipRole") or (
        isinstance(part, ast.Name) and part.id == "_TIP"
    )


def _made_of_markup(value: ast.expr) -> bool:
    return any(isinstance(part, ast.Name) and part.id in ("tooltip", "escape") for part in ast.walk(value))


def _marked_up(value: ast.expr) -> bool:
    taken = any(isinstance(part, ast.Attribute) and part.attr == "toolTip" for part in ast.walk(value))
    return taken or _made_of_markup(value)


def test_every_description_for_a_screen_reader_is_without_markup() -> None:
    """Of a widget that has a tooltip alone, Qt reads that: what is made plain by markup is told by ``explain``."""
    calls = [
        (f"{path.relative_to(UI)}:{node.lineno}", node)
        for path in sorted(UI.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    ]
    told = [
        (place, node.args[0])
        for place, node in calls
        if node.func.attr in ("setAccessibleDescription", "setAccessibleName")  # type: ignore[attr-defined]
    ]
    tips = {
        place.partition(":")[0]
        for place, node in calls
        if node.func.attr == "setToolTip" and len(node.args) == 1 and _made_of_markup(node.args[0])  # type: ignore[attr-defined]
    }
    assert len(told) > 50
    assert [place for place, value in told if _marked_up(value)] == []
    assert tips == MADE_OF_MARKUP


def test_what_looks_like_markup_is_read_out_as_it_is(qtbot) -> None:
    button, hostile = QPushButton(), "<img src='/dev/zero'> & co"
    qtbot.addWidget(button)
    explain(button, hostile)
    read = QAccessible.queryAccessibleInterface(button).text(QAccessible.Text.Description)
    assert (read, "<img" in button.toolTip()) == (hostile, False)


def test_every_tooltip_of_every_view_is_a_constant_or_plain_text() -> None:
    found = [
        f"{path.relative_to(UI)}:{value.lineno}"
        for path in sorted(UI.rglob("*.py"))
        for value in told(ast.parse(path.read_text("utf-8")))
        if not is_plain(value) and not is_constant(path.relative_to(UI).as_posix(), value)
    ]
    assert found == []
