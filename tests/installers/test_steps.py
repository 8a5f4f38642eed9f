"""What the user sees while the set-up works, and when a step fails."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from installers.steps import SetupError, Step, Steps, clean_env, duration
from tests.installers.screen import Screen


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0.0 s"), (9.94, "9.9 s"), (9.96, "10 s"), (59.4, "59 s"), (59.6, "1 min 00 s"), (185, "3 min 05 s")],
)
def test_duration_is_readable(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_steps_are_numbered_and_timed() -> None:
    screen, done = Screen(), []
    plan = [Step("First", "about 1 s", lambda: done.append(1)), Step("Second", "about 2 s", lambda: done.append(2))]
    Steps(screen).follow(plan)
    lines = screen.getvalue().splitlines()
    assert done == [1, 2]
    assert lines[0] == "[1/2] First (about 1 s)"
    assert lines[2] == "[2/2] Second (about 2 s)"
    assert lines[3].strip().startswith("done in")


def test_plan_stops_at_the_step_that_failed() -> None:
    done: list[int] = []

    def fail() -> None:
        raise SetupError("no network")

    with pytest.raises(SetupError, match="no network"):
        Steps(Screen()).follow([Step("a", "1 s", fail), Step("b", "1 s", lambda: done.append(1))])
    assert done == []


def test_failed_command_shows_its_last_lines_and_the_way_on(tmp_path: Path) -> None:
    code = "print('\\n'.join(f'line {n} ü' for n in range(100))); raise SystemExit(3)"
    with pytest.raises(SetupError) as raised:
        Steps(Screen()).run([sys.executable, "-c", code], tmp_path / "x.log", clean_env(), "Start again.")
    text = str(raised.value)
    assert "line 99 ü" in text
    assert "line 50 " not in text
    assert "Start again." in text
    assert str(tmp_path / "x.log") in text


def test_command_cannot_wait_for_input(tmp_path: Path) -> None:
    Steps(Screen()).run([sys.executable, "-c", "import sys; sys.stdin.read()"], tmp_path / "x.log", clean_env(), "-")
    assert (tmp_path / "x.log").read_bytes() == b""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has neither process groups nor named pipes like these")
def test_interruption_ends_the_command_and_what_it_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pipe = tmp_path / "held open by the grandchild"
    os.mkfifo(pipe)
    grandchild = f"import time; held = open({str(pipe)!r}, 'w'); time.sleep(60)"
    child = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {grandchild!r}])"
    ends = []

    def interrupt(_self: Steps, _process: object) -> None:
        ends.append(pipe.open())  # returns when the grandchild is there
        raise KeyboardInterrupt

    monkeypatch.setattr(Steps, "_wait", interrupt)
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        Steps(Screen()).run([sys.executable, "-c", child], tmp_path / "x.log", clean_env(), "-")
    with ends[0] as end:
        assert end.read() == ""  # returns when nobody holds the pipe any more
    assert time.monotonic() - began < 50


def test_settings_that_lead_pip_elsewhere_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", "elsewhere")
    monkeypatch.setenv("PIP_TARGET", "elsewhere")
    monkeypatch.setenv("HTTPS_PROXY", "kept")
    env = clean_env(EXTRA="1")
    assert "PYTHONPATH" not in env
    assert "PIP_TARGET" not in env
    assert (env["HTTPS_PROXY"], env["EXTRA"], env["PIP_NO_INPUT"]) == ("kept", "1", "1")
