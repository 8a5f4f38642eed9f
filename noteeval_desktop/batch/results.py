"""What became of many cases, as their folder tells: read back one by one, and summed up."""

from __future__ import annotations

import json
import math
import os
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import Any

from noteeval_desktop.batch.judging import Outcome
from noteeval_desktop.batch.pairs import SAFE_ID
from noteeval_desktop.domain.harm import Harm
from noteeval_desktop.domain.note import Section
from noteeval_desktop.domain.risk import RiskKind
from noteeval_desktop.domain.rubric import Importance
from noteeval_desktop.domain.verdicts import OmissionKind
from noteeval_desktop.errors import InputError
from noteeval_desktop.guarded_json import from_json
from noteeval_desktop.measures.aggregate import Summary, claims_judged
from noteeval_desktop.report.json_layout import SCHEMA
from noteeval_desktop.report.many.reading import row_of, was_checked
from noteeval_desktop.report.parquet import ABOUT, FINDING_COLUMNS, NOTE_COLUMNS, finding_rows, note_row

AGGREGATE_SCHEMA = "noteeval.aggregate/1"
STATUSES = ("done", "resumed", "incomplete", "failed", "cancelled")
DAMAGED_LINE = "This line is damaged. Run the batch again with --resume."
DAMAGED_FILE = "This file is damaged. Check the note again."
LOST = "Its result is missing or damaged. Run the batch again with --resume."


@dataclass(frozen=True, slots=True)
class Entry:
    """A case as its folder tells of it. ``evaluation`` as in its file, None where there is none; ``columns``: what its
    row said besides."""

    id: str
    status: str
    problem: str = ""
    clinician: str = ""
    source: str = ""
    date: str = ""
    reference: Mapping[str, float] | None = None
    columns: Mapping[str, str] | None = None
    evaluation: Mapping[str, Any] | None = None


class Ledger:
    """What became of each case of a run, a line a case, beside the results: who wrote the note, and why a row has no
    result, stand nowhere else. Written anew by each run; every shard has its own. Raises InputError."""

    def __init__(self, folder: Path, shard: tuple[int, int] = (1, 1)) -> None:
        self.path = folder / ("cases.jsonl" if shard == (1, 1) else f"cases-{shard[0]}-of-{shard[1]}.jsonl")
        try:
            self._file = open(self.path, "w", encoding="utf-8", opener=_for_its_owner)  # noqa: SIM115
        except OSError as error:
            raise InputError(
                self.path.name, f"cannot be written ({error.strerror})", "Choose another folder."
            ) from error

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._file.close()

    def add(self, outcome: Outcome) -> None:
        pair = outcome.pair
        line = {
            "row": pair.row,
            "id": pair.id,
            "clinician": pair.clinician,
            "source": pair.source,
            "date": pair.date,
            "status": outcome.status,
            "problem": outcome.problem,
            "reference": outcome.reference,
            "written": outcome.written,
            "columns": dict(pair.columns) or None,
        }
        self._file.write(json.dumps(line) + "\n")
        self._file.flush()


