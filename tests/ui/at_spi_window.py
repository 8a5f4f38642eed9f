"""Not collected by itself: ``test_at_spi`` runs it on a screen and a bus of its own."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtWidgets import QWidget

from tests.ui.library.conftest import desk, hands
from tests.ui.test_accessible_dialogs import COMMANDS, LIBRARY, walked

__all__ = ["desk", "hands"]
READER = Path(__file__).with_name("at_spi_reader.py")
WINDOWS = ("dialog", "frame", "window", "filler", "popup menu", "panel")
# What a list or a text scrolls with, and cells, which may be empty.
UNNAMED = ("scroll bar", "table cell", "tree item", "list item", "frame", "dialog", "filler", "panel", "viewport")


def test_what_is_on_the_screen_is_on_the_bus(opened, qtbot) -> None:
    opened.workspace.show_finding(next(f.key for f in opened.session.findings() if f.can_link or f.can_draft))
    with subprocess.Popen([sys.executable, str(READER)], stdout=subprocess.PIPE, text=True) as reading:
        told: list[str] = []
        qtbot.waitUntil(lambda: _gathered(reading, told), timeout=90_000)
    nodes = [node for node in json.loads("".join(told)) if node["showing"]]
    by_name = {node["name"]: node for node in nodes}
    for name in ("Insert draft", "Dismiss ▾", "Check again", "Copy note"):
        assert by_name[name]["role"] in ("button", "push button", "button menu", "push button menu"), name
        assert by_name[name]["focusable"], name
        assert by_name[name]["actions"], name
    names = [node["name"] for node in nodes]
    places = [names.index(name) for name in ("Session transcript", "Note", "Filter and legend")]
    assert places == sorted(places)
    assert any(name.startswith("History, missing") for name in names)
    assert not [node for node in nodes if "style=" in node["description"]]


def test_every_dialog_is_on_the_bus_with_names_roles_and_the_focus(opened, qtbot) -> None:
    with _reading(qtbot) as look_at:
        wrong = [fault for name in COMMANDS for fault in walked(opened, opened.commands[name].trigger, qtbot, look_at)]
    assert sorted(set(wrong)) == []


def test_every_window_of_the_library_is_on_the_bus_too(desk, hands, qtbot) -> None:
    with _reading(qtbot) as look_at:
        wrong = walked(desk, desk.commands["keep_case"].trigger, qtbot, look_at)
        hands.keep(desk)
        for name in ("library", *LIBRARY):
            wrong += walked(desk, desk.commands[name].trigger, qtbot, look_at)
    assert sorted(set(wrong)) == []


@contextmanager
def _reading(qtbot) -> Iterator:
    """A function that says what is wrong with a window, as the bus tells of it."""
    command, pipe = [sys.executable, str(READER), "titles"], subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as reader:
        answers: list[str] = []
        threading.Thread(target=lambda: answers.extend(reader.stdout), daemon=True).start()

        def look_at(shown: QWidget) -> list[str]:
            shown.activateWindow()
            before = len(answers)
            title = shown.windowTitle() or shown.accessibleName()
            reader.stdin.write(f"{title}\n")
            reader.stdin.flush()
            qtbot.waitUntil(lambda: len(answers) > before, timeout=60_000)
            return list(_faults(title, json.loads(answers[-1])))

        yield look_at
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


def _gathered(reading: subprocess.Popen[str], told: list[str]) -> bool:
    if reading.poll() is None:
        return False
    assert reading.stdout is not None
    told.append(reading.stdout.read())
    return True
