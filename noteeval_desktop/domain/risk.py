"""The risk ledger: every turn of a session that touches danger to somebody, and whether the note answers it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from noteeval_desktop.domain.phrases import are, listed, sentence
from noteeval_desktop.domain.transcript import Citation
from noteeval_desktop.domain.verdicts import ItemVerdict, Opinion, Severity

SAFETY_ITEM = "general-safety"
# Stands for the sentence where a supervisor said that the note addresses a risk, and not which sentence does.
BY_SUPERVISOR = "supervisor"


class RiskKind(StrEnum):
    SUICIDE = "suicide"
    SELF_HARM = "self-harm"
    HARM_TO_OTHERS = "harm-to-others"
    ABUSE = "abuse"
    PSYCHOSIS = "psychosis"
    OVERDOSE = "overdose"
    CHILD_AT_RISK = "child-at-risk"
    ELDER_AT_RISK = "elder-at-risk"
    COERCIVE_CONTROL = "coercive-control"
    ACCESS_TO_MEANS = "access-to-means"
    IMPAIRED_DRIVING = "impaired-driving"
    MEDICATION_MISUSE = "medication-misuse"
    NEGLECT = "neglect"


_NAMES: dict[str, str] = {
    RiskKind.SELF_HARM: "self-harm",
    RiskKind.CHILD_AT_RISK: "a child at risk",
    RiskKind.ELDER_AT_RISK: "an elder at risk",
}


def danger(kind: str) -> str:
    """``suicide``, ``a child at risk``."""
    return _NAMES.get(kind, kind.replace("-", " "))


class Stance(StrEnum):
    """How the danger was spoken of. An attribute of a finding; nothing is left out because of it."""

    CURRENT = "current"
    PAST = "past"
    OTHER_PERSON = "other_person"
    ASKED = "asked"
    DENIED = "denied"
    HYPOTHETICAL = "hypothetical"


class RiskState(StrEnum):
    """What became of a danger. NAMED: a sentence of the note names it and agrees. NEAR: one may be meant for it, which
    the reader confirms; until then it is as open as OPEN."""

    NAMED = "named"
    NEAR = "near"
    OPEN = "open"
    DISMISSED = "dismissed"


@dataclass(frozen=True, slots=True)
class RiskFinding:
    """``turns`` are those of one stretch of talk on it; ``citation`` is the gravest passage, uncut.

    ``by_meaning`` is True where no known phrase was used, or one that may only sound like danger; ``likely`` where,
    among those, the talk around it leaves little doubt.
    ``addressed_by``: ids of the note's sentences that name it and mean the same, or BY_SUPERVISOR; None where the note
    could not be read. ``near`` are ids of those that may be meant for it, likeliest first: a question, no answer.
    ``or_meant``: how else it may have been meant, where that is not clear; a sentence names it in each of these ways.
    ``doubted`` name it too and address nothing, since they are themselves called wrong. ``opinions``: as NeedVerdict
    has it; they take no danger away.
    """

    turns: tuple[int, ...]
    citation: Citation
    kind: RiskKind
    stance: Stance
    by_meaning: bool = False
    addressed_by: tuple[str, ...] | None = ()
    likely: bool = False
    doubted: tuple[str, ...] = ()
    near: tuple[str, ...] = ()
    opinions: tuple[Opinion, ...] = ()
    or_meant: tuple[Stance, ...] = ()

    @property
    def meaning(self) -> tuple[object, ...]:
        """What mentions have in common that are one thing to write down: the danger, how it was meant, the answer."""
        return self.kind, self.stance, self.by_meaning, self.likely, self.addressed_by, self.doubted

    @property
    def quoted(self) -> tuple[int, ...]:
        """The turns to show: a turn, a question with its answer, or the gravest of a longer stretch."""
        return self.turns if len(self.turns) <= 2 else (self.citation.turn,)

    @property
    def certain(self) -> bool:
        """Sure enough to be warned of."""
        return not self.by_meaning or self.likely

    @property
    def addressed(self) -> bool:
        return bool(self.addressed_by)

    @property
    def state(self) -> RiskState:
        """What the note alone makes of it; a person's decision makes it DISMISSED."""
        return RiskState.NAMED if self.addressed_by else RiskState.NEAR if self.near else RiskState.OPEN

    @property
    def severity(self) -> Severity:
        """High for a danger said to be present, medium for a past one; one less where its meaning only may be close."""
        if self.stance is Stance.CURRENT:
            return Severity.HIGH if self.certain else Severity.MEDIUM
        return Severity.MEDIUM if self.stance is Stance.PAST and self.certain else Severity.LOW

    @property
    def pressing(self) -> bool:
        """Is it to be warned of, in red? What its meaning only may point to is listed without alarm."""
        return not self.addressed and self.certain

    @property
    def wording(self) -> str:
        """What the ledger calls it, free of clinical text: ``suicide``, ``possible mention of self-harm``."""
        return self.name if not self.by_meaning else f"{'likely' if self.likely else 'possible'} mention of {self.name}"

    @property
    def name(self) -> str:
        return danger(self.kind)

    @property
    def came_up(self) -> str:
        """Of a risk that the note leaves open."""
        return f"{sentence(self.name)} {_came_up([self])}; it was not found in the note. Please check."


