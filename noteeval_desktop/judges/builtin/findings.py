"""What a rule finds in a claim that the session does not bear out."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from noteeval_desktop.domain.text import Span
from noteeval_desktop.measures.changes import ChangeKind


class Clash(StrEnum):
    NUMBER = "number"
    TIME = "time"
    NEGATION = "negation"
    DENIAL = "denial"
    PERSON = "person"
    TERM = "term"
    OPPOSITE = "opposite"
    AFFIRMATION = "affirmation"


# Hard facts, then polarity; within either, what says most first.
_FACTS = (Clash.NUMBER, Clash.TIME, Clash.TERM, Clash.PERSON)
_POLARITY = (Clash.DENIAL, Clash.NEGATION, Clash.OPPOSITE, Clash.AFFIRMATION)
_WEIGHT = (*_FACTS, *_POLARITY)
# By the kind of change that a head hears: what a rule can name as its reason.
CLASHES: Mapping[ChangeKind, tuple[Clash, ...]] = {
    ChangeKind.NUMBER: (Clash.NUMBER, Clash.TIME),
    ChangeKind.NEGATION: _POLARITY,
    ChangeKind.PERSON: (Clash.PERSON,),
    ChangeKind.TERM: (Clash.TERM,),
    ChangeKind.FACT: (Clash.PERSON, Clash.TERM),
}


@dataclass(frozen=True, slots=True)
class Finding:
    """``noted`` lies in the claim; ``said`` in the passage, both None where the session has nothing of the kind.

    ``surely``: it condemns the claim whatever the heads say; others are reasons for what the heads condemn.
    """

    clash: Clash
    noted: Span
    passage: int | None = None
    said: Span | None = None
    surely: bool = False


@dataclass(frozen=True)
class Checks:
    """``borne_out``: the kinds of change that no head need ask for, since the session says so just the same."""

    findings: tuple[Finding, ...]
    numbers: Mapping[str, float]
    borne_out: frozenset[ChangeKind] = frozenset()

    def features(self) -> dict[str, float]:
        return dict(self.numbers)

    @property
    def sure_of(self) -> frozenset[ChangeKind]:
        """The kinds of change that a rule is sure of; that something was made up is for the heads alone to say."""
        sure = {finding.clash for finding in self.findings if finding.surely}
        return frozenset(
            kind for kind, clashes in CLASHES.items() if kind is not ChangeKind.FACT and sure & set(clashes)
        )

    def beside(self, more: Iterable[Finding]) -> Checks:
        return replace(self, findings=(*self.findings, *more))

    @property
    def worst(self) -> Finding | None:
        """The finding that says most: a sure one, hard facts before polarity, one with a passage before one without."""
        return self.worst_of(_WEIGHT)

    def worst_of(self, clashes: Container[Clash]) -> Finding | None:
        """``worst`` among findings of these kinds."""
        return min(
            (finding for finding in self.findings if finding.clash in clashes),
            key=lambda finding: (
                not finding.surely,
                finding.clash in _POLARITY,
                finding.passage is None,
                _WEIGHT.index(finding.clash),
            ),
            default=None,
        )
