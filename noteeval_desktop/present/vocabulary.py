"""What the field's things are called and how they look: in the window, on paper, in tables, to a second judge.

One row a verdict, a kind, a section, a state: everything that names or marks one takes it from here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from noteeval_desktop.domain.findings import FindingKind, ItemState
from noteeval_desktop.domain.harm import Harm
from noteeval_desktop.domain.note import Section
from noteeval_desktop.domain.phrases import sentence
from noteeval_desktop.domain.remarks import RemarkKind
from noteeval_desktop.domain.review import Dimension
from noteeval_desktop.domain.risk import RiskKind, RiskState, Stance, danger
from noteeval_desktop.domain.rubric import Importance
from noteeval_desktop.domain.standing import Standing
from noteeval_desktop.domain.verdicts import SAYS, Attribute, Confidence, OmissionKind, Severity, Verdict

# What the built-in judge says first of a statement on risk that it does not flag: none is vouched for.
CHECK_ON_RISK = "Please check what it says about risk."
# Of a supported statement that is no report of what was said.
INFERRED = "A conclusion that fits what was said in the session: please check that it is yours"
WHOLE_NOTE, GENERAL = "Whole note", "Whole note (not scored)"
COMPLETENESS, ITEMS_COVERED = "Completeness", "checklist items covered"
CONCISENESS, SENTENCES_NEEDED = "Conciseness", "sentences needed"
FAITHFULNESS, CLAIMS_SUPPORTED = "Faithfulness", "statements supported"
# What a score is called, and what it is a share of.
SCORES = {
    Dimension.COMPLETENESS: (COMPLETENESS, ITEMS_COVERED),
    Dimension.CONCISENESS: (CONCISENESS, SENTENCES_NEEDED),
    Dimension.FAITHFULNESS: (FAITHFULNESS, CLAIMS_SUPPORTED),
}
COPIED = "Copied"
NOT_NEEDED, NOT_CHECKED = "not needed", "not checked"


@dataclass(frozen=True, slots=True)
class Called:
    """``key`` chooses it where a person marks by hand; ``mark``: its name there; ``means``: what that stands for."""

    key: str
    mark: str
    means: str


VERDICTS = {
    Verdict.SUPPORTED: Called("S", "Supported", "the session says so"),
    Verdict.CONTRADICTED: Called("M", "Misinterpreted", "the session says something else"),
    Verdict.UNSUPPORTED: Called("U", "Not in the session", "nobody said it"),
    Verdict.OBSERVED: Called("O", "Observed", "only seen in the room"),
}
VERDICT_NAMES = {verdict: sentence(says) for verdict, says in SAYS.items()}

Line = Literal["wave", "dashes", "dots"]


@dataclass(frozen=True, slots=True)
class Look:
    """``name``: within a sentence. ``tone``: one of the theme's colours. ``line``: under a sentence of the note; None
    where it marks none. ``heading``: over a list of such."""

    name: str
    sign: str
    tone: str
    line: Line | None
    heading: str


# Where marks overlap the one that comes first here is drawn last, and seen.
KINDS = {
    FindingKind.CONTRADICTED: Look(SAYS[Verdict.CONTRADICTED], "✗", "red", "wave", VERDICT_NAMES[Verdict.CONTRADICTED]),
    FindingKind.UNSUPPORTED: Look(
        SAYS[Verdict.UNSUPPORTED], "?", "amber", "dashes", VERDICT_NAMES[Verdict.UNSUPPORTED]
    ),
    FindingKind.OBSERVED: Look("only you can know", "◉", "blue", "dots", "For the clinician to confirm"),
    FindingKind.REMARK: Look("for the record", "§", "grey", "dashes", "For the record: not about the session"),
    FindingKind.UNNEEDED: Look("may not be needed", "–", "grey", "dots", "Sentences that may not be needed"),
    FindingKind.MISSING: Look(
        "missing from the note", "○", "red", None, "Checklist items not covered or not recognized"
    ),
    FindingKind.OMISSION: Look("left out", "+", "amber", None, "In the session, not in the note"),
}
MARKED = tuple(kind for kind, look in KINDS.items() if look.line)


@dataclass(frozen=True, slots=True)
class StateLook:
    """Of a checklist item: its sign in lists, and one of the theme's colours."""

    name: str
    sign: str
    tone: str


