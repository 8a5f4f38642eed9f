"""Transcripts as CSV: AnnoMI's layouts and any table with a column for the speaker and one for the words."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from noteeval_desktop.documents import words
from noteeval_desktop.documents.turns import Cue, Reading, clock
from noteeval_desktop.domain.phrases import are, counted, tr
from noteeval_desktop.domain.transcript import Role
from noteeval_desktop.errors import InputError

_SPEAKER = ("interlocutor", "speaker", "speaker_name", "speaker name", "role", "name", "who")
_TEXT = ("utterance_text", "utterance", "text", "transcript", "content", "sentence", "words", "message")
_TIME = ("timestamp", "time", "start", "start_time", "start time", "start_timestamp", "begin")
_SESSION = ("transcript_id", "session_id", "session", "dialogue_id", "conversation_id")
_UTTERANCE = ("utterance_id", "turn_id", "utterance_no")
_TITLE = ("video_title", "title", "topic")
MOST_ROWS = 500_000
# In a damaged table the column of the sessions may hold what was said, which no message repeats.
_ID = re.compile(r"[\w.\-]{1,20}")
_BEYOND = "\0"  # no column is called so


@dataclass(frozen=True, slots=True)
class SessionInfo:
    """One session of a file that holds several; ``turns`` as they are after merging."""

    id: str
    title: str
    turns: int


@dataclass(frozen=True, slots=True)
class _Columns:
    text: str
    speaker: str | None
    time: str | None
    session: str | None
    utterance: str | None
    title: str | None
    last: str


def looks_tabular(text: str) -> bool:
    """Does the first line name the columns of a transcript?"""
    first = text.lstrip("\ufeff\n ").split("\n", 1)[0][:5_000]
    names = [name.strip().strip('"').lower() for name in first.replace(";", ",").replace("\t", ",").split(",")]
    return (
        len(names) > 1 and any(name in _TEXT for name in names) and any(name in (*_SPEAKER, *_TIME) for name in names)
    )


def talk_columns(names: Sequence[str]) -> tuple[int, int, int | None] | None:
    """Where the speaker, the words and the time stand, by the names of the columns; None where it is no talk."""
    lowered = [name.strip().lower() for name in names]

    def first(wanted: tuple[str, ...]) -> int | None:
        return next((lowered.index(name) for name in wanted if name in lowered), None)

    speaker, words = first(_SPEAKER), first(_TEXT)
    return None if speaker is None or words is None or speaker == words else (speaker, words, first(_TIME))


def sessions_in(text: str, what: str) -> tuple[SessionInfo, ...]:
    """Empty where the table holds one session."""
    ids: dict[str, tuple[str, list[str]]] = {}
    columns, rows = _rows(text, what)
    if columns.session is None:
        return ()
    for row in rows:
        _, speakers = ids.setdefault(_cell(row, columns.session), (_cell(row, columns.title), []))
        speakers.append(_cell(row, columns.speaker))
    if len(ids) < 2:
        return ()
    return tuple(SessionInfo(key, title, _changes(speakers)) for key, (title, speakers) in ids.items())


def _changes(speakers: list[str]) -> int:
    return sum(1 for before, now in zip(["", *speakers], speakers, strict=False) if now != before or not now)


def read_table(text: str, what: str, session: str | None = None) -> Reading:
    """Raises InputError where columns are missing, or ``session`` is needed or not in the file."""
    columns, rows = _rows(text, what)
    rows = _of_session(rows, columns, what, session)
    cues, bad_times, empty, longer = [], 0, 0, 0
    roles: dict[str, Role] = {}
    for row in rows:
        said, speaker, time = (_cell(row, name) for name in (columns.text, columns.speaker, columns.time))
        longer += _BEYOND in row
        if not said:
            empty += 1
            continue
        start = _seconds(time)
        bad_times += columns.time is not None and start is None
        if speaker.lower() in ("therapist", "client"):
            roles[speaker] = Role(speaker.lower())
        cues.append(Cue(speaker, said, start))
    warnings = list(words.no_time(bad_times, len(cues), tr("row")))
    if longer:
        said = tr("{rows} {have} more cells than the first line has columns; the extra cells were left out.")
        warnings.append(said.format(rows=counted(longer, tr("row")), have=are(longer, "has", "have")))
    warnings += words.without_words(empty, len(rows), tr("row"))
    return Reading(tuple(cues), tuple(warnings), roles=roles)


def _of_session(rows: list[dict[str, str]], columns: _Columns, what: str, session: str | None) -> list[dict[str, str]]:
    ids = list(dict.fromkeys(_cell(row, columns.session) for row in rows)) if columns.session else []
    if session is not None:
        if session not in ids and (ids or session):
            named = [one for one in ids if _ID.fullmatch(one)]
            there = tr("It has {ids}.").format(ids=", ".join(named[:8]) + (" …" if len(ids) > 8 else ""))
            problem = tr("there is no session “{asked}” in it").format(asked=session[:40])
            raise InputError(what, problem, there if named else tr("Open it without choosing a session."))
        rows = [row for row in rows if _cell(row, columns.session) == session]
    elif len(ids) > 1:
        example = next(filter(_ID.fullmatch, ids), "")
        such = tr(", for example --session {example}").format(example=example) if example else ""
        choose = tr("Choose one (on the command line: --session{such}).").format(such=such)
        raise InputError(what, tr("it holds {number} sessions").format(number=len(ids)), choose)
    return rows


def _rows(text: str, what: str) -> tuple[_Columns, list[dict[str, str]]]:
    """The rows, one per (session, utterance): AnnoMI's full file repeats an utterance for every annotator."""
    header = text.lstrip("\n ").split("\n", 1)[0]
    delimiter = max(",;\t", key=header.count)
    # The default limit of 128 KB a cell is the csv module's guard against an unclosed quotation mark.
    reader = csv.DictReader(io.StringIO(text.lstrip("\n ")), restkey=_BEYOND, delimiter=delimiter)
    try:
        columns = _columns(reader.fieldnames or (), what)
        rows = list(_unique(reader, columns, what))
        if _never_closed(text, delimiter):
            raise InputError(
                what,
                tr("a quotation mark in it is never closed"),
                tr("Look for a cell that begins with one and does not end with one."),
            )
        # Words with a comma in them and no quotation marks around them, in the last column, come in several cells.
        for row in rows:
            if columns.text == columns.last and (rest := row.pop(_BEYOND, None)):
                row[columns.text] = delimiter.join([row[columns.text], *rest])
        return columns, rows
    except csv.Error as error:
        problem = tr("line {line} cannot be read as CSV").format(line=reader.line_num + 1)
        raise InputError(what, problem, tr("Look for a quotation mark that is never closed.")) from error


