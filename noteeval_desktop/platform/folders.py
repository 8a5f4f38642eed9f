"""Where this system wants a program to keep its data."""

from __future__ import annotations

import sys
from pathlib import Path

import platformdirs


def user_data_folder() -> Path | None:
    """Not made yet: ~/.local/share/noteeval (or under $XDG_DATA_HOME), ~/Library/Application Support/NoteEval,
    %LOCALAPPDATA%\\NoteEval. None for a user without a home folder, as in some containers."""
    name = "NoteEval" if sys.platform in ("win32", "darwin") else "noteeval"
    try:
        folder = platformdirs.user_data_path(name, appauthor=False)
    except (RuntimeError, ValueError, OSError):
        return None
    return folder if folder.is_absolute() else None
