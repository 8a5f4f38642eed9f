"""A tooltip shows the names of files and cases as they are: what looks like markup would be fetched from the disk."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import noteeval_desktop

UI = Path(noteeval_desktop.__file__).parent / "ui"
SETTERS = ("setToolTip", "setTabToolTip", "setStatusTip", "setWhatsThis")
# The names of commands and tabs, which are constants, with their keys.
CONSTANT = {"shell/actions.py", "library/case_acts.py", "library/list_window.py", "findings/tabs.py"}


def is_plain(value: ast.expr) -> bool:
    if isinstance(value, ast.IfExp):
        return is_plain(value.body) and is_plain(value.orelse)
    if isinstance(value, ast.BoolOp):
        return all(map(is_plain, value.values))
    if isinstance(value, ast.Call):
        return isinstance(value.func, ast.Name) and value.func.id == "tooltip"
    constant = isinstance(value, ast.Attribute) and isinstance(value.value, ast.Name) and value.attr.isupper()
    return isinstance(value, ast.Constant) or (constant and value.value.id.endswith("words"))  # type: ignore[attr-defined]


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


def test_every_tooltip_of_every_view_is_a_constant_or_plain_text() -> None:
    found = [
        f"{path.relative_to(UI)}:{value.lineno}"
        for path in sorted(UI.rglob("*.py"))
        if path.relative_to(UI).as_posix() not in CONSTANT
        for value in told(ast.parse(path.read_text("utf-8")))
        if not is_plain(value)
    ]
    assert found == []
