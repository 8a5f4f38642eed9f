"""Published data as they lie."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from noteeval_desktop.errors import InputError
from noteeval_desktop.guarded_json import from_json


def csv_rows(path: Path, columns: Iterable[str], remedy: str) -> list[dict[str, str]]:
    """The rows of a CSV file in UTF-8 that has these columns, and maybe others. Raises InputError."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file, restval="", strict=True)
            missing = [name for name in columns if name not in (reader.fieldnames or ())]
            if missing:
                raise InputError(path.name, f"has no column {missing[0]}", remedy)
            return list(reader)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(path.name, "cannot be read as a CSV file in UTF-8", remedy) from error


def json_list(path: Path, what: str, remedy: str) -> list[Any]:
    """The members of a JSON list; ``what`` they are. Raises InputError, for an empty one too."""
    try:
        found = from_json(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(path.name, f"cannot be read ({error.strerror})", "Check the path.") from error
    except ValueError as error:
        raise InputError(path.name, "is not JSON", remedy) from error
    if not isinstance(found, list) or not found:
        raise InputError(path.name, f"holds no {what}", remedy)
    return found
