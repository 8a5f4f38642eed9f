"""What is done off the GUI thread: finding pairs, checking one of them, reading results, writing files."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from noteeval_desktop import batch, checklists
from noteeval_desktop.batch import Pair
from noteeval_desktop.batch.results import Entry as Told
from noteeval_desktop.batch.results import entries
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.note_rows import NoteRow
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.errors import Cancelled, InputError, NoteEvalError, unexpected
from noteeval_desktop.evaluate import evaluate, final
from noteeval_desktop.guarded_json import from_json
from noteeval_desktop.judges.notices import with_cuts
from noteeval_desktop.report.files import write_json
from noteeval_desktop.report.json_layout import evaluation_from_json, evaluation_to_json
from noteeval_desktop.report.many.figures import Overview, overview
from noteeval_desktop.report.many.reading import row_of
from noteeval_desktop.ui.case.engaged import Engaged
from noteeval_desktop.ui.many.run_store import Entry, RunStore, State
from noteeval_desktop.ui.widgets.jobs import Emit

_ONLY_SESSIONS = (".vtt", ".srt", ".csv")
_TAKEN = (*_ONLY_SESSIONS, ".txt", ".md", ".docx", ".json", ".pdf")
_SESSION = frozenset({"transcript", "transcripts", "session", "sessions", "audio", "recording", "dialogue"})
_NOTE = frozenset({"note", "notes", "progress", "soap", "dap", "birp", "girp", "draft", "summary"})
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Matched:
    """``lone``: notes without a session; ``unused``: sessions without a note. ``told``: a table names the pairs."""

    pairs: tuple[Pair, ...]
    lone: tuple[Path, ...] = ()
    unused: tuple[Path, ...] = ()
    told: bool = False


def match(files: Iterable[Path], looks_like_note: Callable[[Path], bool]) -> Matched:
    """By the words of the names that are left without "note", "transcript" and the like: "07 Smith note.md" belongs to
    "07 Smith transcript.vtt", and so does "07 Smith Llama note.md". Asks ``looks_like_note`` where a name does not
    say what the file is. Reads the disk: call it from a job.
    """
    sessions: list[Path] = []
    notes: list[Path] = []
    for file in sorted(file for file in files if file.suffix.lower() in _TAKEN and not file.name.startswith(".")):
        (notes if _is_note(file, looks_like_note) else sessions).append(file)
    keys = {session: _key(session) for session in sessions}
    found = [(note, _session_of(_key(note), keys)) for note in notes]
    taken = {session for _, session in found}
    return Matched(
        numbered([(session, note) for note, session in found if session is not None]),
        tuple(note for note, session in found if session is None),
        tuple(session for session in sessions if session not in taken),
    )


def numbered(pairs: Sequence[tuple[Path, Path]]) -> tuple[Pair, ...]:
    """Session and note, under ids that can be names of files: the note's name, told apart by a number."""
    made, seen = [], set[str]()
    for session, note in pairs:
        stem = " ".join(_WORD.findall(note.stem))[:80] or "note"
        name, number = stem, 1
        while name.casefold() in seen:
            number += 1
            name = f"{stem} {number}"
        seen.add(name.casefold())
        made.append(Pair(name, session, note))
    return tuple(made)


def _is_note(file: Path, looks_like_note: Callable[[Path], bool]) -> bool:
    if file.suffix.lower() in _ONLY_SESSIONS:
        return False
    for words in (_words(file.stem), _words(file.parent.name)):
        said = (not _SESSION.isdisjoint(words), not _NOTE.isdisjoint(words))
        if said[0] != said[1]:
            return said[1]
    return looks_like_note(file)


def _words(name: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(name.casefold()))


def _key(file: Path) -> tuple[str, ...]:
    return tuple(word for word in _words(file.stem) if word not in _SESSION and word not in _NOTE)


def _session_of(key: tuple[str, ...], sessions: dict[Path, tuple[str, ...]]) -> Path | None:
    """The same words, or else the one session whose words the note's begin with."""
    same = [session for session, own in sessions.items() if own == key]
    if len(same) == 1:
        return same[0]
    begun = [(len(own), session) for session, own in sessions.items() if own and key[: len(own)] == own]
    longest = [session for length, session in begun if length == max(begun)[0]]
    return longest[0] if not same and len(longest) == 1 else None


_PUT_BOTH_IN = tr("Put both into it, with names that begin alike.")
_CHUNK = 100
_LONGEST_HEADER = 10_000
TABLE = ".csv"


def find_pairs(paths: Sequence[Path], looks_like_note: Callable[[Path], bool]) -> Matched:
    """Of a table, a folder, or files that were dropped together. Raises InputError."""
    if len(paths) == 1 and paths[0].suffix.lower() == TABLE:
        return Matched(batch.read_pairs(paths[0]), told=True)
    every = (f for path in paths for f in (path.rglob("*") if path.is_dir() else (path,)) if f.is_file())
    files = [file for file in every if not _is_list(file)]
    found = match(files, looks_like_note)
    if not found.pairs and not found.lone:
        what = paths[0].name if paths else tr("The folder")
        raise InputError(what, tr("holds no note with its session"), _PUT_BOTH_IN)
    return found


