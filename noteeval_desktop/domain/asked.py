"""What a person must judge of a note, and what may be left to the judge: harm first."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from enum import StrEnum

from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.harm import Harm, harm_of_sentence
from noteeval_desktop.domain.note import SOAP, Note, Section, Sentence
from noteeval_desktop.domain.review import ItemMark, Review
from noteeval_desktop.domain.risk import RiskFinding, RiskKind, Stance
from noteeval_desktop.domain.rubric import Importance, Rubric, RubricItem
from noteeval_desktop.domain.transcript import Transcript, cite

# How an ItemMark names what is marked of a passage on risk: before its turn. Of ``RISK_PLACE`` it says whether the note
# addresses the danger; ``RISK_AS`` and ``ADDED_RISK`` have the kind of danger before the turn.
RISK_PLACE, NO_RISK_PLACE, OPPOSED_RISK = "risk:", "no-risk:", "opposed-risk:"
ADDED_RISK, RISK_AS = "added-risk:", "risk-as:"
# What is asked beside what harm finds at once: ranked as findings these would push graver ones down, but a person looks
# at them. A name that is in neither leaves a sentence to the judge, whose mark is shown and said to be the judge's.
_ALSO_ASKED = re.compile(
    r"\b(?:kill\w*|harm\w*|abus\w*|danger\w*|safe\w*|risks?|crisis|weapons?|guns?|firearms?|rifles?|pistols?|handguns?"
    r"|shotguns?|revolvers?|ammunition|ammo|knife|knives|blades?|ropes?|means|lethal|stockpil\w*|naloxone|threat\w*|SI|HI"
    r"|relaps\w*|neglect\w*|coerc\w*|stalk\w*|strangl\w*|paranoi\w*|DUI|DWI|CPS|APS"
    r"|milligrams?|titrat\w*|\w+(?:pram|aline|apine)"
    r"|alcohol\w*|drink(?:s|ing)?|drunk|drugs?|cannabis|opioids?|scored?|PHQ\S*|GAD-?7|C-?SSRS|AUDIT\S*"
    r"|DSM\S*|ICD\S*|[FR]\d\d(?:\.\d+)?|remission|depressive episode|ptsd|gad|mdd|ocd|adhd)\b",
    re.IGNORECASE,
)


class RiskAnswer(StrEnum):
    """What the note says to a danger."""

    ADDRESSED = "addressed"
    LEFT_OUT = "left out"
    OPPOSITE = "says the opposite"
    NO_DANGER = "not about risk"


def risk_answers(items: Iterable[ItemMark]) -> dict[int, RiskAnswer]:
    """By turn, in the order of the session."""
    marked = {mark.item: mark.present for mark in items}
    found: dict[int, RiskAnswer] = {}
    for item, present in marked.items():
        if item.startswith(NO_RISK_PLACE):
            found[int(item.removeprefix(NO_RISK_PLACE))] = RiskAnswer.NO_DANGER
        elif item.startswith(RISK_PLACE):
            turn = int(item.removeprefix(RISK_PLACE))
            left = RiskAnswer.OPPOSITE if f"{OPPOSED_RISK}{turn}" in marked else RiskAnswer.LEFT_OUT
            found[turn] = RiskAnswer.ADDRESSED if present else left
    return dict(sorted(found.items()))


def with_risk_answer(items: Iterable[ItemMark], turn: int, answer: RiskAnswer) -> tuple[ItemMark, ...]:
    """In the place of an earlier one."""
    told = {f"{place}{turn}" for place in (RISK_PLACE, NO_RISK_PLACE, OPPOSED_RISK)}
    kept = tuple(mark for mark in items if mark.item not in told)
    if answer is RiskAnswer.NO_DANGER:
        return (*kept, ItemMark(f"{NO_RISK_PLACE}{turn}", True))
    made = (ItemMark(f"{RISK_PLACE}{turn}", answer is RiskAnswer.ADDRESSED),)
    return (*kept, *made, ItemMark(f"{OPPOSED_RISK}{turn}", True)) if answer is RiskAnswer.OPPOSITE else (*kept, *made)


def risks_named(items: Iterable[ItemMark]) -> dict[int, RiskKind]:
    """The kinds that a person put right, by turn."""
    named = (mark.item.removeprefix(RISK_AS).rsplit(":", 1) for mark in items if mark.item.startswith(RISK_AS))
    return {int(turn): RiskKind(kind) for kind, turn in named if kind in set(RiskKind)}


def with_risk_named(items: Iterable[ItemMark], turn: int, kind: RiskKind) -> tuple[ItemMark, ...]:
    kept = (m for m in items if not (m.item.startswith(RISK_AS) and m.item.endswith(f":{turn}")))
    return (*kept, ItemMark(f"{RISK_AS}{kind}:{turn}", True))


def asked_items(rubric: Rubric) -> tuple[RubricItem, ...]:
    """The mandatory items of the four sections."""
    return tuple(item for item in rubric.scored_items if item.importance is Importance.MANDATORY)


def asked_sentences(note: Note, on_risk: Collection[str] = ()) -> tuple[Sentence, ...]:
    """Those on risk, substances, medication, dose, diagnosis and scores, and the plan, and those of ``on_risk`` (ids),
    whatever their words."""
    own = (one for one in note.sentences if set(one.sections) & set(SOAP))
    return tuple(
        one
        for one in own
        if one.id in on_risk
        or Section.PLAN in one.sections
        or harm_of_sentence(one) in (Harm.RISK, Harm.TREATMENT)
        or _ALSO_ASKED.search(one.text)
    )


def rest_on_risk(evaluation: Evaluation) -> frozenset[str]:
    """Ids of the sentences by which a judge called a danger addressed or not, and of those on risk that it vouches for
    as little as it doubts them."""
    named = [one for risk in evaluation.risks or () for one in (*(risk.addressed_by or ()), *risk.doubted)]
    unvouched = [one.sentence.id for one in evaluation.sentences if one.claim is not None and one.claim.unvouched]
    return frozenset((*named, *evaluation.wrong_on_risk, *unvouched))


def risk_added(kind: RiskKind, turn: int) -> tuple[ItemMark, ItemMark]:
    """The marks of a danger that no judge listed, and that is not in the note."""
    return ItemMark(f"{ADDED_RISK}{kind}:{turn}", False), ItemMark(f"{RISK_PLACE}{turn}", False)


def added_risks(review: Review, transcript: Transcript | None) -> tuple[RiskFinding, ...]:
    """What ``risk_added`` marked, whatever became of it later."""
    marked = {mark.item for mark in review.items if mark.item.startswith(ADDED_RISK)}
    return tuple(
        RiskFinding((turn.index,), cite(turn), kind, Stance.CURRENT)
        for turn in (transcript.turns if transcript is not None else ())
        for kind in RiskKind
        if f"{ADDED_RISK}{kind}:{turn.index}" in marked
    )


def asked_dangers(risks: Sequence[RiskFinding]) -> tuple[RiskFinding, ...]:
    """One a passage, of those that are more than a guess, in the order of the session."""
    by_turn = {risk.citation.turn: risk for risk in reversed(risks) if risk.certain}
    return tuple(by_turn[turn] for turn in sorted(by_turn))
