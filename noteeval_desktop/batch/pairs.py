"""The list of cases: rows of a table, in its order or grouped by session."""

from __future__ import annotations

import json
import os
import re
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, islice
from pathlib import Path

from noteeval_desktop.documents.rows import records, shown_name
from noteeval_desktop.domain.phrases import listed, tr
from noteeval_desktop.domain.text import fingerprint
from noteeval_desktop.errors import InputError
from noteeval_desktop.guarded_json import from_json

SAFE_ID = re.compile(r"[\w][\w .\-]{0,99}")
_GROUP = 16  # of one session's notes at a time: its vectors are worth keeping, and the others want work too
_TEXTS = ("transcript", "note", "clinician", "session", "reference", "source", "date", "client", "plan")
# Files, or in a column with "_text" behind its name what is written in them.
_GIVEN = ("transcript", "note", "reference", "plan")
_LONGEST_NAME = 255
_ENDING = re.compile(r"\.(?:txt|md|vtt|srt|docx|json|csv|pdf|rtf|odt|doc|html?)$", re.IGNORECASE)
Group = tuple["Pair", ...]


def _is_text(cell: str) -> bool:
    """Whether a cell reads as what was said or written: more than a name would hold, or words without an ending."""
    last = re.split(r"[/\\]", cell)[-1]
    if "\n" in cell or cell[:1] in ("[", "{") or len(last) > _LONGEST_NAME:
        return True
    return " " in cell and _ENDING.search(cell) is None


@dataclass(frozen=True, slots=True)
class Pair:
    """One row of the list; ``problem`` says why it cannot be judged, where it cannot.

    ``transcript``, ``note``, ``reference`` (a note that somebody else wrote of the same session, to compare with) and
    ``plan`` (the client's treatment plan): files, None where there is none or the row holds the text itself, which
    ``texts`` then has by these names. ``source``: who or what wrote the note; ``date``: of the session, as 2026-03-14.
    ``others``: the same client's other notes, files or what they say, each with its date; None where no client is
    named. ``row``: counted from 1. ``columns``: what the row says besides.
    """

    id: str
    transcript: Path | None
    note: Path | None
    clinician: str = ""
    session: str | None = None
    problem: str = ""
    reference: Path | None = None
    source: str = ""
    date: str = ""
    plan: Path | None = None
    row: int = 0
    others: tuple[tuple[Path | str, str], ...] | None = None
    texts: Mapping[str, str] = field(default_factory=dict)
    columns: Mapping[str, str] = field(default_factory=dict)

    @property
    def inputs(self) -> tuple[Path, ...]:
        files = (self.transcript, self.note, self.reference, self.plan)
        return tuple(path for path in files if path is not None)