def _is_list(file: Path) -> bool:
    """Whether it names pairs, as a folder for the command line holds beside its sessions. Raises InputError."""
    if file.suffix.lower() != TABLE:
        return False
    try:
        with file.open(encoding="utf-8-sig", errors="replace") as lines:
            names = {name.strip(' "').lower() for name in re.split("[,;]", lines.readline(_LONGEST_HEADER).strip())}
    except OSError as error:
        raise InputError(file.name, tr("could not be read"), _PUT_BOTH_IN) from error
    return {"transcript", "note"} <= names


def check(
    entry: Entry, engaged: Engaged, templates: tuple[str, ...], cancel: threading.Event
) -> tuple[Entry, dict[str, Any] | None]:
    """What became of it, and the evaluation as JSON where there is one. Raises Cancelled; ModelError where there is no
    judge, which would fail for every note."""
    assert entry.pair is not None
    if entry.pair.problem:
        return entry.now(State.FAILED, entry.pair.problem), None
    judge = engaged.judge(cancel)
    try:
        case, before = batch.read_case(entry.pair, cancel, templates), judge.usage()
        end = final(evaluate(case, judge, cancel=cancel))
        if end.cancelled:
            raise Cancelled
        made = with_cuts(end.evaluation)
        data = evaluation_to_json(replace(made, usage=made.usage.since(before)))
        row = row_of(data, about(entry.pair))
    except Cancelled:
        raise
    except NoteEvalError as error:
        return entry.now(State.FAILED, str(error)), None
    # One note that fails takes no other with it.
    except Exception as error:
        return entry.now(State.FAILED, unexpected(error)), None
    return replace(entry, state=_state(row), problem=" ".join(data["problems"]), row=row), data


def _state(row: NoteRow) -> State:
    if not row.checked:
        return State.FAILED
    return State.DONE if row.complete else State.PARTLY


def about(one: Pair | Told) -> dict[str, str]:
    return {"id": one.id, "clinician": one.clinician, "source": one.source, "date": one.date}


def write_result(folder: Path, entry: Entry, data: Mapping[str, Any]) -> None:
    """As `noteeval batch` writes it; never over a session or a note. Raises InputError."""
    target = folder / f"{entry.name}.json"
    if entry.pair is not None and any(target.resolve() == path.resolve() for path in entry.pair.inputs):
        raise InputError(
            target.name, tr("is a session or a note of the set"), tr("Choose another folder for the results.")
        )
    write_json(target, data)


def write_results(store: RunStore, run: str, folder: Path) -> int:
    """Every result of the set, now and as it comes; returns how many there are now."""
    written = 0
    store.write_to(run, folder)
    for place, entry in enumerate(store.entries(run)):
        data = store.result(run, place) if entry.row is not None else None
        if data is not None:
            write_result(folder, entry, data)
            written += 1
    return written


def read_results(folder: Path, cancel: threading.Event, emit: Emit) -> int:
    """Emits tuples of entries as they are read. Raises InputError where there is none."""
    chunk: list[Entry] = []
    total = 0
    for told in entries([folder]):
        if cancel.is_set():
            raise Cancelled
        try:
            row = row_of(told.evaluation or {}, about(told))
        except ValueError:
            continue  # a case without a result, or a file of another kind
        path = folder / f"{told.id}.json"
        chunk.append(Entry(state=_state(row), problem=row.problem, row=row, result=str(path)))
        total += 1
        if len(chunk) == _CHUNK:
            emit(tuple(chunk))
            chunk = []
    emit(tuple(chunk))
    if not total:
        raise InputError(folder.name, tr("holds no result"), tr("Choose the folder that “noteeval batch” wrote to."))
    return total


def write_overview(overviews: Sequence[Overview], path: Path) -> None:
    """By its ending. Raises InputError."""
    kind = path.suffix.lower()
    # Here, not above: each loads a library that the window does without.
    if kind == ".pdf":
        from noteeval_desktop.report.draw_pdf import write_pdf
        from noteeval_desktop.report.many.overview_page import overview_page

        write_pdf(overview_page(overviews[0]), path)
    elif kind == ".xlsx":
        from noteeval_desktop.report.many.notes_table import write_xlsx

        write_xlsx(overviews[0], path)
    elif kind == ".csv":
        from noteeval_desktop.report.many.notes_table import write_notes_csv

        write_notes_csv(overviews[0].notes, path)
    else:
        from noteeval_desktop.report.draw_html import write_html
        from noteeval_desktop.report.many.overview_page import overview_page

        write_html(overview_page(*overviews), path)


def compare(a: Sequence[Entry], b: Sequence[Entry], names: tuple[str, str]) -> Overview:
    from noteeval_desktop.measures.agreement import difference
    from noteeval_desktop.report.many.comparison import comparison

    first, second = (
        [entry.row for entry in entries if entry.row is not None and entry.row.checked] for entries in (a, b)
    )
    return comparison(first, second, names, difference)


def overview_of(entries: Sequence[Entry], names: bool) -> Overview:
    """Reads the checklists from the disk, which name what was not found."""
    rows = [entry.as_row(place) for place, entry in enumerate(entries)]
    return overview(rows, checklists.all_known(), names=names)


def evaluation(entry: Entry, store: RunStore, run: str, place: int) -> Evaluation:
    """Of a result whose files are gone, or that came without them. Raises InputError where it has no texts."""
    data = from_json(Path(entry.result).read_bytes()) if entry.result else store.result(run, place)
    if data is None:
        raise InputError(
            tr("The case"), tr("cannot be opened: its session or its note is not where it was"), tr("Put it back.")
        )
    return evaluation_from_json(data)
