"""Passwords for a command: from the environment or asked for on the terminal, never on the command line."""

from __future__ import annotations

import os
import sys

from noteeval_desktop.commands.run import interrupted_at_once
from noteeval_desktop.errors import InputError

PDF_PASSWORD = "NOTEEVAL_PDF_PASSWORD"
CASE_PASSPHRASE = "NOTEEVAL_CASE_PASSPHRASE"


def known_password(variable: str, asked: str) -> str:
    """One that exists; empty where neither the environment nor a terminal gives one."""
    given = os.environ.get(variable)
    if given is not None:
        return given
    return _ask(f"{asked}: ") if sys.stdin.isatty() else ""


def new_password(variable: str, asked: str) -> str:
    """One to protect something with, typed twice. Raises InputError where there is none or the two differ."""
    given = os.environ.get(variable)
    if given is not None:
        return given
    if not sys.stdin.isatty():
        raise InputError(variable, "is not set, and there is no terminal to ask in", f"Set {variable}.")
    first = _ask(f"{asked}: ")
    if first != _ask("Once more: "):
        raise InputError("The password", "was typed differently the second time", "Run the command again.")
    return first


def _ask(asked: str) -> str:
    import getpass  # here, not above: `--help` needs the variables' names only

    try:
        with interrupted_at_once():
            return getpass.getpass(asked)
    except EOFError:
        return ""
