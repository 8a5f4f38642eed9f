"""`noteeval self-test` on sound and on broken installations, broken for real: other files, mounts, clock, display."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest

from noteeval_desktop import cli
from noteeval_desktop.commands.self_test import clock
from noteeval_desktop.errors import InputError

ROOT = Path(__file__).resolve().parent.parent
_OLD = "flags : fpu sse sse2 pni ssse3 sse4_1 sse4_2"
_MOUNTS = ("unshare", "-rm", "sh", "-c")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, encoder_path: Path) -> Path:
    """The data folder of a sound installation."""
    folder = tmp_path / "home"
    shutil.copytree(encoder_path.parent, folder / "models")
    monkeypatch.setenv("NOTEEVAL_HOME", str(folder))
    return folder


def _can_mount() -> bool:
    return shutil.which("unshare") is not None and not subprocess.run([*_MOUNTS, "true"], check=False).returncode


def started(*checks: str, mounts: str = "", **variables: str) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own, with file systems of its own where ``mounts`` (for a shell) changes them."""
    if mounts and not _can_mount():
        pytest.skip("mounts of one's own take Linux and its user namespaces")
    command = [sys.executable, "-P", "-m", "noteeval_desktop.cli", "self-test", *checks]
    if mounts:
        command = [*_MOUNTS, f'{mounts} && exec "$@"', "sh", *command]
    path = os.pathsep.join([str(ROOT), os.environ["PYTHONPATH"]])
    return subprocess.run(
        command, env=os.environ | {"PYTHONPATH": path} | variables, capture_output=True, text=True, check=False
    )


def test_a_sound_installation_passes_and_tells_programs_so(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["self-test", "--json", "-", "clock", "folder", "memory", "pdf", "library"]) == 0
    printed = capsys.readouterr()
    told = json.loads(printed.out)
    checks = ["clock", "folder", "memory", "processor", "encoder", "judge", "pdf", "library"]
    assert [check["check"] for check in told["checks"]] == checks
    assert told["passed"]
    assert {check["state"] for check in told["checks"]} <= {"ok", "warning"}
    assert "NoteEval works on this computer." in printed.err
    assert [entry.name for entry in home.iterdir()] == ["models"]  # and nothing is left behind


def test_an_unknown_check_is_bad_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["self-test", "tea"]) == 2
    assert "The checks are clock, folder, memory" in capsys.readouterr().err


def test_without_its_encoder_it_fails_and_says_how_to_go_on(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.rmtree(home / "models")
    assert cli.main(["self-test", "judge"]) == 1
    printed = capsys.readouterr().out
    assert (
        "FAILED   encoder    The sentence encoder is not on this computer yet. Run `noteeval models build`." in printed
    )
    assert "FAILED   judge      Not tried, because “encoder” failed." in printed
    assert "Failed: encoder, judge." in printed


def test_an_encoder_with_another_hash_fails(home: Path, encoder_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copy = home / "models" / encoder_path.name
    copy.write_bytes(copy.read_bytes()[:-1] + b"\x07")
    assert cli.main(["self-test", "encoder"]) == 1
    assert "the sentence encoder is damaged" in capsys.readouterr().out


def test_a_home_that_cannot_be_written_fails(home: Path) -> None:
    done = started("library", mounts=f"mount --bind {home} {home} && mount -o remount,ro,bind {home}")
    assert done.returncode == 1, done.stderr
    assert "cannot be written (Read-only file system)" in done.stdout
    assert "set NOTEEVAL_HOME to another folder" in done.stdout


def test_a_full_disk_fails(home: Path) -> None:
    done = started("library", mounts=f"mount -t tmpfs -o size=64k none {home}")
    assert done.returncode == 1, done.stderr
    assert "cannot be written (No space left on device). Make room" in done.stdout


def test_a_disk_that_is_nearly_full_fails(home: Path) -> None:
    done = started("folder", mounts=f"mount -t tmpfs -o size=20m none {home}")
    assert done.returncode == 1, done.stderr
    assert "MB are free on its disk. Delete what you no longer need" in done.stdout


def test_without_a_keychain_it_passes_with_a_warning(home: Path) -> None:
    nowhere = {"DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere", "XDG_RUNTIME_DIR": "/nowhere"}
    done = started("keychain", PYTHON_KEYRING_BACKEND="keyring.backends.fail.Keyring", **nowhere)
    assert done.returncode == 0, done.stderr
    assert (
        "warning  keychain   This system has no keychain. Protect your keys with a passphrase instead." in done.stdout
    )


def test_without_a_display_and_without_a_font_the_window_is_drawn_all_the_same(home: Path, tmp_path: Path) -> None:
    places = [place for place in ("/usr/share/fonts", "/usr/local/share/fonts") if Path(place).is_dir()]
    mounts = " && ".join(f"mount -t tmpfs none {place}" for place in places) if _can_mount() else ""
    nowhere = {"QT_QPA_PLATFORM": "", "DISPLAY": "", "WAYLAND_DISPLAY": "", "HOME": str(tmp_path)}
    done = started("window", mounts=mounts, **nowhere)
    assert done.returncode == 0, done.stdout  # a picture of boxes would have failed
    wanted = {"win32": "ok       window", "darwin": "ok       window"}
    assert wanted.get(sys.platform, "warning  window     There is no display here") in done.stdout


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="there is always a display")
def test_a_display_that_does_not_answer_fails(home: Path) -> None:
    done = started("window", QT_QPA_PLATFORM="xcb", DISPLAY=":4711", WAYLAND_DISPLAY="")
    assert done.returncode == 1, done.stdout
    assert "FAILED   window     The window cannot be drawn: " in done.stdout
    assert "Available platform plugins" not in done.stdout


def test_a_processor_that_lacks_what_llama_cpp_was_built_for_fails(home: Path, tmp_path: Path) -> None:
    (tmp_path / "cpuinfo").write_text(_OLD)
    done = started("encoder", mounts=f"mount --bind {tmp_path / 'cpuinfo'} /proc/cpuinfo")
    assert done.returncode == 1, done.stdout
    assert "FAILED   processor  The installed llama.cpp needs a processor with " in done.stdout
    assert "FAILED   encoder    Not tried" in done.stdout


def test_a_foreign_language_and_letters_change_nothing(home: Path) -> None:
    foreign = home.with_name("Ünïcode ışık 家")
    home.rename(foreign)
    others = {"LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8", "PYTHONIOENCODING": "ascii"}
    done = started("folder", "pdf", "library", NOTEEVAL_HOME=str(foreign), **others)
    assert done.returncode == 0, done.stdout


@pytest.mark.skipif(shutil.which("faketime") is None, reason="faketime is not installed")
def test_a_clock_in_1990_fails_and_harms_nothing_else(home: Path) -> None:
    preload = subprocess.run(
        ["faketime", "1990-01-01", "sh", "-c", "echo $LD_PRELOAD"], capture_output=True, text=True, check=True
    ).stdout.strip()
    done = started("clock", "library", LD_PRELOAD=preload, FAKETIME="@1990-01-01 12:00:00")
    assert done.returncode == 1
    assert "FAILED   clock      This computer's clock: says that it is 1990-01-01" in done.stdout
    assert "ok       library" in done.stdout


def test_a_clock_long_before_this_program_is_wrong() -> None:
    with pytest.raises(InputError, match="Set date and time"):
        clock(date(1990, 1, 1))
    assert clock(date(2030, 5, 6)) == "2030-05-06"
