"""One program at a time, on every system."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from noteeval_desktop.platform.locks import FileLock, PassingLock

_HOLD = """
import pathlib, sys, time
from noteeval_desktop.platform.locks import FileLock
lock = FileLock(pathlib.Path(sys.argv[1]))
print("held", flush=True)
time.sleep(60)
"""


def test_a_held_file_is_refused_and_free_again_at_once(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    for _ in range(20):
        lock = FileLock(path)
        with pytest.raises(BlockingIOError, match="lock"):
            FileLock(path)
        lock.release()


def test_a_program_that_is_killed_lets_go(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with subprocess.Popen([sys.executable, "-c", _HOLD, str(path)], stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline().strip() == b"held"
        with pytest.raises(BlockingIOError):
            FileLock(path)
        holder.kill()
    FileLock(path).release()


def test_a_place_where_no_file_can_be_is_another_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        FileLock(tmp_path / "absent" / "lock")


def test_of_many_at_once_one_holds_a_file_that_goes_with_its_lock(tmp_path: Path) -> None:
    path, inside, most = tmp_path / "lock", [0], [0]

    def hold() -> None:
        for _ in range(200):
            try:
                lock = PassingLock(path)
            except BlockingIOError:
                continue
            inside[0] += 1
            most[0] = max(most[0], inside[0])
            inside[0] -= 1
            lock.release()

    threads = [threading.Thread(target=hold) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1]
    assert not path.exists()
