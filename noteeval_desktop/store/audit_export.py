"""The audit log for other eyes: a table, or JSON with which its chain can be checked without this program."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence

from noteeval_desktop.domain.tables import guarded
from noteeval_desktop.store.audit import Entry

_COLUMNS = ("number", "at", "event", "subject", "detail", "chain", "who")


def as_csv(entries: Sequence[Entry]) -> str:
    """A heading and one line an entry; times as ISO 8601 in UTC."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_COLUMNS)
    writer.writerows(map(guarded, _row(entry)) for entry in entries)
    return text.getvalue()


def as_json(entries: Sequence[Entry], first_broken: int | None) -> str:
    """``first_broken`` as ``AuditLog.first_broken`` found it.

    Each ``chain`` is the SHA-256 of the JSON list [chain before, number, at, event, subject, detail, who], without
    ``who`` where that is empty; the first entry follows 64 zeros.
    """
    lines = [dict(zip(_COLUMNS, _row(entry), strict=True)) for entry in entries]
    said = {"format": "noteeval.audit/1", "unbroken": first_broken is None, "first_broken": first_broken}
    return json.dumps(said | {"entries": lines}, indent=1) + "\n"


def _row(entry: Entry) -> list[object]:
    return [entry.number, entry.at.isoformat(), entry.event.value, entry.subject, entry.detail, entry.chain, entry.who]
