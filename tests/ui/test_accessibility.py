"""What a screen reader finds: every control with its name, role, state and action, in the order of the screen."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QApplication, QWidget

from noteeval_desktop.ui.findings.row_list import RowList
from noteeval_desktop.ui.widgets.parts import MenuButton
from noteeval_desktop.ui.widgets.words import TABS

ROLES = QAccessible.Role


def tree(widget: QWidget) -> Iterator[QAccessibleInterface]:
    """What is shown of ``widget`` and below it, depth first."""
    root = QAccessible.queryAccessibleInterface(widget)
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node is None or node.state().invisible:
            continue
        yield node
        waiting += [node.child(number) for number in reversed(range(node.childCount()))]


def _name(node: QAccessibleInterface) -> str:
    return node.text(QAccessible.Text.Name)


def _named(window: QWidget, *names: str) -> dict[str, QAccessibleInterface]:
    return {_name(node): node for node in tree(window) if _name(node) in names}


@pytest.mark.parametrize(
    ("which", "names"),
    [
        (lambda f: f.can_draft, ("Insert draft",)),
        (lambda f: f.can_attest, ("I observed this", "Go to")),
        (lambda f: f.span is not None, ("Go to",)),
    ],
    ids=["draft", "confirm", "go to"],
)
def test_what_can_be_done_about_a_finding_can_be_found_and_pressed(opened, which, names) -> None:
    opened.workspace.show_finding(next(f.key for f in opened.session.findings() if which(f)))
    found = _named(opened, *names, "Dismiss ▾")
    assert found.keys() == {*names, "Dismiss ▾"}
    for node in found.values():
        assert node.role() in (ROLES.Button, ROLES.ButtonMenu)
        assert node.state().focusable
        assert not node.state().disabled
        assert node.actionInterface().actionNames()


def test_every_control_has_a_name_and_no_description_holds_markup(opened) -> None:
    nodes = list(tree(opened))
    nameless = [node.object() for node in nodes if node.state().focusable and not _name(node) and node.object()]
    assert not nameless
    described = [node.text(QAccessible.Text.Description) for node in nodes]
    assert not [text for text in described if "<p" in text or "style=" in text]


def test_risk_session_note_and_findings_are_read_in_this_order(opened) -> None:
    names = [_name(node) for node in tree(opened)]
    places = [
        names.index(name)
        for name in ("Show the first risk that is not addressed", "Session transcript", "Note", "Filter and legend")
    ]
    assert places == sorted(places)


def test_a_checklist_row_says_its_state_in_words(opened) -> None:
    checklist = opened.workspace.findings.lists[TABS.index("Checklist")]
    shown = [
        checklist.rows.index(number).data(Qt.ItemDataRole.AccessibleTextRole)
        for number, row in enumerate(checklist.rows.rows)
        if not row.heading
    ]
    states = ("covered", "missing", "not recognized", "not checked")
    which, *items = shown
    assert which == "Checklist: TN-Eval 2"
    assert items
    assert all(any(f", {state}" in text for state in states) for text in items)


def test_after_a_decision_the_next_finding_has_the_focus(opened) -> None:
    first, second, *_ = opened.workspace.open_findings()
    opened.activateWindow()
    opened.workspace.show_finding(first.key)
    dismiss = next(b for b in opened.workspace.findings.card.findChildren(MenuButton) if b.text().startswith("Dismiss"))
    dismiss.setFocus()
    dismiss.menu().actions()[0].trigger()
    assert opened.workspace.findings.chosen_key() == second.key
    assert isinstance(QApplication.focusWidget(), RowList)


def test_a_mark_is_said_once_when_the_cursor_comes_into_it(opened, monkeypatch) -> None:
    editor, said = opened.workspace.editor, []
    finding = next(f for f in opened.workspace.open_findings() if f.key in editor.marked_spans())
    opened.activateWindow()
    editor.setFocus()
    monkeypatch.setattr(QAccessible, "updateAccessibility", lambda event: said.append(event.message()))
    start = editor.marked_spans()[finding.key].start
    for offset in (start + 1, start + 2, start + 3):
        cursor = editor.textCursor()
        cursor.setPosition(offset)
        editor.setTextCursor(cursor)
    assert said == [finding.what]
    assert editor.accessibleDescription().endswith("F8 goes to the next suggestion.")


def _looks(window: QWidget, widget: QWidget) -> object:
    QApplication.processEvents()
    room = widget.rect().translated(widget.mapTo(window, QPoint(0, 0))).adjusted(-3, -3, 3, 3)
    return window.grab(room).toImage()


def test_whatever_has_the_focus_looks_so(opened) -> None:
    opened.workspace.show_finding(next(f.key for f in opened.session.findings() if f.citations and f.span))
    opened.activateWindow()
    seen, same = 0, []
    for widget in opened.findChildren(QWidget):
        takes = widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isEnabled() and widget.focusProxy() is None
        if not (widget.isVisible() and takes) or widget.visibleRegion().isEmpty():
            continue
        opened.setFocus()
        before = _looks(opened, widget)
        widget.setFocus(Qt.FocusReason.TabFocusReason)
        seen += 1
        if _looks(opened, widget) == before:
            same.append(f"{type(widget).__name__} {widget.accessibleName() or widget.objectName()}")
    assert seen >= 12
    assert not same


def test_the_buttons_of_the_two_files_are_told_apart(window) -> None:
    names = [_name(node) for node in tree(window.empty) if node.role() == ROLES.Button]
    assert len(set(names)) == len(names)
    assert {"Session transcript: Choose file…", "Draft note: Choose file…", "Draft note: Paste…"} <= set(names)
