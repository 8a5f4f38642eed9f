"""What reading has to say: a problem with its remedy, as InputError takes them, and warnings in whole sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from noteeval_desktop.domain.phrases import are, counted, listed

# Any file

FOLDER = ("it is a folder", "Choose a file inside it.")
NO_FILE = ("it is not an ordinary file", "Choose a transcript or a note.")
NO_SUCH_FILE = ("there is no such file", "Check the name and the folder.")
NAME_NOT_USABLE = ("it could not be read (the name cannot be used)", "Rename it and try again.")
EMPTY = ("it is empty", "Choose another file, or export it again.")
OPEN_ELSEWHERE = ("it is open in another program, such as Word", "Close it there and open it again.")
KEPT_ONLINE = (
    "it is kept online (OneDrive or similar) and could not be fetched",
    "Go online, or choose “Always keep on this device” for it, and open it again.",
)
TOO_DEEP = (
    "its name and folders are too long for Windows",
    "Shorten its name, or copy it to your Documents folder, and open it there.",
)
NOT_PERMITTED = ("you have no permission to read it", "Ask for permission, or copy it to a folder of your own.")
LOCKED = ("it is protected by a password", "Save a copy without the password.")
_SAVE_AS_DOCX = "Save it as DOCX or TXT."
OLD_WORD = ("it is a document in Word's old format", _SAVE_AS_DOCX)
RTF = ("it is an RTF document", _SAVE_AS_DOCX)
WEB_PAGE = ("it is a web page", "Open it in a browser, and save or paste its text.")
PICTURE = ("it is a picture", "Paste its text, or run text recognition (OCR) on it.")
RECORDING = ("it is a recording", "Have it transcribed and choose the transcript.")
ARCHIVE = ("it is a compressed archive", "Unpack it and choose the document inside.")
DATABASE = ("it is a database", "Choose a transcript or a note.")
PROGRAM = ("it is a program", "Choose a transcript or a note.")
_SAVE_AS_TEXT = "Choose a text file, or export it again as TXT in UTF-8."
NOT_TEXT = ("it is not text", _SAVE_AS_TEXT)
UNKNOWN_ENCODING = ("its letters cannot be read", _SAVE_AS_TEXT)
# The app looks for these three, to ask before it goes on, or to offer another way.
CP1252_WARNING = "The file's letters were guessed (as Windows-1252). Please check those with accents."
MIXED_UP_WARNING = "Were the two files swapped?"
NOT_A_NOTE = "it is a transcript, not a note"


def too_large(megabytes: int) -> tuple[str, str]:
    return f"it is larger than {megabytes} MB", "Split it, or save its text as TXT."


def not_read(why: str | None) -> tuple[str, str]:
    return f"it could not be read{f' ({why})' if why else ''}", "Copy it to this computer and try again."


def named_but_text(kind: str) -> str:
    return f"The file is named {kind} but holds plain text."


def named_otherwise(extension: str, kind: str) -> str:
    return f"The file is named {extension} but is a {kind}." if extension else f"The file, a {kind}, has no extension."


def unreadable(characters: int) -> str:
    return f"{counted(characters, 'character')} could not be read and {are(characters)} shown as \ufffd."


def removed(hidden: int, where: str) -> str:
    return f"{counted(hidden, 'hidden character')} {are(hidden, 'was', 'were')} removed from the {where}."


# Transcripts and notes

PDF_SESSION = ("it is a PDF, which can only be opened as a note", "Save the transcript as TXT, VTT or DOCX.")
NO_COLUMNS = (
    "the CSV has no columns for the speaker and the words",
    "Name the columns in the first line, for example speaker,text.",
)
SWAP_THEM = (NOT_A_NOTE, "Choose the note, or swap the two files.")
A_NOTE_INSTEAD = f"This looks like a progress note, not a transcript. {MIXED_UP_WARNING}"
A_TRANSCRIPT_INSTEAD = f"This looks like a transcript, not a progress note. {MIXED_UP_WARNING}"
TEXT_NAMED_JSON = ("it is named JSON but holds plain text", "Rename it to .md or .txt.")
NO_TEXT = ("no text was found in it", "Choose the file that holds the note.")
NO_HEADINGS = "The note has no section headings. Please say which section the text belongs to."


def too_long_a_note(characters: int) -> tuple[str, str]:
    return f"it has more than {characters:,} characters", "Choose a single note."


def before_headings(number: int) -> str:
    come = f"{counted(number, 'word')} {are(number, 'comes', 'come')}"
    return f"{come} before the note's first heading. Please say which section the text belongs to."


# Word documents

_COPY_NOTE = "Save the note as text, or copy it with Copy note."
NOT_WORD = ("it is not a Word document", _COPY_NOTE)
_CHANGED = "it was changed in another program after you opened or saved it"
CHANGED_ELSEWHERE = (_CHANGED, _COPY_NOTE)
_SAVE_AS = "Choose “Save note as…” and give it another name."
CHANGED_TEXT = (_CHANGED, _SAVE_AS)
UNREADABLE_LEFT = ("some of its characters cannot be read and would be lost", _SAVE_AS)
NOT_FOR_TEXT = ("it is no text file, whatever its name says, and saving the note as text would replace it", _SAVE_AS)
GONE = ("it is no longer there", "Choose “Save note as…” to save it as text.")
FORMATTING_AT_RISK = ("this change would harm its formatting", _COPY_NOTE)
TRACKED = (
    "it tracks changes, and yours would not be tracked",
    "Accept the changes and turn tracking off in your word processor, or copy the note with Copy note.",
)
PROTECTED = ("it is protected against changes", _COPY_NOTE)
SIGNED = ("it is signed, and a change would break the signature", _COPY_NOTE)
DAMAGED_DOCX = ("the DOCX is damaged", "Open it in the program that made it, save it again as DOCX and try again.")
UNPACKS_TOO_FAR = ("it is far too large once unpacked", "Save its text as TXT and use that.")
OPEN_DOCUMENT = ("it is an OpenDocument file, not a DOCX", _SAVE_AS_DOCX)
PAGES_DOCUMENT = ("it is a Pages document, not a DOCX", "Export it as DOCX, PDF or TXT.")
SPREADSHEET = ("it is a spreadsheet or presentation, not a DOCX", "Save a table as CSV, anything else as TXT.")
ZIP = ("it is a zip archive, not a DOCX", "Unpack it and choose the document inside.")
HIDDEN_IN_DOCX = "Hidden text in the document (marked as hidden, white, tiny or crossed out) was left out."

# PDF

DAMAGED_PDF = ("the PDF is damaged", "Print it to a new PDF, or save its text as TXT.")
FORM = (
    "it is a form, and its fields cannot be read in order",
    "Print it to a new PDF, which turns the fields into text, or paste the text.",
)
NO_TEXT_IN_PDF = ("the PDF holds pictures of text, not text", "Run text recognition (OCR) on it, or paste the text.")
HIDDEN_IN_PDF = "Hidden text in the PDF (white, tiny, invisible, crossed out or off the page) was left out."
RECOGNISED = "This PDF is a scan, and a computer recognised its words. Please compare them with the page."


def too_many_pages(most: int) -> tuple[str, str]:
    return f"it has more than {most} pages", "Save only the note's pages."


# JSON

OWN_RESULT = ("it is a result of this program, not a note", "Choose the note itself.")
NOT_ONE_NOTE = ("the JSON is not a single note", 'It should be {"subjective": ..., "plan": ...}.')
NO_SECTION = ("the JSON has no note section", 'Name them "subjective", "objective", "assessment", "plan".')
NESTED = ("the JSON is nested too deeply", "Export it again in a simpler form, or save it as text.")
NOT_A_TRANSCRIPT = (
    "no transcript was found in the JSON",
    'It should be a list of {"speaker", "text"}, or an export of Whisper, WhisperX or Rev.',
)


def no_number(constant: str) -> tuple[str, str]:
    return f"the JSON holds {constant}, which is not a JSON number", "Replace it with null."


def broken_json(line: int) -> tuple[str, str]:
    return f"it is not valid JSON (line {line})", "Export it again, or save it as text."


# Treatment plans

PLAN = "The treatment plan"
NO_GOALS = ("no goals were found in it", "Begin each goal on a line of its own with “Goal 1:”, or type them in.")
NOT_A_PLAN = (
    "this looks like a session or a note, not a treatment plan",
    "Choose the plan, or begin each of its goals on a line of its own with “Goal 1:”.",
)
TOO_LONG_A_PLAN = (
    "it is too long for a treatment plan",
    "Keep its goals, objectives and interventions, and try again.",
)

# Transcripts

PASTED = "The pasted transcript"
SPEAKER, CLIENT = "Speaker", "Client"
CAPTION, PASSAGE, ROW = "caption", "passage", "row"
PASSAGES, SPEECH, TURNS, SPEAKERS, ROWS = "passages", "characters of speech", "turns", "speakers", "rows"
SPLIT_SESSIONS = "Split it into single sessions."
SPLIT = "Split it into smaller files."
ONE_NAME_EACH = "Begin each turn on a new line, with the speaker's name (always spelled the same) and a colon."
NOTHING_SAID = ("it is empty", "Choose the file that holds the session's transcript.")
_NO_CHOICE = "Open it without choosing a session."
ONE_SESSION = ("it holds one session only", _NO_CHOICE)
TOO_LONG = ("it is longer than a session can be", SPLIT_SESSIONS)
NO_TALK = ("no conversation was found in it", "Check that it is the transcript and not an empty export.")
NOBODY_NAMED = "The transcript does not say who is speaking. Choose who is the therapist and who is the client."


def too_many(most: int, of: str, remedy: str) -> tuple[str, str]:
    return f"it has more than {most:,} {of}", remedy


def speaker(number: str) -> str:
    return f"{SPEAKER} {number}"


def unnamed(turns: int) -> str:
    return f"{counted(turns, 'turn')} had no speaker and {are(turns)} shown as “{SPEAKER}”."


def shown_as(parts: Mapping[str, str]) -> str:
    said = listed(f"“{speaker}” is shown as a {part}" for speaker, part in parts.items())
    return f"{said}, not as the client. To change this, click the name above the session."


def _were(number: int) -> str:
    return are(number, "was", "were")


def no_time(bad: int, total: int, kind: str) -> str:
    return f"{bad} of {counted(total, kind)} had no time that could be read."


def without_words(empty: int, total: int, kind: str) -> str:
    return f"{empty} of {counted(total, kind)} had no words and {_were(empty)} left out."


def carried_on(captions: int) -> str:
    return f"{counted(captions, CAPTION)} without a speaker {_were(captions)} given to the previous speaker."


def before_talk(lines: int, kept: bool) -> str:
    done = "kept as said by an unknown speaker" if kept else "left out as title and attendees"
    return f"{counted(lines, 'line')} before the first speaker {_were(lines)} {done}."


def remarks(lines: int) -> str:
    return f"{counted(lines, 'line')} with a title or remark, not speech, {_were(lines)} left out."


def summary(lines: int) -> str:
    return f"{counted(lines, 'line')} of summary before the transcript {_were(lines)} left out."


# Tables

OPEN_QUOTE = (
    "a quotation mark in it is never closed",
    "Look for a cell that begins with one and does not end with one.",
)
SPEAKER_COLUMN, TEXT_COLUMN = "speaker (or interlocutor)", "text (or utterance_text)"


def no_column(missing: str) -> tuple[str, str]:
    return f"the CSV has no column {missing}", "Name the columns in its first line."


def broken_csv(line: int) -> tuple[str, str]:
    return f"line {line} cannot be read as CSV", "Look for a quotation mark that is never closed."


def extra_cells(rows: int) -> str:
    have = are(rows, "has", "have")
    return f"{counted(rows, ROW)} {have} more cells than the first line has columns; the extra cells were left out."


def no_such_session(asked: str, there: Sequence[str], more: bool) -> tuple[str, str]:
    known = f"It has {', '.join(there)}{' …' if more else ''}." if there else _NO_CHOICE
    return f"there is no session “{asked}” in it", known


def several_sessions(number: int, example: str) -> tuple[str, str]:
    such = f", for example --session {example}" if example else ""
    return f"it holds {number} sessions", f"Choose one (on the command line: --session{such})."


# Sets of responses

_LAYOUT = "Use a table with the columns context and response (id is optional), or JSON objects with these keys."
NO_RESPONSES = ("it holds no response", _LAYOUT)
RESPONSES = "responses"


def without(entry: int, key: str) -> tuple[str, str]:
    return f"entry {entry} has no {key}", _LAYOUT
