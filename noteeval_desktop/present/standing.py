"""Where a note stands, in a word and in a sentence: the same in library, window, feedback and on paper."""

from __future__ import annotations

from gettext import gettext as tr
from typing import assert_never

from noteeval_desktop.domain.phrases import long_day
from noteeval_desktop.domain.standing import Stand, Standing


def said(stand: Stand, mine: bool = False, who: str = "") -> str:
    """``mine``: whoever reads it did it; ``who``: the name with whose key it is, in place of the name alone."""
    by = tr("You") if mine else who or stand.by or tr("A supervisor")
    on = tr(" on {day}").format(day=long_day(stand.when)) if stand.when is not None else ""
    match stand.standing:
        case Standing.DRAFT:
            return tr("This note is a draft.")
        case Standing.SUBMITTED:
            return tr("This note is submitted and waits for its review.")
        case Standing.RESUBMITTED:
            return tr("This note is submitted again and waits for its review.")
        case Standing.MARKED:
            told = tr("{by} marked this note{on} and {have} neither returned nor approved it yet.")
            return told.format(by=by, on=on, have=tr("have") if mine else tr("has"))
        case Standing.RETURNED:
            return tr("{by} returned this note for revision{on}.").format(by=by, on=on)
        case Standing.APPROVED:
            return tr("{by} approved this note{on}.").format(by=by, on=on)
        case Standing.CHANGED:
            told = tr("This note was changed since {by} approved it. The approval is of the note as it was then.")
            return told.format(by=tr("you") if mine else by)
        case _:
            assert_never(stand.standing)
