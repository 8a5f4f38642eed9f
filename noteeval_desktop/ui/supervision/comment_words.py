"""What is said where comments are written."""

from __future__ import annotations

from noteeval_desktop.domain.review import Comment
from noteeval_desktop.domain.transcript import turn_list as numbered

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


def on(comment: Comment, said: str) -> str:
    """``said``: the words that it is about, of the note or of its turns."""
    if comment.turns:
        return f"On {numbered(comment.turns)}: “{said}”"
    return f"On “{said}”" if said else ON_THE_WHOLE_NOTE
