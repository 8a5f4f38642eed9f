"""What the review of many notes says."""

from __future__ import annotations

from datetime import datetime

from noteeval_desktop.domain.phrases import are, counted, day
from noteeval_desktop.ui.many.entries import State

TITLE = "Review many notes"
BEGIN = "Drop a folder of sessions and notes here, or a table that names them"
TAKES = (
    "Files are matched by name: “07 transcript.vtt” with “07 note.docx”. A table is a CSV file with the columns "
    "transcript and note, and if you like id, clinician, source and date."
)
CHOOSE_FOLDER = "Choose a folder…"
CHOOSE_TABLE = "Choose a table…"
OPEN_RESULTS = "Open results…"
OPEN_RESULTS_HINT = "A folder of JSON results that “noteeval batch” wrote, here or on another computer"
EARLIER = "Earlier sets"
CONTINUE, OPEN_SET, DELETE_SET = "Continue", "Open", "Delete this set…"
DELETE_ASKS = "Delete this set with its results? The sessions and notes themselves stay where they are."
START, PAUSE, GO_ON = "Start", "Pause", "Go on"
STOP_ONE, RETRY, OPEN_CASE = "Stop this note", "Check again", "Open the case"
SHOW_NAMES = "Show names"
SHOW_NAMES_HINT = "Names of notes and clinicians, here and in exports"
EXPORT, EXPORT_AS, SAVE_RESULTS = "Export", "Export ▾", "Save results as JSON files…"
SAVE_RESULTS_HINT = "They hold what was said, unencrypted."
NEW_SET = "Another set…"
NOTES, OVERVIEW, COMPARE = "Notes", "Overview", "Compare"
FIND = "Find a note, clinician or source"
AS_TABLE, AS_CHART = "Show as table", "Show as chart"
TABLE_HINT = f"“{AS_TABLE}” gives its figures."
WHICH = "Which notes"
FILTERS = (
    ("All notes", ""),
    ("Risk left open", "§risk"),
    ("Mandatory item not found", "§mandatory"),
    ("Statement not supported", "§claim"),
    ("Not checked yet", "§waiting"),
    ("Could not be checked", "§failed"),
)
COLUMNS = (
    "Risk",
    "Note",
    "Note",
    "Clinician",
    "Clinician",
    "Source",
    "Month",
    "Covered",
    "Needed",
    "Supported",
    "Mandatory not found",
    "Not supported",
    "State",
)
STATES = {
    State.WAITING: "waiting",
    State.CHECKING: "checking…",
    State.DONE: "checked",
    State.PARTLY: "checked in part",
    State.FAILED: "not checked",
    State.STOPPED: "stopped",
}
NOT_READ = "could not be read"
NO_NOTE_FOR_IT = "There is no note for this session."
MATCHED = "Which session belongs to which note?"
MATCHED_SAID = "They were matched by the names of their files. Choose another session where that is wrong."
UNMATCHED_SAID = "Choose a session for each that has none, or leave it out."
LEAVE_OUT = "Leave out"
REVIEW_THESE = "Review these notes"
ITS_SESSION = "Session of the chosen note"
LOOKING = "Reading the files…"
NOT_REMOTE = (
    "The online AI service takes one case at a time, since you see what is sent before it is. Choose another judge for "
    "many notes."
)
JUDGE_CHANGED = "Paused: the judge was changed. “Go on” checks the rest with the new one."
SAME_SET = "Choose two different sets above."
ONE_SET = (
    "These notes are one set. To compare them with the results of another review, or of another judge, open the folder "
    "of those results."
)
FIRST_SET, SECOND_SET, OTHER_RESULTS = "First set", "Second set", "Other results…"
ALL_OF_THIS = "This set"
RUN_IS_ON = "The check is not finished. Close the window and go on later?"
BACK = "Back"
NONE_OPEN = "none open"
WEB_PAGE = "Web page…"
WORKBOOK = "Excel workbook…"
THE_FOLDER = "The folder"
NO_PAIRS = "holds no note with its session"
PUT_BOTH_IN = "Put both into it, with names that begin alike."
IS_ONE_OF_THE_SET = "is a session or a note of the set"
OTHER_RESULTS_FOLDER = "Choose another folder for the results."
NO_RESULT = "holds no result"
BATCH_FOLDER = "Choose the folder that “noteeval batch” wrote to."
THE_CASE = "The case"
CASE_MOVED = "cannot be opened: its session or its note is not where it was"
PUT_IT_BACK = "Put it back."


def left_to_check(done: int, failed: int, total: int, seconds: float | None) -> str:
    """ "37 of 105 checked, 2 could not be checked, about 12 min left". ``done``: with those that failed."""
    said = f"{done - failed:,} of {total:,} checked"
    if failed:
        said += f", {failed:,} could not be checked"
    if seconds is None or done >= total:
        return said
    minutes = round(seconds / 60)
    return f"{said}, about {minutes} min left" if minutes else f"{said}, less than a minute left"


def kept(guarded: bool) -> str:
    """``guarded``: the system's keychain holds the key of the results."""
    how = (
        "Results are kept encrypted until you delete the set."
        if guarded
        else "Results are kept until you delete the set. This computer has no keychain to protect them: anyone who can "
        "open your files can read them."
    )
    return f"Everything stays on this computer. {how}"


def found(pairs: int, lone: int, unused: int) -> str:
    said = f"{counted(pairs, 'note')} with {are(pairs, 'its', 'their')} session."
    if lone:
        said += f" {counted(lone, 'note')} without one."
    if unused:
        said += f" {counted(unused, 'session')} without a note {are(unused)} left out."
    return said


def earlier(begun: datetime, notes: int, left: int) -> str:
    to_check = f", {left:,} left to check" if left else ""
    return f"{begun:%a} {day(begun)}, {begun:%H:%M}: {counted(notes, 'note')}{to_check}"


def shown(of: int, total: int) -> str:
    return counted(total, "note") if of == total else f"{of:,} of {counted(total, 'note')}"


def exported(name: str) -> str:
    return f"Exported {name}."


def saved(number: int, folder: str, left: int) -> str:
    coming = " The others follow as they come." if left else ""
    return f"Saved {counted(number, 'result')} in {folder}. They are not encrypted.{coming}"


def tables(pattern: str) -> str:
    return f"Tables (*{pattern})"


def open_risks(count: int) -> str:
    return f"{count} open"


def note_number(number: int) -> str:
    return f"Note {number}"
