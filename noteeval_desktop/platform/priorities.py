"""Who goes first: the window needs little, and at once."""

from __future__ import annotations

import ctypes
import os
import sys
import threading

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
