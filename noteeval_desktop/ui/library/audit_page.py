"""What the audit window shows, read off the GUI thread; and what each entry is called."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from noteeval_desktop.errors import InputError
from noteeval_desktop.platform.files import write_private
from noteeval_desktop.store.audit import Entry, Event
from noteeval_desktop.store.audit_export import as_csv, as_json
from noteeval_desktop.store.errors import CaseNotFound
from noteeval_desktop.store.library import Library
from noteeval_desktop.ui.library import words

MOST_SHOWN = 1000
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
}
_OF_BACKUPS = (Event.BACKED_UP, Event.BACKUP_TESTED, Event.RESTORED)


@dataclass(frozen=True, slots=True)
class AuditPage:
    """The latest entries, the newest first; ``labels`` of the cases that are still there, by id."""

    entries: tuple[Entry, ...]
    total: int
    first_broken: int | None
    failed: tuple[datetime, ...]
    labels: Mapping[str, str]


def read(library: Library) -> AuditPage:
    entries = library.audit.entries()
    latest = entries[: -MOST_SHOWN - 1 : -1]
    labels = {}
    for case_id in {entry.subject for entry in latest if entry.subject}:
        try:
            labels[case_id] = library.cases.summary(case_id).labels.label
        except CaseNotFound:
            # Deleted: its label went with it, and only its number is left to tell it by.
            continue
    failed = tuple(entry.at for entry in entries if entry.event is Event.UNLOCK_FAILED)
    return AuditPage(latest, len(entries), library.audit.first_broken(), failed, labels)


def export(library: Library, path: Path) -> None:
    """As JSON or, by any other ending, as CSV; that it was exported is in the next export. Raises InputError."""
    entries = library.audit.entries()
    json = path.suffix.lower() == ".json"
    text = as_json(entries, library.audit.first_broken()) if json else as_csv(entries)
    try:
        write_private(path, text.encode())
    except OSError as error:
        raise InputError(path.name, f"could not be written ({error.strerror})", "Choose another folder.") from error
    library.record(Event.EXPORTED, detail="audit-log.json" if json else "audit-log.csv")


def cells(entry: Entry, labels: Mapping[str, str]) -> tuple[str, str, str, str]:
    """When, what, which case, and what else is known."""
    case = labels.get(entry.subject) or (f"(deleted, {entry.subject[:8]})" if entry.subject else "")
    return words.moment(entry.at), _NAMES[entry.event], case, _detail(entry)


_DETAILS = {
    "case-file": "as an encrypted case file",
    "with-the-judges-marks": "with the judge's marks, not blind",
    "encrypted-anew": "library and backups re-encrypted",
    "keys": "the key file is older than the one used last",
    "library": "the latest changes are missing",
}


def _detail(entry: Entry) -> str:
    if entry.event not in _OF_BACKUPS or not entry.detail:
        return _DETAILS.get(entry.detail, entry.detail)
    made, _, count = entry.detail.partition(",cases=")
    said = words.moment(datetime.fromisoformat(made + "+00:00"))
    return f"{said} · {words.cases(int(count))}" if count else said


def chain(page: AuditPage) -> str:
    if page.first_broken is None:
        return f"Checked: {page.total:,} entries, each sealed by the one after it. None was changed or taken out."
    return (
        f"⚠ Entry {page.first_broken:,} was changed, or one before it was taken out. Ask whoever can write this file."
    )


def failures(page: AuditPage) -> str:
    if not page.failed:
        return "No failed unlock."
    number = "1 failed unlock" if len(page.failed) == 1 else f"{len(page.failed):,} failed unlocks"
    return f"{number}, the latest on {words.moment(page.failed[-1])}."