def _for_its_owner(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def entries(folders: Sequence[Path], ledger: Path | None = None) -> Iterator[Entry]:
    """Every case that ``ledger`` tells of; without one, those of all ledgers in the folders, and every other evaluation
    there. In the order of the list, then of their names. Raises InputError for a folder that cannot be read."""
    with closing(sqlite3.connect("")) as db:
        db.execute("create table told (folder, id, row, line, primary key (folder, id))")
        for number, folder in enumerate(folders):
            try:
                _take_in(db, number, folder, ledger)
            except OSError as error:
                raise InputError(folder.name, f"cannot be read ({error.strerror})", "Check the path.") from error
        for number, name, line in db.execute("select folder, id, line from told order by folder, row is null, row, id"):
            entry = _entry(folders[number] / f"{name}.json", from_json(line) if line else None)
            if entry is not None:
                yield entry


def _take_in(db: sqlite3.Connection, number: int, folder: Path, ledger: Path | None) -> None:
    for path in (ledger,) if ledger else sorted(folder.glob("cases*.jsonl")):
        with path.open(encoding="utf-8", errors="replace") as lines:
            for place, line in enumerate(lines, 1):
                if line.endswith("\n"):  # a run that was killed may have left half of one
                    told = _told(line) or _damaged(f"{path.name}, line {place}")
                    values = (number, told["id"], told["row"], json.dumps(told))
                    db.execute("insert or replace into told values (?, ?, ?, ?)", values)
    if ledger is None:
        with os.scandir(folder) as found:
            for one in found:
                if one.name.endswith(".json"):
                    db.execute("insert or ignore into told values (?, ?, null, null)", (number, one.name[:-5]))


_NUMBER = int | float
_TOLD: Mapping[str, Any] = {
    **dict.fromkeys(("id", "clinician", "source", "date", "status", "problem"), str),
    **{"row": int, "written": bool, "reference": dict | None, "columns": dict | None},
}


def _told(line: str) -> dict[str, Any] | None:
    """What a line of a ledger says; None where it is damaged."""
    try:
        told = from_json(line)
    except ValueError:
        return None
    if not isinstance(told, dict) or not all(isinstance(told.get(name), kind) for name, kind in _TOLD.items()):
        return None
    values = (told["reference"] or {}).values()
    usable = told["status"] in STATUSES and SAFE_ID.fullmatch(told["id"]) and 0 <= told["row"] < 2**63
    right = usable and all(isinstance(value, _NUMBER) and math.isfinite(value) for value in values)
    return {name: told.get(name) for name in _TOLD} if right else None


def _damaged(place: str) -> dict[str, Any]:
    empty = {name: "" if kind is str else None for name, kind in _TOLD.items()}
    return empty | {"id": place, "status": "failed", "problem": DAMAGED_LINE, "written": False}


def _entry(path: Path, told: Mapping[str, Any] | None) -> Entry | None:
    """None for a file that nobody told of and that is no evaluation."""
    if told is None:
        evaluation = _read(path)
        if evaluation is None:
            return Entry(path.stem, "failed", DAMAGED_FILE) if _meant_as_result(path) else None
        return Entry(path.stem, "done" if evaluation["complete"] else "incomplete", evaluation=evaluation)
    entry = Entry(**{name: value for name, value in told.items() if name not in ("row", "written")})
    if not told["written"]:
        return entry
    evaluation = _read(path)
    if evaluation is None:
        return replace(entry, status="incomplete", problem=LOST, reference=None)
    return replace(entry, evaluation=evaluation)


def _read(path: Path) -> Mapping[str, Any] | None:
    try:
        data: Mapping[str, Any] = from_json(path.read_bytes(), _no_number)
        return data if data["schema"] == SCHEMA and _is_sound(data) else None
    except (OSError, ValueError, LookupError, TypeError, AttributeError, OverflowError):
        return None


def _meant_as_result(path: Path) -> bool:
    """Whether a file that cannot be read may be one: other tables in the folder are nobody's result."""
    try:
        data = from_json(path.read_bytes())
    except (OSError, ValueError):
        return True
    return isinstance(data, dict) and data.get("schema") == SCHEMA


def _no_number(constant: str) -> None:
    raise ValueError(constant)


def _is_sound(data: Mapping[str, Any]) -> bool:
    """Whether all that is made of an evaluation can be made of this one; may raise what ``_read`` catches."""
    about = dict.fromkeys(ABOUT, "")
    Summary().add(data)
    row_of(data, about)
    tables = [note_row(about, data), *finding_rows(about, data)]
    scores, usage = data["scores"], data["usage"]
    shared = [*scores.values(), *filter(None, [data.get("copied")])]
    shares = [share for score in shared for share in (score["note"], *score["sections"].values())]
    named = [
        *((finding["harm"], Harm) for finding in data.get("findings") or ()),
        *((risk["kind"], RiskKind) for risk in data.get("risks") or ()),
        *((omission["kind"], OmissionKind) for omission in data["omissions"] or ()),
        *((sentence["section"], Section) for sentence in data["sentences"]),
        *((item["importance"], Importance) for item in data["checklist"]),
        *((section, Section) for score in scores.values() for section in score["sections"]),
    ]
    for value, of in named:
        of(value)
    texts = [item["item"] for item in data["checklist"]]
    counts = [*scores["faithfulness"]["by_severity"].values(), *(usage[name] or 0 for name in usage)]
    columns = NOTE_COLUMNS | FINDING_COLUMNS
    return (
        isinstance(data["complete"], bool)
        and all(share is None or (_is_number(share) and 0 <= share <= 1) for share in shares)
        and all(isinstance(text, str) for text in texts)
        and all(_is_number(count) and 0 <= count < 2**31 for count in counts)
        and all(item["present"] in (True, False, None) for item in data["checklist"])
        and all(_fits(value, columns[name]) for row in tables for name, value in row.items())
    )


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _fits(value: object, column: str) -> bool:
    if value is None:
        return True
    if isinstance(value, str):
        return column == "string" and value.encode() is not None  # half of a surrogate pair could go into no file
    if column in ("string", "bool"):
        return isinstance(value, bool) and column == "bool"
    return _is_number(value) and (column == "double" or isinstance(value, int))


class Aggregate:
    """Of cases that are added one by one: what became of them, and statistics over the complete ones."""

    def __init__(self) -> None:
        self.counts = Counter[str]()
        self._judge: Any = None
        self._all, self._by_clinician = Summary(), dict[str, Summary]()
        self._compared, self._reference = 0, dict[str, Fraction]()
        self._worst = (0.0, "")

    def add(self, entry: Entry) -> None:
        self.counts[entry.status] += 1
        if entry.reference is not None:
            self._compared += 1
            for name, value in entry.reference.items():
                self._reference[name] = self._reference.get(name, Fraction()) + Fraction(value)
        if entry.evaluation is not None and entry.status in ("done", "resumed"):
            self._judge = self._judge or entry.evaluation["judge"]
            self._all.add(entry.evaluation)
            self._worst = max(self._worst, (_hallucination_rate(entry.evaluation), entry.id), key=lambda one: one[0])
            if entry.clinician:
                self._by_clinician.setdefault(entry.clinician, Summary()).add(entry.evaluation)

    def result(self) -> dict[str, Any]:
        reference = {name: float(total) / self._compared for name, total in self._reference.items()}
        return {
            "judge": self._judge,
            "reference": reference or None,
            "summary": self._all.result(),
            "highest_hallucination_rate": {"id": self._worst[1], "rate": self._worst[0]} if self._worst[1] else None,
            "clinicians": {name: self._by_clinician[name].result() for name in sorted(self._by_clinician)},
        }


def _hallucination_rate(evaluation: Mapping[str, Any]) -> float:
    score = evaluation["scores"]["faithfulness"]
    return float((score["contradicted"] + score["unsupported"]) / (claims_judged(evaluation) or 1))


def aggregate_json(found: Iterable[Entry], total: Aggregate) -> Iterator[str]:
    """The summary as JSON, piece by piece; adds every case to ``total``."""
    yield f'{{\n "schema": "{AGGREGATE_SCHEMA}",\n "cases": ['
    for number, entry in enumerate(found):
        total.add(entry)
        case = {
            "id": entry.id,
            "clinician": entry.clinician or None,
            "source": entry.source or None,
            "date": entry.date or None,
            "status": entry.status,
            "problem": entry.problem or None,
            "scores": entry.evaluation["scores"] if entry.evaluation and was_checked(entry.evaluation) else None,
            "reference": entry.reference,
            "columns": entry.columns,
        }
        yield f"{',' if number else ''}\n  {json.dumps(case)}"
    yield "\n ]"
    for name, value in total.result().items():
        yield f',\n "{name}": {json.dumps(value, indent=1)}'
    yield "\n}\n"
