"""Where this system wants a program to keep its data.

By hand: the set-up asks before any package is installed, so platformdirs cannot be asked.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path


def user_data_folder() -> Path | None:
    """Not made yet: ~/.local/share/noteeval (or under $XDG_DATA_HOME), ~/Library/Application Support/NoteEval,
    %LOCALAPPDATA%\\NoteEval. None for a user without a home folder, as in some containers."""
    try:
        if sys.platform == "win32":
            folder = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "NoteEval"
        elif sys.platform == "darwin":
            folder = Path.home() / "Library" / "Application Support" / "NoteEval"
        else:
            folder = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "noteeval"
    except RuntimeError:
        return None
    return folder if folder.is_absolute() else None
