"""Memory that a model may take, by what the operating system says."""

from __future__ import annotations

import ctypes
import os
import sys
from pathlib import Path


def free_memory() -> int | None:
    """Bytes that programs can still take without swapping; of macOS all of the memory; None where unknown."""
    if sys.platform == "win32":
        return _windows()
    meminfo = Path("/proc/meminfo")
    if meminfo.exists():
        for line in meminfo.read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError):
        return None


class _Status(ctypes.Structure):
    """MEMORYSTATUSEX of the Windows API."""

    _fields_ = (
        ("length", ctypes.c_uint32),
        ("load", ctypes.c_uint32),
        *((name, ctypes.c_uint64) for name in ("total", "free", "total_page", "free_page", "total_virtual")),
        *((name, ctypes.c_uint64) for name in ("free_virtual", "free_extended")),
    )


def _windows() -> int | None:
    status = _Status(length=ctypes.sizeof(_Status))
    found = getattr(ctypes, "windll").kernel32.GlobalMemoryStatusEx(ctypes.byref(status))  # noqa: B009
    return int(status.free) if found else None
