"""What is said where comments are written."""

from __future__ import annotations

SAVE_TO_THE_BANK = "Save to the bank"
BANK_HINT = "Comment bank: ↓ then Enter uses one"
COMMENT_BANK = "Comment bank"
WHAT_SHOULD_THE_AUTHOR_KNOW = "What should the author know or do?"
CHECKLIST_ITEM = "Checklist item"
ANY_ITEM = "Any item"
COMMENT = "Comment"
ON_THE_WHOLE_NOTE = "On the note as a whole"
ABOUT = "About"
EDIT = "Edit"
REMOVE = "Remove"


def on_quote(quote: str) -> str:
    return f"On “{quote}”"