class Worklist(Collection[Pair]):
    """The rows of a table with the columns ``needed``, and optionally id, clinician, reference, session, source, date,
    client, plan and others, which stay with their row.

    Paths are relative to the list, or to the current folder where it is standard input (``-``). A cell of transcript,
    note, reference or plan may hold the text itself, as may a column with ``_text`` behind the name. A row that cannot
    be used becomes a Pair with a ``problem``. ``shard``: only every ``shard[1]``-th session's rows, from session
    ``shard[0]`` on (counted from 1), the same in every run. ``limit``: of the first so many rows. Kept
    in a database that is gone with this object: a list may have millions of rows. Texts stay in memory.
    Raises InputError when the list as a whole cannot be used.
    """

    def __init__(
        self,
        path: Path,
        shard: tuple[int, int] = (1, 1),
        needed: Sequence[str] = ("transcript", "note"),
        limit: int | None = None,
    ) -> None:
        # An empty name is a file of SQLite's own, for as long as the connection; several threads take turns.
        self._db = sqlite3.connect("", check_same_thread=False)
        self._folder, self._needed = path.parent, needed
        # Not in the database, which may be written to the disk.
        self._texts: dict[int, dict[str, str]] = {}
        self._db.execute("create table session (number integer primary key, key text unique)")
        self._db.execute(
            "create table pair (row integer primary key, session integer, folded text unique, id, "
            f"{', '.join(_TEXTS).replace('session', 'within')}, problem, columns)"
        )
        # Apart from the pairs: an earlier note may belong to another shard.
        self._db.execute("create table of_client (client text, row integer, note text, date text)")
        self._db.execute("create index by_client on of_client (client)")
        # A column of texts stands for that of files.
        for row, cells in enumerate(records(path, (), ("id", *_TEXTS, *map(_as_text, _GIVEN))), 1):
            if row == 1 and (missing := [one for one in needed if cells.keys().isdisjoint((one, _as_text(one)))]):
                remedy = tr("The first line is: {names}").format(names=",".join(needed))
                raise InputError(shown_name(path), tr("has no column {names}").format(names=listed(missing)), remedy)
            self._add(row, {name: cell.strip() for name, cell in cells.items()})
        if not len(self):
            raise InputError(shown_name(path), tr("lists no case"), tr("Add a line for each transcript and its note."))
        if limit is not None:
            self._db.execute("delete from pair where row not in (select row from pair order by row limit ?)", (limit,))
        number, of = shard
        self._db.execute("delete from pair where (session - 1) % ? <> ?", (of, number - 1))
        self._db.execute("create index by_session on pair (session, row)")

    def __len__(self) -> int:
        return int(self._db.execute("select count(*) from pair").fetchone()[0])

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

    def _names_a_file(self, cell: str) -> bool:
        try:
            return (self._folder / cell).is_file()
        except (OSError, ValueError):  # too long for a name, or with a zero in it
            return False

    def _pairs(self, order: str) -> Iterator[tuple[int, Pair]]:
        names = ("session", "row", "id", *_TEXTS, "problem", "columns")
        columns = ", ".join("within" if n > 2 and name == "session" else name for n, name in enumerate(names))
        for found in self._db.execute(f"select {columns} from pair order by {order}"):
            number, row, name, *texts, problem, beside = found
            cell = dict(zip(_TEXTS, texts, strict=True))
            files = {one: self._folder / cell[one] if cell[one] else None for one in _GIVEN}
            pair = Pair(
                id=name,
                clinician=cell["clinician"],
                session=cell["session"] or None,
                problem=problem,
                source=cell["source"],
                date=cell["date"],
                row=row,
                others=self._others(row, cell["client"]) if cell["client"] else None,
                texts=self._texts.get(row, {}),
                columns=from_json(beside),
                **files,
            )
            yield number, pair

    def _others(self, row: int, client: str) -> tuple[tuple[Path | str, str], ...]:
        sql = "select row, note, date from of_client where client = ? and row <> ? order by row"
        found = self._db.execute(sql, (client, row))
        return tuple((self._folder / note if note else self._texts[other]["note"], day) for other, note, day in found)

    def _add(self, row: int, cells: dict[str, str]) -> None:
        cell, texts = {name: cells.pop(name, "") for name in _TEXTS}, dict[str, str]()
        for column in _GIVEN:
            text = cells.pop(_as_text(column), "") or cell[column]
            if text != cell[column] or (_is_text(text) and not self._names_a_file(text)):
                texts[column], cell[column] = text, ""
        name, problem = cells.pop("id", "") or f"case-{row:03d}", ""
        if not SAFE_ID.fullmatch(name):
            problem = f"row {row}: the id cannot be a file name. Use letters, digits, dots, dashes and spaces."
            name = f"case-{row:03d}"
        if self._db.execute("select 1 from pair where folded = ?", (name.casefold(),)).fetchone():
            problem = f"row {row}: the id {name} appears twice. Give each case its own."
            folded = None
        else:
            folded = name.casefold()
            if missing := [one for one in self._needed if not (cell[one] or one in texts)]:
                problem = problem or f"row {row}: the {' and the '.join(missing)} is missing. Fill in the column."
        if len(cell["session"]) > _LONGEST_NAME or "\n" in cell["session"]:
            # What was said goes into no message and no ledger.
            problem = f"row {row}: the column session holds text where the id of a session belongs."
            cell["session"] = ""
        if texts:
            self._texts[row] = texts
        heard = fingerprint(texts["transcript"]) if "transcript" in texts else cell["transcript"]
        session = f"{heard}\0{cell['session']}"
        self._db.execute("insert or ignore into session (key) values (?)", (session,))
        (number,) = self._db.execute("select number from session where key = ?", (session,)).fetchone()
        values = (row, number, folded, name, *cell.values(), problem, json.dumps(cells))
        if cell["client"] and (cell["note"] or "note" in texts):
            self._db.execute(
                "insert into of_client values (?, ?, ?, ?)", (cell["client"], row, cell["note"], cell["date"])
            )
        self._db.execute(f"insert into pair values ({', '.join('?' * len(values))})", values)


def _as_text(column: str) -> str:
    return f"{column}_text"


def read_pairs(path: Path) -> tuple[Pair, ...]:
    """All rows of a list, as ``Worklist`` has them. Raises InputError."""
    return tuple(Worklist(path))


def grouped(pairs: Iterable[Pair]) -> Iterator[Group]:
    """As ``Worklist.groups``, of a list in memory."""
    by_session: dict[tuple[Path | str | None, str | None], list[Pair]] = {}
    for pair in pairs:
        heard = pair.transcript or pair.texts.get("transcript")
        by_session.setdefault((heard, pair.session), []).append(pair)
    for of_session in by_session.values():
        yield from _parts(of_session)


def groups_of(pairs: Iterable[Pair]) -> Iterator[Group]:
    return pairs.groups() if isinstance(pairs, Worklist) else grouped(pairs)


def _parts(pairs: Iterable[Pair]) -> Iterator[Group]:
    left = iter(pairs)
    while part := tuple(islice(left, _GROUP)):
        yield part


def names_taken(pairs: Iterable[Pair], folder: Path) -> frozenset[str]:
    """The transcripts and notes that lie in ``folder``, where results are going to be written."""
    here = os.path.realpath(folder)
    found = (os.path.split(os.path.realpath(path)) for pair in pairs for path in pair.inputs)
    return frozenset(name for parent, name in found if parent == here)
