"""Files → Transcript, Note: what kind of file it is, its limits, and the reader that fits."""

from __future__ import annotations

import csv
import hashlib
import io
import re
import stat
import threading
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from noteeval_desktop.documents import checklists
from noteeval_desktop.documents.decoding import decode
from noteeval_desktop.documents.docx_text import docx_lines
from noteeval_desktop.documents.edited_note import edited_docx, edited_text
from noteeval_desktop.documents.json_text import is_json, looks_like_json
from noteeval_desktop.documents.notes import note_text, parse_note
from noteeval_desktop.documents.pdf_text import pdf_lines
from noteeval_desktop.documents.plans import parse_plan
from noteeval_desktop.documents.rows import MEMORY_MB, SECONDS, ZIP, grid, workbook
from noteeval_desktop.documents.sentences import forget_lines
from noteeval_desktop.documents.table import SessionInfo, looks_tabular, sessions_in
from noteeval_desktop.documents.timed_text import looks_timed
from noteeval_desktop.documents.transcripts import looks_like_note, looks_like_transcript, transcript_of
from noteeval_desktop.documents.words import MIXED_UP_WARNING, NOT_A_NOTE
from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.plan import TreatmentPlan
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.domain.text import fingerprint
from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.errors import InputError
from noteeval_desktop.isolation import run_isolated
from noteeval_desktop.platform.files import Obstacle, obstacle

MOST_BYTES = 25_000_000
_NAMED_BUT_TEXT = tr("The file is named {kind} but holds plain text.")
MOST_NOTE_CHARACTERS = 100_000  # forty pages; the judge takes seconds for each

_OTHER_KINDS = (
    ((tr("it is an RTF document"), tr("Save it as DOCX or TXT.")), (b"{\\rtf",)),
    (
        (tr("it is a web page"), tr("Open it in a browser, and save or paste its text.")),
        (b"<!DOCTYPE", b"<!doctype", b"<html"),
    ),
    (
        (tr("it is a picture"), tr("Paste its text, or run text recognition (OCR) on it.")),
        (b"\x89PNG", b"\xff\xd8\xff", b"GIF8"),
    ),
    (
        (tr("it is a recording"), tr("Have it transcribed and choose the transcript.")),
        (b"ID3", b"RIFF", b"OggS", b"fLaC"),
    ),
    (
        (tr("it is a compressed archive"), tr("Unpack it and choose the document inside.")),
        (b"\x1f\x8b", b"7z\xbc\xaf", b"Rar!"),
    ),
    ((tr("it is a database"), tr("Choose a transcript or a note.")), (b"SQLite format 3",)),
    ((tr("it is a program"), tr("Choose a transcript or a note.")), (b"\x7fELF", b"MZ\x90")),
)


def read_transcript(
    path: Path, session: str | None = None, cancel: threading.Event | None = None, data: bytes | None = None
) -> Transcript:
    """Read a transcript file; ``session`` picks one of those that ``list_sessions`` gives.

    The file's content decides how it is read, not its extension. ``data``: the content where it is in no file, and
    ``path`` is what it is called. Raises InputError, Cancelled.
    """
    data = _bytes(path) if data is None else _checked(data, path.name)
    if _is_pdf(data):
        raise InputError(
            path.name,
            tr("it is a PDF, which can only be opened as a note"),
            tr("Save the transcript as TXT, VTT or DOCX."),
        )
    text, warnings = _text(data, path, cancel)
    if path.suffix.lower() == ".csv" and not (
        looks_tabular(text) or looks_like_json(text) or looks_like_transcript(text)
    ):
        raise InputError(
            path.name,
            tr("the CSV has no columns for the speaker and the words"),
            tr("Name the columns in the first line, for example speaker,text."),
        )
    if path.suffix.lower() == ".json" and not looks_like_json(text):
        warnings = (*warnings, _NAMED_BUT_TEXT.format(kind="JSON"))
    if looks_like_note(text) and not looks_like_transcript(text):
        instead = tr("This looks like a progress note, not a transcript.")
        warnings = (*warnings, f"{instead} {MIXED_UP_WARNING}")
    return transcript_of(text, hashlib.sha256(data).hexdigest(), path.name, session, warnings)


def list_sessions(path: Path) -> tuple[SessionInfo, ...]:
    """The sessions of a file that holds several (AnnoMI's CSV); empty for any other. Raises InputError."""
    data = _bytes(path)
    if _is_pdf(data) or data.startswith(b"PK"):
        return ()
    text, _ = _text(data, path, None)
    return sessions_in(text, path.name) if looks_tabular(text) else ()


