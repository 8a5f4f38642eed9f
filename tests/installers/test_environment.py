"""The state of .venv across finished, outdated, moved and interrupted runs."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from installers import environment
from installers.environment import Environment
from installers.steps import SetupError, Steps
from tests.installers.screen import Screen


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project with lock files, in a folder whose name is not plain."""
    root = tmp_path / "my notes – Übung 日本"
    (root / "installers").mkdir(parents=True)
    for name in ("requirements.lock", "requirements-test.lock", "requirements-llama.lock"):
        (root / "installers" / name).write_text(f"# {name}\nnumpy==2.4.6 \\\n    --hash=sha256:00\n", encoding="utf-8")
    (root / "pyproject.toml").write_text("[project]\n", encoding="utf-8")
    return root


@pytest.fixture
def home(root: Path, monkeypatch: pytest.MonkeyPatch) -> Environment:
    """An environment whose Python is taken to start."""
    monkeypatch.setattr(Environment, "_starts", lambda self: True)
    return Environment(root, windows=False)


@pytest.mark.parametrize(
    ("windows", "python", "script"),
    [(False, "bin/python", "bin/noteeval"), (True, "Scripts/python.exe", "Scripts/noteeval.exe")],
)
def test_layout_follows_the_system(tmp_path: Path, windows: bool, python: str, script: str) -> None:
    home = Environment(tmp_path, windows=windows)
    assert home.python == tmp_path / ".venv" / python
    assert home.script("noteeval", "models", "build") == [str(tmp_path / ".venv" / script), "models", "build"]


def test_finished_installation_is_ready(home: Environment) -> None:
    home.mark("ready", "run")
    assert home.is_ready("run")
    assert not home.is_ready("test")


def test_test_installation_serves_for_running_too(home: Environment) -> None:
    home.mark("ready", "run", "test")
    assert home.is_ready("run")
    assert home.is_ready("test")


@pytest.mark.parametrize(
    "name", ["installers/requirements.lock", "installers/requirements-llama.lock", "pyproject.toml"]
)
def test_changed_lock_is_installed_again_into_the_same_environment(home: Environment, name: str) -> None:
    home.mark("ready", "run")
    (home.root / name).write_text("changed", encoding="utf-8")
    assert not home.is_ready("run")
    assert home.is_usable()


def test_interrupted_installation_is_not_usable(home: Environment) -> None:
    home.mark("ready", "run")
    home.mark("installing")
    assert not home.is_usable()
    assert not home.is_ready("run")


@pytest.mark.parametrize("content", ["", "{", "[]", "null", '{"state": "ready"}', "\udcff"])
def test_damaged_state_is_taken_as_interrupted(home: Environment, content: str) -> None:
    home.mark("ready", "run")
    home.state_file.write_bytes(content.encode("utf-8", "surrogateescape"))
    assert not home.is_usable()


def test_environment_in_a_moved_folder_is_made_afresh(home: Environment) -> None:
    home.mark("ready", "run")
    moved = home.root.with_name("moved")
    home.root.rename(moved)
    assert not Environment(moved, windows=False).is_usable()


def test_environment_whose_python_is_gone_is_made_afresh(root: Path) -> None:
    home = Environment(root, windows=False)
    home.mark("ready", "run")
    assert not home.is_usable()


def test_half_made_environment_is_removed(home: Environment) -> None:
    home.mark("installing")
    (home.folder / "lib").mkdir()
    home.remove()
    assert not home.folder.exists()


def test_folder_that_is_no_environment_is_left_alone(home: Environment) -> None:
    home.folder.mkdir()
    (home.folder / "letter.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(SetupError, match="Move it away"):
        home.remove()
    assert (home.folder / "letter.txt").read_text(encoding="utf-8") == "mine"


def test_environment_in_use_is_named_with_the_way_on(home: Environment, monkeypatch: pytest.MonkeyPatch) -> None:
    home.mark("installing")

    def refuse(_path: Path) -> None:
        raise PermissionError(13, "in use")

    monkeypatch.setattr(shutil, "rmtree", refuse)
    with pytest.raises(SetupError, match=r"in use.*Close NoteEval"):
        home.remove()


def test_python_that_does_not_start_is_not_usable(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = Environment(root, windows=False)
    home.mark("ready", "run")
    failed = subprocess.CompletedProcess([], 1)
    monkeypatch.setattr(subprocess, "run", lambda *_args, **_options: failed)
    assert not home.is_usable()


def test_packages_of_a_lock_file_are_counted(home: Environment) -> None:
    assert environment.package_count(home.lock("run")) == 1


@pytest.mark.parametrize(("kind", "wheels_only"), [("run", True), ("test", False)])
def test_packages_are_checked_by_hash_and_the_apps_are_never_built_here(
    home: Environment, kind: environment.Kind, wheels_only: bool
) -> None:
    ran: list[list[str]] = []

    class Recording(Steps):
        def run(self, command: Sequence[str], *_others: object) -> None:
            ran.append([str(part) for part in command])

    environment.install_packages(home, kind, Recording(Screen()))
    (command,) = ran
    assert command[-3:] == ["--require-hashes", "--requirement", str(home.lock(kind))]
    assert ("--only-binary :all:" in " ".join(command)) is wheels_only
    assert not home.is_usable()
