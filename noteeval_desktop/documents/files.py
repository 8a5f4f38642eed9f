"""Files → Transcript, Note: what kind of file it is, its limits, and the reader that fits."""

from __future__ import annotations

import hashlib
import re
import stat
import threading
from dataclasses import replace
from pathlib import Path

from noteeval_desktop.documents.decoding import decode
from noteeval_desktop.documents.docx_edit import edited_docx
from noteeval_desktop.documents.docx_text import docx_lines
from noteeval_desktop.documents.note_json import note_text
from noteeval_desktop.documents.notes import parse_note
from noteeval_desktop.documents.pdf_text import pdf_lines
from noteeval_desktop.documents.segments import is_json, looks_like_json
from noteeval_desktop.documents.table import SessionInfo, looks_tabular, sessions_in
from noteeval_desktop.documents.timed_text import looks_timed
from noteeval_desktop.documents.transcripts import looks_like_note, looks_like_transcript, transcript_of
from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.errors import InputError
from noteeval_desktop.isolation import run_isolated
from noteeval_desktop.platform.files import Obstacle, obstacle

MOST_BYTES = 25_000_000
MOST_NOTE_CHARACTERS = 100_000  # forty pages; the judge takes seconds for each
SECONDS = 20.0
# The app looks for these, to offer another way on.
MIXED_UP_WARNING = "were the two files swapped?"
NOT_A_NOTE = "it is a transcript, not a note"
MEMORY_MB = 700

_OTHER_KINDS = (
    (b"{\\rtf", "an RTF document", "Save it as DOCX or TXT."),
    (b"<!DOCTYPE", "a web page", "Open it in a browser, and save or paste its text."),
    (b"<!doctype", "a web page", "Open it in a browser, and save or paste its text."),
    (b"<html", "a web page", "Open it in a browser, and save or paste its text."),
    (b"\x89PNG", "a picture", "Paste its text, or run text recognition (OCR) on it."),
    (b"\xff\xd8\xff", "a picture", "Paste its text, or run text recognition (OCR) on it."),
    (b"GIF8", "a picture", "Paste its text, or run text recognition (OCR) on it."),
    (b"ID3", "an audio recording", "Have it transcribed and choose the transcript."),
    (b"RIFF", "a recording", "Have it transcribed and choose the transcript."),
    (b"OggS", "an audio recording", "Have it transcribed and choose the transcript."),
    (b"fLaC", "an audio recording", "Have it transcribed and choose the transcript."),
    (b"\x1f\x8b", "a compressed archive", "Unpack it and choose the document inside."),
    (b"7z\xbc\xaf", "a compressed archive", "Unpack it and choose the document inside."),
    (b"Rar!", "a compressed archive", "Unpack it and choose the document inside."),
    (b"SQLite format 3", "a database", "Choose a transcript or a note."),
    (b"\x7fELF", "a program", "Choose a transcript or a note."),
    (b"MZ\x90", "a program", "Choose a transcript or a note."),
)


def read_transcript(path: Path, session: str | None = None, cancel: threading.Event | None = None) -> Transcript:
    """Read a transcript file; ``session`` picks one of those that ``list_sessions`` gives.

    The file's content decides how it is read, not its extension. Raises InputError, Cancelled.
    """
    data = _bytes(path)
    if _is_pdf(data):
        raise InputError(path.name, "it is a PDF; transcripts are read from text", "Save it as TXT, VTT or DOCX.")
    text, warnings = _text(data, path, cancel)
    if path.suffix.lower() == ".csv" and not (
        looks_tabular(text) or looks_like_json(text) or looks_like_transcript(text)
    ):
        remedy = "Name the columns in the first line, for example speaker,text."
        raise InputError(path.name, "the CSV has no columns for the speaker and the words", remedy)
    if path.suffix.lower() == ".json" and not looks_like_json(text):
        warnings = (*warnings, "The file is named JSON but holds plain text.")
    if looks_like_note(text) and not looks_like_transcript(text):
        warnings = (*warnings, f"This looks like a progress note, not a transcript: {MIXED_UP_WARNING}")
    return transcript_of(text, hashlib.sha256(data).hexdigest(), path.name, session, warnings)


def list_sessions(path: Path) -> tuple[SessionInfo, ...]:
    """The sessions of a file that holds several (AnnoMI's CSV); empty for any other. Raises InputError."""
    data = _bytes(path)
    if _is_pdf(data) or data.startswith(b"PK"):
        return ()
    text, _ = _text(data, path, None)
    return sessions_in(text, path.name) if looks_tabular(text) else ()


