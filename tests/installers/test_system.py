"""What the system lacks, and the command that the user is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from installers import system
from installers.steps import SetupError
from installers.system import Missing


def finds(*programs: str) -> system.Find:
    return lambda name: f"/usr/bin/{name}" if name in programs else None


MISSING = Missing({"libEGL.so.1": "libegl1", "libGL.so.1": "libgl1"}, ("fonts-dejavu-core", "build-essential"))


@pytest.mark.parametrize(
    ("programs", "command"),
    [
        (
            ("apt-get",),
            "sudo apt-get update && sudo apt-get install -y build-essential fonts-dejavu-core libegl1 libgl1",
        ),
        (
            ("dnf",),
            "sudo dnf install -y 'libEGL.so.1()(64bit)' 'libGL.so.1()(64bit)' dejavu-sans-fonts gcc gcc-c++ make",
        ),
        (
            (),
            "(no package manager is known here; install what brings "
            "libEGL.so.1, libGL.so.1, fonts-dejavu-core, build-essential)",
        ),
    ],
)
def test_command_is_exact_for_the_package_manager(programs: tuple[str, ...], command: str) -> None:
    assert MISSING.command(finds(*programs)) == command


def test_only_libraries_that_do_not_load_are_missing() -> None:
    wanted = {"libEGL.so.1": "libegl1", "libGL.so.1": "libgl1"}
    assert system.missing_libraries(wanted, lambda name: name == "libGL.so.1") == {"libEGL.so.1": "libegl1"}


def test_window_needs_other_libraries_than_offscreen_work() -> None:
    assert not set(system.OFFSCREEN_LIBRARIES) & set(system.WINDOW_LIBRARIES)


@pytest.mark.parametrize(
    ("file", "found"), [("truetype/DejaVuSans.ttf", True), ("a.otf", True), ("a.pcf.gz", False), (None, False)]
)
def test_scalable_font_is_found(tmp_path: Path, file: str | None, found: bool) -> None:
    if file:
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).touch()
    assert system.has_fonts([tmp_path, tmp_path / "absent"]) is found


@pytest.mark.parametrize(("platform", "command"), [("win32", "winget install"), ("darwin", "xcode-select --install")])
def test_missing_compiler_is_named_with_the_command(
    monkeypatch: pytest.MonkeyPatch, platform: str, command: str
) -> None:
    monkeypatch.setattr(system.sys, "platform", platform)
    monkeypatch.setattr(system, "has_compiler", lambda: False)
    with pytest.raises(SetupError, match=f"is missing.*\n  {command}"):
        system.find_missing({}, builds=True)


@pytest.mark.parametrize(("builds", "wanted"), [(True, True), (False, False)])
def test_compiler_is_wanted_only_for_building(monkeypatch: pytest.MonkeyPatch, builds: bool, wanted: bool) -> None:
    monkeypatch.setattr(system.sys, "platform", "linux")
    monkeypatch.setattr(system, "has_compiler", lambda: False)
    assert (system.COMPILER_PACKAGE in system.find_missing({}, builds=builds).others) is wanted


@pytest.mark.parametrize(
    ("platform", "variables", "display"),
    [
        ("linux", {}, False),
        ("linux", {"DISPLAY": ""}, False),
        ("linux", {"DISPLAY": ":0"}, True),
        ("linux", {"WAYLAND_DISPLAY": "wayland-0"}, True),
        ("win32", {}, True),
        ("darwin", {}, True),
    ],
)
def test_display_is_recognised(platform: str, variables: dict[str, str], display: bool) -> None:
    assert system.has_display(platform, variables) is display
