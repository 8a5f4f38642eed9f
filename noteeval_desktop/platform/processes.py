"""What a child process is started with, and how much of the computer there is for it."""

from __future__ import annotations

import os
import subprocess
import sys
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
