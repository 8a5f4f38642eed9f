"""The program's own files, on every system."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from noteeval_desktop.platform import files
from noteeval_desktop.platform.files import (
    Obstacle,
    obstacle,
    private_file,
    private_folder,
    replace_file,
    write_private,
)

on_windows = pytest.mark.skipif(sys.platform != "win32", reason="only Windows holds a file that is open")
posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has access lists in the place of modes")


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    new, old = tmp_path / "new", tmp_path / "old"
    new.write_bytes(b"new")
    old.write_bytes(b"old")
    return new, old


def test_a_file_takes_the_place_of_another(pair: tuple[Path, Path]) -> None:
    replace_file(*pair)
    assert pair[1].read_bytes() == b"new"
    assert not pair[0].exists()


@on_windows
def test_a_file_that_another_program_holds_for_a_moment_is_replaced(pair: tuple[Path, Path]) -> None:
    held = pair[1].open("rb")
    threading.Timer(0.3, held.close).start()
    replace_file(*pair)
    assert pair[1].read_bytes() == b"new"


@on_windows
def test_a_file_that_stays_open_is_left_as_it_was(pair: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "PATIENCE_SECONDS", 0.2)
    with pair[1].open("rb"), pytest.raises(PermissionError) as refused:
        replace_file(*pair)
    assert files.is_held(refused.value)
    assert (pair[0].read_bytes(), pair[1].read_bytes()) == (b"new", b"old")


def refusing(times: int, code: int | None) -> tuple[list[None], object]:
    """What ``os.replace`` does on Windows while another program holds the file, for so many calls."""
    calls: list[None] = []
    replace = os.replace

    def refuse(source: Path, target: Path) -> None:
        calls.append(None)
        if len(calls) <= times:
            error = PermissionError(13, "Permission denied")
            error.winerror = code  # type: ignore[attr-defined, unused-ignore]
            raise error
        replace(source, target)

    return calls, refuse


@pytest.mark.parametrize("code", [5, 32, 33])
def test_what_windows_refuses_is_tried_again(
    pair: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    calls, refuse = refusing(2, code)
    monkeypatch.setattr(os, "replace", refuse)
    replace_file(*pair)
    assert len(calls) == 3
    assert pair[1].read_bytes() == b"new"


def test_a_refusal_that_time_does_not_mend_is_passed_on_at_once(
    pair: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    calls, refuse = refusing(1, None)
    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(PermissionError):
        replace_file(*pair)
    assert len(calls) == 1


def test_a_file_that_cannot_be_replaced_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match="folder"):
        write_private(tmp_path / "folder", b"content")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


@posix
def test_files_and_folders_are_for_their_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "outer" / "inner"
    private_folder(folder)
    private_folder(folder)
    private_file(folder / "empty")
    write_private(folder / "written", b"content")
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {path.name: path.stat().st_mode & 0o777 for path in folder.iterdir()} == {"empty": 0o600, "written": 0o600}


def test_what_is_in_a_private_file_stays(tmp_path: Path) -> None:
    write_private(tmp_path / "kept", b"content")
    private_file(tmp_path / "kept")
    assert (tmp_path / "kept").read_bytes() == b"content"


@pytest.mark.skipif(sys.version_info < (3, 12, 4), reason="earlier Pythons leave the list of the folder above")
@pytest.mark.skipif(sys.platform != "win32", reason="access lists are of Windows")
def test_only_the_owner_the_system_and_administrators_are_let_in(tmp_path: Path) -> None:
    private_folder(tmp_path / "private")
    write_private(tmp_path / "private" / "file", b"content")
    for path in (tmp_path / "private", tmp_path / "private" / "file"):
        # By their numbers, as the names are in the system's language.
        saved = tmp_path / f"{path.name}.acl"
        subprocess.run(["icacls", str(path), "/save", str(saved)], check=True, capture_output=True)
        said = saved.read_text("utf-16-le")
        assert not [group for group in (";;;WD)", ";;;BU)", ";;;AU)") if group in said], said


def of_windows(number: int, code: int | None) -> OSError:
    """As Windows raises it; ``None``: as the other systems do."""
    error = OSError(number, "no")
    if code is not None:
        error.winerror = code  # type: ignore[attr-defined, unused-ignore]
    return error


@pytest.mark.parametrize(
    ("error", "length", "found"),
    [
        (of_windows(13, 32), 10, Obstacle.HELD),
        (of_windows(13, 5), 10, None),
        (of_windows(22, 426), 10, Obstacle.ONLINE),
        (of_windows(2, 3), 300, Obstacle.TOO_LONG),
        (of_windows(2, 2), 100, None),
        (of_windows(2, None), 300, None),
        (of_windows(13, None), 10, None),
    ],
)
def test_why_windows_does_not_give_a_file(error: OSError, length: int, found: Obstacle | None) -> None:
    assert obstacle(error, Path("x" * length)) is found
