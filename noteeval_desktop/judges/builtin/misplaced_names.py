"""Those whom a session calls by name."""

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
