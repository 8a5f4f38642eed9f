"""What the findings pane says."""

from __future__ import annotations

from collections.abc import Mapping

from noteeval_desktop.domain.findings import FindingKind
from noteeval_desktop.domain.harm import Harm
from noteeval_desktop.domain.trust import Level
from noteeval_desktop.domain.verdicts import OmissionKind
from noteeval_desktop.report.names import OMISSION_NAMES
from noteeval_desktop.ui.widgets.plain import native

LINK_TO_THE_SENTENCE = "Link to the sentence of the note that addresses this"
CHOOSE_THE_SENTENCE_OF_THE_NOTE = "Choose the sentence of the note that addresses this"
GO_TO = "Go to"
CONFIRM_THAT_YOU_OBSERVED = "Confirm that you observed it in the session"
I_SAW = "I saw this"
ADD_A_SENTENCE_WITH_THE_FIRST = "Add a sentence with the first quote to the note, for you to finish"
INSERT_DRAFT = "Insert draft"
FILTER_AND_LEGEND = "Filter and legend"
FILTER_THE_FINDINGS_AND_SEE_WHAT = "Filter the findings, and see what the signs mean"
KINDS_OF_FINDINGS = "Kinds of findings"
SHOW_IT = "Show it"
SHOW_THE_FIRST_RISK = "Show the first risk that is not addressed"
AN_ESTIMATE_THAT_CAN_BE_WRONG = "An estimate that can be wrong either way. It reviews the note, not the clinician."
HOW_THIS_WAS_CHECKED = "How this was checked"
BY_THE_PUBLISHED_DEFINITION = "By the published definition"
NOT_NEEDED = "not needed"
NOT_CHECKED = "not checked"


GROUPS = {
    Harm.RISK: "Risk",
    Harm.TREATMENT: "Medication and diagnosis",
    Harm.PLAN: "Plan and follow-up",
    Harm.REST: "Other statements",
}
MORE = "Also worth a read"
ADVICE = "Could be shorter"
ANSWERED = "Confirmed or dismissed by you"
NO_ITEM = "Matches no checklist item"
WHOLE = "The session as a whole fits this; no single passage says it."
SHOW_LESS = "Show only what matters before you sign"
ADD_QUOTE = "Add the quote"
ADD_QUOTE_HINT = f"Add the nearest passage after the sentence. {native('Ctrl+Z')} undoes it."
REMOVE = "Remove"
REMOVE_HINT = f"Remove the sentence from the note. {native('Ctrl+Z')} undoes it."
USE_HINT = f"Put what the session says into the note. {native('Ctrl+Z')} undoes it."
STOP_PHRASE = "Stop flagging a phrase in this case…"
PHRASE_ASKED = "Sentences with these words are not flagged in this case. Statements about risk always are."
SILENCED_HINT = "Choose one to flag it again"
WEAK = "On this, judge and therapists often differ."
TRUST_TITLE = "How far the judge agrees with therapists"
ABOUT, AGREES, ALPHA, THERAPISTS, PLACES = (
    "About",
    "Agrees",
    "Agreement (95 % interval)",
    "Between therapists",
    "Marked",
)
PUBLISHED, OWN_REVIEWS = "In published data", "In your own reviews"
OWN_DATA = "Independent reviews in your library, each mark of a reviewer beside the judge's."
MEANS = {
    Level.STRONG: "The judge and a therapist mostly say the same here.",
    Level.MODERATE: "The judge and a therapist often say the same here, and at times not. Read the evidence.",
    Level.WEAK: "The judge and a therapist often differ here. Take a mark as a question, not as an answer.",
    Level.UNKNOWN: "There are too few examples to say how far the judge agrees with therapists here.",
}
SO_DO_THERAPISTS = "Therapists differ with each other on this, too."
DIMENSIONS = {"completeness": "Checklist", "conciseness": "Sentences needed", "faithfulness": "Claims supported"}
HOW_TO_READ_ALPHA = (
    "1 means always the same, 0 no more than luck. Therapists do not agree wholly with each other either: compare the "
    "two columns. Strong: 0.6 and more. Moderate: 0.4 and more. Not known: too few examples. (Krippendorff's alpha)"
)
_IN_CASE, _EVERYWHERE = "in this case", "in every case"


def use(said: str) -> str:
    return f"Use “{said}”"


def nearest(turn: str, quote: str) -> str:
    return f"Nearest passage, turn {turn}: “{quote}”"


def show_more(count: int) -> str:
    if not count:
        return "Show what you confirmed or dismissed"
    return "Show 1 more suggestion" if count == 1 else f"Show {count} more suggestions"


def stop(kind: str, everywhere: bool) -> str:
    return f"Stop flagging {kind} {_EVERYWHERE if everywhere else _IN_CASE}"


def silenced(count: int) -> str:
    return f"{count} not flagged ▾"


def name_of_kind(kind: str, items: Mapping[str, str]) -> str:
    """``kind`` as silencing.kind_of has it; ``items``: the checklist's names by id."""
    what, _, which = kind.partition(":")
    if what == FindingKind.MISSING:
        return f"“{items.get(which, which)}”"
    if what == FindingKind.OMISSION:
        return f"“{OMISSION_NAMES[OmissionKind(which)]}” left out"
    return "sentences that may not be needed" if what == FindingKind.UNNEEDED else "what only you can know"


def flag_again(named: str, everywhere: bool) -> str:
    return f"Flag {named} again" + (f" {_EVERYWHERE}" if everywhere else "")


def show_turn_in_the_session(turn: str) -> str:
    return f"Show turn {turn} in the session"


def badge(level: Level) -> str:
    return f"Agrees with therapists: {level.value}"


def interval(value: float | None, low: float | None, high: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:.2f}" if low is None or high is None else f"{value:.2f} ({low:.2f} to {high:.2f})"
