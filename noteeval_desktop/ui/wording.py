"""What the window says, as pure functions. It talks about the note, never about the person who wrote it."""

from __future__ import annotations

from collections.abc import Sequence

from noteeval_desktop.domain import transcript
from noteeval_desktop.domain.evaluation import DimensionScore, Evaluation, FaithfulnessScore, Usage
from noteeval_desktop.domain.findings import ItemState
from noteeval_desktop.domain.phrases import are, counted, duration, inside, percent, sentence
from noteeval_desktop.domain.rubric import Importance, RubricItem
from noteeval_desktop.domain.transcript import Role
from noteeval_desktop.domain.verdicts import (
    ClaimVerdict,
    Confidence,
    ItemVerdict,
    NeedVerdict,
    Verdict,
)
from noteeval_desktop.evaluate import Progress, Question
from noteeval_desktop.report.names import CONFIDENCE_NAMES
from noteeval_desktop.report.problems import not_english, unjudged
from noteeval_desktop.ui.widgets.plain import shortened

ROLE_NAMES = {Role.THERAPIST: "Therapist", Role.CLIENT: "Client", Role.OTHER: "Other"}
PART_NAMES = {
    "therapist": "Therapist",
    "client": "Client",
    "partner": "Partner",
    "parent": "Parent",
    "child": "Child",
    "interpreter": "Interpreter",
    "other": "Other",
}
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
ATTESTED = "Confirmed: seen in the session."
DISMISSALS = ("Correct as written", "Not relevant here", "Documented elsewhere", "The check is wrong")
DRAFT_UNGUARDED = (
    "A draft of this case is saved while you write. This computer has no keychain to protect it: anyone "
    "who can open your files can read the draft. Keep the case in the library to protect it with a "
    "passphrase."
)

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
_WORK = {
    Question.RISK: "Checking for risk",
    Question.COVER: "Checking the checklist",
    Question.NEED: "Checking which sentences are needed",
    Question.SUPPORT: "Comparing each claim with the session",
    Question.OMIT: "Checking for what is left out",
    Question.RESPOND: "Checking the therapist's responses",
}


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


def turn_number(index: int) -> str:
    return str(transcript.turn_number(index))


def turn_list(turns: Sequence[int]) -> str:
    """ "Turns 8, 21 and 40"."""
    return sentence(transcript.turn_list(turns))


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


def probability_of_item(verdict: ItemVerdict) -> str:
    return _probability(verdict.probability, "a therapist would mark this item as present")


def probability_of_need(verdict: NeedVerdict) -> str:
    return _probability(verdict.probability, "a therapist would match this sentence to a checklist item")


def probability_of_claim(verdict: ClaimVerdict) -> str:
    return _probability(verdict.probability, "a therapist who reads the transcript would call this faithful")


def _probability(value: float | None, what: str) -> str:
    return f"Estimated probability that {what}: {percent(value)}" if value is not None else ""


def checked(usage: Usage) -> str:
    """ "Checked in 0.8 s on this computer · nothing sent"."""
    where = "on this computer" if not usage.bytes_sent else "online"
    return f"Checked in {usage.seconds:.1f} s {where} · {sent(usage)}"


def sent(usage: Usage) -> str:
    return f"{usage.bytes_sent:,} bytes sent" if usage.bytes_sent else "nothing sent"


def working(progress: Progress, seconds_left: float | None) -> str:
    said = _WORK[progress.question]
    if progress.total:
        said += f" · {progress.done} of {progress.total}"
    if seconds_left is not None and seconds_left >= 1:
        said += f" · about {duration(seconds_left)} left"
    return said


def turns_not_in_the_note(turns: list[int]) -> str:
    """ "turn 12 is not in the note." """
    own = sorted(set(turns))
    return f"{transcript.turn_list(own)} {are(len(own))} not in the note."


def place(index: int | None, count: int) -> str:
    """ "3 of 9", or how many there are when none is chosen."""
    if not count:
        return "Nothing to fix"
    if index is None:
        return counted(count, "finding")
    return f"{index + 1} of {count}"


def dismissed(reason: str) -> str:
    return f"Dismissed: {inside(reason)}."


def decided(reason: str) -> str:
    """Of a finding that was answered with ``reason``; "Attested" is what earlier versions wrote."""
    return "Confirmed by you" if reason.startswith(("Confirmed", "Attested")) else "Dismissed by you"


def incomplete(evaluation: Evaluation) -> str:
    said = unjudged(evaluation)
    return said if not_english(evaluation) else f"The check did not finish. {said}"


def draft_sentence(item: RubricItem | None, quote: str, turn: int) -> str:
    """A sentence to finish, with the words that it would rest on."""
    about = f"{item.name}: " if item else ""
    return f"{about}“{shortened(quote, 200)}” (turn {turn_number(turn)}) [finish this sentence]"
