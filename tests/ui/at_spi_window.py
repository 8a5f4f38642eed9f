"""Not collected by itself: ``test_at_spi`` runs it on a screen and a bus of its own."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from noteeval_desktop.ui.judging.download_dialog import DownloadDialog
from noteeval_desktop.ui.scorecard.pdf_dialog import ask_pdf
from noteeval_desktop.ui.supervision.passes import Stage
from noteeval_desktop.ui.widgets.parts import MenuButton
from tests.ui.library.conftest import desk, hands
from tests.ui.supervision.conftest import Reviewer, submit
from tests.ui.test_accessible_dialogs import walked

__all__ = ["desk", "hands"]
READER = Path(__file__).with_name("at_spi_reader.py")
# One of each sort; all the others in the process, in test_accessible_dialogs.
DIALOGS = ("help", "checklists", "keys", "preview", "judge_settings", "choose_judge", "paste_note")
WINDOWS = ("dialog", "frame", "window", "popup menu")
BUTTONS = ("button", "push button", "button menu", "push button menu")
# What a list or a text scrolls with, and cells, which may be empty.
UNNAMED = ("scroll bar", "table cell", "tree item", "list item", "frame", "dialog", "filler", "panel", "viewport")


def test_what_is_on_the_screen_is_on_the_bus(opened, qtbot) -> None:
    opened.workspace.show_finding(next(f.key for f in opened.session.findings() if f.can_link or f.can_draft))
    with _reading(qtbot) as look_at:
        assert look_at(opened) == []
    nodes = look_at.nodes
    by_name = {node["name"]: node for node in nodes}
    for name in ("Insert draft", "Dismiss ▾", "Check again", "Copy note"):
        assert by_name[name]["role"] in BUTTONS, name
        assert by_name[name]["focusable"], name
        assert by_name[name]["actions"], name
    names = [node["name"] for node in nodes]
    places = [names.index(name) for name in ("Session transcript", "Note", "Filter and legend")]
    assert places == sorted(places)
    assert any(name.startswith("History, missing") for name in names)


def test_a_buttons_menu_is_on_the_bus_while_it_is_open(opened, qtbot) -> None:
    opened.workspace.show_finding(next(f.key for f in opened.session.findings() if f.can_link or f.can_draft))
    wanted = {"Export", "Filter and legend", "Dismiss ▾"}
    shown = [one for one in opened.findChildren(MenuButton) if one.isVisible() and one.isEnabled()]
    buttons = [one for one in shown if {one.accessibleName(), one.text()} & wanted]
    assert len(buttons) == 3
    lacking: list[str] = []

    def read(look_at: _Looker, done: list[bool]) -> None:
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        look_at(opened)
        shown = {node["name"] for node in look_at.nodes if node["role"].endswith("menu item")}
        lacking.extend(one.text() for one in menu.actions() if one.text() and one.text().replace("&", "") not in shown)
        menu.close()
        done.append(True)

    with _reading(qtbot) as look_at:
        for button in buttons:
            done: list[bool] = []
            QTimer.singleShot(300, lambda done=done: read(look_at, done))
            button.setFocus()
            qtbot.keyClick(button, Qt.Key.Key_Space)
            qtbot.waitUntil(lambda done=done: bool(done), timeout=60_000)
    assert lacking == []


def test_dialogs_are_on_the_bus_with_names_roles_and_the_focus(opened, qtbot) -> None:
    with _reading(qtbot) as look_at:
        wrong = [fault for name in DIALOGS for fault in walked(opened, opened.commands[name].trigger, qtbot, look_at)]
    assert sorted(set(wrong)) == []


def test_windows_of_the_library_are_on_the_bus_too(desk, hands, qtbot) -> None:
    with _reading(qtbot) as look_at:
        wrong = walked(desk, desk.commands["keep_case"].trigger, qtbot, look_at)
        hands.keep(desk)
        for name in ("library", "library_keys", "cohort"):
            wrong += walked(desk, desk.commands[name].trigger, qtbot, look_at)
    assert sorted(set(wrong)) == []


def test_the_export_and_the_download_are_on_the_bus_too(opened, qtbot, tmp_path) -> None:
    download = DownloadDialog(tmp_path, 12_000_000_000, opened.jobs, opened)
    acts = (lambda: ask_pdf(opened, lambda _: None), lambda: ask_pdf(opened, lambda _: None, "", True), download.show)
    with _reading(qtbot) as look_at:
        wrong = [fault for act in acts for fault in walked(opened, act, qtbot, look_at)]
    assert sorted(set(wrong)) == []


def test_each_pass_of_a_review_is_on_the_bus_with_its_answers(desk, hands, qtbot) -> None:
    hands.keep(desk)
    submit(desk, hands)
    reviewer = Reviewer(desk, qtbot)
    shown = reviewer.open(desk.library.kept.id)
    wrong, order = [], ("Session transcript", "Note under review", "Items to mark")
    with _reading(qtbot) as look_at:
        seen: set[Stage] = set()
        for marked in (False, True):
            for stage in [one for one in shown.session.stages if one not in seen]:
                seen.add(stage)
                shown.go_to(stage)
                wrong += look_at(shown)
                names = [node["name"] for node in look_at.nodes]
                assert sorted(order, key=names.index) == list(order)
                for choice in shown.page.choices:
                    answer = look_at.nodes[names.index(f"{choice.words}, key {choice.key}")]
                    assert answer["role"] in (("check box",) if choice.marks else BUTTONS), answer
                    assert "Press" in answer["actions"]
            if not marked:
                wrong += walked(desk, lambda: reviewer.type("c"), qtbot, look_at)
                reviewer.mark_everything_from_the_start()
                reviewer.hand_in()
    assert sorted(set(wrong)) == []


class _Looker:
    """Says what is wrong with a window, as the bus tells of it; ``nodes`` is what was seen of the last one."""

    def __init__(self, reader: subprocess.Popen[str], qtbot) -> None:
        self._reader, self._qtbot, self._answers = reader, qtbot, []
        self.nodes: list[dict] = []
        threading.Thread(target=lambda: self._answers.extend(reader.stdout), daemon=True).start()

    def __call__(self, shown: QWidget) -> list[str]:
        shown.activateWindow()
        before = len(self._answers)
        title = QAccessible.queryAccessibleInterface(shown).text(QAccessible.Text.Name)
        self._reader.stdin.write(f"{title}\n")
        self._reader.stdin.flush()
        self._qtbot.waitUntil(lambda: len(self._answers) > before, timeout=60_000)
        told = json.loads(self._answers[-1])
        self.nodes = [node for node in told or [] if node["showing"]]
        return list(_faults(title, told))


@contextmanager
def _reading(qtbot) -> Iterator[_Looker]:
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, str(READER)], stdin=pipe, stdout=pipe, text=True) as reader:
        yield _Looker(reader, qtbot)
        reader.stdin.close()


def _faults(title: str, nodes: list[dict] | None) -> Iterator[str]:
    if nodes is None:
        yield f"{title}: not on the bus"
        return
    if nodes[0]["role"] not in WINDOWS:
        yield f"{title}: is a {nodes[0]['role']}"
    if not any(node["focused"] for node in nodes):
        yield f"{title}: nothing has the focus"
    for node in nodes:
        if node["showing"] and node["enabled"] and node["focusable"]:
            if not node["name"] and node["role"] not in UNNAMED:
                yield f"{title}: a {node['role']} without a name"
            if node["role"] in ("unknown", "invalid"):
                yield f"{title}: {node['name']} without a role"
        if "style=" in node["description"]:
            yield f"{title}: markup in {node['name']}"
        if node["showing"] and node["role"] == "combo box" and not (node["labelled"] or node["description"]):
            yield f"{title}: {node['name']} is chosen in a box that is not named"
