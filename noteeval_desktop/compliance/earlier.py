"""Which notes of a client are the earlier ones, beside a note: what a folder, a table or the library holds of them."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

from noteeval_desktop import documents
from noteeval_desktop.domain.case import Background, EarlierNote, Visit
from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.phrases import are, counted, tr
from noteeval_desktop.errors import Cancelled, InputError

# "2026-11-03 progress.docx", "20261103.txt", "J.D. 11-03-2026.pdf".
_YEAR_FIRST = re.compile(r"(?<!\d)(20\d\d)[-_./]?(\d\d)[-_./]?(\d\d)(?!\d)")
_YEAR_LAST = re.compile(r"(?<!\d)(\d\d?)[-_./](\d\d?)[-_./](20\d\d)(?!\d)")


def beside_folder(
    note: Note, folder: Path, known: Background | None = None, cancel: threading.Event | None = None
) -> Background:
    """``known`` with the earlier notes of a folder, in any format that notes come in; their dates are those of their
    heads or of their files' names. Raises InputError where the folder cannot be read, Cancelled."""
    try:
        paths = sorted(path for path in folder.iterdir() if path.is_file() and not path.name.startswith((".", "~$")))
    except OSError as error:
        raise InputError(
            folder.name, tr("cannot be read ({reason})").format(reason=error.strerror), tr("Check the path.")
        ) from error
    made = background(note, None, *in_files(((path, "") for path in paths), cancel), known)
    if made.earlier:
        return made
    nothing = tr("The folder {name} has no note that is earlier than this one: nothing was compared.")
    return replace(made, warnings=(*made.warnings, nothing.format(name=folder.name)))


def in_files(
    files: Iterable[tuple[Path | str, str]], cancel: threading.Event | None = None
) -> tuple[tuple[EarlierNote, ...], tuple[str, ...]]:
    """The notes, and what is wrong with each that cannot be read. Each file, or what a note says, comes with the date
    that a table gives it, or an empty one. Raises Cancelled."""
    found, problems = list[EarlierNote](), list[str]()
    for given, day in files:
        if cancel is not None and cancel.is_set():
            raise Cancelled
        try:
            note = (
                documents.known_note(given, cancel)
                if isinstance(given, Path)
                else documents.note_from(given, tr("A note in the list"))
            )
        except InputError as error:
            problems.append(str(error))
            continue
        name = given.name if isinstance(given, Path) else ""
        told = day_in(day) or documents.client_and_date(note.text, False)[1] or day_in(name)
        found.append(EarlierNote(note, told, name))
    return tuple(found), tuple(problems)


def background(
    note: Note,
    day: date | None,
    found: Sequence[EarlierNote],
    problems: Sequence[str] = (),
    known: Background | None = None,
) -> Background:
    """``known``, or an empty one, with those of ``found`` that come before ``note``, which is of ``day`` or of the date
    in its head, or are of its day; and a sentence on whatever was not compared, or may be none of them."""
    day = day or documents.client_and_date(note.text, False)[1]
    # The same text is this note itself, unless it is of an earlier day.
    others = [one for one in found if one.note.text != note.text or (one.day and day and one.day < day)]
    own = [one for one in others if not another_client(note.text, one.note.text)]
    before = [one for one in own if one.day is None or day is None or one.day < day]
    earlier = sorted(before, key=lambda one: (one.day or date.min, one.label), reverse=True)
    warnings = []
    if problems:
        said = tr("{files} of the earlier notes could not be read and {were} not compared. {first}")
        files = counted(len(problems), tr("file"))
        warnings.append(said.format(files=files, were=are(len(problems), "was", "were"), first=problems[0]))
    if left_out := len(others) - len(own):
        said = tr("{notes} {name} another client and {were} not compared with this one.")
        warnings.append(
            said.format(
                notes=counted(left_out, tr("earlier note")),
                name=are(left_out, "names", "name"),
                were=are(left_out, "was", "were"),
            )
        )
    if undated := sum(one.day is None for one in earlier):
        said = tr("{notes} {have} no date, in the note or in the file’s name: {they} may be later than this one.")
        notes = counted(undated, tr("earlier note"))
        warnings.append(said.format(notes=notes, have=are(undated, "has", "have"), they=are(undated, "it", "they")))
    elif earlier and day is None:
        warnings.append(tr("This note has no date, so all of the client’s other notes count as earlier ones."))
    same_day = tuple(one for one in own if day is not None and one.day == day)
    visit = Visit.LATER if earlier else Visit.ANY if problems else Visit.FIRST
    return replace(
        known or Background(), earlier=tuple(earlier), same_day=same_day, visit=visit, warnings=tuple(warnings)
    )


def day_in(name: str) -> date | None:
    """The date in a file's name or a cell of a table. A year that comes last follows month and day, or day and month
    where that alone fits."""
    orders = ((_YEAR_FIRST, (1, 2, 3)), (_YEAR_LAST, (3, 1, 2)), (_YEAR_LAST, (3, 2, 1)))
    return next((day for pattern, order in orders if (day := _read(pattern, name, order))), None)


def _read(pattern: re.Pattern[str], text: str, order: tuple[int, int, int]) -> date | None:
    found = pattern.search(text)
    try:
        return date(*(int(found[place]) for place in order)) if found else None
    except ValueError:  # 2026-13-45 is no day
        return None


def another_client(text: str, other: str) -> bool:
    """Where both heads name one; initials may be anybody's whose they fit."""
    names = [documents.client_and_date(one, False)[0] for one in (text, other)]
    return all(names) and _letters(names[0]) != _letters(names[1]) and not _fit(*names)


def _fit(one: str, other: str) -> bool:
    short, full = sorted((_letters(one), _letters(other)), key=len)
    initials = "".join(word[0] for word in re.findall(r"\w+", max(one, other, key=len).casefold()))
    return short == initials or full.startswith(short)


def _letters(name: str) -> str:
    return "".join(re.findall(r"\w", name.casefold()))
