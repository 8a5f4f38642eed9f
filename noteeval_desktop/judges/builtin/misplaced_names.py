"""Who is who: those whom a session calls by name, and whether two can be one."""

from __future__ import annotations

import re

from noteeval_desktop.domain.transcript import Role
from noteeval_desktop.judges.builtin.misplaced_doers import CALLED, Doer, Who
from noteeval_desktop.judges.builtin.session_index import SessionIndex


def names_of(session: SessionIndex) -> dict[str, Doer]:
    """By name in lower case; whom the therapist greets by it is the client."""
    found: dict[str, Doer] = {}
    for passage in session.passages:
        for match in CALLED_BY_NAME.finditer(passage.text):
            folded = match[1].lower()
            if folded not in _NO_NAMES and not _OF_A_TITLE.search(passage.text[: match.start(1)]):
                found.setdefault(folded, Doer(Who.OTHER, named=frozenset({f"{CALLED}{folded}"})))
    for passage in session.passages:
        if passage.role is Role.THERAPIST:
            found |= {match[1].lower(): Doer(Who.CLIENT) for match in _GREETED.finditer(passage.text)}
    return found


CALLED_BY_NAME = re.compile(r"(?<=[a-z,] )(?:(?:Mr|Mrs|Ms|Dr)\. )?([A-Z][a-z]{2,})\b(?! [A-Z][a-z])")
_OF_A_TITLE = re.compile(r"[A-Z][a-z]+ $")
_GREETED = re.compile(
    r"(?:^|\b(?:Hi|Hello|Hey|Morning|Afternoon|Evening|[Bb]ack|[Yy]ou|Thanks|Well|So|Okay|Bye)\b,? )"
    r"(?:(?:Mr|Mrs|Ms|Miss)\.? )?([A-Z][a-z]{2,})(?=[,.!?])"
)
_NO_NAMES = frozenset(
    (
        "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "january", "february", "march",
        "april", "may", "june", "july", "august", "september", "october", "november", "december", "christmas",
        "easter", "god", "mom", "dad", "mum", "english", "american",
    )
)  # fmt: skip


def are_two(one: Doer, other: Doer) -> bool:
    """Whether the two cannot be one person. Someone called by name may be any of the family."""
    if Who.UNKNOWN in (one.who, other.who):
        return False
    if one.who is not other.who:
        return Who.THERAPIST not in (one.who, other.who)
    if one.who is not Who.OTHER:
        return False
    if one.gender and other.gender and one.gender != other.gender:
        return True
    called = [any(name.startswith(CALLED) for name in doer.named) for doer in (one, other)]
    return bool(one.named and other.named) and called[0] == called[1] and not one.named & other.named
