"""The lock files and pyproject.toml agree."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from packaging.markers import default_environment
from packaging.requirements import Requirement

from installers import lock

PROJECT = tomllib.loads((lock.HERE.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
SEPARATELY = "llama-cpp-python"


def pins(name: str) -> list[Requirement]:
    """The pinned requirements of a lock file, with their markers."""
    lines = (lock.HERE / name).read_text(encoding="utf-8").splitlines()
    return [Requirement(line.rstrip("\\ ")) for line in lines if line and not line.startswith((" ", "#"))]


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


@pytest.mark.parametrize(
    "system",
    [
        {},
        {"sys_platform": "win32", "platform_machine": "AMD64", "platform_system": "Windows", "os_name": "nt"},
        {"sys_platform": "darwin", "platform_machine": "arm64", "platform_system": "Darwin"},
        {"sys_platform": "darwin", "platform_machine": "x86_64", "platform_system": "Darwin"},
    ],
    ids=["here", "windows", "mac", "intel-mac"],
)
@pytest.mark.parametrize(
    ("file", "wanted"),
    [
        ("requirements.lock", PROJECT["dependencies"]),
        ("requirements-test.lock", [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["test"]]),
        ("requirements-test.lock", PROJECT["optional-dependencies"]["train"]),
    ],
)
def test_every_dependency_is_locked_to_a_version_that_fits(
    file: str, wanted: list[str], system: dict[str, str]
) -> None:
    environment: dict[str, Any] = {**default_environment(), "extra": "", **system}
    locked = {
        canonical(pin.name): str(pin.specifier)[2:]
        for pin in pins(file)
        if pin.marker is None or pin.marker.evaluate(environment)
    }
    unmet = [
        text
        for text in wanted
        if (need := Requirement(text)).name != SEPARATELY
        and (need.marker is None or need.marker.evaluate(environment))
        and not need.specifier.contains(locked.get(canonical(need.name), "0"), prereleases=True)
    ]
    assert unmet == []


def test_llama_is_locked_apart_in_the_version_that_the_project_needs() -> None:
    (pin,) = pins("requirements-llama.lock")
    assert f"{pin.name}{pin.specifier}" in PROJECT["dependencies"]
    assert lock.LLAMA in PROJECT["dependencies"]


def test_test_lock_holds_everything_that_running_needs() -> None:
    held = {str(pin) for pin in pins("requirements-test.lock")}
    # A test dependency may need on every system what running needs on some.
    missing = [pin for pin in pins("requirements.lock") if not {str(pin), f"{pin.name}{pin.specifier}"} & held]
    assert missing == []


@pytest.mark.parametrize("path", sorted(lock.HERE.glob("*.lock")), ids=lambda path: path.name)
def test_every_pin_has_a_hash(path: Path) -> None:
    pieces = re.split(r"\n(?=\S)", path.read_text(encoding="utf-8").strip())
    assert [piece.split()[0] for piece in pieces if "--hash=sha256:" not in piece] == []
