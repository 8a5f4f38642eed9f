"""The risk ledger: every turn of a session that touches danger to somebody, and whether the note answers it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from noteeval_desktop.domain.transcript import Citation


class RiskKind(StrEnum):
    SUICIDE = "suicide"
    SELF_HARM = "self-harm"
    HARM_TO_OTHERS = "harm-to-others"
    ABUSE = "abuse"
    PSYCHOSIS = "psychosis"
    OVERDOSE = "overdose"
    CHILD_AT_RISK = "child-at-risk"
    ELDER_AT_RISK = "elder-at-risk"


class Stance(StrEnum):
    """How the danger was spoken of. An attribute of a finding; nothing is left out because of it."""

    CURRENT = "current"
    PAST = "past"
    OTHER_PERSON = "other_person"
    ASKED = "asked"
    DENIED = "denied"


@dataclass(frozen=True, slots=True)
class RiskFinding:
    """``turns`` holds the turn, or the question's and the answer's; ``citation`` is the passage, uncut.

    ``by_meaning`` is True where no known phrase matched and only the meaning is close.
    ``addressed_by``: ids of the note's sentences that speak of it.
    """

    turns: tuple[int, ...]
    citation: Citation
    kind: RiskKind
    stance: Stance
    by_meaning: bool = False
    addressed_by: tuple[str, ...] = ()

    @property
    def addressed(self) -> bool:
        return bool(self.addressed_by)
