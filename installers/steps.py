"""Show the steps of the set-up while they run, and run their commands."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

_TAIL = 25
_TERMINAL_EVERY = 1.0
_LOG_EVERY = 30.0
_GRACE = 10.0
# Settings of the calling shell that would make Python or pip work on another environment than ours.
_FOREIGN = ("PYTHONHOME", "PYTHONPATH", "PIP_TARGET", "PIP_PREFIX", "PIP_ROOT", "PIP_USER", "PIP_REQUIRE_VIRTUALENV")


class SetupError(Exception):
    """The set-up cannot go on; ``str()`` says what happened and what to do, and is all that the user sees."""


@dataclass(frozen=True)
class Step:
    """One thing to do: what the user reads about it, about how long it takes, and the work."""

    title: str
    about: str
    work: Callable[[], None]


class Steps:
    """Do the steps of a plan, saying which one is at work and how long each took."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._on_terminal = out.isatty()

    def say(self, line: str) -> None:
        print(line, file=self._out, flush=True)

    def follow(self, plan: Sequence[Step]) -> None:
        for number, step in enumerate(plan, 1):
            self.say(f"[{number}/{len(plan)}] {step.title} ({step.about})")
            began = time.monotonic()
            step.work()
            self.say(f"      done in {duration(time.monotonic() - began)}")

    def run(self, command: Sequence[str], log: Path, env: Mapping[str, str], otherwise: str) -> None:
        """Run ``command`` with its output in ``log``; raise SetupError with the end of it and ``otherwise``."""
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("wb") as output:
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, env=env, start_new_session=True
            )
            try:
                self._wait(process)
            except BaseException:
                _end(process)
                raise
        if process.returncode:
            lines = log.read_text(encoding="utf-8", errors="replace").splitlines()[-_TAIL:]
            raise SetupError(
                "\n".join([*(f"      | {line}" for line in lines), otherwise, f"All of its output: {log}"])
            )

    def _wait(self, process: subprocess.Popen[bytes]) -> None:
        began = time.monotonic()
        every = _TERMINAL_EVERY if self._on_terminal else _LOG_EVERY
        while True:
            try:
                process.wait(timeout=every)
                break
            except subprocess.TimeoutExpired:
                passed = duration(time.monotonic() - began)
                if self._on_terminal:
                    print(f"\r      {passed} ", end="", file=self._out, flush=True)
                else:
                    self.say(f"      still at it after {passed}")
        if self._on_terminal:
            print("\r", end="", file=self._out)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End ``process`` and what it started (pip starts compilers), gently first: apt leaves a mess when it is killed."""
    if sys.platform == "win32":
        process.kill()
    else:
        os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(timeout=_GRACE)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def duration(seconds: float) -> str:
    """``0.4 s``, ``12 s``, ``3 min 05 s``."""
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    return f"{whole} s" if whole < 60 else f"{whole // 60} min {whole % 60:02d} s"


def clean_env(**changes: str) -> dict[str, str]:
    """The caller's environment without what would lead Python or pip elsewhere.

    PYTHONUTF8 because Python 3.11 and 3.12 on Windows read the path of an editable installation in the system's code
    page, which fails on a project folder with other letters in its name.
    """
    kept = {name: value for name, value in os.environ.items() if name not in _FOREIGN}
    return kept | {"PYTHONUTF8": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_INPUT": "1"} | changes


def standard_output() -> TextIO:
    """Standard output that never fails on a character of a path that the console cannot show."""
    reconfigure = getattr(sys.stdout, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="backslashreplace")
    return sys.stdout
