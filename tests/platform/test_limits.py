"""What a parser may take of memory and time, on every system by its own means."""

from __future__ import annotations

import ctypes
import subprocess
import sys

import pytest

from noteeval_desktop.errors import InputError
from noteeval_desktop.isolation import run_isolated
from noteeval_desktop.platform import limits

posix = pytest.mark.skipif(sys.platform == "win32", reason="POSIX limits; Windows has job objects")
# Not at once, or a system that looks now and then would see nothing; and touched, or it takes no memory.
_GREED = "[bytearray(b'x') * 50_000_000 for _ in range(400) if not __import__('time').sleep(0.02)]"
_SPIN = """
from noteeval_desktop.platform.limits import limit_this_process
limit_this_process(None, 0)
while True:
    pass
"""


def test_greedy_work_is_stopped() -> None:
    with pytest.raises(InputError, match="takes too much memory"):
        run_isolated(eval, _GREED, seconds=60, memory_mb=300)


def test_greedy_work_is_stopped_where_the_system_keeps_no_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "WATCHED", True)
    with pytest.raises(InputError, match="takes too much memory"):
        run_isolated(eval, _GREED, seconds=60, memory_mb=300)


@pytest.mark.parametrize("watched", [False, True])
def test_work_within_its_limit_is_done(monkeypatch: pytest.MonkeyPatch, watched: bool) -> None:
    monkeypatch.setattr(limits, "WATCHED", watched or limits.WATCHED)
    assert run_isolated(eval, "len(bytearray(b'x') * 100_000_000)", seconds=60, memory_mb=500) == 100_000_000


def test_a_process_that_is_gone_takes_nothing() -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as gone:
        gone.wait()
    assert not limits.takes_more(gone.pid, 1)


def test_endless_work_ends_also_when_nobody_waits_for_it() -> None:
    child = subprocess.run([sys.executable, "-c", _SPIN], timeout=60, check=False)
    assert child.returncode != 0


@posix
def test_a_crash_leaves_no_session_on_the_disk() -> None:
    import resource

    assert run_isolated(resource.getrlimit, resource.RLIMIT_CORE, seconds=7, memory_mb=500) == (0, 0)


@pytest.mark.skipif(ctypes.sizeof(ctypes.c_void_p) != 8, reason="the sizes are those of 64 bits")
def test_what_windows_reads_has_the_size_that_it_expects() -> None:
    # As Windows' own headers have it: sizeof of both structures.
    assert (ctypes.sizeof(limits.BasicLimits), ctypes.sizeof(limits.ExtendedLimits)) == (64, 144)


@posix
@pytest.mark.parametrize("start", ["noteeval_desktop.__main__ import main", "noteeval_desktop.cli import main"])
def test_the_window_and_the_commands_leave_no_core_dump(start: str) -> None:
    """What it holds of a session would lie on the disk in clear."""
    program = f"import resource; from {start}\ntry: main(['--help'])\nexcept SystemExit: pass\n"
    told = "print(*resource.getrlimit(resource.RLIMIT_CORE))"
    done = subprocess.run([sys.executable, "-c", program + told], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "0 0"