def joined(risks: Iterable[RiskFinding]) -> tuple[tuple[RiskFinding, ...], ...]:
    """Mentions of one meaning together, each where its first one stood."""
    groups: dict[tuple[object, ...], list[RiskFinding]] = {}
    for risk in risks:
        groups.setdefault(risk.meaning, []).append(risk)
    return tuple(map(tuple, groups.values()))


def without_wrong(risks: Iterable[RiskFinding], wrong: Collection[str]) -> tuple[RiskFinding, ...]:
    """No risk is addressed by a sentence that is itself called ``wrong`` (ids)."""
    return tuple(
        risk
        if not risk.addressed_by and not risk.near
        else replace(
            risk,
            addressed_by=risk.addressed_by and tuple(one for one in risk.addressed_by if one not in wrong),
            doubted=tuple(one for one in risk.addressed_by or () if one in wrong),
            near=tuple(one for one in risk.near if one not in wrong),
        )
        for risk in risks
    )


def with_stood_by(risks: Iterable[RiskFinding], stood_by: Collection[str]) -> tuple[RiskFinding, ...]:
    """What a sentence says of a risk addresses it after all where the clinician stands by that sentence (ids)."""
    return tuple(
        replace(
            risk,
            addressed_by=(*(risk.addressed_by or ()), *(one for one in risk.doubted if one in stood_by)),
            doubted=tuple(one for one in risk.doubted if one not in stood_by),
        )
        if risk.doubted
        else risk
        for risk in risks
    )


def with_risks(checklist: Iterable[ItemVerdict], risks: Sequence[RiskFinding]) -> tuple[ItemVerdict, ...]:
    """The checklist with the item on safety decided by the ledger, where it knows better than the note alone.

    A danger in known words, or likely by its meaning, that no sentence answers makes the item missing, whatever else
    the note says on safety.
    Where every danger is answered, the item is present by those sentences. Of a note that could not be read the
    ledger knows nothing better.
    """
    return tuple(_safety(item, risks) if item.item == SAFETY_ITEM else item for item in checklist)


def _came_up(risks: Sequence[RiskFinding]) -> str:
    return "may have come up" if all(risk.by_meaning for risk in risks) else "came up"


def _safety(item: ItemVerdict, risks: Sequence[RiskFinding]) -> ItemVerdict:
    risks = [risk for risk in risks if risk.addressed_by is not None]
    certain = [risk for risk in risks if risk.severity is not Severity.LOW and risk.certain]
    open_ = [risk for risk in risks if risk.pressing]
    if open_:
        named = list(dict.fromkeys(risk.name for risk in open_))
        turns = tuple(dict.fromkeys(risk.citation.turn for risk in open_))
        them = are(len(named), "it was", "they were")
        reason = f"{sentence(listed(named))} {_came_up(open_)}; {them} not found in the note. Please check."
        return replace(item, present=False, probability=None, confidence=None, suggested_turns=turns, rationale=reason)
    return safety_by(certain, item) if certain and not item.present else item


def safety_by(risks: Iterable[RiskFinding], item: ItemVerdict) -> ItemVerdict:
    """The item on safety as the sentences have it that answer the ``risks``; not judged where there is no risk."""
    told = [risk for risk in risks if risk.certain]
    ids = (one for risk in told for one in risk.addressed_by or () if one != BY_SUPERVISOR)
    return replace(
        item,
        present=True if told else None,
        probability=None,
        confidence=None,
        sentences=tuple(dict.fromkeys(ids)),
        suggested_turns=(),
        rationale="The note addresses every risk that came up." if told else "",
    )
