"""What is said of the case on the desk: before there is one, of its session, and of the words in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from noteeval_desktop.domain.phrases import counted, inside
from noteeval_desktop.ui.widgets.plain import shortened
from noteeval_desktop.ui.widgets.words import turn_list, turn_number

# The first screen reads its words here.
if TYPE_CHECKING:
    from noteeval_desktop.domain.case import Case
    from noteeval_desktop.domain.evaluation import Evaluation
    from noteeval_desktop.domain.rubric import RubricItem
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
THIS_DRAFT_IS_OPEN_IN_ANOTHER = "This draft is open in another window or was deleted there."
DELETE_IT = "Delete it…"
DO_NOT_OPEN = "Do not open"
THEY_LOOK_RIGHT = "They look right"
THIS_FILE_DOES_NOT_NAME = (
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
KEEP_IT = "Keep it, export only the PDF"
ALL_MARKS = "All marks"
ALL_MARKS_HINT = "Mark every suggestion in the note, not only what to look at before you sign"
COPY_NOTE = "Copy note"
COPY_THE_WHOLE_NOTE_TO_PASTE = "Copy the whole note, to paste it into the record system"


SAMPLE_LABEL = "Sample case (fictional)"
OWN_LABEL = "Case"
DROP_TRANSCRIPT = "TXT, MD, VTT, SRT, DOCX, JSON or CSV, as Zoom, Teams, Meet, Otter, Rev or Whisper save it"
DROP_NOTE = "TXT, MD, DOCX, PDF or JSON, in SOAP, DAP, BIRP or GIRP"
CLIPBOARD_EMPTY = "The clipboard contains no text. Copy the session or the note first."
PRIVACY = "Everything stays on this computer. Nothing is sent anywhere."
PRIVACY_REMOTE = "An online AI service checks this note. You see what would be sent, and decide."
ATTESTED = "Confirmed: seen in the session."


def warning(case: Case) -> str:
    """Says where a passage tries to steer the judge and whether the session may be another; empty where all is well."""
    # Here, not above: it loads the built-in judge, which the first screen does not need.
    from noteeval_desktop.judges.notices import another_session, notices

    return " ".join([*another_session(case), *_steering(notices(case))])


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


def not_saved(listed: str) -> str:
    return f"Not saved yet: {listed}."


def is_there_already(name: str) -> str:
    return f"{name} is already there, beside the PDF."


def place(index: int | None, count: int) -> str:
    """ "3 of 9", or how many there are when none is chosen."""
    if not count:
        return "Nothing to fix"
    if index is None:
        return counted(count, "finding")
    return f"{index + 1} of {count}"


def dismissed(reason: str) -> str:
    return f"Dismissed: {inside(reason)}."


def draft_sentence(item: RubricItem | None, quote: str, turn: int) -> str:
    """A sentence to finish, with the words that it would rest on."""
    about = f"{item.name}: " if item else ""
    return f"{about}“{shortened(quote, 200)}” (turn {turn_number(turn)}) [finish this sentence]"
