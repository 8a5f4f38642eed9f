"""What the scorecard and its files say. The window takes its names from here too, so that a reader finds one in the
other."""

from __future__ import annotations

from collections.abc import Sequence

from noteeval_desktop import __version__
from noteeval_desktop.domain.decisions import Decision
from noteeval_desktop.domain.evaluation import DimensionScore, JudgeIdentity
from noteeval_desktop.domain.findings import FindingKind
from noteeval_desktop.domain.phrases import are, counted, day
from noteeval_desktop.domain.review import Dimension
from noteeval_desktop.domain.transcript import turn_list, turn_number
from noteeval_desktop.present.scores import figure
from noteeval_desktop.present.vocabulary import ATTRIBUTE_NAMES as ATTRIBUTE_NAMES
from noteeval_desktop.present.vocabulary import (
    CLAIMS_SUPPORTED,
    COMPLETENESS,
    CONCISENESS,
    FAITHFULNESS,
    ITEMS_COVERED,
    MARKED,
    NOT_NEEDED,
    SENTENCES_NEEDED,
)
from noteeval_desktop.present.vocabulary import NOT_JUDGED as NOT_JUDGED
from noteeval_desktop.present.vocabulary import SEVERITY_NAMES as SEVERITY_NAMES
from noteeval_desktop.report.appendix import Appendix

APPENDIX_NAMES = {
    Appendix.SCORES: "The scores, and what to look at before signing",
    Appendix.FINDINGS: "Every suggestion, and what was decided",
    Appendix.RISK: "Every mention of risk",
    Appendix.CHECKLIST: "The checklist",
    Appendix.EVIDENCE: "The evidence, with quotes",
    Appendix.READING: "How to read it, and fingerprints",
}
NOTHING_TO_COUNT = "nothing to count"
JUDGES = {
    "builtin": "Built-in, on this computer",
    "local": "Language model on this computer",
    "remote": "Online AI service",
    "human": "A person",
}
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
CHECKED, SENT, NOTE, TURN, STATE, MANDATORY, TRUST = "Checked", "Sent", "Note", "Turn", "State", "Mandatory", "Trust"
SCORE, RESULT, BY_SECTION = "Score", "Result", "By section"
YES, NO = "yes", "no"
NOTHING_SENT = "nothing left this computer"
LEGEND = {kind: kind.value for kind in MARKED} | {FindingKind.UNNEEDED: NOT_NEEDED}
LEGEND_NUMBER = "The number is that of the suggestion."
SOLID, DASHED = "supervisor, solid line", "judge, dashed line"
SIGN_HERE = ("Clinician, date", "Supervisor, date")
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


def share_of(done: int | str, total: int | str) -> str:
    return f"{done} of {total}"


def page_of(number: int, total: int) -> str:
    return f"Page {share_of(number, total)}"


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
    return f"{who}: {figure(score)}"


def cases_and_revisions(cases: int, revisions: int) -> str:
    return f"{counted(cases, 'case')}, {counted(revisions, 'marked revision')}"
