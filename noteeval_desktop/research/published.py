"""Published data as they lie: in a folder or several files, known by what they hold, whatever they are called.

TN-Eval (Shah et al. 2025) with AnnoMI's transcripts (Wu et al. 2022), and PriMock57 (Papadopoulos Korfiatis et al.
2022); tables such as MTS-Dialog's and ACI-Bench's by their columns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from noteeval_desktop import documents
from noteeval_desktop.documents.decoding import decode
from noteeval_desktop.documents.rows import records
from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.phrases import listed, tr
from noteeval_desktop.domain.transcript import Role, Transcript, Turn
from noteeval_desktop.errors import InputError
from noteeval_desktop.guarded_json import from_json
from noteeval_desktop.measures.tn_eval import SOURCES, LabelledNote, labelled_notes

TABLES = (".csv", ".tsv", ".xlsx", ".parquet")
UTTERANCES = ("transcript_id", "interlocutor", "timestamp", "utterance_text")
_TN_EVAL = tr(
    "Give TN-Eval's files (JSON lists of cases with the keys id, {sources}), and AnnoMI-simple.csv where the cases "
    "have no transcripts."
).format(sources=listed(SOURCES))
# As Praat writes it; a quotation mark within a text stands twice.
_INTERVAL = re.compile(r'xmin\s*=\s*([\d.]+)\s+xmax\s*=\s*[\d.]+\s+text\s*=\s*"((?:[^"]|"")*)"')
_TAG = re.compile(r"<[^<>]{0,60}>")


def files(paths: Sequence[Path], endings: Sequence[str]) -> list[Path]:
    """Of ``paths``, and of what lies in those that are folders, the files with such an ending; part2 before part10.

    Raises InputError for a path where nothing is.
    """
    found: dict[Path, None] = {}
    for path in paths:
        if not path.exists():
            problem, remedy = tr("there is no such file or folder"), tr("Check the path after --data.")
            raise InputError(path.name or str(path), problem, remedy)
        inside = sorted(path.rglob("*"), key=_by_number) if path.is_dir() else [path]
        found |= {one.resolve(): None for one in inside if one.suffix.lower() in endings and one.is_file()}
    return list(found)


def _by_number(path: Path) -> list[tuple[int, str]]:
    parts = re.split(r"(\d+)", str(path).lower())
    return [(int(part), "") if part.isdecimal() else (0, part) for part in parts]


def tables(
    paths: Sequence[Path], columns: Sequence[str], remedy: str, *, known: Sequence[str] = (), beside: bool = False
) -> list[dict[str, str]]:
    """The rows of each table among ``paths``, or ``beside`` those that are files, that has these columns; ``known`` as
    ``records`` has them. Raises InputError where there is none."""
    near = (one for path in paths if beside and path.is_file() for one in path.parent.iterdir() if one.is_file())
    fit = [path for path in files([*paths, *near], TABLES) if has_columns(path, columns)]
    if not fit and not beside and len(paths) == 1 and paths[0].is_file():
        fit = list(paths)  # and it is said what this one lacks
    if not fit:
        problem = tr("no table there has the columns {names}").format(names=listed(columns))
        raise InputError(shown(paths), problem, remedy)
    return [row for path in fit for row in records(path, columns, known, remedy)]


def has_columns(path: Path, columns: Sequence[str]) -> bool:
    """Of a file of a folder, which may be anything: what is no table has none."""
    try:
        row = next(records(path, (), columns), {})
    except InputError:
        return False
    return all(column in row for column in columns)


def shown(paths: Sequence[Path]) -> str:
    """In messages."""
    return ", ".join(path.name or str(path) for path in paths)


def json_list(path: Path, what: str, remedy: str) -> list[Any]:
    """The members of a JSON list; ``what`` they are. Raises InputError, for an empty one too."""
    try:
        found = from_json(path.read_text(encoding="utf-8"))
    except OSError as error:
        problem = tr("cannot be read ({reason})").format(reason=error.strerror)
        raise InputError(path.name, problem, tr("Check the path.")) from error
    except ValueError as error:
        raise InputError(path.name, tr("is not JSON"), remedy) from error
    if not isinstance(found, list) or not found:
        raise InputError(path.name, tr("holds no {what}").format(what=what), remedy)
    return found


def tn_eval_cases(*paths: Path) -> list[Mapping[str, Any]]:
    """TN-Eval's cases, as they stand in its files, each with its transcript: its own, or AnnoMI's. Other JSON files of
    a folder are left out. Raises InputError."""
    named = [path.resolve() for path in paths]
    cases: list[Mapping[str, Any]] = [
        case
        for path in files(paths, (".json",))
        for found in [json_list(path, tr("cases"), _TN_EVAL) if path in named else _content(path)]
        for case in (found if isinstance(found, list) else ())
        if isinstance(case, dict) and SOURCES[0] in case
    ]
    if not cases:
        raise InputError(shown(paths), tr("holds no cases of TN-Eval"), _TN_EVAL)
    if all("transcript" in case for case in cases):
        return cases
    spoken = annomi(paths, UTTERANCES, beside=True)
    try:
        return [
            case if "transcript" in case else {**case, "transcript": _talk(spoken[str(case["id"])])} for case in cases
        ]
    except (KeyError, TypeError) as error:
        problem = tr("a case has no transcript, and AnnoMI's table has none with its id")
        raise InputError(shown(paths), problem, _TN_EVAL) from error


def _content(path: Path) -> Any:
    """Of a file of a folder, which may be anything; None where it is no JSON."""
    try:
        return from_json(path.read_bytes())
    except ValueError:
        return None


def load_notes(*paths: Path) -> tuple[LabelledNote, ...]:
    """TN-Eval's notes: three a conversation, in the order of the files. Raises InputError."""
    try:
        return labelled_notes(tn_eval_cases(*paths))
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        problem = tr("is not laid out as TN-Eval's data ({kind})").format(kind=type(error).__name__)
        raise InputError(shown(paths), problem, _TN_EVAL) from error


