"""What the system lacks, and the command that the user is told."""

from __future__ import annotations

import sys
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
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(system, "has_compiler", lambda: False)
    with pytest.raises(SetupError, match=f"is missing.*\n  {command}"):
        system.find_missing({}, builds=True)


@pytest.mark.parametrize(("builds", "wanted"), [(True, True), (False, False)])
def test_compiler_is_wanted_only_for_building(monkeypatch: pytest.MonkeyPatch, builds: bool, wanted: bool) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(system, "has_compiler", lambda: False)
    assert (system.COMPILER_PACKAGE in system.find_missing({}, builds=builds).others) is wanted


@pytest.mark.parametrize(
    ("name", "macos", "libc", "said"),
    [
        ("linux-x86_64", "", ("glibc", "2.36"), ""),
        ("linux-x86_64", "", ("glibc", "2.34"), ""),
        ("linux-x86_64", "", ("glibc", "2.31"), "glibc 2.34 or newer; this one has glibc 2.31"),
        ("linux-aarch64", "", ("glibc", "2.36"), "glibc 2.39 or newer"),
        ("linux-aarch64", "", ("glibc", "2.41"), ""),
        ("linux-x86_64", "", ("musl", "1.2.5"), "this one has musl"),
        ("linux-x86_64", "", ("", ""), ""),
        ("linux-armv7l", "", ("glibc", "2.41"), "64-bit"),
        ("macosx-10.13-universal2", "12.7.6", ("", ""), "macOS 13 or newer; this is macOS 12.7.6"),
        ("macosx-10.13-universal2", "13.0", ("", ""), ""),
        ("macosx-11.0-arm64", "26.1", ("", ""), ""),
        ("win-amd64", "", ("", ""), ""),
        ("win-arm64", "", ("", ""), "python.org"),
        ("win32", "", ("", ""), "python.org"),
    ],
)
def test_a_system_without_packages_is_told_before_anything_is_fetched(
    name: str, macos: str, libc: tuple[str, str], said: str
) -> None:
    reason = system.unsupported(name, macos, libc)
    assert said in reason
    assert bool(reason) is bool(said)


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
