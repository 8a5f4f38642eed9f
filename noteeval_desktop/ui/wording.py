"""What the window says, as pure functions. It talks about the note, never about the person who wrote it."""

from __future__ import annotations

from collections.abc import Sequence

from noteeval_desktop.domain import transcript
from noteeval_desktop.domain.evaluation import DimensionScore, Evaluation, FaithfulnessScore, Usage
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
    Importance.CONDITIONAL: "where it applies",
    Importance.RECOMMENDED: "recommended",
}
CONFIDENCE_NAMES = {Confidence.SURE: "sure", Confidence.LIKELY: "likely", Confidence.UNSURE: "unsure"}
VERDICT_NAMES = {
    Verdict.SUPPORTED: "The session says so",
    Verdict.CONTRADICTED: "The session says otherwise",
    Verdict.UNSUPPORTED: "Not found in the session",
    Verdict.OBSERVED: "Only someone in the room can know this",
}
ATTESTED = "Attested: seen in the session."
DISMISSALS = ("Correct as written", "Not relevant here", "Documented elsewhere", "The check is mistaken")
DRAFT_UNGUARDED = (
    "A draft of this case is kept while you write. This computer has no keychain to protect it: whoever can open your "
    "files can read the draft. Keep the case in the library to protect it with a passphrase."
)

_MISSING = {
    "subjective-goals": "No client goals yet.",
    "subjective-homework": "No review of homework yet.",
    "subjective-quotes": "No words of the client quoted yet.",
    "objective-behavior": "No observed behaviour yet.",
    "plan-follow-up": "No next session or referral yet.",
    "plan-adjustment": "No adjustment of the treatment noted.",
    "general-safety": "Safety is not addressed yet.",
    "general-culture": "Culture and identity are not taken up yet.",
    "general-professionalism": "Some wording may not read as professional.",
}
_WORK = {
    Question.RISK: "Looking for passages on risk",
    Question.COVER: "Going through the rubric",
    Question.NEED: "Weighing the sentences",
    Question.SUPPORT: "Looking for each claim in the session",
    Question.OMIT: "Looking for what is left out",
    Question.RESPOND: "Reading the therapist's responses",
}


def percent(share: float) -> str:
    return f"{round(100 * share)} %"


def completeness(score: DimensionScore) -> str:
    return f"{score.done} of {score.total} covered{_open(score)}" if score.total else "Checklist: not checked"


def conciseness(score: DimensionScore) -> str:
    if score.note is None:
        return "Sentences: not checked"
    return f"{percent(score.note)} of sentences needed{_open(score)}"


def faithfulness(score: FaithfulnessScore) -> str:
    if not score.total:
        return "No claim to compare" if score.observed else "Claims: not checked"
    return f"{score.done} of {score.total} claims supported{_open(score)}"


def _open(score: DimensionScore) -> str:
    return f" · {score.unjudged} not checked" if score.unjudged else ""


def risk(count: int | None, wrong: int) -> str:
    """``count``: risk statements of the session that the note leaves out; None when not judged. ``wrong``: the note's
    own that the session contradicts."""
    if not count and wrong:
        return f"Risk told wrongly: {wrong}"
    if count is None:
        return "Risk: not checked"
    left_out = f"Risk left out: {count}" if count else "No risk left out"
    return f"{left_out} · told wrongly: {wrong}" if wrong else left_out


def change(before: float | None, after: float | None) -> str:
    """``▲3``, ``▼1``, or nothing when equal or unknown."""
    if before is None or after is None or round(before) == round(after):
        return ""
    return f"{'▲' if after > before else '▼'}{abs(round(after) - round(before))}"


def explain_completeness(score: DimensionScore) -> str:
    return (
        "How much of what the rubric asks for is in the note: rubric items covered, out of the "
        f"{score.total} that belong to the four sections. The general items (safety, culture, wording) are shown "
        f"beside the number, not in it.{_counted_as(score, 'not covered')}"
    )


def explain_conciseness(score: DimensionScore) -> str:
    return (
        "How many sentences earn their place: those that serve at least one rubric item of their section "
        f"({score.done}), out of all {score.total}. A sentence marked as not needed is a suggestion to look, "
        f"not an order to cut.{_counted_as(score, 'not needed')}"
    )


def _counted_as(score: DimensionScore, what: str) -> str:
    if not score.unjudged:
        return ""
    return f" {score.unjudged} could not be checked and {'counts' if score.unjudged == 1 else 'count'} as {what}."


