"""Memory that is freed goes back to the system."""

from __future__ import annotations

import ctypes
import os
import sys

_M_MMAP_THRESHOLD = -3
_THRESHOLD_BYTES = 65_536


def keep_heap_compact() -> bool:
    """Blocks of 64 kB and more get pages of their own, which return to the system when they are freed; whether so.

    Otherwise glibc raises that limit to 32 MB as it goes, and the arrays of a long session leave holes in the heap
    that stay with the program. To be called before they are made. Other libraries of C do so by themselves.
    """
    if not _runs_on_glibc():
        return False
    return bool(ctypes.CDLL(None).mallopt(_M_MMAP_THRESHOLD, _THRESHOLD_BYTES))


def _runs_on_glibc() -> bool:
    if sys.platform != "linux":
        return False
    try:
        return bool(os.confstr("CS_GNU_LIBC_VERSION"))
    except (ValueError, OSError):  # another library of C
        return False
