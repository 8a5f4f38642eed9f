"""Unlocks that failed, noted beside the audit log, which is locked as long as they fail."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path

from noteeval_desktop.store.errors import told

FAILED_UNLOCKS = "failed-unlocks"


def note_failure(folder: Path, moment: datetime) -> None:
    """The audit log is locked too: the moment waits beside it."""
    with told(FAILED_UNLOCKS):
        handle = os.open(folder / FAILED_UNLOCKS, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(moment.isoformat() + "\n")


def noted_failures(folder: Path, otherwise: datetime) -> tuple[datetime, ...]:
    """Moments cut short on a full disk count as ``otherwise``."""
    with told(FAILED_UNLOCKS):
        file = folder / FAILED_UNLOCKS
        lines = file.read_text("ascii", "replace").split() if file.exists() else []
    moments = []
    for line in lines:
        try:
            moments.append(datetime.fromisoformat(line))
        except ValueError:
            moments.append(otherwise)
    return tuple(moments)


def forget_failures(folder: Path) -> None:
    """Once they are in the audit log."""
    with told(FAILED_UNLOCKS):
        (folder / FAILED_UNLOCKS).unlink(missing_ok=True)
