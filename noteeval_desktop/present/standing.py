"""Where a note stands, in a word and in a sentence: the same in library, window, feedback and on paper."""

from __future__ import annotations

from typing import assert_never

from noteeval_desktop.domain.phrases import long_day, tr
from noteeval_desktop.domain.review import SignerKnown, Vouched
from noteeval_desktop.domain.standing import Stand, Standing


def said(stand: Stand, mine: bool = False, who: str = "") -> str:
    """``mine``: whoever reads it did it; ``who``: the name with whose key it is, in place of the name alone."""
    by = tr("You") if mine else who or stand.by or tr("A supervisor")
    on = tr(" on {day}").format(day=long_day(stand.when)) if stand.when is not None else ""
    match stand.standing:
        case Standing.DRAFT:
            return tr("This note is a draft.")
        case Standing.SUBMITTED:
            return tr("This note has been submitted and is waiting for review.")
        case Standing.RESUBMITTED:
            return tr("This note has been submitted again and is waiting for review.")
        case Standing.MARKED:
            told = tr("{by} marked this note{on} and {have} neither returned nor approved it yet.")
            return told.format(by=by, on=on, have=tr("have") if mine else tr("has"))
        case Standing.RETURNED:
            return tr("{by} returned this note for revision{on}.").format(by=by, on=on)
        case Standing.APPROVED:
            return tr("{by} approved this note{on}.").format(by=by, on=on)
        case Standing.CHANGED:
            told = tr("This note has changed since {by} approved it. The approval is for the earlier version.")
            return told.format(by=tr("you") if mine else by)
        case _:
            assert_never(stand.standing)


def answered(stand: Stand, vouched: Vouched | None = None) -> str:
    """What became of the note by its review, in words."""
    told = said(stand, who=whose(stand.by, vouched) if stand.by else "")
    if stand.standing is not Standing.APPROVED:
        return told
    own = tr("The clinician's own signature belongs in the record.")
    return f"{told} {own}"


def signed_words(vouched: Vouched) -> str:
    """Who signed the review, in a sentence, and what that is worth."""
    signer, name = vouched.signer, vouched.name
    match vouched.known:
        case SignerKnown.OWN:
            told = tr("The review was made in the library that exported this file. Its code, to compare: {signer}")
            return told.format(signer=signer)
        case SignerKnown.COMPARED:
            told = tr("The review is signed by {name}, whose code was compared: {signer}.")
            return told.format(name=name, signer=signer)
        case SignerKnown.NOT_COMPARED:
            return tr("The review is signed, but nobody has compared the code: {signer}.").format(signer=signer)
        case SignerKnown.ANOTHER:
            by = tr("{name} signed it").format(name=name) if name else tr("another key signed it")
            told = tr("⚠ The name on this review is not the signer's: {by}.")
            return told.format(by=by if signer else tr("nobody signed it"))
    return tr("The review is not signed: anyone who had the file could have written it.")


def whose(name: str, vouched: Vouched | None) -> str:
    """The name over a review, with whose key signed it wherever that is not sure."""
    match vouched.known if vouched is not None else SignerKnown.OWN:
        case SignerKnown.NOT_COMPARED:
            return tr("{name} (signed, code not compared)").format(name=name)
        case SignerKnown.NOT_SIGNED:
            return tr("{name} (not signed)").format(name=name)
        case SignerKnown.ANOTHER:
            signer = vouched.name if vouched is not None and vouched.name else tr("another key")
            return tr("⚠ “{name}” (signed by {signer})").format(name=name, signer=signer)
    return name
