"""Set NoteEval up and open it, or run its checks. Needs nothing but Python 3.11 or newer.

    python3 installers/bootstrap.py run [--headless] [--out DIR]    set up, then open the app (at first a sample)
    python3 installers/bootstrap.py test [ARGUMENTS FOR PYTEST]     set up with the test tools, then run every check
    python3 installers/bootstrap.py check                           the same without the tests, as before a commit

They may be started from any folder, again and again: what is there is kept, what was interrupted starts afresh.
"""

from __future__ import annotations

import sys

if sys.version_info < (3, 11):
    sys.exit(
        f"NoteEval needs Python 3.11 or newer; {sys.executable} is {sys.version_info[0]}.{sys.version_info[1]}. "
        "Install a newer one from python.org or your system's packages and start this file with it."
    )

import argparse
import json
import os
import platform
import shutil
import signal
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from sysconfig import get_platform

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from installers import environment, llama_wheel, system
from installers.environment import Environment, Kind
from installers.steps import SetupError, Step, Steps, clean_env, duration, standard_output
from noteeval_desktop import paths

ENCODER = json.loads(paths.model_manifest().read_text(encoding="utf-8"))["encoder"]
SAMPLE = ROOT / "resources" / "sample"
# Neighbouring tests stay together, and with them the models and windows that they share; who is done early takes over.
PARALLEL = ("-n", "auto", "--dist", "worksteal")


def plan(home: Environment, kind: Kind, steps: Steps, *, window: bool) -> list[Step]:
    """What is left to do before ``kind`` can start; empty when everything is there.

    Raises SetupError on a system that the packages are not made for, and with the exact command when the system lacks
    something that only an administrator can install.
    """
    ready = home.is_ready(kind)
    hindrance = "" if ready else system.unsupported(get_platform(), platform.mac_ver()[0], platform.libc_ver())
    if hindrance:
        raise SetupError(hindrance)
    cache = llama_wheel.user_cache_folder()
    cached = llama_wheel.has_cached_wheel(home.root, cache)
    wanted = system.OFFSCREEN_LIBRARIES | (system.WINDOW_LIBRARIES if window else {})
    missing = system.find_missing(wanted, builds=not ready and not cached)
    planned = []
    if missing.debian():
        if not system.may_install():
            command = missing.command(shutil.which)
            raise SetupError(f"System packages are missing. Run this, then start again:\n  {command}")
        title = f"Installing system packages: {' '.join(missing.debian())}"
        planned.append(Step(title, "about 30 s", lambda: system.install(missing, steps, home.logs / "system.log")))
    if not ready:
        planned += _installation(home, kind, steps, cache, cached)
    encoder = paths.model_folder() / ENCODER["file"]
    if not encoder.is_file() or encoder.stat().st_size != ENCODER["bytes"]:
        title = "Building the sentence encoder, once (80 MB to fetch)"
        planned.append(Step(title, "about 30 s", lambda: _build_encoder(home, steps)))
    return planned


def _installation(home: Environment, kind: Kind, steps: Steps, cache: Path, cached: bool) -> list[Step]:
    count = environment.package_count(home.lock(kind))
    kinds: tuple[Kind, ...] = ("run", "test") if kind == "test" else ("run",)

    def finish() -> None:
        environment.install_project(home, steps)
        home.mark("ready", *kinds)

    making = Step("Making the Python environment in .venv", "about 10 s", lambda: environment.make(home, steps))
    return [
        *([] if home.is_usable() else [making]),
        Step(
            f"Installing {count} packages as the lock file has them",
            "about 1 min, more on a slow line",
            lambda: environment.install_packages(home, kind, steps),
        ),
        Step(
            "Installing llama.cpp from the cache" if cached else f"Building llama.cpp, once; kept in {cache}",
            "a few seconds" if cached else "about 5 min, more on a busy computer",
            lambda: llama_wheel.install(home, cache, steps),
        ),
        Step("Installing NoteEval itself", "a few seconds", finish),
    ]


def _build_encoder(home: Environment, steps: Steps) -> None:
    otherwise = "The sentence encoder could not be built; the lines above say why. Then start again."
    steps.run(home.script("noteeval", "models", "build"), home.logs / "encoder.log", clean_env(), otherwise)


def set_up(home: Environment, kind: Kind, steps: Steps, *, window: bool) -> None:
    began = time.monotonic()
    planned = plan(home, kind, steps, window=window)
    if planned:
        steps.say(f"Setting NoteEval up in {home.root}")
    steps.follow(planned)
    steps.say(f"NoteEval is set up ({duration(time.monotonic() - began)}).")


def run(home: Environment, steps: Steps, *, headless: bool, out: Path) -> int:
    """Set up, then open the app, on the sample case as long as no case is kept, or with ``headless`` write what it
    shows of the sample into ``out``."""
    display = system.has_display(sys.platform, os.environ)
    set_up(home, "run", steps, window=display and not headless)
    if headless:
        return _show_without_window(home, steps, out)
    if not display:
        steps.say(
            "There is no display here, so no window can be opened. Either start this again on a desktop (or over "
            "ssh -X), or see the sample case evaluated into a PDF and a picture of the window with:\n"
            "  python3 installers/bootstrap.py run --headless"
        )
        return 0
    steps.say("Opening the app.")
    return subprocess.run(home.module("noteeval_desktop", "--first"), env=clean_env(), check=False).returncode


