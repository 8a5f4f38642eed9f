"""The project's .venv, or another one of it: where things are in it, whether it is complete, and how to make it so.

A small state file says what the environment holds. It says "installing" from before the first change until after the
last, so that an interrupted run is noticed by the next one, which starts afresh: half an installation looks whole to
pip.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from installers.steps import SetupError, Steps, clean_env

Kind = Literal["run", "test"]

LOCKS: dict[Kind, str] = {"run": "requirements.lock", "test": "requirements-test.lock"}
LLAMA_LOCK = "requirements-llama.lock"
_AGAIN = "Look at the lines above (often the network, or a full disk), then start the same command again."


@dataclass(frozen=True)
class Environment:
    """A virtual environment of the project in ``root``; ``windows`` decides its layout."""

    root: Path
    windows: bool = sys.platform == "win32"
    name: str = ".venv"

    @property
    def folder(self) -> Path:
        return self.root / self.name

    @property
    def python(self) -> Path:
        return self.folder / ("Scripts/python.exe" if self.windows else "bin/python")

    def script(self, name: str, *arguments: str | Path) -> list[str]:
        """The command line of ``name``, which a package installed."""
        return [str(self.folder / (f"Scripts/{name}.exe" if self.windows else f"bin/{name}")), *map(str, arguments)]

    def module(self, name: str, *arguments: str | Path) -> list[str]:
        """The command line that runs the module ``name`` with this environment's Python.

        ``-P``: not one of that name, or of a name that it imports, in the folder where the set-up was started.
        """
        return [str(self.python), "-P", "-m", name, *map(str, arguments)]

    @property
    def logs(self) -> Path:
        return self.root / "build" / "setup-logs"

    @property
    def state_file(self) -> Path:
        return self.folder / "noteeval-setup.json"

    def lock(self, kind: Kind) -> Path:
        return self.root / "installers" / LOCKS[kind]

    def fingerprint(self, kind: Kind) -> str:
        """SHA-256 (hex) of all that decides what ``kind`` installs."""
        digest = hashlib.sha256()
        for path in (self.lock(kind), self.root / "installers" / LLAMA_LOCK, self.root / "pyproject.toml"):
            digest.update(hashlib.sha256(path.read_bytes()).digest())
        return digest.hexdigest()

    def _identity(self) -> dict[str, str]:
        # A virtual environment holds absolute paths and belongs to one minor version of Python.
        return {"python": f"{sys.version_info[0]}.{sys.version_info[1]}", "root": str(self.root)}

    def state(self) -> dict[str, str]:
        """What the state file says; empty when it is missing or damaged."""
        try:
            found = json.loads(self.state_file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}

    def is_usable(self) -> bool:
        """Whether an earlier run finished here, with this Python, in this folder."""
        state = self.state()
        same = all(state.get(name) == value for name, value in self._identity().items())
        return state.get("state") == "ready" and same and self._starts()

    def is_ready(self, kind: Kind) -> bool:
        """Whether ``kind`` is installed as the lock files have it now."""
        return self.state().get(kind) == self.fingerprint(kind) and self.is_usable()

    def _starts(self) -> bool:
        try:
            command = [str(self.python), "-P", "-c", "import pip"]
            return subprocess.run(command, capture_output=True, env=clean_env(), check=False).returncode == 0
        except OSError:
            return False

    def mark(self, state: Literal["installing", "ready"], *kinds: Kind) -> None:
        """Write the state file, in one move; ``kinds`` are those that hold now."""
        self.folder.mkdir(exist_ok=True)
        held: dict[str, str] = {kind: self.fingerprint(kind) for kind in kinds}
        content = {"state": state, **self._identity(), **held}
        half = self.state_file.with_suffix(".part")
        half.write_text(json.dumps(content, indent=1), encoding="utf-8")
        half.replace(self.state_file)

    def remove(self) -> None:
        """Remove what an interrupted or outdated run left; raise SetupError when it is not ours to remove."""
        if not self.folder.exists():
            return
        ours = self.state_file.exists() or (self.folder / "pyvenv.cfg").exists() or not any(self.folder.iterdir())
        if not ours:
            raise SetupError(f"{self.folder} is not a Python environment. Move it away, then start again.")
        try:
            shutil.rmtree(self.folder)
        except OSError as error:
            raise SetupError(
                f"{self.folder} cannot be removed ({error.strerror}). Close NoteEval and every terminal "
                "that uses this environment, then start again."
            ) from error


def make(environment: Environment, steps: Steps) -> None:
    """Give ``environment`` a new Python and pip in place of what an interrupted or outdated run left."""
    environment.remove()
    environment.mark("installing")
    steps.run(
        [sys.executable, "-P", "-m", "venv", str(environment.folder)],
        environment.logs / "venv.log",
        clean_env(),
        "Python could not make a virtual environment. " + _AGAIN,
    )


def install_packages(environment: Environment, kind: Kind, steps: Steps) -> None:
    """Install the locked packages of ``kind``, each checked against its hash."""
    environment.mark("installing")
    # A package built here would fetch tools that no lock names. One of the test tools has no wheel.
    wheels = ["--only-binary", ":all:"] if kind == "run" else []
    locked: list[str | Path] = ["--require-hashes", "--requirement", environment.lock(kind)]
    steps.run(
        environment.module("pip", "install", "--quiet", *wheels, *locked),
        environment.logs / "packages.log",
        clean_env(),
        "The packages could not be installed. " + _AGAIN,
    )


def install_project(environment: Environment, steps: Steps) -> None:
    """Install the project itself: its commands, and its sources where they are (editable)."""
    steps.run(
        environment.module(
            "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--editable", environment.root
        ),
        environment.logs / "project.log",
        clean_env(),
        "The project itself could not be installed. " + _AGAIN,
    )


def package_count(lock: Path) -> int:
    """How many packages a lock file names (those of other systems included)."""
    return sum("==" in line for line in lock.read_text(encoding="utf-8").splitlines())
