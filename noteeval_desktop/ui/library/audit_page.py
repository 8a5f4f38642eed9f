"""What the audit window shows, read off the GUI thread; and what each entry is called."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from noteeval_desktop.domain.phrases import counted, moment, tr
from noteeval_desktop.errors import InputError
from noteeval_desktop.platform.files import write_private
from noteeval_desktop.store.audit import Entry, Event, as_csv, as_json
from noteeval_desktop.store.errors import CaseNotFound
from noteeval_desktop.store.library import Library

MOST_SHOWN = 1000
NAMES = {
    Event.CREATED: tr("Library created"),
    Event.UNLOCKED: tr("Unlocked"),
    Event.UNLOCK_FAILED: tr("⚠ Failed unlock"),
    Event.LOCKED: tr("Locked"),
    Event.KEYS_CHANGED: tr("Keys changed"),
    Event.OPENED: tr("Case opened"),
    Event.SENT: tr("Sent to an online AI service"),
    Event.EXPORTED: tr("Exported"),
    Event.IMPORTED: tr("Case imported"),
    Event.STATUS: tr("Status changed"),
    Event.DELETED: tr("Case deleted"),
    Event.BACKED_UP: tr("Backed up"),
    Event.BACKUP_TESTED: tr("Backup tested"),
    Event.RESTORED: tr("Backup restored"),
    Event.PUT_BACK: tr("⚠ Earlier copy found"),
    Event.LOG_DAMAGED: tr("⚠ Changes lost by the disk"),
}
_DETAILS = {
    "case-file": tr("as an encrypted case file"),
    "with-the-judges-marks": tr("with the judge's marks, not blind"),
    "encrypted-anew": tr("library and backups re-encrypted"),
    "keys": tr("the key file is older than the one used last"),
    "library": tr("the latest changes are missing"),
}


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
        raise InputError(
            path.name,
            tr("could not be written ({strerror})").format(strerror=error.strerror),
            tr("Choose another folder."),
        ) from error
    library.record(Event.EXPORTED, detail="audit-log.json" if json else "audit-log.csv")


def case_said(entry: Entry, labels: Mapping[str, str]) -> str:
    deleted = tr("(deleted, {number})").format(number=entry.subject[:8]) if entry.subject else ""
    return labels.get(entry.subject) or deleted


def detail_said(entry: Entry) -> str:
    if entry.event not in (Event.BACKED_UP, Event.BACKUP_TESTED, Event.RESTORED) or not entry.detail:
        return _DETAILS.get(entry.detail, entry.detail)
    made, _, count = entry.detail.partition(",cases=")
    said = moment(datetime.fromisoformat(made + "+00:00"))
    return f"{said} · {counted(int(count), 'case')}" if count else said