def read_note(path: Path, cancel: threading.Event | None = None, data: bytes | None = None) -> Note:
    """Read a note file: TXT, MD, DOCX, PDF or JSON, whatever its extension says, but that what is named JSON must be
    JSON: its sections would be guessed without a word. ``data`` as for a transcript. Raises InputError, Cancelled."""
    data = _bytes(path) if data is None else _checked(data, path.name)
    text, warnings = _text(data, path, cancel)
    if looks_timed(text) or looks_tabular(text):
        raise InputError(path.name, NOT_A_NOTE, tr("Choose the note, or swap the two files."))
    named_json = path.suffix.lower() == ".json"
    if named_json and not (looks_like_json(text) or is_json(text)):
        raise InputError(path.name, tr("it is named JSON but holds plain text"), tr("Rename it to .md or .txt."))
    return note_from(text, path.name, warnings, is_json=named_json)


def note_from(text: str, what: str, warnings: tuple[str, ...] = (), *, is_json: bool = False) -> Note:
    """The note of a text that was read, which may be JSON; ``what`` names it in errors. Raises InputError."""
    if is_json or looks_like_json(text):
        text = note_text(text, what)
    elif looks_like_transcript(text) and not looks_like_note(text):
        instead = tr("This looks like a transcript, not a progress note.")
        warnings = (*warnings, f"{instead} {MIXED_UP_WARNING}")
    if len(text) > MOST_NOTE_CHARACTERS:
        long = tr("it has more than {characters:,} characters").format(characters=MOST_NOTE_CHARACTERS)
        raise InputError(what, long, tr("Choose a single note."))
    note = parse_note(text)
    if not note.sentences:
        raise InputError(what, tr("no text was found in it"), tr("Choose the file that holds the note."))
    return replace(note, warnings=(*warnings, *note.warnings))


def transcript_from(text: str, what: str, session: str | None = None) -> Transcript:
    """The transcript of a text; ``what`` names it in errors. Raises InputError."""
    return transcript_of(text, fingerprint(text), what, session)


def read_plan(path: Path, cancel: threading.Event | None = None) -> TreatmentPlan:
    """Read a treatment plan: TXT, MD, DOCX or PDF. Raises InputError, Cancelled."""
    return parse_plan(_text(_bytes(path), path, cancel)[0], path.name)


def read_checklist(path: Path, known: Rubric) -> checklists.Imported:
    """NoteEval's checklist file, or a table as CSV, XLSX or Markdown; ``known`` as ``checklists.from_rows`` has it.
    Raises InputError."""
    data, name = _bytes(path), path.name
    if is_docx(data):  # any document of the kind, XLSX too, is a zip archive
        rows, sheets = workbook(data, name)
        found = checklists.from_rows(rows, path.stem, name, known)
        more = tr("Only the sheet “{first}” is read; there are others with text.")
        return replace(found, notices=(more.format(first=sheets[0]), *found.notices)) if len(sheets) > 1 else found
    text, _ = decode(data, name)
    if looks_like_json(text) or path.suffix.lower() == ".json":
        return checklists.from_file(text, name)
    if path.suffix.lower() == ".md" or text.lstrip().startswith(("|", "#")):
        return checklists.from_rows(checklists.markdown_rows(text), path.stem, name, known)
    try:
        return checklists.from_rows(list(grid(io.StringIO(text, newline=""))), path.stem, name, known)
    except csv.Error as error:
        raise InputError(
            name, tr("has a quotation mark that is never closed"), tr("Save the table again as CSV.")
        ) from error


def known_note(path: Path, cancel: threading.Event | None = None) -> Note:
    """``read_note``, but of a file that has not changed since only once: an earlier note stands beside every later one
    of its client. Raises InputError, Cancelled."""
    try:
        status = path.stat()
    except OSError:
        return read_note(path, cancel)
    return _read_once(path, (status.st_mtime_ns, status.st_size))


@lru_cache(maxsize=256)
def _read_once(path: Path, state: tuple[int, int]) -> Note:
    return read_note(path)


def forget() -> None:
    """No note that was read, and no line that was split, stays in memory."""
    _read_once.cache_clear()
    forget_lines()


def edited_note(path: Path, before: str, after: str, as_word: bool = False) -> bytes:
    """The file at ``path``, read as ``before``, with ``after`` in it: a Word document stays one, whatever its name, and
    text keeps its encoding; see ``edited_docx`` and ``edited_text``. ``as_word``: nothing but a Word document will do.

    Raises InputError, also where the file is gone: whoever moved or deleted it does not want it back.
    """
    name = path.name
    if not path.exists():
        raise InputError(name, tr("it is no longer there"), tr("Choose “Save note as…” to save it as text."))
    data = _bytes(path, may_be_empty=True)
    if is_docx(data):
        made = run_isolated(edited_docx, data, before, after, name, seconds=SECONDS, memory_mb=MEMORY_MB, what=name)
        return bytes(made)
    if as_word:
        raise InputError(name, tr("it is not a Word document"), tr("Save the note as text, or copy it with Copy note."))
    if _is_pdf(data) or looks_like_json(_text(data, path, None)[0]):
        raise InputError(
            name,
            tr("it is not a text file, despite its name, and saving the note as text would replace it"),
            tr("Choose “Save note as…” and give it another name."),
        )
    return edited_text(data, before, after, name)


