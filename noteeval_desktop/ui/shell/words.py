"""What the frame of the window says. The menu has its words in ``actions``, beside its keys."""

from __future__ import annotations

OPEN_RECENT = "Open recent"
THERE_IS_NO_NOTE = "There is no note yet. Write or paste one; it is checked automatically."
KEEP_THIS_CASE = "Keep this case…"
CHECK_AGAIN = "Check again"
CHOOSE_WHO_CHECKS_THE_NOTE_CTRL = "Choose who checks the note (Ctrl+J)"
JUDGE = "Judge: Built-in ▾"
ALL_KEYS_ARE_RESET = "All keys are reset."
RESET_ALL_KEYS = "Reset all keys"
CLICK_A_FIELD_AND_PRESS = "Click a field and press the new keys."
NEXT_FINDING_F8 = "Next finding (F8)"
PREVIOUS_FINDING_SHIFT_F8 = "Previous finding (Shift+F8)"
STOP_CHECKING_ESC = "Stop checking (Esc)"


def is_taken(keys: str, command: str) -> str:
    return f"{keys} is taken by “{command}”."


def keys_for(command: str) -> str:
    return f"Keys for {command}"
