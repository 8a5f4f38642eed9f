"""Not collected by itself: ``test_at_spi`` runs it on a screen and a bus of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path


def test_what_is_on_the_screen_is_on_the_bus(opened, qtbot) -> None:
    opened.workspace.show_finding(next(f.key for f in opened.session.findings() if f.can_link or f.can_draft))
    reader = Path(__file__).with_name("at_spi_reader.py")
    with subprocess.Popen([sys.executable, str(reader)], stdout=subprocess.PIPE, text=True) as reading:
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


def _gathered(reading: subprocess.Popen[str], told: list[str]) -> bool:
    if reading.poll() is None:
        return False
    assert reading.stdout is not None
    told.append(reading.stdout.read())
    return True