def explain_faithfulness(score: FaithfulnessScore) -> str:
    published = (
        f" The published definition counts them as errors: {percent(score.published_definition)}."
        if score.published_definition is not None
        else ""
    )
    unchecked = f" {score.unjudged} could not be checked and are not counted." if score.unjudged else ""
    return (
        f"How many claims the session supports: {score.done} of {score.total}. {score.contradicted} say something "
        f"else than the session, {score.unsupported} are not found in it. {score.observed} can only be known by "
        f"someone in the room and are counted apart.{published}{unchecked}"
    )


def explain_risk(count: int | None, wrong: int) -> str:
    if count is None:
        return "Statements about risk that the session holds and the note leaves out. Not checked."
    found = f"{count} found." if count else "None found."
    if wrong:
        found += f" The session says otherwise than {wrong} of the note's own statements on risk."
    return (
        "Statements about suicide, self-harm, violence or safety in the session that the note does not mention. "
        f"{found} The check can miss things: it does not replace your own reading."
    )


def turn_number(index: int) -> str:
    return str(transcript.turn_number(index))


def turn_list(turns: Sequence[int]) -> str:
    """ "Turns 8, 21 and 40"."""
    listed = transcript.turn_list(turns)
    return listed[:1].upper() + listed[1:]


def missing(item: RubricItem, turns: Sequence[int], unsure: bool = False) -> str:
    """ "No history yet. Turns 8, 21 and 40 may help." """
    name = item.name[:1].lower() + item.name[1:]
    said = f"{item.name} may not be covered yet." if unsure else _MISSING.get(item.id, f"No {name} yet.")
    return f"{said} {turn_list(turns)} may help." if turns else said


def item_state(verdict: ItemVerdict) -> str:
    if verdict.present is None:
        return "not checked"
    if verdict.confidence is Confidence.UNSURE:
        return "unsure"
    return "covered" if verdict.present else "missing"


def item_sign(verdict: ItemVerdict) -> str:
    return {"covered": "✓", "missing": "✗"}.get(item_state(verdict), "?")


def item_note(verdict: ItemVerdict) -> str:
    """The short remark at the right of a checklist row."""
    state = item_state(verdict)
    if state == "covered":
        count = len(verdict.sentences)
        return "" if not count else "1 sentence" if count == 1 else f"{count} sentences"
    if state == "missing":
        count = len(verdict.suggested_turns)
        turns = "" if not count else "1 turn → add" if count == 1 else f"{count} turns → add"
        mandatory = "mandatory" if verdict.importance is Importance.MANDATORY else ""
        return " · ".join(part for part in (mandatory, turns) if part)
    return state


def how_sure(confidence: Confidence | None) -> str:
    return f"How sure: {CONFIDENCE_NAMES[confidence]}" if confidence else ""


def probability_of_item(verdict: ItemVerdict) -> str:
    return _probability(verdict.probability, "a therapist would mark this item as present")


def probability_of_need(verdict: NeedVerdict) -> str:
    return _probability(verdict.probability, "a therapist would give this sentence a rubric item")


def probability_of_claim(verdict: ClaimVerdict) -> str:
    return _probability(verdict.probability, "a therapist who reads the transcript would call this faithful")


def _probability(value: float | None, what: str) -> str:
    return f"Estimated probability that {what}: {percent(value)}" if value is not None else ""


def checked(usage: Usage) -> str:
    """ "Checked in 0.8 s on this computer · 0 bytes sent"."""
    where = "on this computer" if not usage.bytes_sent else "remotely"
    return f"Checked in {usage.seconds:.1f} s {where} · {usage.bytes_sent:,} bytes sent"


def working(progress: Progress, seconds_left: float | None) -> str:
    said = _WORK[progress.question]
    if progress.total:
        said += f" · {progress.done} of {progress.total}"
    if seconds_left is not None and seconds_left >= 1:
        said += f" · about {round(seconds_left)} s left"
    return said


def turns_not_in_the_note(turns: list[int]) -> str:
    """ "turn 12 is not in the note." """
    own = sorted(set(turns))
    return f"{transcript.turn_list(own)} {'is' if len(own) == 1 else 'are'} not in the note."


def place(index: int | None, count: int) -> str:
    """ "3 of 9", or how many there are when none is chosen."""
    if not count:
        return "Nothing to mend"
    if index is None:
        return "1 finding" if count == 1 else f"{count} findings"
    return f"{index + 1} of {count}"


def dismissed(reason: str) -> str:
    return f"Dismissed: {reason[:1].lower()}{reason[1:]}."


def incomplete(evaluation: Evaluation) -> str:
    said = unjudged(evaluation)
    return said if not_english(evaluation) else f"The check did not finish. {said}"


def draft_sentence(item: RubricItem | None, quote: str, turn: int) -> str:
    """A sentence to finish, with the words that it would rest on."""
    about = f"{item.name}: " if item else ""
    return f"{about}“{shortened(quote, 200)}” (turn {turn_number(turn)}) [finish this sentence]"
