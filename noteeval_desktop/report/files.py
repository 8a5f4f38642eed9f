"""Writing result files so that a reader never meets half of one."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.tables import guarded
from noteeval_desktop.errors import InputError
from noteeval_desktop.platform.files import is_held, is_read_only, open_in, part_beside, replace_synced


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give a temporary file beside ``path`` that takes its place when the block ends well.

    When the block raises, the temporary file is removed and ``path`` stays as it was. A new file is readable by its
    owner only, as results hold clinical text; one that was there keeps its owner and who may read it. What a save that
    was killed left in the folder goes. Raises InputError where ``path`` cannot be written.
    """
    path = writable(path)
    if path.exists() and not path.is_file():  # a device such as /dev/null must not be replaced by a file
        yield path
        return
    with ExitStack() as ending:
        try:
            temporary = ending.enter_context(part_beside(path))
        except OSError as error:
            raise _unwritten(path, error) from error
        try:
            yield temporary
            replace_synced(temporary, path)
        except OSError as error:
            if is_held(error):
                raise _in_use(path) from error
            raise _unwritten(path, error) from error


def _in_use(path: Path, program: str = tr("another program")) -> InputError:
    problem = tr("is open in {program}").format(program=program)
    return InputError(path.name, problem, tr("Close it there, or save under another name."))


def _unwritten(path: Path, error: OSError) -> InputError:
    problem = tr("cannot be written ({reason})").format(reason=error.strerror)
    return InputError(path.name, problem, tr("Choose another folder."))


def writable(path: Path) -> Path:
    """``path`` with links resolved, if a file can be written there; raises InputError otherwise."""
    # Path.resolve() raises RuntimeError where links go in a circle, Path.expanduser() where there is no such user.
    path = Path(os.path.realpath(os.path.expanduser(path)))  # noqa: PTH111
    if path.is_dir():
        raise InputError(path.name, tr("is a folder"), tr("Name a file to write to."))
    if not path.parent.is_dir():
        remedy = tr("Create the folder first, or choose another.")
        raise InputError(path.name, tr("its folder does not exist"), remedy)
    if not os.access(path.parent, os.W_OK):
        raise InputError(path.name, tr("its folder cannot be written to"), tr("Choose another folder."))
    if path.is_file() and is_read_only(path):
        remedy = tr("Allow changes to it in its properties, or save under another name.")
        raise InputError(path.name, tr("is read-only"), remedy)
    if program := open_in(path):
        raise _in_use(path, program)
    return path


def write_text(path: Path, text: str) -> None:
    """Write UTF-8 in one piece; see ``replacing``."""
    with replacing(path) as temporary:
        temporary.write_bytes(text.encode("utf-8"))


def write_csv(path: Path, text: str) -> None:
    """The mark at its beginning tells spreadsheets that this is UTF-8. Raises InputError."""
    write_text(path, "\ufeff" + text)


def csv_text(rows: Iterable[Sequence[str | int | float | None]]) -> str:
    """Safe to open in a spreadsheet: shares with four places, nothing for None."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerows(
        ["" if cell is None else f"{cell:.4f}" if isinstance(cell, float) else guarded(cell) for cell in row]
        for row in rows
    )
    return out.getvalue()


def write_json(path: Path, data: Any) -> None:
    write_text(path, dump_json(data))


def dump_json(data: Any, *, escaped: bool = False) -> str:
    """Indented JSON in plain Unicode; ``escaped`` throughout on request, and where a text holds half a surrogate
    pair."""
    text = json.dumps(data, ensure_ascii=escaped, indent=1, allow_nan=False)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        text = json.dumps(data, ensure_ascii=True, indent=1, allow_nan=False)
    return text + "\n"
