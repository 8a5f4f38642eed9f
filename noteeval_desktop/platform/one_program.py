"""Where two starts of the program find each other, and which of them may come to the front."""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path

# Wayland's token, by which a desktop lets the program that the user has just started raise its window.
ACTIVATION = "XDG_ACTIVATION_TOKEN"


def meeting_point(data_folder: Path) -> str:
    """The name of a local socket (of a pipe, on Windows) of this user and this data folder.

    Elsewhere than on Windows it lies in a folder that only this user can write, so that nobody else can wait there.
    """
    if sys.platform == "win32":
        import getpass

        return f"noteeval-{_digest(f'{getpass.getuser()} {data_folder.resolve()}')}"
    room = Path(os.environ.get("XDG_RUNTIME_DIR") or data_folder.resolve())
    return str(room / f"noteeval-{_digest(f'{os.getuid()} {data_folder.resolve()}')}")


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def let_others_come_to_front() -> None:
    """Windows lets a running program raise its window only when the one that the user started says so."""
    if sys.platform == "win32":
        import ctypes

        ctypes.WinDLL("user32").AllowSetForegroundWindow(-1)  # ASFW_ANY
