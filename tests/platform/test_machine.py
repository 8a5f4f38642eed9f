"""Memory, priorities, folders and flags, on every system."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest

from noteeval_desktop.platform import folders
from noteeval_desktop.platform.memory import free_memory
from noteeval_desktop.platform.native_flag import NativeFlag
from noteeval_desktop.platform.processes import lower_this_thread


def test_free_memory_is_less_than_there_is() -> None:
    free = free_memory()
    assert free is not None
    assert 10_000_000 < free < psutil.virtual_memory().total


def test_free_memory_is_unknown_where_the_system_hides_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def hidden() -> None:
        raise FileNotFoundError

    monkeypatch.setattr(psutil, "virtual_memory", hidden)
    assert free_memory() is None


def _priority() -> int:
    """Of this thread: the higher, the more it stands back."""
    if sys.platform == "win32":
        kernel = ctypes.WinDLL("kernel32")
        kernel.GetCurrentThread.restype = ctypes.c_void_p
        kernel.GetThreadPriority.argtypes = [ctypes.c_void_p]
        return -int(kernel.GetThreadPriority(kernel.GetCurrentThread()))
    if sys.platform == "darwin":
        return -int(ctypes.CDLL(None).qos_class_self())
    return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())


def test_only_the_thread_that_asks_stands_back() -> None:
    before = _priority()
    if sys.platform == "linux" and before >= 5:
        pytest.skip("started with nice: it stands back already")
    with ThreadPoolExecutor(1, initializer=lower_this_thread) as pool:
        assert pool.submit(_priority).result() > before
    assert _priority() == before


def test_native_code_sees_the_flag() -> None:
    flag = NativeFlag()
    ask = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p)(flag.function.value)
    assert ask(flag.address) is flag.is_set() is False
    flag.set()
    assert ask(flag.address) is flag.is_set() is True
    flag.clear()
    assert ask(flag.address) is flag.is_set() is False


def test_data_lies_where_the_system_wants_it(tmp_path: Path) -> None:
    code = "from noteeval_desktop.platform.folders import user_data_folder; print(user_data_folder())"
    environment = {name: value for name, value in os.environ.items() if name != "XDG_DATA_HOME"}
    child = subprocess.run(
        [sys.executable, "-c", code],
        env=environment | {"HOME": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    if sys.platform == "win32":  # asked of the system, not of the environment
        assert Path(child.stdout.strip()).parts[-3:] == ("AppData", "Local", "NoteEval")
    else:
        mac = sys.platform == "darwin"
        inside = ("Library", "Application Support", "NoteEval") if mac else (".local", "share", "noteeval")
        assert Path(child.stdout.strip()) == tmp_path.joinpath(*inside)


def test_a_user_without_a_home_has_no_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    def without() -> Path:
        raise RuntimeError

    for name in ("LOCALAPPDATA", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", without)
    assert folders.user_data_folder() is None
