"""The one reader of tables, told apart by content: CSV (commas, semicolons, tabs), XLSX, Parquet, JSON, JSON Lines."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from itertools import chain
from pathlib import Path
from typing import BinaryIO

from noteeval_desktop.documents.decoding import marked_encoding
from noteeval_desktop.domain.phrases import listed, tr
from noteeval_desktop.errors import InputError
from noteeval_desktop.guarded_json import from_json
from noteeval_desktop.isolation import run_isolated

STANDARD_INPUT = Path("-")
ZIP = b"PK\x03\x04"  # XLSX, as any document of the kind
SECONDS, MEMORY_MB = 20.0, 700
MOST_ROWS = 100_000  # of a workbook, which is held as a whole
_HEAD = 4_000


def records(
    path: Path, needed: Sequence[str], known: Sequence[str] = (), remedy: str | None = None
) -> Iterator[dict[str, str]]:
    """The rows of a table whose first line names its columns, as cells by column; "" where a row has no such cell.

    ``path``: a file, or ``-`` for standard input. The columns ``needed`` and ``known`` may be written in any case, and
    are called as here; others keep their names. In JSON a cell that is no text is written as JSON. Rows come as they
    are read: a table may have millions. Raises InputError, also where a column that is needed is missing; ``remedy``
    then says what to do, else which columns there should be.
    """
    name = shown_name(path)
    called = {column.casefold(): column for column in (*needed, *known)}
    first = True
    try:
        with closing(_opened(path)) as source:
            for names, cells in _named_rows(source, name):
                by_name = dict(zip((called.get(one.casefold(), one) for one in names), cells, strict=False))
                missing = [column for column in needed if column not in by_name]
                if missing and first:
                    columns = tr("Its columns should be: {names}.").format(names=", ".join(needed))
                    problem = tr("has no column {names}").format(names=listed(missing))
                    raise InputError(name, problem, columns if remedy is None else remedy)
                by_name |= dict.fromkeys(missing, "")
                first = False
                if any(cell.strip() for cell in cells):
                    by_name.pop("", None)
                    yield by_name
    except csv.Error as error:
        problem = tr("is not a readable CSV file ({reason})").format(reason=error)
        raise InputError(name, problem, tr("Export it again as CSV.")) from error
    except UnicodeDecodeError as error:
        raise InputError(name, tr("is not in UTF-8 or UTF-16"), tr("Save it as CSV UTF-8.")) from error
    except OSError as error:
        problem = tr("cannot be read ({reason})").format(reason=error.strerror)
        raise InputError(name, problem, tr("Check the path.")) from error


def shown_name(path: Path) -> str:
    """Of a table, in messages."""
    return tr("standard input") if path == STANDARD_INPUT else path.name


def grid(lines: Iterable[str]) -> Iterator[list[str]]:
    """The cells of a CSV text, row by row; the first line that is not empty tells what stands between them.

    Raises csv.Error, also for a quotation mark that nothing closes.
    """
    rest, first = iter(lines), [""]
    for line in rest:
        first.append(line)
        if line.strip():
            break
    return csv.reader(chain(first[1:], rest), delimiter=max(",;\t", key=first[-1].count), strict=True)


def workbook(data: bytes, name: str, most_rows: int = MOST_ROWS) -> tuple[list[list[str]], list[str]]:
    """``xlsx_rows``, in a child process. Raises InputError."""
    found: tuple[list[list[str]], list[str]] = run_isolated(
        xlsx_rows, data, most_rows, seconds=SECONDS, memory_mb=MEMORY_MB, what=name
    )
    return found


def xlsx_rows(data: bytes, most_rows: int) -> tuple[list[list[str]], list[str]]:
    """Of the first sheet that holds something, and the names of all that do. For a child process."""
    # In the child alone: it takes longer to load than a window to show.
    from openpyxl import load_workbook

    book = load_workbook(io.BytesIO(data), read_only=True, data_only=True)
    filled = {}
    for sheet in book.worksheets:
        rows = [
            ["" if cell is None else str(cell) for cell in row]
            for row in sheet.iter_rows(values_only=True, max_row=most_rows, max_col=200)
        ]
        if any(any(row) for row in rows):
            filled[sheet.title] = rows
    return next(iter(filled.values()), []), list(filled)


def parquet_rows(data: bytes) -> list[list[str]]:
    """The names of the columns, then the rows. For a child process. Raises InputError without pyarrow."""
    try:
        from pyarrow import parquet
    except ModuleNotFoundError as error:
        remedy = tr("Save the table as CSV or XLSX, or install the extra: noteeval-desktop[analyst].")
        raise InputError(tr("A Parquet file"), tr("is read with the package pyarrow"), remedy) from error
    found = parquet.read_table(io.BytesIO(data), use_threads=False)
    columns = [[_cell(value) for value in column.to_pylist()] for column in found.columns]
    return [found.column_names, *map(list, zip(*columns, strict=True))]


def piped_in(most: int = -1) -> bytes:
    """What comes on standard input, of at most ``most`` bytes. Raises InputError."""
    if sys.stdin is None:
        raise InputError(shown_name(STANDARD_INPUT), tr("is closed"), tr("Pipe the text in, or give it as a file."))
    return sys.stdin.buffer.read(most)


def _opened(path: Path) -> BinaryIO:
    return io.BytesIO(piped_in()) if path == STANDARD_INPUT else path.open("rb")


def _named_rows(source: BinaryIO, name: str) -> Iterator[tuple[list[str], list[str]]]:
    """The names of the columns with the cells of each row, and once with none: a table may be empty."""
    head = source.read(_HEAD)
    source.seek(0)
    if head.startswith(b"PAR1"):
        rows = run_isolated(parquet_rows, source.read(), seconds=SECONDS, memory_mb=MEMORY_MB, what=name)
        yield from _under_headings(iter(rows), name)
        return
    if head.startswith(ZIP):
        yield from _under_headings(iter(workbook(source.read(), name)[0]), name)
        return
    mark, encoding = marked_encoding(head)
    source.seek(len(mark))
    begins = head[len(mark) :].decode(encoding or "utf-8", "ignore").lstrip()[:1]
    with io.TextIOWrapper(source, encoding or "utf-8", newline="") as text:
        yield from _objects(text, name, begins == "{") if begins in ("[", "{") else _under_headings(grid(text), name)


def _under_headings(rows: Iterator[list[str]], name: str) -> Iterator[tuple[list[str], list[str]]]:
    names = [cell.strip() for cell in next(filter(any, rows), [])]
    given = [one.casefold() for one in names if one]
    if twice := next((one for one in given if given.count(one) > 1), ""):
        problem = tr("has two columns called {name}").format(name=twice)
        raise InputError(name, problem, tr("Give each column a name of its own."))
    yield names, [""] * len(names)
    for cells in rows:
        yield names, cells + [""] * (len(names) - len(cells))


def _objects(text: io.TextIOWrapper, name: str, in_lines: bool) -> Iterator[tuple[list[str], list[str]]]:
    number = 0
    try:
        for one in map(from_json, filter(str.strip, text)) if in_lines else from_json(text.read()):
            if not isinstance(one, dict):
                raise TypeError
            yield [key.strip() for key in one], [_cell(value) for value in one.values()]
            number += 1
    except UnicodeDecodeError:
        raise
    except (ValueError, TypeError) as error:
        problem = tr("has something other than a JSON object after row {number}").format(number=number)
        remedy = tr("Write one object for each row, such as {example}.").format(example='{"id": "1", "note": "…"}')
        raise InputError(name, problem, remedy) from error


def _cell(value: object) -> str:
    if isinstance(value, bool | int | float | list | dict):
        return json.dumps(value, ensure_ascii=False, default=str)
    return "" if value is None else str(value)
