"""What parts that several packages use say."""

from __future__ import annotations

from collections.abc import Sequence

from noteeval_desktop.domain.phrases import sentence

BEFORE_YOU_SIGN, CHECKLIST, SENTENCES, CLAIMS = "Before you sign", "Checklist", "Sentences", "Statements"
LEFT_OUT, RESPONSES, SCORES = "Left out", "Responses", "Scores"
TABS = (BEFORE_YOU_SIGN, CHECKLIST, SENTENCES, CLAIMS, LEFT_OUT, RESPONSES, SCORES)
CLOSE_THE_MESSAGE = "Close the message"
ONE_MOMENT = "One moment…"
CANCEL = "Cancel"
CLOSE = "Close"
SAVE = "Save"
STOP = "Stop"
EXPORT = "Export"
IMPORT = "Import"
PRINT = "Print…"
SENT_TO_THE_PRINTER = "Sent to the printer."
RESTORE = "Restore"
SHOW_THEM = "Show them…"
SETTINGS = "Settings…"
STOPPED = "Stopped."
PASSPHRASE = "Passphrase"
SESSION = "Session"
NOTE = "Note"
CLIENT = "Client"
CLINICIAN = "Clinician"
JUDGE = "Judge"
CHOOSE_FILE = "Choose file…"
HELP = "Help"


def turn_number(index: int) -> str:
    # Not above: the first screen names no turns.
    from noteeval_desktop.domain.transcript import turn_number as numbered

    return str(numbered(index))


def turn_list(turns: Sequence[int]) -> str:
    """ "Turns 8, 21 and 40"."""
    from noteeval_desktop.domain.transcript import turn_list as listed

    return sentence(listed(turns))


def saved(name: str) -> str:
    return f"Saved {name}."


def exported(name: str) -> str:
    return f"Exported {name}."


def saving(name: str) -> str:
    return f"Saving {name}…"
