"""What a child process is started with, and how much of the computer there is for it."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import threading
from typing import Any

# Anything else (keys, tokens, proxies) stays with the parent.
_NEEDED = ("PATH", "SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "TEMP", "TMP", "TMPDIR", "LD_LIBRARY_PATH", "LANG")
HOME = ("HOME", "USERPROFILE", "LOCALAPPDATA", "XDG_DATA_HOME")
# Where llama.cpp looks for the libraries of graphics processors on Windows, and which of several it is to use.
GRAPHICS = (
    *("CUDA_PATH", "HIP_PATH", "CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES"),
    "GGML_VK_VISIBLE_DEVICES",
)


def environment(*more: str) -> dict[str, str]:
    """What every program needs of this one's environment, and ``more`` of it by name."""
    return {name: os.environ[name] for name in (*_NEEDED, *more) if name in os.environ}


def apart(low: bool = False) -> dict[str, Any]:
    """What ``subprocess.Popen`` takes so that a child opens no console, and that Ctrl+C in a terminal does not end it
    before the parent has decided to. ``low``: other programs go first; on POSIX the child says so (``priorities``)."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NO_WINDOW | (subprocess.BELOW_NORMAL_PRIORITY_CLASS if low else 0)}
    return {"process_group": 0}


def usable_processors() -> int:
    """Those that this process may use; outside Linux all of them."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


# Who goes first: the window needs little, and at once.
_THREAD_NICENESS, _PROCESS_NICENESS = 5, 10
_UTILITY = 0x11  # QOS_CLASS_UTILITY, for work that takes seconds to minutes and shows its progress
_BELOW_NORMAL = -1  # THREAD_PRIORITY_BELOW_NORMAL


def lower_this_thread() -> None:
    """Other threads of this process go first. Raises OSError where the system refuses."""
    if sys.platform == "win32":
        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        kernel.GetCurrentThread.restype = ctypes.c_void_p
        kernel.SetThreadPriority.argtypes = [ctypes.c_void_p, ctypes.c_int]
        if not kernel.SetThreadPriority(kernel.GetCurrentThread(), _BELOW_NORMAL):
            raise ctypes.WinError(ctypes.get_last_error())
    elif sys.platform == "darwin":
        code = ctypes.CDLL(None).pthread_set_qos_class_self_np(_UTILITY, 0)
        if code:
            raise OSError(code, os.strerror(code))
    else:  # Linux, where threads have a niceness of their own
        thread = threading.get_native_id()
        os.setpriority(os.PRIO_PROCESS, thread, max(os.getpriority(os.PRIO_PROCESS, thread), _THREAD_NICENESS))


def lower_this_process() -> None:
    """All other programs go first; on Windows whoever starts this one says so (``processes``)."""
    if sys.platform != "win32":
        os.nice(_PROCESS_NICENESS)
