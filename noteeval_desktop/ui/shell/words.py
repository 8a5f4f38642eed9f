"""What the frame of the window says, with its menus."""

from __future__ import annotations

from datetime import datetime

from noteeval_desktop.ui.widgets.plain import native
from noteeval_desktop.ui.widgets.words import TABS, wrong_inside

FIRST_JUDGE = "Judge: Built-in ▾"
PROGRESS = "Progress of the check"
UNLOCK_FOR_KEPT = "Unlock to see kept cases…"
OPEN_RECENT = "Open recent"
THERE_IS_NO_NOTE = "There is no note yet. Write or paste one; it is checked automatically."
ALL_KEYS_ARE_RESET = "All keys are reset."
RESET_ALL_KEYS = "Reset all keys"
CLICK_A_FIELD_AND_PRESS = "Click a field and press the new keys."
DRAFT_UNGUARDED = (
    "A draft of this case is saved while you write. This computer has no keychain to protect it: anyone "
    "who can open your files can read the draft. Keep the case in the library to protect it with a "
    "passphrase."
)
# With the letter that opens each, with Alt.
MENUS = {
    "file": "&File",
    "library": "&Library",
    "edit": "&Edit",
    "view": "&View",
    "findings": "Su&ggestions",
    "supervision": "&Supervision",
    "help": "&Help",
}
COMMANDS = {
    "open_transcript": "Open session transcript…",
    "open_note": "Open note…",
    "open_case_file": "Open case file…",
    "paste_transcript": "Paste session transcript…",
    "paste_note": "Paste note…",
    "open_clipboard": "New from clipboard",
    "review_many": "Review many…",
    "open_sample": "Open the sample case",
    "swap": "Swap transcript and note",
    "save_note": "Save note",
    "save_note_as": "Save note as…",
    "drafts": "Unsaved drafts…",
    "preview": "Preview and print the scorecard…",
    "export_pdf": "Export scorecard as PDF…",
    "export_json": "Export as JSON…",
    "export_csv": "Export as CSV…",
    "check_scorecard": "Check a scorecard…",
    "close_case": "Close the case",
    "quit": "Quit",
    "keep_case": "Keep this case…",
    "revisions": "Revisions of this case…",
    "library": "Open the library…",
    "lock": "Lock the library",
    "library_keys": "Passphrase and keys…",
    "backups": "Backups…",
    "audit_log": "Audit log…",
    "old_cases": "Old cases…",
    "undo": "Undo",
    "redo": "Redo",
    "cut": "Cut",
    "copy": "Copy",
    "paste": "Paste",
    "select_all": "Select all",
    "copy_note": "Copy note",
    "search": "Search this pane",
    "larger": "Larger text",
    "smaller": "Smaller text",
    "usual_size": "Normal text size",
    "session_pane": "Show or hide the session",
    "findings_pane": "Show or hide the suggestions",
    "wider": "Widen this pane",
    "narrower": "Narrow this pane",
    "light": "Light",
    "dark": "Dark",
    "system": "Follow the system",
    "next_finding": "Next suggestion",
    "previous_finding": "Previous suggestion",
    "finding_actions": "Actions for this suggestion",
    "next_pane": "Next pane",
    "recheck": "Check again",
    "cancel": "Stop checking",
    "choose_judge": "Choose the judge…",
    "compare_judges": "Compare two judges…",
    "compare_reference": "Compare with a reference note…",
    "compare_responses": "Compare responses…",
    "judge_settings": "Judge settings…",
    "review": "Review as supervisor…",
    "review_anew": "Review under another name…",
    "agreement": "Agreement between raters…",
    "trainee": "A clinician over time…",
    "cohort": "Team over time…",
    "submit": "Submit this note…",
    "feedback": "Feedback on this note…",
    "first_steps": "First steps",
    "help": "How to read the marks",
    "supervisors": "For supervisors",
    "model_card": "How the judge was made",
    "licences": "Licences",
    "it": "For your IT department",
    "privacy": "For your privacy officer",
    "research": "For researchers",
    "keys": "Keyboard",
    "version": "Version",
} | {f"tab_{number}": name for number, name in enumerate(TABS, 1)}
GETTING_READY = "Getting ready…"
CHECKING = "Checking…"
CHOOSE_ANOTHER_JUDGE = "Choose another judge…"
EXPORT = "Export ▾"
CHANGED_SINCE = "The note was changed since."
KEYS_SAVED = "Saved."
LONGEST_PLACE = "188 of 188"


def is_taken(keys: str, command: str) -> str:
    return f"{native(keys)} is taken by “{command}”."


def keys_for(command: str) -> str:
    return f"Keys for {command}"


def undone_with(said: str, keys: str) -> str:
    """ "Dismissed. Ctrl+Z undoes it."."""
    return f"{said} {keys} undoes it."


def draft_kept(when: datetime, guarded: bool) -> str:
    """ "draft kept 14:02"."""
    return f"draft kept {when:%H:%M}{'' if guarded else ' without a passphrase'}"


def marks_of(rater: str, *, edited: bool) -> str:
    """ "Dr. Kim's marks", where a supervisor's are shown; empty where ``rater`` is."""
    return rater and f"{rater}'s marks{' where the note reads as before' if edited else ''}"


def judge(name: str) -> str:
    return f"Judge: {name}"


def installed(version: str) -> str:
    return f"NoteEval {version} is installed. It never looks for updates: see where you got it for what is new."


def failed(name: str) -> str:
    return f"{wrong_inside(name)} Try again."


def settings_not_saved(reason: str) -> str:
    return f"The settings could not be saved ({reason}). They apply until you close the window."
