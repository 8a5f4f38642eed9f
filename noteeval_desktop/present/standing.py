"""Where a note stands, in a word and in a sentence: the same in library, window, feedback and on paper."""

from __future__ import annotations

from noteeval_desktop.domain.phrases import long_day
from noteeval_desktop.domain.standing import Stand, Standing

A_SUPERVISOR = "A supervisor"
NAMES = {
    Standing.DRAFT: "Draft",
    Standing.SUBMITTED: "Submitted",
    Standing.RESUBMITTED: "Resubmitted",
    Standing.MARKED: "Marked, not answered",
    Standing.RETURNED: "Returned",
    Standing.APPROVED: "Approved",
    Standing.CHANGED: "Approved, changed",
}
_SAID = {
    Standing.DRAFT: "This note is a draft.",
    Standing.SUBMITTED: "This note is submitted and waits for its review.",
    Standing.RESUBMITTED: "This note is submitted again and waits for its review.",
}


def said(stand: Stand, mine: bool = False, who: str = "") -> str:
    """``mine``: whoever reads it did it; ``who``: the name with whose key it is, in place of the name alone."""
    by = "You" if mine else who or stand.by or A_SUPERVISOR
    on = f" on {long_day(stand.when)}" if stand.when is not None else ""
    match stand.standing:
        case Standing.MARKED:
            have = "have" if mine else "has"
            return f"{by} marked this note{on} and {have} neither returned nor approved it yet."
        case Standing.RETURNED:
            return f"{by} returned this note for revision{on}."
        case Standing.APPROVED:
            return f"{by} approved this note{on}."
        case Standing.CHANGED:
            approved = "you" if mine else by
            return f"This note was changed since {approved} approved it. The approval is of the note as it was then."
    return _SAID[stand.standing]
