"""Who is logged in on this computer."""

from __future__ import annotations

import getpass
import os
import sys


def account() -> str:
    """The login name; empty where the system tells none. On POSIX the environment is not asked: anybody sets it."""
    try:
        if sys.platform == "win32":
            return getpass.getuser()
        import pwd

        return pwd.getpwuid(os.getuid()).pw_name
    except (KeyError, OSError):
        return ""
