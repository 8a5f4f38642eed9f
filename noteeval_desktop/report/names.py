"""What the window and the scorecard call things: the same words in both, so that a reader finds one in the other."""

from __future__ import annotations

from noteeval_desktop.domain.note import Section
from noteeval_desktop.domain.risk import Stance
from noteeval_desktop.domain.verdicts import Attribute, Confidence, OmissionKind, Severity

SECTION_NAMES = {
    Section.SUBJECTIVE: "Subjective",
    Section.OBJECTIVE: "Objective",
    Section.ASSESSMENT: "Assessment",
    Section.PLAN: "Plan",
    Section.UNASSIGNED: "Under no heading",
}
STANCE_NAMES = {
    Stance.CURRENT: "now",
    Stance.PAST: "in the past",
    Stance.OTHER_PERSON: "about someone else",
    Stance.ASKED: "asked, not clearly answered",
    Stance.DENIED: "denied",
    Stance.HYPOTHETICAL: "as what might be",
}
CONFIDENCE_NAMES = {Confidence.SURE: "high", Confidence.LIKELY: "medium", Confidence.UNSURE: "low"}
SEVERITY_NAMES = {Severity.HIGH: "Important", Severity.MEDIUM: "Please check", Severity.LOW: "Minor", Severity.NONE: ""}
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
}
ATTRIBUTE_NAMES = {
    Attribute.GUIDANCE: "Guidance",
    Attribute.INFORMATIVENESS: "Information",
    Attribute.SAFETY: "Safety",
    Attribute.EMPATHY: "Empathy",
    Attribute.HELPFULNESS: "Helpfulness",
    Attribute.INTERPRETATION: "Understanding",
}
GENERAL = "Whole note (not scored)"
