"""Limits of a child process on memory and time."""

from __future__ import annotations

import ctypes
import sys

# macOS takes no limit on memory: the parent looks now and then. What a child takes meanwhile, it has.
WATCHED = sys.platform == "darwin"

_NO_REPORT = 0x1 | 0x2  # SEM_FAILCRITICALERRORS, SEM_NOGPFAULTERRORBOX
_SET_DUMPABLE = 4  # PR_SET_DUMPABLE


def limit_this_process(memory_mb: int | None, seconds: float) -> None:
    """Beyond ``memory_mb`` (None: no limit) allocating fails; after ``seconds`` of work the process ends. On POSIX it
    leaves no core dump, which would put the session on the disk; on Windows it starts no other. Raises OSError.
    """
    if sys.platform == "win32":
        _join_job(memory_mb, seconds)
        return
    import resource

    if memory_mb is not None:
        size = memory_mb * 1024 * 1024
        resource.setrlimit(resource.RLIMIT_AS, (size, size))
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
    forbid_core_dumps()


def forbid_core_dumps() -> None:
    """What this process holds of sessions and notes is not to lie on the disk after a crash. Children keep to it.

    On Windows the system makes no report of the crash, which could hold a part of the memory.
    """
    if sys.platform == "win32":
        ctypes.WinDLL("kernel32").SetErrorMode(_NO_REPORT)
        return
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # A system that hands a dump to a program of its own asks no limit, and another process could read the memory.
    if sys.platform == "linux" and ctypes.CDLL(None, use_errno=True).prctl(_SET_DUMPABLE, 0, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "no core dumps")


def takes_more(pid: int, memory_mb: int) -> bool:
    """Whether the process, which may be gone, holds more memory. For systems that keep no limit themselves."""
    import psutil

    try:
        return bool(psutil.Process(pid).memory_info().rss > memory_mb * 1024 * 1024)
    except psutil.Error:
        return False


class BasicLimits(ctypes.Structure):
    """JOBOBJECT_BASIC_LIMIT_INFORMATION of the Windows API; times in units of 100 ns."""

    _fields_ = (
        ("process_time", ctypes.c_int64),
        ("job_time", ctypes.c_int64),
        ("flags", ctypes.c_uint32),
        ("least_working_set", ctypes.c_size_t),
        ("most_working_set", ctypes.c_size_t),
        ("processes", ctypes.c_uint32),
        ("affinity", ctypes.c_size_t),
        ("priority", ctypes.c_uint32),
        ("scheduling", ctypes.c_uint32),
    )


class ExtendedLimits(ctypes.Structure):
    """JOBOBJECT_EXTENDED_LIMIT_INFORMATION of the Windows API; sizes in bytes."""

    _fields_ = (
        ("basic", BasicLimits),
        ("io_counters", ctypes.c_uint64 * 6),
        ("process_memory", ctypes.c_size_t),
        ("job_memory", ctypes.c_size_t),
        ("peak_process_memory", ctypes.c_size_t),
        ("peak_job_memory", ctypes.c_size_t),
    )


_EXTENDED = 9  # JobObjectExtendedLimitInformation
# JOB_OBJECT_LIMIT_...
_PROCESS_TIME, _ACTIVE_PROCESS, _PROCESS_MEMORY, _DIE_ON_UNHANDLED_EXCEPTION = 0x2, 0x8, 0x100, 0x400


def _join_job(memory_mb: int | None, seconds: float) -> None:
    if sys.platform != "win32":
        return
    kernel = ctypes.WinDLL("kernel32", use_last_error=True)
    kernel.CreateJobObjectW.restype = kernel.GetCurrentProcess.restype = ctypes.c_void_p
    kernel.CreateJobObjectW.argtypes = [ctypes.c_void_p, ctypes.c_wchar_p]
    kernel.SetInformationJobObject.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p, ctypes.c_uint32]
    kernel.AssignProcessToJobObject.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
    limits = ExtendedLimits()
    limits.basic.flags = _PROCESS_TIME | _ACTIVE_PROCESS | _DIE_ON_UNHANDLED_EXCEPTION
    limits.basic.process_time, limits.basic.processes = int((seconds + 1) * 10_000_000), 1
    if memory_mb is not None:
        limits.basic.flags |= _PROCESS_MEMORY
        limits.process_memory = memory_mb * 1024 * 1024
    # Its handle stays open as long as the process lives.
    job = kernel.CreateJobObjectW(None, None)
    if not (
        job
        and kernel.SetInformationJobObject(job, _EXTENDED, ctypes.byref(limits), ctypes.sizeof(limits))
        and kernel.AssignProcessToJobObject(job, kernel.GetCurrentProcess())
    ):
        raise ctypes.WinError(ctypes.get_last_error())
