"""What the panes of session and note say."""

from __future__ import annotations

from collections.abc import Sequence

from noteeval_desktop.domain.phrases import counted
from noteeval_desktop.domain.transcript import Role
from noteeval_desktop.ui.widgets.plain import native

WRITE_OR_PASTE_THE_NOTE_HERE = "Write or paste the note here."
MARKS_IN_THE_NOTE = "Marks in the note"
NOT_FOUND = "Not found"
NAME_SHOWN_IN_THE_SESSION = "Name shown in the session:"
RENAME_THE_SPEAKER = "Rename the speaker"
SAME_PERSON = "Same person as"
SESSION_TRANSCRIPT = "Session transcript"
PART_NAMES = {
    "therapist": "Therapist",
    "client": "Client",
    "partner": "Partner",
    "parent": "Parent",
    "child": "Child",
    "interpreter": "Interpreter",
    "other": "Other",
}
ROLE_NAMES = {role: PART_NAMES[role.value] for role in Role}
PREVIOUS_MATCH = "Previous match"
NEXT_MATCH = "Next match"
CLOSE_SEARCH = "Close search"
GUESSED = " This was guessed."
RENAME = "Rename…"
CITED = ", cited"


def marks(count: int) -> str:
    """Of the note, for a screen reader."""
    return f"{counted(count, 'mark')}. {native('F8')} goes to the next suggestion." if count else ""


def comments(said: Sequence[str]) -> str:
    """Of the note, for a screen reader."""
    return f"{counted(len(said), 'comment')}: {' · '.join(said)}" if said else ""


SEARCH = "Search"


def search_the(name: str) -> str:
    return f"Search the {name}"


def speakers(count: int) -> str:
    """Of a button with a menu."""
    return f"{counted(count, 'speaker')} ▾"


def more_speakers(count: int) -> str:
    return f"{count} more speakers"


def click_to_change(speaker: str, part: str, guessed: str) -> str:
    return f"{speaker}: {part}.{guessed} Click to change the role or the name."


CLOSE_THE_QUESTION = "Close the question"


def who_is(speaker: str) -> str:
    return f"Who is {speaker}? The roles were guessed."


def is_the(speaker: str, part: str) -> str:
    return f"{speaker}: {PART_NAMES[part]}"


def match(number: int, count: int) -> str:
    return f"{number} of {count}"
