"""What the findings pane says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from noteeval_desktop.domain import transcript
from noteeval_desktop.domain.evaluation import DimensionScore, Evaluation, FaithfulnessScore
from noteeval_desktop.domain.findings import FindingKind, ItemState
from noteeval_desktop.domain.harm import Harm
from noteeval_desktop.domain.phrases import are, counted, inside, percent
from noteeval_desktop.domain.rubric import Importance, RubricItem
from noteeval_desktop.domain.trust import Level
from noteeval_desktop.domain.verdicts import ClaimVerdict, Confidence, ItemVerdict, NeedVerdict, OmissionKind, Verdict
from noteeval_desktop.report.names import CONFIDENCE_NAMES, OMISSION_NAMES
from noteeval_desktop.report.problems import not_english, unjudged
from noteeval_desktop.ui.widgets.plain import native
from noteeval_desktop.ui.widgets.words import turn_list

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
IMPORTANCE_NAMES = {
    Importance.MANDATORY: "mandatory",
    Importance.CONDITIONAL: "if applicable",
    Importance.RECOMMENDED: "recommended",
}
VERDICT_NAMES = {
    Verdict.SUPPORTED: "The session says so",
    Verdict.CONTRADICTED: "The session says otherwise",
    Verdict.UNSUPPORTED: "Not found in the session",
    Verdict.OBSERVED: "Only someone in the room can know this",
}
DISMISSALS = ("Correct as written", "Not relevant here", "Documented elsewhere", "The check is wrong")
_MISSING = {
    "subjective-goals": "No client goals yet.",
    "subjective-homework": "No review of homework yet.",
    "subjective-quotes": "No quote from the client yet.",
    "objective-behavior": "No observed behaviour yet.",
    "plan-follow-up": "No next session or referral yet.",
    "plan-adjustment": "No change to the treatment yet.",
    "general-safety": "Safety is not addressed yet.",
    "general-culture": "Culture and identity are not addressed yet.",
    "general-professionalism": "Some wording may not read as professional.",
}


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


def completeness(score: DimensionScore) -> str:
    return f"{score.done} of {score.total} covered{_open(score)}" if score.total else "Checklist: not checked"


def conciseness(score: DimensionScore) -> str:
    if score.note is None:
        return "Sentences: not checked"
    return f"{percent(score.note)} of sentences needed{_open(score)}"


def faithfulness(score: FaithfulnessScore) -> str:
    if not score.total:
        return "No claims to compare" if score.observed else "Claims: not checked"
    return f"{score.done} of {score.total} claims supported{_open(score)}"


def _open(score: DimensionScore) -> str:
    return f" · {score.unjudged} not checked" if score.unjudged else ""


def risk(count: int | None, wrong: int) -> str:
    """``count``: risk statements of the session that the note leaves out; None when not judged. ``wrong``: the note's
    own that the session does not bear out."""
    if not count and wrong:
        return f"Risk to check: {wrong}"
    if count is None:
        return "Risk: not checked"
    left_out = f"Risk left out: {count}" if count else "No risk left out"
    return f"{left_out} · to check: {wrong}" if wrong else left_out


def change(before: float | None, after: float | None) -> str:
    """``▲3``, ``▼1``, or nothing when equal or unknown."""
    if before is None or after is None or round(before) == round(after):
        return ""
    return f"{'▲' if after > before else '▼'}{abs(round(after) - round(before))}"


def explain_completeness(score: DimensionScore) -> str:
    return (
        "How much of the checklist is in the note: items covered, out of the "
        f"{score.total} that belong to the four sections. The general items (safety, culture, wording) are shown "
        f"beside the number, not in it.{_counted_as(score, 'not covered')}"
    )


def explain_conciseness(score: DimensionScore) -> str:
    return (
        "How many sentences earn their place: those that match at least one checklist item of their section "
        f"({score.done}), out of all {score.total}. A sentence marked as not needed is only a "
        f"suggestion.{_counted_as(score, 'not needed')}"
    )


def _counted_as(score: DimensionScore, what: str) -> str:
    if not score.unjudged:
        return ""
    return f" {score.unjudged} could not be checked and {are(score.unjudged, 'counts', 'count')} as {what}."


def explain_faithfulness(score: FaithfulnessScore) -> str:
    published = (
        f" The published definition counts them as errors: {percent(score.published_definition)}."
        if score.published_definition is not None
        else ""
    )
    unchecked = f" {score.unjudged} could not be checked and are not counted." if score.unjudged else ""
    return (
        f"How many claims the session supports: {score.done} of {score.total}. {score.contradicted} "
        f"{are(score.contradicted, 'contradicts', 'contradict')} the session, {score.unsupported} "
        f"{are(score.unsupported)} not found in it. {score.observed} can only be known by someone in the room and "
        f"{are(score.observed)} counted apart.{published}{unchecked}"
    )


def explain_risk(count: int | None, wrong: int) -> str:
    if count is None:
        return "Mentions of risk in the session that the note leaves out. Not checked."
    found = f"{count} found." if count else "None found."
    if wrong:
        found += f" The session does not bear out {counted(wrong, 'statement')} on risk in the note."
    return (
        "Statements about suicide, self-harm, violence or safety in the session that the note does not mention. "
        f"{found} The check can miss things; it does not replace your own reading."
    )


def missing(item: RubricItem, turns: Sequence[int], unsure: bool = False) -> str:
    """ "No history yet. Turns 8, 21 and 40 may help." """
    plain = _MISSING.get(item.id, f"No {inside(item.name)} yet.")
    said = f"{item.name}: not recognised in the note." if unsure else plain
    return f"{said} {turn_list(turns)} may help." if turns else said


def item_note(verdict: ItemVerdict, state: ItemState, sentences: int) -> str:
    """The short remark at the right of a checklist row."""
    if state is ItemState.COVERED:
        return counted(sentences, "sentence") if sentences else ""
    if state is ItemState.MISSING:
        turns = f"{counted(len(verdict.suggested_turns), 'turn')} → add" if verdict.suggested_turns else ""
        mandatory = "mandatory" if verdict.importance is Importance.MANDATORY else ""
        return " · ".join(part for part in (mandatory, turns) if part)
    return state.value


def how_sure(confidence: Confidence | None) -> str:
    return f"Confidence: {CONFIDENCE_NAMES[confidence]}" if confidence else ""


def how_sure_of_claim(claim: ClaimVerdict) -> str:
    """Of a claim that was judged without a probability, too."""
    return how_sure(claim.confidence) or ("Confidence: not known" if claim.verdict else "")


def model_is_so_sure(confidence: Confidence | None) -> str:
    """Many servers do not tell how likely an answer is, and nothing else says how sure a model is."""
    return f"confidence: {CONFIDENCE_NAMES[confidence] if confidence else 'not known'}"


def probability_of_item(verdict: ItemVerdict) -> str:
    return _probability(verdict.probability, "a therapist would mark this item as present")


def probability_of_need(verdict: NeedVerdict) -> str:
    return _probability(verdict.probability, "a therapist would match this sentence to a checklist item")


def probability_of_claim(verdict: ClaimVerdict) -> str:
    if verdict.verdict and verdict.probability is None and verdict.confidence is None:
        return "The model gave no probability for this."
    return _probability(verdict.probability, "a therapist who reads the transcript would call this faithful")


def _probability(value: float | None, what: str) -> str:
    return f"Estimated probability that {what}: {percent(value)}" if value is not None else ""


def turns_not_in_the_note(turns: list[int]) -> str:
    """ "turn 12 is not in the note." """
    own = sorted(set(turns))
    return f"{transcript.turn_list(own)} {are(len(own))} not in the note."


def decided(reason: str) -> str:
    """Of a finding that was answered with ``reason``; "Attested" is what earlier versions wrote."""
    return "Confirmed by you" if reason.startswith(("Confirmed", "Attested")) else "Dismissed by you"


def incomplete(evaluation: Evaluation) -> str:
    said = unjudged(evaluation)
    return said if not_english(evaluation) else f"The check did not finish. {said}"