ITEM_STATES = {
    ItemState.COVERED: StateLook("covered", "✓", "green"),
    ItemState.MISSING: StateLook("missing", "✗", "red"),
    ItemState.NOT_RECOGNISED: StateLook("not recognized", "?", "amber"),
    ItemState.NOT_CHECKED: StateLook(NOT_CHECKED, "·", "muted"),
}
UNRECOGNISED = "not recognized in the note"
SECTION_NAMES = {
    Section.SUBJECTIVE: "Subjective",
    Section.OBJECTIVE: "Objective",
    Section.ASSESSMENT: "Assessment",
    Section.PLAN: "Plan",
    Section.UNASSIGNED: "Under no heading",
}
PLACE_NAMES = {place: SECTION_NAMES[place] if place else WHOLE_NOTE for place in (*SECTION_NAMES, None)}
IMPORTANCE_NAMES = {
    Importance.MANDATORY: "mandatory",
    Importance.CONDITIONAL: "if applicable",
    Importance.RECOMMENDED: "recommended",
}
HARM_NAMES = {
    Harm.RISK: "Risk",
    Harm.TREATMENT: "Medication and diagnosis",
    Harm.PLAN: "Plan and follow-up",
    Harm.REST: "The rest of the note",
}
CONFIDENCE_NAMES = {Confidence.SURE: "high", Confidence.LIKELY: "medium", Confidence.UNSURE: "low"}
SEVERITY_NAMES = {Severity.HIGH: "Important", Severity.MEDIUM: "Please check", Severity.LOW: "Minor", Severity.NONE: ""}
RISK_NAMES = {kind: sentence(danger(kind)) for kind in RiskKind}
STANCE_NAMES = {
    Stance.CURRENT: "now",
    Stance.PAST: "in the past",
    Stance.OTHER_PERSON: "about someone else",
    Stance.ASKED: "asked, not clearly answered",
    Stance.DENIED: "denied",
    Stance.HYPOTHETICAL: "hypothetical",
}
RISK_STATES = {
    RiskState.NAMED: "in the note",
    RiskState.NEAR: "not clearly in the note",
    RiskState.OPEN: "not found in the note",
    None: "the note could not be checked",
}
REMARK_NAMES = {
    RemarkKind.CODE: "Time and code",
    RemarkKind.DATE: "Dates",
    RemarkKind.SIGNATURE: "Signature",
    RemarkKind.IDENTITY: "Whose note it is",
    RemarkKind.TEMPLATE: "Not finished",
    RemarkKind.ABBREVIATION: "Abbreviations",
    RemarkKind.DIAGNOSIS: "Diagnosis code",
    RemarkKind.COPIED: "Copied text",
    RemarkKind.PROCESS: "Consider leaving out",
    RemarkKind.WORDING: "Wording",
    RemarkKind.GOAL: "Treatment plan",
}
OMISSION_NAMES = {
    OmissionKind.RISK: "Risk",
    OmissionKind.SYMPTOM: "What the client reports",
    OmissionKind.MEDICATION: "Medication",
    OmissionKind.SUBSTANCE: "Substance use",
    OmissionKind.HISTORY: "History and background",
    OmissionKind.GOAL: "Goal",
    OmissionKind.HOMEWORK: "Homework",
    OmissionKind.INTERVENTION: "Intervention",
    OmissionKind.PLAN: "Plan",
    OmissionKind.SCALE: "Rating or score",
    OmissionKind.SAFETY_PLAN: "Safety plan",
    OmissionKind.SOCIAL: "Home, work and relationships",
    OmissionKind.RESULT: "Test result",
}
STANDING_NAMES = {
    Standing.DRAFT: "Draft",
    Standing.SUBMITTED: "Submitted",
    Standing.RESUBMITTED: "Resubmitted",
    Standing.MARKED: "Marked, not answered",
    Standing.RETURNED: "Returned",
    Standing.APPROVED: "Approved",
    Standing.CHANGED: "Approved, changed",
}
ATTRIBUTE_NAMES = {
    Attribute.GUIDANCE: "Guidance",
    Attribute.INFORMATIVENESS: "Information",
    Attribute.SAFETY: "Safety",
    Attribute.EMPATHY: "Empathy",
    Attribute.HELPFULNESS: "Helpfulness",
    Attribute.INTERPRETATION: "Understanding",
}
