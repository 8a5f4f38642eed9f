"""What is said of the case on the desk: before there is one, of its session, and of the words in it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from noteeval_desktop.domain.phrases import are, counted, inside, listed, long_day
from noteeval_desktop.errors import NoteEvalError
from noteeval_desktop.ui.widgets.words import turn_list, turn_number, wrong_inside

# The first screen reads its words here.
if TYPE_CHECKING:
    from noteeval_desktop.documents import SessionInfo
    from noteeval_desktop.domain.case import Case
    from noteeval_desktop.domain.evaluation import Evaluation
    from noteeval_desktop.judges.notices import Notice

SHOW_THE_SESSION = "Session ▸"
CHECK_A_SCORECARD = "Check a scorecard"
SCORECARD_AND_CASE = "Scorecard and case"
SCORECARD_CHECKED = "Scorecard checked"
CHECK_A_NOTE_AGAINST_ITS_SESSION = "Check a note against its session"
OPEN_THE_LIBRARY = "Open the library"
REVIEW_MANY = "Review many…"
NEW_FROM_CLIPBOARD = "New from clipboard"
TRY_THE_SAMPLE_CASE = "Try the sample case"
CHOOSE_FILE = "Choose file…"
SAVE_NOTE = "Save note"
ONLY_TWO_FILES_WERE_OPENED = "Only two files were opened. A case is one session and one note."
CHOOSE_A_SESSION = "Choose a session"
KEEP_IT = "Keep it"
IT_WAS_NEVER_SAVED = "It was never saved. You cannot get it back afterwards."
THERE_ARE_NO_UNSAVED_DRAFTS = "There are no unsaved drafts."
UNSAVED_DRAFTS = "Unsaved drafts"
OPEN_IT = "Open it…"
DRAFT_TAKEN = "This draft is open in another window or was deleted there."
DELETE_IT = "Delete it…"
DO_NOT_OPEN = "Do not open"
THEY_LOOK_RIGHT = "They look right"
NO_ENCODING_NAMED = (
    "\n\nThis file does not name its text encoding, so it was read as Windows-1252. If accents look wrong, "
    "save it as UTF-8 and open it again."
)
DO_THESE_WORDS_LOOK_RIGHT = "Do these words look right?"
USE_IT_AS_THE_SESSION = "Use it as the session"
SWAP_THEM = "Swap them"
SOME_TEXT_HAS_NO_HEADING = "Some text has no heading. Where does it belong?"
THESE_TWO_CANNOT_BE_SWAPPED = "These two cannot be swapped. Open the transcript and the note again."
SAVE_THE_CASE = "Save the case?"
REPLACE_IT = "Replace it"
KEEP_THE_PAGE = "Keep it, export only the PDF"
ALL_MARKS = "All marks"
ALL_MARKS_HINT = "Mark every suggestion in the note, not only what to look at before you sign"
COPY_NOTE = "Copy note"
COPY_THE_WHOLE_NOTE_TO_PASTE = "Copy the whole note, to paste it into the record system"
SAMPLE_LABEL = "Sample case (fictional)"
DROP_TRANSCRIPT = "TXT, MD, VTT, SRT, DOCX, JSON or CSV, from Zoom, Teams, Meet, Otter, Rev or Whisper"
DROP_NOTE = "TXT, MD, DOCX, PDF or JSON, in SOAP, DAP, BIRP, GIRP or PIE"
CLIPBOARD_EMPTY = "The clipboard contains no text. Copy the session or the note first."
PRIVACY = "Everything stays on this computer. Nothing is sent anywhere."
PRIVACY_REMOTE = "An online AI service checks this note. You see what would be sent, and decide."
ATTESTED = "Confirmed: seen in the session."
STOPPED_AND_KEPT = "Stopped. The results so far are shown and kept; “Check again” continues."
OPEN_CASE = "the open case"
COMPARISON = "Comparison"
PART = "Part"
SCORECARD_FILES = "Scorecards (*.pdf)"
CHECK = "Check"
IN_THE_LIBRARY = "a case in the library"
PASTE = "Paste…"
USE_THIS_TEXT = "Use this text"
WRITE_HERE = "Write here"
SESSION_TRANSCRIPT = "Session transcript"
DRAFT_NOTE = "Draft note"
RECENT = "Recent:"
OPEN_SESSION = "Open session transcript (or choose session and note together)"
OPEN_NOTE = "Open note (or choose session and note together)"
PASTE_SESSION = "Paste the session transcript"
SESSION_EXAMPLE = "Therapist: …\nClient: …"
PASTE_NOTE = "Paste the note"
NOTE_EXAMPLE = "Subjective: …\nObjective: …\nAssessment: …\nPlan: …"
DELETE = "Delete"
LOOKS_LIKE_A_NOTE = "This looks like a note, not a session."
USE_IT_AS_THE_NOTE = "Use it as the note"
THERAPIST_FIRST = "They alternate, therapist first"
CLIENT_FIRST = "They alternate, client first"
NOT_FINISHED = "not finished"
WRITTEN_HERE = "Written here"
LOOKS_LIKE_A_SESSION = "This looks like a session, not a note."
CHANGES_TO_THE_SESSION = "changes to the session"
THE_SESSION = "the session"
YOUR_ANSWERS = "your answers to suggestions"
THE_NOTE = "the note"
DISCARD = "Discard"
SAVE_KEEPS_IT = "Save keeps it in the library."
SAVE_ONLY_THE_NOTE = "Save only the note"
SAVE_KEEPS_THE_CASE = "Save keeps the case in your encrypted library: session, note and answers."
SAVE_WRITES_THE_NOTE = "Save writes the note to a file."
COPIED = "Copied ✓"
NOTE_COPIED = "The note was copied"
COPIED_UNFINISHED = "Copied, but the note is not finished: {} is selected. Write over it and copy the note again."
DRAFT_NOT_SAVED = "The draft could not be saved ({}). Choose “Save note” in the File menu."
DRAFT_NOT_RESTORED = "The draft could not be restored ({}). It is still there; try again."
DRAFT_NOT_DELETED = "The draft could not be deleted ({}). Try again."
DRAFTS_NOT_READ = "Earlier drafts could not be read ({}). They are still there; restart NoteEval."
NOT_PARKED = "The case could not be saved to disk ({}). Unlock the library to restore it before you close NoteEval."
STOPPED_CHECKED_BEFORE = "Stopped. Earlier results are still shown; “Check again” starts anew."
STOPPED_FIRST = "Stopped. Nothing has been checked yet; “Check again” starts."
NOT_FLAGGED = "Not flagged any more."
PASSWORD_ASKED = "This scorecard is encrypted. Enter the password that it was exported with."
OPEN_CASE_FILE = "Open case file"
CASE_FILES = "Encrypted cases (*.noteeval-case)"
TRANSCRIPT_FILES = (
    "Session transcripts (*.txt *.md *.vtt *.srt *.docx *.json *.csv)"
    ";;Session and note together (*.txt *.md *.vtt *.srt *.docx *.json *.csv *.pdf)"
    f";;{CASE_FILES};;All files (*)"
)
NOTE_FILES = f"Notes (*.txt *.md *.docx *.pdf *.json);;{CASE_FILES};;All files (*)"
TEXT_FILES = "Text (*.md *.txt)"
WORD_FILES = "Word document (*.docx);;Text (*.md *.txt)"
DRAFT_COLUMNS = (("Kept", 180), ("Note", 140), ("Session", 140))
DRAFTS_EXPLAINED = (
    "These cases were not saved when NoteEval last closed. Each draft stays until you restore or delete it."
)


def warning(case: Case) -> str:
    """Says where a passage tries to steer the judge, which turns are in another language and whether the session may be
    another; empty where all is well."""
    # Here, not above: it loads the built-in judge, which the first screen does not need.
    from noteeval_desktop.judges.notices import another_session, foreign_turns, notices

    return " ".join([*another_session(case), *foreign_turns(case), *_steering(notices(case))])


def unheard(evaluation: Evaluation) -> str:
    """Says which turns were not judged, or not wholly, and that no warning told of before; empty where all were."""
    from noteeval_desktop.judges.notices import unheard_turns

    turns = unheard_turns(evaluation)
    if not turns:
        return ""
    return f"{turn_list(turns)}: what seems to address the reviewer was not judged there."


def doubts_session(said: str) -> bool:
    """Of a banner's text: does it ask whether the session is the note's?"""
    from noteeval_desktop.judges.notices import ANOTHER_SESSION

    return ANOTHER_SESSION in said


def without_doubt(said: str) -> str:
    from noteeval_desktop.judges.notices import ANOTHER_SESSION

    return said.replace(ANOTHER_SESSION, "").strip()


def _steering(found: Sequence[Notice]) -> Iterator[str]:

    if not found:
        return
    places = ["the note" if n.turn is None else f"turn {turn_number(n.turn)}" for n in found]
    where = ", ".join(dict.fromkeys(places))
    kinds = {notice.kind.value for notice in found}
    said = [text for kind, text in _NOTICES.items() if kind in kinds]
    yield f"Look at {where}: some words {' and some '.join(said)}. They were given to the judge as text, not obeyed."


_NOTICES = {
    "instruction": "read like an instruction to the judge",
    "marker": "contain control characters for an AI model",
    "hidden": "contain invisible characters",
}


def paste_below(title: str) -> str:
    return f"{title} below. It stays on this computer."


def delete_the_draft(when: str) -> str:
    return f"Delete the draft of {when} for good?"


def not_saved(parts: Sequence[str]) -> str:
    return f"Not saved yet: {listed(parts)}."


def is_there_already(name: str) -> str:
    return f"{name} is already there, beside the PDF."


def place(index: int | None, count: int) -> str:
    """ "3 of 9", or how many there are when none is chosen."""
    if not count:
        return "None left"
    if index is None:
        return f"{count} shown"
    return f"{index + 1} of {count}"


DECIDED = {"dismissed": "Dismissed.", "confirmed": "Confirmed.", "linked": "Linked.", "restored": "Reopened."}
FROM_THE_SESSION = "Put in from the session"
REMOVE_ON_RISK = "Remove a sentence on risk?"
MAY_SAY_NOTHING = "Without it the note may no longer say what was asked or heard about safety."
REMOVE_IT, KEEP_IT_IN = "Remove", "Keep it"
UNDO_DECIDED = {
    "dismissed": "Undo dismissing",
    "confirmed": "Undo confirming",
    "linked": "Undo linking",
    "restored": "Undo reopening",
}


def removed(sentence: str) -> str:
    return f"Removed “{sentence}”."


def dismissed(reason: str) -> str:
    return f"Dismissed: {inside(reason)}."


def session_in_file(info: SessionInfo) -> str:
    return f"{info.id}: {info.title} ({counted(info.turns, 'turn')})"


def which_session(count: int) -> str:
    return f"This file contains {counted(count, 'session')}. Which one?"


def kept_was_not_saved(when: str) -> str:
    return f"A case in the library has unsaved changes of {when}, when NoteEval last closed."


def one_was_not_saved(when: str) -> str:
    return f"A case was not saved when NoteEval last closed. A draft of {when} is still there."


def some_were_not_saved(count: int) -> str:
    return f"Some cases were not saved when NoteEval last closed. {counted(count, 'draft')} {are(count)} still there."


def draft_not_deleted(name: str) -> str:
    return f"The draft could not be deleted ({name})."


def went_wrong(name: str) -> str:
    return f"{wrong_inside(name)} Choose “Check again”."


def problem(error: Exception) -> str:
    """Our own errors as they are; any other only by its type, since its text may quote the case."""
    return str(error) if isinstance(error, NoteEvalError) else went_wrong(type(error).__name__)


def compared(name: str, with_: str) -> str:
    return f"{name}, compared with {with_}."


def compared_with_none(name: str) -> str:
    return f"{name}. Open its case to compare them."


def scorecard_not_checked(name: str) -> str:
    return f"It could not be checked ({name})."


def in_the_library(label: str) -> str:
    return f"“{label}” in the library"


def title(label: str, note: Path | None, day: date) -> str:
    """What a case is called: by its ``label``, else by the file of its note, else by the day."""
    return label or (note.stem if note is not None else f"Note of {long_day(day)}")


def settled_before(rater: str) -> str:
    return (
        f"The note was changed since {rater} reviewed it: {rater}'s marks are shown where it reads as before, the "
        "judge's elsewhere."
    )


def scorecard_file(title: str, kind: str) -> str:
    return f"{_file_name(title)} scorecard.{kind}".strip()


def note_file(title: str) -> str:
    return f"{_file_name(title) or 'note'}.md"


def case_file(title: str, suffix: str) -> str:
    return f"{_file_name(title) or 'case'}{suffix}"


def _file_name(title: str) -> str:
    """Without what no system takes in the name of a file."""
    return re.sub(r'[\\/:*?"<>|\x00-\x1f]+', "-", title).strip(" .-")


def not_written(reason: str) -> str:
    return f"The file could not be written ({reason}). Choose another folder and try again."


def save_writes(name: str) -> str:
    return f"Save writes {name}."


def save_writes_and_keeps(name: str, kept: bool) -> str:
    """``kept``: the library has the case already."""
    if kept:
        return f"Save writes {name} and keeps it in the library."
    return f"Save writes {name} and keeps the case in your encrypted library: session, note and answers."


def saved_in_both(name: str) -> str:
    return f"Saved in the library and in {name}."


def saved_in_library(name: str) -> str:
    """``name`` of a file that cannot be written, as a PDF; empty: the note came from none."""
    why = f"{name} was not changed" if name else "No file was written"
    return f"Saved in the library. {why}: “Save note as…” writes a text file."


def saved_in_library_only(problem: str) -> str:
    return f"Saved in the library, but not in its file. {problem}"
