"""What parts that several packages use say."""

from __future__ import annotations

from collections.abc import Sequence

from noteeval_desktop.domain.phrases import sentence, tr

BEFORE_YOU_SIGN, CHECKLIST, SENTENCES = tr("Before you sign"), tr("Checklist"), tr("Sentences")
CLAIMS, LEFT_OUT, RESPONSES, SCORES = tr("Statements"), tr("Left out"), tr("Responses"), tr("Scores")
RECORD = tr("Record")
TABS = (BEFORE_YOU_SIGN, CHECKLIST, SENTENCES, CLAIMS, LEFT_OUT, RESPONSES, SCORES, RECORD)
CANCEL = tr("Cancel")
CLOSE = tr("Close")
SAVE = tr("Save")
STOP = tr("Stop")
EXPORT = tr("Export")
IMPORT = tr("Import")
PRINT = tr("Print…")
SENT_TO_THE_PRINTER = tr("Sent to the printer.")
RESTORE = tr("Restore")
SHOW_THEM = tr("Show them…")
SETTINGS = tr("Settings…")
STOPPED = tr("Stopped.")
PASSPHRASE = tr("Passphrase")
SESSION = tr("Session")
NOTE = tr("Note")
CLIENT = tr("Client")
CLINICIAN = tr("Clinician")
JUDGE = tr("Judge")
CHOOSE_FILE = tr("Choose file…")


def turn_number(index: int) -> str:
    # Not above: the first screen names no turns.
    from noteeval_desktop.domain.transcript import turn_number as numbered

    return str(numbered(index))


def turn_list(turns: Sequence[int]) -> str:
    """ "Turns 8, 21 and 40"."""
    from noteeval_desktop.domain.transcript import turn_list as listed

    return sentence(listed(turns))


def saved(name: str) -> str:
    return tr("Saved {name}.").format(name=name)


def exported(name: str) -> str:
    return tr("Exported {name}.").format(name=name)


def saving(name: str) -> str:
    return tr("Saving {name}…").format(name=name)