def is_docx(data: bytes) -> bool:
    return data.startswith(ZIP)


def _bytes(path: Path, may_be_empty: bool = False) -> bytes:
    name = path.name or str(path)
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise InputError(name, tr("it is a folder"), tr("Choose a file inside it."))
        if not stat.S_ISREG(status.st_mode):
            raise InputError(name, tr("it is not an ordinary file"), tr("Choose a transcript or a note."))
        if status.st_size > MOST_BYTES:
            raise _too_large(name)
        return _checked(path.read_bytes(), name, may_be_empty)
    except OSError as error:
        raise InputError(name[:80], *_why(error, path)) from None
    except ValueError:
        raise InputError(
            name[:80], tr("it could not be read (the name cannot be used)"), tr("Rename it and try again.")
        ) from None


def _checked(data: bytes, name: str, may_be_empty: bool = False) -> bytes:
    if len(data) > MOST_BYTES:
        raise _too_large(name)
    if not may_be_empty and not data.strip(b"\0 \t\r\n\xef\xbb\xbf"):
        raise InputError(name, tr("it is empty"), tr("Choose another file, or export it again."))
    return data


def _too_large(name: str) -> InputError:
    problem = tr("it is larger than {megabytes} MB").format(megabytes=MOST_BYTES // 1_000_000)
    return InputError(name, problem, tr("Split it, or save its text as TXT."))


def _why(error: OSError, path: Path) -> tuple[str, str]:
    match obstacle(error, path):
        case Obstacle.HELD:
            return (tr("it is open in another program, such as Word"), tr("Close it there and open it again."))
        case Obstacle.ONLINE:
            return (
                tr("it is kept online (OneDrive or similar) and could not be fetched"),
                tr("Go online, or choose “Always keep on this device” for it, and open it again."),
            )
        case Obstacle.TOO_LONG:
            return (
                tr("its name and folders are too long for Windows"),
                tr("Shorten its name, or copy it to your Documents folder, and open it there."),
            )
    if isinstance(error, FileNotFoundError):
        return (tr("there is no such file"), tr("Check the name and the folder."))
    if isinstance(error, PermissionError):
        return (tr("you have no permission to read it"), tr("Ask for permission, or copy it to a folder of your own."))
    why = f" ({error.strerror})" if error.strerror else ""
    return tr("it could not be read{why}").format(why=why), tr("Copy it to this computer and try again.")


def _text(data: bytes, path: Path, cancel: threading.Event | None) -> tuple[str, tuple[str, ...]]:
    """DOCX and PDF are taken apart by other people's parsers, in a child process.

    Text, JSON and CSV are read here: the readers are ours, linear in the size of the file (a test feeds
    them 10 MB of one line), and starting a child costs more than they do.
    """
    name = path.name
    for kind, magic in _OTHER_KINDS:
        if data.startswith(magic):
            raise InputError(name, *kind)
    if data[4:8] == b"ftyp":
        raise InputError(name, tr("it is a recording"), tr("Have it transcribed and choose the transcript."))
    if data.startswith(b"\xd0\xcf\x11\xe0"):
        if "EncryptedPackage".encode("utf-16-le") in data:
            raise InputError(name, tr("it is protected by a password"), tr("Save a copy without the password."))
        raise InputError(name, tr("it is a document in Word's old format"), tr("Save it as DOCX or TXT."))
    if is_docx(data):
        return _isolated_text("docx", data, path, cancel)
    if _is_pdf(data):
        return _isolated_text("pdf", data, path, cancel)
    if path.suffix.lower() in (".docx", ".pdf"):
        text, warnings = decode(data, name)
        return text, (*warnings, _NAMED_BUT_TEXT.format(kind=path.suffix[1:].upper()))
    return decode(data, name)


def _is_pdf(data: bytes) -> bool:
    """Anything may stand before the header, as long as that begins within the first kilobyte."""
    return data.startswith(b"%PDF") or re.search(rb"%PDF-\d\.\d", data[:1024]) is not None


def _isolated_text(kind: str, data: bytes, path: Path, cancel: threading.Event | None) -> tuple[str, tuple[str, ...]]:
    reader = docx_lines if kind == "docx" else pdf_lines
    lines, told = run_isolated(
        reader, data, path.name, seconds=SECONDS, memory_mb=MEMORY_MB, cancel=cancel, what=path.name
    )
    extension = path.suffix.lower()
    if extension != f".{kind}":
        otherwise = tr("The file is named {extension} but is a {kind}.")
        said = otherwise if extension else tr("The file, a {kind}, has no extension.")
        told = [said.format(extension=extension, kind=kind.upper()), *told]
    return "\n".join(lines), tuple(told)