def _never_closed(text: str, delimiter: str) -> bool:
    """Does the last cell begin with a quotation mark that nothing ends, and so hold the rest of the file?"""
    if '"' not in text:
        return False
    try:
        for _ in csv.reader(io.StringIO(text.lstrip("\n ")), delimiter=delimiter, strict=True):
            pass
    except csv.Error as error:
        return "end of data" in str(error)
    return False


def _unique(reader: csv.DictReader[str], columns: _Columns, what: str) -> Iterator[dict[str, str]]:
    seen: set[tuple[str, str]] = set()
    for number, row in enumerate(reader):
        if number >= MOST_ROWS:
            raise InputError(what, *words.too_many(MOST_ROWS, tr("rows"), tr("Split it into smaller files.")))
        key = (_cell(row, columns.session), _cell(row, columns.utterance))
        if columns.utterance is not None and key[1]:
            if key in seen:
                continue
            seen.add(key)
        yield row


def _columns(names: object, what: str) -> _Columns:
    by_name = {str(name).strip().lower(): str(name) for name in names or () if name}  # type: ignore[attr-defined]

    def first(wanted: tuple[str, ...]) -> str | None:
        return next((by_name[name] for name in wanted if name in by_name), None)

    text, speaker = first(_TEXT), first(_SPEAKER)
    if text is None or speaker is None:
        missing = tr("text (or utterance_text)") if text is None else tr("speaker (or interlocutor)")
        problem = tr("the CSV has no column {missing}").format(missing=missing)
        raise InputError(what, problem, tr("Name the columns in its first line."))
    last = str(list(names)[-1])  # type: ignore[call-overload]
    return _Columns(text, speaker, first(_TIME), first(_SESSION), first(_UTTERANCE), first(_TITLE), last)


def _cell(row: dict[str, str], name: str | None) -> str:
    return (row.get(name) or "").strip() if name is not None else ""


def _seconds(time: str) -> float | None:
    seconds = clock(time)
    if seconds is None:
        try:
            seconds = float(time)
        except ValueError:
            return None
    return seconds if 0 <= seconds < 1e7 else None
