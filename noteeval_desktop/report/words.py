"""What the scorecard and its files say. The window takes its names from here too, so that a reader finds one in the
other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from noteeval_desktop import __version__
from noteeval_desktop.domain.decisions import Decision
from noteeval_desktop.domain.evaluation import DimensionScore, JudgeIdentity
from noteeval_desktop.domain.finding_words import KINDS, MARKED
from noteeval_desktop.domain.findings import FindingKind
from noteeval_desktop.domain.note import Section
from noteeval_desktop.domain.phrases import are, counted, day, duration, sentence
from noteeval_desktop.domain.review import Dimension
from noteeval_desktop.domain.risk import Stance
from noteeval_desktop.domain.transcript import turn_list, turn_number
from noteeval_desktop.domain.verdicts import Attribute, Confidence, OmissionKind, Severity
from noteeval_desktop.report.appendix import Appendix

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
    Stance.HYPOTHETICAL: "hypothetical",
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
    OmissionKind.SAFETY_PLAN: "Safety plan",
    OmissionKind.SOCIAL: "Home, work and relationships",
    OmissionKind.RESULT: "Test result",
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
APPENDIX_NAMES = {
    Appendix.SCORES: "The scores, and what to look at before signing",
    Appendix.FINDINGS: "Every suggestion, and what was decided",
    Appendix.RISK: "Every mention of risk",
    Appendix.CHECKLIST: "The checklist",
    Appendix.EVIDENCE: "The evidence, with quotes",
    Appendix.READING: "How to read it, and fingerprints",
}
NOT_JUDGED = "not judged"
SHORT = {kind: look.name for kind, look in KINDS.items()} | {FindingKind.UNNEEDED: "may not be needed"}
COMPLETENESS = "Completeness"
ITEMS_COVERED = "checklist items covered"
CONCISENESS = "Conciseness"
SENTENCES_NEEDED = "sentences needed"
FAITHFULNESS = "Faithfulness"
CLAIMS_SUPPORTED = "statements supported"
ALL_MANDATORY = "all mandatory items covered"
NOT_CHECKABLE = "the note could not be checked"
NOT_NEEDED = "not needed"
NOT_FOUND_IN_NOTE = "not found in the note"
NOT_IN_NOTE = "not in the note"
MAYBE_IN_NOTE = "may be in the note, please check"
IN_NOTE = "in the note"
REVIEWED = "reviewed by the clinician"
NO_RISK = "No mention of risk was found in the session."
NOT_CHECKED = "Not checked."
NO_RISK_LEFT_OUT = "No mention of risk was found that the note leaves out."
NOTHING_TO_COUNT = "nothing to count"
LETTERS = {
    "D": "Data",
    "B": "Behavior",
    "G": "Goals",
    "S": "Situation",
    "I": "Intervention",
    "R": "Response",
    "E": "Evaluation",
    "A": "Assessment",
    "P": "Plan",
}
PROBLEM = "Problem"
JUDGES = {
    "builtin": "Built-in, on this computer",
    "local": "Language model on this computer",
    "remote": "Online AI service",
    "human": "A person",
}
LINKED_BY_CLINICIAN = "linked by the clinician"
_MOST_UNVOUCHED = 4
NOTHING_BUT = "No suggestions; some items could not be checked."
NONE_LEFT = "No suggestion is left here. NoteEval misses mistakes: read the note once more against the session."
RISK_IN_SESSION = "Risk in the session"
READING = (
    (
        "What this is",
        "A second pair of eyes on a progress note: it shows where to look first and gives no verdict. It compares a "
        "text with a transcript, says nothing about the person who wrote it, and does not replace supervision.",
    ),
    (
        "Completeness",
        "How many of the 23 checklist items the note covers. Not every item applies to every session; those marked "
        "mandatory usually do. The three general items are listed but not counted.",
    ),
    ("Conciseness", "How many sentences cover at least one checklist item of their section."),
    (
        "Faithfulness",
        "How many statements the session supports. A statement is contradicted where the session says otherwise, and "
        "unsupported where the session does not say it. What only someone in the room can know, such as dress or "
        "affect, is listed for the clinician to confirm and counted apart.",
    ),
    (
        "Confidence",
        "High, medium or low: how sure the judge is of a mark. Where it is low, read the quoted turns before you "
        "change anything.",
    ),
    (
        "What it cannot do",
        "It reads words only: no tone, no silence, nothing that was not recorded or was transcribed wrongly. It can "
        "miss a mention of risk. A note without marks may still be wrong; the transcript stays the reference.",
    ),
    (
        "Source of the checklist",
        "Item ids and definitions of the scores follow Shah et al., TN-Eval: Rubric and Evaluation Protocols for "
        "Measuring the Quality of Behavioral Therapy Notes (ACL 2025); the wording is ours.",
    ),
    (
        "How the built-in judge was made",
        "Its three model cards (in the app under Help) say whose notes it was trained on, how far it agrees with "
        "therapists, where it fails and what it must not be used for.",
    ),
)
NOTHING_FOUND = "Nothing found."
HOW_TO_READ = "How to read this scorecard"
EXPLAINED = (
    "Each mark is one revision, in the order of the sessions. The scores describe notes, and depend on the session as "
    "much as on the writing: a trend over a few notes means little. Supervisors' marks count as settled. What was "
    "edited since its review has the judge's marks alone."
)
DIMENSION_NAMES = {
    Dimension.COMPLETENESS: f"{COMPLETENESS}: {ITEMS_COVERED}",
    Dimension.CONCISENESS: f"{CONCISENESS}: {SENTENCES_NEEDED}",
    Dimension.FAITHFULNESS: f"{FAITHFULNESS}: {CLAIMS_SUPPORTED}",
}
MISSED = "Checklist items missed in the latest revision"
NONE = "None."
ITEM = "Item"
SECTION = "Section"
SUPERVISOR = "Supervisor"
JUDGE = "Judge"
LAST_SEEN = "Last seen"
PARTS = {
    "risks": "risk",
    "checklist": "the checklist",
    "sentences": "sentences",
    "claims": "claims",
    "omissions": "what is left out",
    "responses": "responses",
}
PARTLY = PARTS | {"checklist": "checklist items"}
ENGLISH_ONLY = "The built-in judge reads English only."
FLAGS = "Flags"
TO_FIX = "To fix"
ERRORS = {
    "fact": "Made up",
    "number": "Numbers",
    "drug": "Drugs",
    "plan": "Plans",
    "negation": "Yes turned into no, or no into yes",
    "person": "Who did it",
    "risk": "Risk",
}
GAP = "Gap"
SCORECARD = "Note scorecard"
BEFORE_YOU_SIGN = "Before you sign"
SCORES = "Scores"
MARKED_NOTE = "The note with its marks"
EVERY_SUGGESTION = "Every suggestion"
DECIDED = "Confirmed or dismissed by the clinician"
CHECKLIST = "Checklist"
EVIDENCE = "The evidence"
RISK, INCOMPLETE = "Risk", "Incomplete"
PROGRAM = f"NoteEval Desktop {__version__}"
GUIDE = "a guide for review, not a verdict"
SUBJECT = "Completeness, conciseness and faithfulness of a progress note"
OVER_TIME = "Notes over time"
UNRECOGNISED = "not recognised in the note"
NOT_RECOGNISED = f"{sentence(UNRECOGNISED)}. "
CHECKED, SENT, NOTE, TURN, STATE, MANDATORY, TRUST = "Checked", "Sent", "Note", "Turn", "State", "Mandatory", "Trust"
SCORE, RESULT, BY_SECTION = "Score", "Result", "By section"
YES, NO = "yes", "no"
NOTHING_SENT = "nothing left this computer"
LEGEND = {kind: kind.value for kind in MARKED} | {FindingKind.UNNEEDED: NOT_NEEDED}
LEGEND_NUMBER = "The number is that of the suggestion."
SOLID, DASHED = "supervisor, solid line", "judge, dashed line"
SIGN_HERE = ("Clinician, date", "Supervisor, date")
_MENTIONS = ("mention of risk", "mentions of risk")
# A problem and its remedy, for an InputError.
_ANOTHER_FOLDER = "Choose another folder."
ANOTHER_PROGRAM = "another program"
IS_A_FOLDER = ("is a folder", "Name a file to write to.")
NO_FOLDER = ("its folder does not exist", "Create the folder first, or choose another.")
READ_ONLY = ("is read-only", "Allow changes to it in its properties, or save under another name.")
FOLDER_LOCKED = ("its folder cannot be written to", _ANOTHER_FOLDER)
EVALUATION = "evaluation"
DAMAGED = "is damaged"
OWN_JSON = "Choose a file that this program wrote, with its texts."
NO_TEXTS = ("was written without its texts", OWN_JSON)
NO_PYARROW = ("needs the package pyarrow", "Install it with the extra: noteeval-desktop[analyst].")


def cannot_be_written(error: OSError) -> tuple[str, str]:
    return f"cannot be written ({error.strerror})", _ANOTHER_FOLDER


def in_use(program: str) -> tuple[str, str]:
    return f"is open in {program}", "Close it there, or save under another name."


def another_schema(schema: str) -> tuple[str, str]:
    return f"is not of the kind {schema}", OWN_JSON


def titled(label: str) -> str:
    return f"{SCORECARD}: {label}" if label else SCORECARD


def made_with() -> str:
    return f"{PROGRAM} · {GUIDE}"


def confidence(said: str) -> str:
    """ "Confidence: high"."""
    return f"Confidence: {said}"


def not_judged(count: int) -> str:
    return f"{count} {NOT_JUDGED}"


def share_of(done: int | str, total: int | str) -> str:
    return f"{done} of {total}"


def figure(score: DimensionScore) -> str:
    """ "17 of 23", and "13 to 19 of 24" where six of the 19 are still to be looked at: the one way to tell a score."""
    return share_of(score.done if score.least == score.done else f"{score.least} to {score.done}", score.total)


def page_of(number: int, total: int) -> str:
    return f"Page {share_of(number, total)}"


def mandatory_missing(count: int) -> str:
    return f"{count} mandatory not covered"


def outside_score(said: str, count: int) -> str:
    return f"{said} · {count} more outside the score"


def faith_detail(barely: int, contradicted: int, unsupported: int, observed: int, confirmed: int) -> str:
    supported = f"{barely} of the supported to check · " if barely else ""
    said = f"{supported}{contradicted} contradicted · {unsupported} unsupported · {observed} to confirm"
    return f"{said} · {confirmed} confirmed" if confirmed else said


def turns_help(turns: Sequence[int]) -> str:
    return f"{sentence(turn_list(turns))} may help."


def addressed_by(sentences: Iterable[str]) -> str:
    return f"addressed by {' '.join(sentences)}"


def maybe_addressed_by(sentences: Iterable[str]) -> str:
    return f"may be addressed by {' '.join(sentences)}, please check"


def unvouched(quoted: Sequence[str]) -> str:
    """Of statements on risk that passed."""
    named = "; ".join(quoted[:_MOST_UNVOUCHED])
    more = len(quoted) - _MOST_UNVOUCHED
    said = f"Not flagged, but no check vouches for what a note says about risk. Please check: {named}"
    return f"{said}; and {more} more" if more > 0 else said


def with_wrong(said: str, count: int) -> str:
    return f"{said} The session does not support {counted(count, 'statement')} on risk in the note."


def none_left(count: int) -> str:
    return f"{counted(count, *_MENTIONS)} in the session; none left to address."


def risks_unchecked(count: int, named: str) -> str:
    them = are(count, "it", "them")
    return f"{counted(count, *_MENTIONS)} in the session: {named}. The note could not be checked for {them}."


def risks_not_found(count: int, named: str) -> str:
    return f"{counted(count, *_MENTIONS)} in the session {are(count)} not found in the note: {named}."


def risks_left_out(count: int) -> str:
    return f"{counted(count, *_MENTIONS)} in the session {are(count)} not in the note."


def risk_at(wording: str, turns: Sequence[int]) -> str:
    return f"{wording}, {turn_list(turns)}"


def more(count: int) -> str:
    return f"{count} more"


def who_judged(judge: JudgeIdentity) -> str:
    """Which model and version the built-in judge is stands among the fingerprints."""
    kind = JUDGES.get(judge.kind, judge.kind)
    return kind if judge.kind == "builtin" else f"{kind}: {judge.model}, version {judge.version}"


def with_checklist(judge: str, checklist: str) -> str:
    return f"{judge} · checklist {checklist}"


def note_and_session(sentences: int, style: str, turns: int) -> str:
    return f"{counted(sentences, 'sentence')}, {style} · session of {counted(turns, 'turn')}"


def bytes_sent(count: int) -> str:
    return f"{counted(count, 'byte')} left this computer"


def session_kept(decision: Decision) -> str:
    return f"The clinician was asked about the session on {day(decision.when)}: {decision.reason}"


def others(count: int) -> str:
    return f"{counted(count, 'more suggestion')} {are(count)} in the app, and in the appendix if you added it."


def not_flagged(count: int) -> str:
    return f"{counted(count, 'suggestion')} {are(count)} not flagged, as the clinician chose. Risk always is."


def turn_by(turn: int, speaker: str) -> str:
    return f"Turn {turn_number(turn)} · {speaker}"


def some_turns(turns: Sequence[int], most: int) -> str:
    more = f" and {len(turns) - most} more" if len(turns) > most else ""
    return f"{turn_list(turns[:most])}{more}"


def speaker_at(turn: int, speaker: str) -> str:
    """As a screen reader says it well."""
    return f"Turn {turn_number(turn)}, {speaker}"


def mandatory(name: str) -> str:
    return f"{name} · mandatory"


def scored(who: str, score: DimensionScore) -> str:
    return f"{who}: {figure(score) if score.total else NOT_JUDGED}"


def unjudged_parts(parts: Sequence[str]) -> str:
    return f"Not judged: {', '.join(parts)}."


def cases_and_revisions(cases: int, revisions: int) -> str:
    return f"{counted(cases, 'case')}, {counted(revisions, 'marked revision')}"


def time_left(seconds: float) -> str:
    return f", {duration(seconds)} left"
