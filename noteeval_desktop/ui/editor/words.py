"""What the panes of session and note say."""

from __future__ import annotations

from noteeval_desktop.domain.phrases import counted


def marks(count: int) -> str:
    """Of the note, for a screen reader."""
    return f"{counted(count, 'mark')}. F8 goes to the next finding." if count else ""
