"""The list of cases: rows of a CSV file, in the order of the file or grouped by session."""

from __future__ import annotations

import csv
import os
import re
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from noteeval_desktop.errors import InputError

SAFE_ID = re.compile(r"[\w][\w .\-]{0,99}")
_GROUP = 16  # of one session's notes at a time: its vectors are worth keeping, and the others want work too
_TEXTS = ("transcript", "note", "clinician", "session", "reference", "source", "date", "client", "plan")
_HOLDS = dict.fromkeys(("transcript", "note", "reference", "plan"), "the name of a file") | {
    "session": "the id of a session"
}
_REMEDY = "Save the text as a file, and name that."
_LONGEST_NAME = 255
_ENDING = re.compile(r"\.(?:txt|md|vtt|srt|docx|json|csv|pdf|rtf|odt|doc|html?)$", re.IGNORECASE)
Group = tuple["Pair", ...]


def _is_text(cell: str, column: str) -> bool:
    """Whether a cell reads as what was said or written: more than a name would hold, or words without an ending."""
    last = re.split(r"[/\\]", cell)[-1]
    if "\n" in cell or len(last) > _LONGEST_NAME:
        return True
    return column != "session" and " " in cell and _ENDING.search(cell) is None


@dataclass(frozen=True, slots=True)
class Pair:
    """One row of the list; ``problem`` says why it cannot be judged, where it cannot.

    ``reference``: a note that somebody else wrote of the same session, to compare with. ``source``: who or what wrote
    the note; ``date``: of the session, as 2026-03-14. ``others``: files of the same client's other notes, each
    with its date; None where no client is named. ``plan``: the client's treatment plan. ``row``: counted from 1.
    """

    id: str
    transcript: Path
    note: Path
    clinician: str = ""
    session: str | None = None
    problem: str = ""
    reference: Path | None = None
    source: str = ""
    date: str = ""
    plan: Path | None = None
    row: int = 0
    others: tuple[tuple[Path, str], ...] | None = None

    @property
    def inputs(self) -> tuple[Path, ...]:
        files = (self.transcript, self.note, self.reference, self.plan)
        return tuple(path for path in files if path is not None)


