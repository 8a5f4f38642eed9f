"""What the frame of the window says. The menu has its words in ``actions``, beside its keys."""

from __future__ import annotations

from noteeval_desktop.ui.widgets.plain import native

PROGRESS = "Progress of the check"
OPEN_RECENT = "Open recent"
THERE_IS_NO_NOTE = "There is no note yet. Write or paste one; it is checked automatically."
KEEP_THIS_CASE = "Keep this case…"
CHECK_AGAIN = "Check again"
JUDGE = "Judge: Built-in ▾"
ALL_KEYS_ARE_RESET = "All keys are reset."
RESET_ALL_KEYS = "Reset all keys"
CLICK_A_FIELD_AND_PRESS = "Click a field and press the new keys."
NEXT_FINDING = "Next finding"
PREVIOUS_FINDING = "Previous finding"
STOP_CHECKING = "Stop checking"


def is_taken(keys: str, command: str) -> str:
    return f"{native(keys)} is taken by “{command}”."


def keys_for(command: str) -> str:
    return f"Keys for {command}"
