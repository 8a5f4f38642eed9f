"""What a person must judge of a note, and what may be left to the judge: harm first."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.harm import Harm, harm_of_sentence
from noteeval_desktop.domain.note import SOAP, Note, Section, Sentence
from noteeval_desktop.domain.review import ItemMark, Review
from noteeval_desktop.domain.risk import RiskFinding, RiskKind, Stance
from noteeval_desktop.domain.rubric import Importance, Rubric, RubricItem
from noteeval_desktop.domain.transcript import Transcript, cite

RISK_PLACE, NO_RISK_PLACE, ADDED_RISK = "risk:", "no-risk:", "added-risk:"
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


def asked_items(rubric: Rubric) -> tuple[RubricItem, ...]:
    """The mandatory items of the four sections."""
    return tuple(item for item in rubric.section_items if item.importance is Importance.MANDATORY)


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