class Worklist(Collection[Pair]):
    """The rows of a list with the columns transcript and note, and optionally id, clinician, reference, session,
    source, date, client, plan.

    Paths are relative to the list. A row that cannot be used becomes a Pair with a ``problem``. ``shard``: only every
    ``shard[1]``-th session's rows, from session ``shard[0]`` on (counted from 1), the same in every run. ``limit``: of
    the first so many rows. Kept in a
    database that is gone with this object: a list may have millions of rows.
    Raises InputError when the list as a whole cannot be used.
    """

    def __init__(self, path: Path, shard: tuple[int, int] = (1, 1), limit: int | None = None) -> None:
        # An empty name is a file of SQLite's own, for as long as the connection; several threads take turns.
        self._db = sqlite3.connect("", check_same_thread=False)
        self._folder = path.parent
        self._db.execute("create table session (number integer primary key, key text unique)")
        self._db.execute(
            "create table pair (row integer primary key, session integer, folded text unique, id, "
            f"{', '.join(_TEXTS).replace('session', 'within')}, problem)"
        )
        # Apart from the pairs: an earlier note may belong to another shard.
        self._db.execute("create table of_client (client text, row integer, note text, date text)")
        self._db.execute("create index by_client on of_client (client)")
        try:
            self._fill(path)
        except csv.Error as error:
            raise InputError(path.name, f"is not a readable CSV file ({error})", "Export it again as CSV.") from error
        except UnicodeDecodeError as error:
            raise InputError(path.name, "is not in UTF-8", "Save it as CSV UTF-8.") from error
        except OSError as error:
            raise InputError(path.name, f"cannot be read ({error.strerror})", "Check the path.") from error
        if not self._count():
            raise InputError(path.name, "lists no case", "Add a line for each transcript and its note.")
        if limit is not None:
            self._db.execute("delete from pair where row not in (select row from pair order by row limit ?)", (limit,))
        number, of = shard
        self._db.execute("delete from pair where (session - 1) % ? <> ?", (of, number - 1))
        self._db.execute("create index by_session on pair (session, row)")

    def __len__(self) -> int:
        return self._count()

    def __iter__(self) -> Iterator[Pair]:
        return (pair for _, pair in self._pairs("row"))

    def __contains__(self, pair: object) -> bool:
        return any(own == pair for own in self)

    def groups(self) -> Iterator[Group]:
        """All rows, those of one session together; of a session with many, some at a time."""
        for _, of_session in groupby(self._pairs("session, row"), key=lambda found: found[0]):
            yield from _parts(pair for _, pair in of_session)

    def count_groups(self) -> int:
        counted = "select count(*) as notes from pair group by session"
        return int(
            self._db.execute(f"select sum((notes + {_GROUP - 1}) / {_GROUP}) from ({counted})").fetchone()[0] or 0
        )

    def _names_a_file(self, cell: str, column: str) -> bool:
        try:
            return column != "session" and (self._folder / cell).is_file()
        except (OSError, ValueError):  # too long for a name, or with a zero in it
            return False

    def _count(self) -> int:
        return int(self._db.execute("select count(*) from pair").fetchone()[0])

    def _pairs(self, order: str) -> Iterator[tuple[int, Pair]]:
        columns = (
            "session, row, transcript, note, reference, within, id, clinician, problem, source, date, client, plan"
        )
        for found in self._db.execute(f"select {columns} from pair order by {order}"):
            number, row, transcript, note, reference, within, name, clinician, problem, source, date, client, plan = (
                found
            )
            pair = Pair(
                id=name,
                transcript=self._folder / transcript,
                note=self._folder / note,
                clinician=clinician,
                session=within or None,
                problem=problem,
                reference=self._folder / reference if reference else None,
                source=source,
                date=date,
                plan=self._folder / plan if plan else None,
                row=row,
                others=self._others(row, client) if client else None,
            )
            yield number, pair

    def _others(self, row: int, client: str) -> tuple[tuple[Path, str], ...]:
        sql = "select note, date from of_client where client = ? and row <> ? order by row"
        found = self._db.execute(sql, (client, row))
        return tuple((self._folder / note, day) for note, day in found)

    def _fill(self, path: Path) -> None:
        with path.open(encoding="utf-8-sig", newline="") as file:
            header = file.readline()
            file.seek(0)
            reader = csv.DictReader(
                file,
                delimiter=";" if header.count(";") > header.count(",") else ",",
                strict=True,  # otherwise a quotation mark that is never closed takes the rows after it with it
            )
            names = {name.strip().lower(): name for name in reader.fieldnames or () if name}
            missing = [name for name in ("transcript", "note") if name not in names]
            if missing:
                raise InputError(
                    path.name, f"has no column {' and '.join(missing)}", "The first line is: transcript,note"
                )
            for row, found in enumerate(reader, start=1):
                cells = {name: (found.get(column) or "").strip() for name, column in names.items()}
                if any(cells.values()):
                    self._add(row, cells)

    def _add(self, row: int, cells: Mapping[str, str]) -> None:
        cell = {name: cells.get(name, "") for name in _TEXTS}
        name, problem = cells.get("id") or f"case-{row:03d}", ""
        if not SAFE_ID.fullmatch(name):
            problem = f"row {row}: the id cannot be a file name. Use letters, digits, dots, dashes and spaces."
            name = f"case-{row:03d}"
        if self._db.execute("select 1 from pair where folded = ?", (name.casefold(),)).fetchone():
            problem = f"row {row}: the id {name} appears twice. Give each case its own."
            folded = None
        else:
            folded = name.casefold()
            if not (cell["transcript"] and cell["note"]):
                problem = problem or f"row {row}: the transcript or the note is not named. Fill in both columns."
        for column in _HOLDS:
            if _is_text(cell[column], column) and not self._names_a_file(cell[column], column):
                # What was said goes into no message and no ledger.
                problem = f"row {row}: the column {column} holds text where {_HOLDS[column]} belongs. {_REMEDY}"
                cell[column] = ""
        session = f"{cell['transcript']}\0{cell['session']}"
        self._db.execute("insert or ignore into session (key) values (?)", (session,))
        (number,) = self._db.execute("select number from session where key = ?", (session,)).fetchone()
        values = (row, number, folded, name, *cell.values(), problem)
        if cell["client"] and cell["note"]:
            self._db.execute(
                "insert into of_client values (?, ?, ?, ?)", (cell["client"], row, cell["note"], cell["date"])
            )
        self._db.execute(f"insert into pair values ({', '.join('?' * len(values))})", values)


def read_pairs(path: Path) -> tuple[Pair, ...]:
    """All rows of a list, as ``Worklist`` has them. Raises InputError."""
    return tuple(Worklist(path))


def grouped(pairs: Iterable[Pair]) -> Iterator[Group]:
    """As ``Worklist.groups``, of a list in memory."""
    by_session: dict[tuple[Path, str | None], list[Pair]] = {}
    for pair in pairs:
        by_session.setdefault((pair.transcript, pair.session), []).append(pair)
    for of_session in by_session.values():
        yield from _parts(of_session)


def groups_of(pairs: Iterable[Pair]) -> Iterator[Group]:
    return pairs.groups() if isinstance(pairs, Worklist) else grouped(pairs)


def _parts(pairs: Iterable[Pair]) -> Iterator[Group]:
    part: list[Pair] = []
    for pair in pairs:
        part.append(pair)
        if len(part) == _GROUP:
            yield tuple(part)
            part = []
    if part:
        yield tuple(part)


def names_taken(pairs: Iterable[Pair], folder: Path) -> frozenset[str]:
    """The transcripts and notes that lie in ``folder``, where results are going to be written."""
    here = os.path.realpath(folder)
    found = (os.path.split(os.path.realpath(path)) for pair in pairs for path in pair.inputs)
    return frozenset(name for parent, name in found if parent == here)