def annomi(paths: Sequence[Path], columns: Sequence[str], *, beside: bool = False) -> dict[str, list[dict[str, str]]]:
    """Transcript id → its utterances, each once: the full table has several annotators' rows. Raises InputError."""
    found: dict[str, dict[str, dict[str, str]]] = {}
    remedy = tr("Give AnnoMI-simple.csv or AnnoMI-full.csv.")
    for number, row in enumerate(tables(paths, columns, remedy, known=("utterance_id",), beside=beside)):
        found.setdefault(row["transcript_id"], {}).setdefault(row.get("utterance_id") or str(number), row)
    # The full table has the sessions in another order, and what is drawn by chance depends on it.
    return {name: list(found[name].values()) for name in sorted(found, key=lambda name: (len(name), name))}


def _talk(rows: Sequence[Mapping[str, str]]) -> list[dict[str, str]]:
    return [{"speaker": row["interlocutor"], "time": row["timestamp"], "text": row["utterance_text"]} for row in rows]


@dataclass(frozen=True, slots=True)
class Visit:
    """What was said, and the clinician's note of it."""

    name: str
    transcript: Transcript
    note: Note


def primock57(paths: Sequence[Path]) -> Iterator[Visit]:
    """PriMock57's consultations: a note (JSON with the key note) and a TextGrid a speaker, by the beginnings of their
    names; none where there are no TextGrids. Raises InputError for a note without talk."""
    grids = {path.stem.lower(): path for path in files(paths, (".textgrid",))}
    for path in files(paths, (".json",)) if grids else ():
        written = _content(path)
        if not isinstance(written, dict) or not str(written.get("note") or "").strip():
            continue
        spoken = [(who, grids.get(f"{path.stem.lower()}_{who}")) for who in ("doctor", "patient")]
        said = sorted(one for who, grid in spoken if grid for one in _said(grid, who))
        if not said:
            looked_for = tr("Looked for {name}_doctor.TextGrid and {name}_patient.TextGrid.").format(name=path.stem)
            raise InputError(path.name, tr("there is no transcript for this note of PriMock57"), looked_for)
        roles = {"doctor": Role.THERAPIST, "patient": Role.CLIENT}
        turns = tuple(Turn(n, who.capitalize(), roles[who], text, at) for n, (at, who, text) in enumerate(said))
        yield Visit(path.stem, Transcript(turns), documents.parse_note(str(written["note"])))


def _said(grid: Path, who: str) -> Iterator[tuple[float, str, str]]:
    text, _ = decode(grid.read_bytes(), grid.name)
    for start, words in _INTERVAL.findall(text):
        if said := " ".join(_TAG.sub(" ", words.replace('""', '"')).split()):
            yield float(start), who, said