def _show_without_window(home: Environment, steps: Steps, out: Path) -> int:
    out.mkdir(parents=True, exist_ok=True)
    pdf, data, picture = out / "scorecard.pdf", out / "evaluation.json", out / "window.png"
    for path in (pdf, data, picture):
        path.unlink(missing_ok=True)
    case: list[str | Path] = ["--transcript", SAMPLE / "transcript.vtt", "--note", SAMPLE / "note.md"]
    evaluate = home.script("noteeval", "evaluate", *case, "--pdf", pdf, "--json", data)
    # Where there is no display Qt takes one of 800 points for granted, which the window would shrink to.
    picturing = home.module("noteeval_desktop", "--sample", "--size", "1280x800", "--screenshot", picture)
    offscreen = clean_env(QT_QPA_PLATFORM="offscreen")
    otherwise = "The sample case could not be shown; the lines above say why."
    steps.follow(
        [
            Step("Evaluating the sample case", "a few seconds",
                 lambda: steps.run(evaluate, home.logs / "sample.log", offscreen, otherwise)),
            Step("Taking a picture of the window", "a few seconds",
                 lambda: steps.run(picturing, home.logs / "window.log", offscreen, otherwise)),
        ]
    )  # fmt: skip
    absent = [path.name for path in (pdf, data, picture) if not path.is_file()]
    if absent:
        raise SetupError(f"The app finished without writing {', '.join(absent)} into {out}.")
    steps.say(f"The sample case is in {out}: {pdf.name}, {data.name}, {picture.name}")
    return 0


def test(home: Environment, steps: Steps, pytest_arguments: Sequence[str]) -> int:
    """Set up with the test tools and run every check; 0 when all passed, else 1."""
    return _follow(home, steps, checks(home, pytest_arguments))


def check(home: Environment, steps: Steps) -> int:
    """As ``test``, but for the tests."""
    return _follow(home, steps, [one for one in checks(home, ()) if one[0] != "pytest"])


def _follow(home: Environment, steps: Steps, wanted: Sequence[tuple[str, list[str]]]) -> int:
    set_up(home, "test", steps, window=False)
    env = clean_env(QT_QPA_PLATFORM="offscreen")
    results = []
    for name, command in wanted:
        steps.say(f"\n== {name}")
        began = time.monotonic()
        code = subprocess.run(command, cwd=home.root, env=env, stdin=subprocess.DEVNULL, check=False).returncode
        results.append((name, code, time.monotonic() - began))
    steps.say("\n" + summary(results))
    return 1 if any(code for _name, code, _seconds in results) else 0


def checks(home: Environment, pytest_arguments: Sequence[str]) -> list[tuple[str, list[str]]]:
    """Every check's name and command line. The whole suite runs on all cores, a part as ``pytest_arguments`` say."""
    return [
        ("ruff check", home.module("ruff", "check", ".")),
        ("ruff format", home.module("ruff", "format", "--check", ".")),
        ("mypy", home.module("mypy")),
        ("lint-imports", home.script("lint-imports")),
        ("pytest", home.module("pytest", *(pytest_arguments or PARALLEL))),
    ]


def summary(results: Sequence[tuple[str, int, float]]) -> str:
    """One line a check (name, exit code, seconds), and one that says whether all passed."""
    lines = [f"{'ok' if code == 0 else 'FAILED':8}{name:14}{duration(seconds)}" for name, code, seconds in results]
    failed = [name for name, code, _seconds in results if code]
    return "\n".join([*lines, f"Failed: {', '.join(failed)}." if failed else "All checks passed."])


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description="Set NoteEval up and open it, or run its checks.")
    commands = parser.add_subparsers(dest="command", required=True)
    running = commands.add_parser("run", help="set up, then open the app, at first on the sample case")
    running.add_argument(
        "--headless", action="store_true", help="write a PDF and a picture instead of opening a window"
    )
    running.add_argument("--out", type=Path, default=ROOT / "build" / "sample", help="folder for --headless")
    commands.add_parser("test", help="set up with the test tools, then run every check; other arguments go to pytest")
    commands.add_parser("check", help="set up with the test tools, then run every check but the tests")
    known, others = parser.parse_known_args(arguments)
    if others and known.command != "test":
        parser.error(f"unknown arguments: {' '.join(others)}")
    home, steps = Environment(ROOT), Steps(standard_output())
    try:
        if known.command == "test":
            return test(home, steps, [argument for argument in others if argument != "--"])
        if known.command == "check":
            return check(home, steps)
        return run(home, steps, headless=known.headless, out=known.out.resolve())
    except SetupError as error:
        print(f"\n{error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nStopped. The next start cleans up and goes on.", file=sys.stderr)
        return 130


def _stop(_signal: int, _frame: object) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, _stop)
    sys.exit(main(sys.argv[1:]))
