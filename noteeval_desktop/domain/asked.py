"""What a person must judge of a note, and what may be left to the judge: harm first."""

from __future__ import annotations

import re
from collections.abc import Sequence

from noteeval_desktop.domain.harm import Harm, harm_of_sentence
from noteeval_desktop.domain.note import SOAP, Note, Section, Sentence
from noteeval_desktop.domain.risk import RiskFinding
from noteeval_desktop.domain.rubric import Importance, Rubric, RubricItem

RISK_PLACE, NO_RISK_PLACE = "risk:", "no-risk:"
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


def asked_sentences(note: Note) -> tuple[Sentence, ...]:
    """Those on risk, substances, medication, dose, diagnosis and scores, and the plan."""
    own = (one for one in note.sentences if set(one.sections) & set(SOAP))
    return tuple(
        one
        for one in own
        if Section.PLAN in one.sections
        or harm_of_sentence(one) in (Harm.RISK, Harm.TREATMENT)
        or _ALSO_ASKED.search(one.text)
    )


def asked_dangers(risks: Sequence[RiskFinding]) -> tuple[RiskFinding, ...]:
    """One a passage, of those that are more than a guess, in the order of the session."""
    by_turn = {risk.citation.turn: risk for risk in reversed(risks) if risk.certain}
    return tuple(by_turn[turn] for turn in sorted(by_turn))
