"""What a wrong or a missing statement of a note could do harm to: risk, then treatment, then the plan, then the rest.

Read from the words, so that it is the same whichever judge found the mistake.
"""

from __future__ import annotations

import re
from enum import StrEnum

from noteeval_desktop.domain.note import Section, Sentence
from noteeval_desktop.domain.risk import SAFETY_ITEM
from noteeval_desktop.domain.verdicts import OmissionKind


class Harm(StrEnum):
    """Gravest first. TREATMENT: medication, dose, diagnosis. PLAN: plan, follow-up, homework, referral."""

    RISK = "risk"
    TREATMENT = "treatment"
    PLAN = "plan"
    REST = "rest"


_RISK = re.compile(
    r"suicid|homicid|self[- ]?(?:harm|injur)|\bnssi\b|overdos|safety plan|(?-i:\b(?:SI|HI|AVH|CPS|APS)\b)|"
    r"\bharm(?:ing)? (?:to )?(?:self|him|her|them|others|someone|somebody)|(?:kill|hurt)\w* (?:him|her|them|one)?sel|"
    r"(?:wish|want)\w* (?:to (?:die|be dead)|\w+ (?:was|were) dead)|better off dead|end(?:ing)? (?:his|her|their) life|"
    r"hallucinat|delusion|psychosis|psychotic|violen|assault|molest|\brape|"
    r"(?:child|elder|physical|sexual|domestic|emotional) abuse|duty to warn|mandated report|safeguarding|"
    r"\b(?:child(?:ren'?s)?|adult) protecti(?:on|ve)|protective services|crisis (?:line|plan)|"
    r"\b(?:no|low|moderate|medium|high|elevated|acute|imminent|minimal|chronic)(?: current| acute)? risk\b|"
    r"\brisk(?: level| assessment)?(?: is| was| remains| appears|:)? ?(?:low|moderate|medium|high|elevated|minimal|"
    r"acute|imminent|none|denied|assess\w*)\b|\bat risk\b|"
    r"\b(?:misus|abus)(?:e|es|ed|ing)\b[^.]*\b(?:med|pill|prescri)|(?:med|pill|prescri)\w*[^.]*\b(?:misus|abus)|"
    r"more than (?:was )?prescribed",
    re.IGNORECASE,
)
_TREATMENT = re.compile(
    r"medicat|medicine|\bmeds\b|prescri|\bdos(?:e|es|age|ing)\b|\b\d+(?:\.\d+)? ?(?:mg|mcg|ml|milligrams?)\b|"
    r"\btablets?\b|\bpills?\b|side[- ]effects?|antidepress|antipsychotic|mood stabili[sz]er|"
    r"\w(?:traline|oxetine|alopram|pramine|triptyline|faxine|azepam|azolam|etiapine|zapine|idone|iprazole|peridol|"
    r"trigine)\b|\b(?:bupropion|buspirone|lithium|valpro\w+|trazodone|gabapentin|methylphenidate|"
    r"propranolol|clonidine|naltrexone|methadone|buprenorphine|suboxone|zoloft|prozac|lexapro|celexa|paxil|effexor|"
    r"wellbutrin|xanax|ativan|klonopin|seroquel|abilify|adderall|ritalin|cymbalta|insulin)\b|"
    r"diagnos|disorder|meets? criteria|(?-i:\b(?:DSM|ICD|[FZ]\d\d\.\d|MDD|GAD|PTSD|OCD|ADHD|BPD|AUD|SUD)\b)|"
    r"bipolar|schizo",
    re.IGNORECASE,
)
_PLAN = re.compile(
    r"\b(?:will|plans? to|agreed to|continue|next (?:session|week|appointment|visit)|follow[- ]?up|return(?:s|ing)?|"
    r"schedul\w+|refer(?:red|ral|rals)?|appointments?|homework|assign\w*|between sessions|weekly|biweekly)\b",
    re.IGNORECASE,
)
_INTERVENTION = re.compile(
    r"^\W*(?:provided|practi[sc]ed|explored|encouraged|utili[sz]ed|used|offered|validated|reflected|reviewed|assisted|"
    r"helped|taught|introduced|applied|engaged in|discussed|processed|conducted|informed|normali[sz]ed|affirmed)\b|"
    r"\b(?:therapist|clinician|counsel?lor|provider|writer|th)\b\.? \w+|psychoeducat|interventions?|\btherapy\b|"
    r"motivational interview|(?-i:\b(?:CBT|DBT|ACT|EMDR|MI|PHQ|GAD)\b)|cognitive restructur|reframing|grounding|"
    r"exposure|mindful|breathing|relaxation|role[- ]?play|coping skill",
    re.IGNORECASE,
)
_OMITTED = {
    OmissionKind.RISK: Harm.RISK,
    OmissionKind.SAFETY_PLAN: Harm.RISK,
    OmissionKind.MEDICATION: Harm.TREATMENT,
    OmissionKind.PLAN: Harm.PLAN,
    OmissionKind.HOMEWORK: Harm.PLAN,
}
_DIAGNOSIS = "assessment-diagnosis"


def harm_of_sentence(sentence: Sentence) -> Harm:
    if _RISK.search(sentence.text):
        return Harm.RISK
    if _TREATMENT.search(sentence.text):
        return Harm.TREATMENT
    return Harm.PLAN if Section.PLAN in sentence.sections or _PLAN.search(sentence.text) else Harm.REST


def harm_of_omission(kind: OmissionKind) -> Harm:
    return _OMITTED.get(kind, Harm.REST)


def harm_of_item(item: str, section: Section | None) -> Harm:
    if item == SAFETY_ITEM:
        return Harm.RISK
    if item == _DIAGNOSIS:
        return Harm.TREATMENT
    return Harm.PLAN if section is Section.PLAN else Harm.REST


def never_to_cut(sentence: Sentence) -> bool:
    """Is it of the plan, or speaks of risk, medication, diagnosis, an intervention or follow-up? Then keep it."""
    return Section.PLAN in sentence.sections or any(
        pattern.search(sentence.text) for pattern in (_RISK, _TREATMENT, _PLAN, _INTERVENTION)
    )
