"""`--config FILE.toml`: options that need not be typed each time.

A key is an option's name without its dashes. At the top of the file it holds for every command that has the option,
under ``[evaluate]`` or ``[batch]`` for that command. Consent to sending is given on the command line only.
"""

from __future__ import annotations

import argparse
import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from noteeval_desktop.domain.phrases import did_you_mean, tr
from noteeval_desktop.errors import InputError

_TYPED = ("--config", "--consent", "--help")


def take_defaults(
    command: argparse.ArgumentParser, path: Path, known: Mapping[str, set[str]], typed: Iterable[str] = ()
) -> None:
    """The file's values as what holds where the command line, ``typed``, says nothing; ``known``: every command's
    options.

    Raises InputError, which names the line.
    """
    try:
        text = path.read_text("utf-8")
        data = tomllib.loads(text)
    except OSError as error:
        problem = tr("cannot be read ({reason})").format(reason=error.strerror)
        raise InputError(path.name, problem, tr("Check the path.")) from error
    except ValueError as error:  # of TOML, with its line, or of UTF-8
        problem = tr("is not a TOML file ({error})").format(error=error)
        raise InputError(path.name, problem, tr("Correct it, and save it in UTF-8.")) from error
    own = command.prog.rpartition(" ")[2]
    tables = {name: value for name, value in data.items() if isinstance(value, dict)}
    for name in tables.keys() - known.keys():
        problem = tr("there is no command {name}{near}").format(name=name, near=did_you_mean(name, known))
        raise InputError(_place(path, text, name, ""), problem, tr("Name a table after a command, as [evaluate]."))
    everywhere = set[str]().union(*known.values())
    shared = {key: value for key, value in data.items() if key not in tables}
    begun = tuple(name for word in typed if (name := word.partition("=")[0]).startswith("--") and name != "--")
    for table, values, options in (
        ("", shared, everywhere),
        *((name, own, known[name]) for name, own in tables.items()),
    ):
        for key, value in values.items():
            place = _place(path, text, table, key)
            if f"--{key}" not in options or f"--{key}" in _TYPED:
                names = sorted(name[2:] for name in options - {*_TYPED} if name.startswith("--"))
                problem = tr("there is no option {key} to set here{near}").format(
                    key=key, near=did_you_mean(key, names)
                )
                raise InputError(place, problem, tr("Use its name as in `noteeval COMMAND --help`."))
            action = command._option_string_actions.get(f"--{key}")
            if action is not None and table in ("", own):
                action.required = False
                held = _value(command, action, value, place)
                # To one that may be given twice argparse would add what is typed.
                if not any(f"--{key}".startswith(name) for name in begun):
                    command.set_defaults(**{action.dest: held})


def _value(command: argparse.ArgumentParser, action: argparse.Action, value: object, place: str) -> Any:
    """As if it had been typed. Raises InputError."""
    if (action.nargs == 0) is not isinstance(value, bool):
        problem = tr("takes true or false") if action.nargs == 0 else tr("needs a value")
        raise InputError(place, f"{action.option_strings[-1][2:]} {problem}", tr("Correct it."))
    if isinstance(value, bool):
        return value

    probe = type(command)(add_help=False, exit_on_error=False)
    probe._add_action(action)
    option, words = action.option_strings[-1], list(map(str, value if isinstance(value, list) else [value]))
    typed = [option, *words] if action.nargs == "+" else [f"{option}={word}" for word in words]
    try:
        return getattr(probe.parse_args(typed), action.dest)
    except argparse.ArgumentError as error:
        raise InputError(place, str(error), tr("Correct it.")) from error


def _place(path: Path, text: str, table: str, key: str) -> str:
    """ "noteeval.toml, line 3"."""
    within, number = "", 1
    for number, line in enumerate(text.splitlines(), start=1):  # noqa: B007
        head = re.match(r"\s*\[\s*([^\]]+?)\s*\]", line)
        within = head[1].strip("\"'") if head else within
        if within == table and (head if not key else re.match(rf"\s*[\"']?{re.escape(key)}[\"']?\s*=", line)):
            break
    return tr("{file}, line {number}").format(file=path.name, number=number)
