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
        raise InputError(path.name, words.not_writable(error.strerror), words.ANOTHER_FOLDER) from error
    library.record(Event.EXPORTED, detail="audit-log.json" if json else "audit-log.csv")
