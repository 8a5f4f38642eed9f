"""What the audit log is called in the window: each event, what is known of it, and whether the chain is whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from noteeval_desktop.domain.phrases import counted
from noteeval_desktop.store.audit import Entry, Event
from noteeval_desktop.ui.library import words

_OF_BACKUPS = (Event.BACKED_UP, Event.BACKUP_TESTED, Event.RESTORED)
_NAMES = {
    Event.CREATED: "Library created",
    Event.UNLOCKED: "Unlocked",
    Event.UNLOCK_FAILED: "⚠ Failed unlock",
    Event.LOCKED: "Locked",
    Event.KEYS_CHANGED: "Keys changed",
    Event.OPENED: "Case opened",
    Event.SENT: "Sent to an online AI service",
    Event.EXPORTED: "Exported",
    Event.IMPORTED: "Case imported",
    Event.STATUS: "Status changed",
    Event.DELETED: "Case deleted",
    Event.BACKED_UP: "Backed up",
    Event.BACKUP_TESTED: "Backup tested",
    Event.RESTORED: "Backup restored",
    Event.PUT_BACK: "⚠ Earlier copy found",
    Event.LOG_DAMAGED: "⚠ Changes lost by the disk",
}
_DETAILS = {
    "case-file": "as an encrypted case file",
    "with-the-judges-marks": "with the judge's marks, not blind",
    "encrypted-anew": "library and backups re-encrypted",
    "keys": "the key file is older than the one used last",
    "library": "the latest changes are missing",
}


def cells(entry: Entry, labels: Mapping[str, str]) -> tuple[str, str, str, str, str]:
    """When, what, which case, what else is known, and who."""
    case = labels.get(entry.subject) or (f"(deleted, {entry.subject[:8]})" if entry.subject else "")
    return words.moment(entry.at), _NAMES[entry.event], case, _detail(entry), entry.who


def _detail(entry: Entry) -> str:
    if entry.event not in _OF_BACKUPS or not entry.detail:
        return _DETAILS.get(entry.detail, entry.detail)
    made, _, count = entry.detail.partition(",cases=")
    said = words.moment(datetime.fromisoformat(made + "+00:00"))
    return f"{said} · {words.cases(int(count))}" if count else said


def chain(total: int, first_broken: int | None) -> str:
    if first_broken is None:
        return f"Checked: {counted(total, 'entry', 'entries')}, each sealed by the next. None was changed or taken out."
    return f"⚠ Entry {first_broken:,} was changed, or one before it was taken out. Ask whoever can write this file."


def failures(times: Sequence[datetime]) -> str:
    if not times:
        return "No failed unlock."
    return f"{counted(len(times), 'failed unlock')}, the latest on {words.moment(times[-1])}."
