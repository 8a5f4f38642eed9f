"""What the frame of the window says. The menu has its words in ``actions``, beside its keys."""

from __future__ import annotations

from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.report.problems import not_english, unjudged
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
DRAFT_UNGUARDED = (
    "A draft of this case is saved while you write. This computer has no keychain to protect it: anyone "
    "who can open your files can read the draft. Keep the case in the library to protect it with a "
    "passphrase."
)


def is_taken(keys: str, command: str) -> str:
    return f"{native(keys)} is taken by “{command}”."


def keys_for(command: str) -> str:
    return f"Keys for {command}"


def incomplete(evaluation: Evaluation) -> str:
    said = unjudged(evaluation)
    return said if not_english(evaluation) else f"The check did not finish. {said}"