def read_note(path: Path, cancel: threading.Event | None = None) -> Note:
    """Read a note file: TXT, MD, DOCX, PDF or JSON, whatever its extension says, but that what is named JSON must be
    JSON: its sections would be guessed without a word. Raises InputError, Cancelled."""
    data = _bytes(path)
    text, warnings = _text(data, path, cancel)
    if looks_timed(text) or looks_tabular(text):
        raise InputError(path.name, NOT_A_NOTE, "Choose the note, or swap the two files.")
    named_json = path.suffix.lower() == ".json"
    if looks_like_json(text) or (named_json and is_json(text)):
        text = note_text(text, path.name)
    elif named_json:
        raise InputError(path.name, "it is named JSON but holds plain text", "Rename it to .md or .txt.")
    elif looks_like_transcript(text) and not looks_like_note(text):
        warnings = (*warnings, f"This looks like a transcript, not a progress note: {MIXED_UP_WARNING}")
    if len(text) > MOST_NOTE_CHARACTERS:
        limit = f"{MOST_NOTE_CHARACTERS:,}"
        raise InputError(path.name, f"it has more than {limit} characters", "Choose a single note.")
    note = parse_note(text)
    if not note.sentences:
        raise InputError(path.name, "no text was found in it", "Choose the file that holds the note.")
    return replace(note, warnings=(*warnings, *note.warnings))


def edited_note(path: Path, before: str, after: str) -> bytes:
    """The DOCX at ``path``, read as ``before``, with ``after`` in it; see ``edited_docx``. Raises InputError."""
    data, name = _bytes(path), path.name
    if not is_docx(data):
        raise InputError(name, "it is not a Word document", "Save the note as text, or copy it with Copy note.")
    made = run_isolated(edited_docx, data, before, after, name, seconds=SECONDS, memory_mb=MEMORY_MB, what=name)
    return bytes(made)


def is_docx(data: bytes) -> bool:
    return data.startswith(b"PK\x03\x04")


def _bytes(path: Path) -> bytes:
    name = path.name or str(path)
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise InputError(name, "it is a folder", "Choose a file inside it.")
        if not stat.S_ISREG(status.st_mode):
            raise InputError(name, "it is not a regular file", "Choose a transcript or a note.")
        if status.st_size > MOST_BYTES:
            limit = MOST_BYTES // 1_000_000
            raise InputError(name, f"it is larger than {limit} MB", "Split it, or save its text as TXT.")
        data = path.read_bytes()
    except OSError as error:
        raise InputError(name[:80], *_why(error, path)) from None
    except ValueError:
        raise InputError(name[:80], "it could not be read (the name cannot be used)", "Rename it and retry.") from None
    if not data.strip(b"\0 \t\r\n\xef\xbb\xbf"):
        raise InputError(name, "it is empty", "Choose another file, or export it again.")
    return data


def _why(error: OSError, path: Path) -> tuple[str, str]:
    """What is wrong, and what to do."""
    match obstacle(error, path):
        case Obstacle.HELD:
            return "it is open in another program, such as Word", "Close it there and open it again."
        case Obstacle.ONLINE:
            problem = "it is kept online (OneDrive or similar) and could not be fetched"
            return problem, "Go online, or choose “Always keep on this device” for it, and open it again."
        case Obstacle.TOO_LONG:
            return "its folder lies too deep for Windows", "Copy it to a folder nearer to the top and open it there."
    if isinstance(error, FileNotFoundError):
        return "there is no such file", "Check the name and the folder."
    if isinstance(error, PermissionError):
        return "you have no permission to read it", "Ask for permission, or copy it to a folder of your own."
    return f"it could not be read ({error.strerror})", "Copy it to this computer and retry."


def _text(data: bytes, path: Path, cancel: threading.Event | None) -> tuple[str, tuple[str, ...]]:
    """DOCX and PDF are taken apart by other people's parsers, in a child process.

    Text, JSON and CSV are read here: the readers are ours, linear in the size of the file (a test feeds
    them 10 MB of one line), and starting a child costs more than they do.
    """
    name = path.name
    for magic, kind, remedy in _OTHER_KINDS:
        if data.startswith(magic):
            raise InputError(name, f"it is {kind}", remedy)
    if data[4:8] == b"ftyp":
        raise InputError(name, "it is a recording", "Have it transcribed and choose the transcript.")
    if data.startswith(b"\xd0\xcf\x11\xe0"):
        if "EncryptedPackage".encode("utf-16-le") in data:
            raise InputError(name, "it is protected by a password", "Save a copy without the password.")
        raise InputError(name, "it is a document in Word's old format", "Save it as DOCX or TXT.")
    if is_docx(data):
        return _isolated_text("docx", data, path, cancel)
    if _is_pdf(data):
        return _isolated_text("pdf", data, path, cancel)
    if path.suffix.lower() in (".docx", ".pdf"):
        kind = path.suffix[1:].upper()
        text, warnings = decode(data, name)
        return text, (*warnings, f"The file is named {kind} but holds plain text.")
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
        told = [f"The file is named {extension or 'without an extension'} but is a {kind.upper()}.", *told]
    return "\n".join(lines), tuple(told)
