"""What is said of the scores, and of how far the judge that gave them agrees with therapists."""

from __future__ import annotations

from collections.abc import Mapping

from noteeval_desktop.domain.evaluation import DimensionScore, FaithfulnessScore, JudgeIdentity
from noteeval_desktop.domain.judge_names import JUDGES
from noteeval_desktop.domain.phrases import are, counted, decimal, listed, percent
from noteeval_desktop.domain.trust import Level
from noteeval_desktop.report.words import CLAIMS_SUPPORTED, figure

AN_ESTIMATE_THAT_CAN_BE_WRONG = "An estimate that can be wrong either way. It reviews the note, not the clinician."
HOW_THIS_WAS_CHECKED = "How this was checked"
BY_THE_PUBLISHED_DEFINITION = "By the published definition"
WEAK = "Grey: on these, judge and therapists often differ. Take a mark as a question."
TRUST = "How far to trust this"
TRUST_TITLE = "How far the judge agrees with therapists"
ABOUT, AGREES, ALPHA, THERAPISTS, PLACES = (
    "About",
    "Agrees",
    "Agreement (95 % interval)",
    "Between therapists",
    "Marked",
)
NOTICED, KIND_OF_ERROR, MADE_WRONG, CALLED_WRONG = (
    "Errors that were made on purpose",
    "Kind of error",
    "Sentences",
    "Called wrong",
)
TRUE_ONES = "True sentences (false alarms)"
TUNED = "Your judge is tuned to your reviews. The published figures are of the judge as it came."
PUBLISHED, OWN_REVIEWS = "In published data", "In your own reviews"
OWN_DATA = "Independent reviews in your library, each mark of a reviewer beside the judge's."
MEANS = {
    Level.STRONG: "The judge and a therapist mostly say the same here.",
    Level.MODERATE: "The judge and a therapist often say the same here, and at times not. Read the evidence.",
    Level.WEAK: "The judge and a therapist often differ here. Take a mark as a question, not as an answer.",
    Level.UNKNOWN: "There are too few examples to say how far the judge agrees with therapists here.",
}
SO_DO_THERAPISTS = "Therapists differ with each other on this, too."
DIMENSIONS = {"completeness": "Checklist", "conciseness": "Sentences needed", "faithfulness": "Statements supported"}
HOW_TO_READ_ALPHA = (
    "1 means always the same, 0 no more than luck. Therapists do not agree wholly with each other either: compare the "
    "two columns. Strong: 0.6 and more. Moderate: 0.4 and more. Not known: too few examples. (Krippendorff's alpha)"
)
COMPLETENESS, CONCISENESS, FAITHFULNESS = "Completeness", "Conciseness", "Faithfulness"
LIMITS = "Limits"
# In the row of scores, which would else be wider than a small screen.
_ANSWERED = "addressed or dismissed"
NOTHING_TO_COUNT = "nothing to count"
OBSERVED_AS_ERRORS = "Counts what only someone in the room can know as errors"


def badge(level: Level) -> str:
    return f"Agrees with therapists: {level.value}"


def measured_with(data: str, version: str) -> str:
    return f"{data} Measured with version {version} of the judge."


def share(value: float | None) -> str:
    return "–" if value is None else percent(value)


def interval(value: float | None, low: float | None, high: float | None) -> str:
    if value is None:
        return "–"
    return decimal(value) + ("" if low is None or high is None else f" ({decimal(low)} to {decimal(high)})")


def completeness(score: DimensionScore) -> str:
    return f"{figure(score)} covered{_open(score)}" if score.total else "Checklist: not checked"


def conciseness(score: DimensionScore) -> str:
    if score.note is None:
        return "Sentences: not checked"
    return f"{percent(score.note)} of sentences needed{_open(score)}"


def faithfulness(score: FaithfulnessScore) -> str:
    if not score.total:
        return "No statements to compare" if score.observed else "Statements: not checked"
    return f"{figure(score)} {CLAIMS_SUPPORTED}{_open(score)}"


def _open(score: DimensionScore) -> str:
    return f" · {score.unjudged} not checked" if score.unjudged else ""


def risk(count: int | None, wrong: int, answered: Mapping[str, int], possible: int = 0) -> str:
    """``count``: risk statements of the session that the note leaves out; None when not judged. ``wrong``: the note's
    own that the session does not bear out. ``answered``: what became of the others, and of how many;
    ``possible``: open mentions that may only sound like risk."""
    if count or wrong:
        return open_risk(count, wrong)
    if count is None:
        return "Risk: not checked"
    if possible:
        return f"Possible risk: {possible}"
    others = f"Risk: {sum(answered.values())} {next(iter(answered)) if len(answered) == 1 else _ANSWERED}"
    return others if answered else "No missing risk found"


def open_risk(count: int | None, wrong: int) -> str:
    """ "3 risks missing · 1 to verify", wherever open risk is counted; ``count`` and ``wrong`` as in ``risk``."""
    if not count:
        return f"{counted(wrong, 'risk')} to verify"
    return f"{counted(count, 'risk')} missing" + (f" · {wrong} to verify" if wrong else "")


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


def explain_conciseness(score: DimensionScore, advised: int) -> str:
    """``advised``: as many are suggested to be left out."""
    others = score.total - score.done - score.unjudged
    said = f" Of the other {others}, {advised} may be cut. Keep what is about risk, treatment or the plan."
    return (
        "How many sentences earn their place: those that match at least one checklist item of their section "
        f"({score.done}), out of all {score.total}.{said if others else ''} A sentence marked as not needed is only a "
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
    barely = f" {counted(score.barely, 'statement')} the session may support: please check." if score.barely else ""
    return (
        f"How many statements the session supports: {figure(score)}.{barely} {score.contradicted} "
        f"{are(score.contradicted, 'contradicts', 'contradict')} the session, {score.unsupported} "
        f"{are(score.unsupported)} not found in it. {score.observed} can only be known by someone in the room and "
        f"{are(score.observed)} counted apart.{published}{unchecked}"
    )


def explain_risk(count: int | None, wrong: int, answered: Mapping[str, int], possible: int = 0) -> str:
    if count is None:
        return "Mentions of risk in the session that the note leaves out. Not checked."
    found = [f"{count} found."] if count else [] if answered or possible else ["None found."]
    if possible:
        found.append(f"{counted(possible, 'passage')} may be about risk: read {are(possible, 'it', 'them')}.")
    if answered:
        found.append(f"Answered: {listed(f'{number} {said}' for said, number in answered.items())}.")
    if wrong:
        found.append(f"The session does not bear out {counted(wrong, 'statement')} on risk in the note.")
    return (
        "Statements about suicide, self-harm, violence or safety in the session that the note does not mention. "
        f"{' '.join(found)} The check can miss things; it does not replace your own reading."
    )


def since(before: int, now: int) -> str:
    """What a count was when the case was opened; empty where it has not changed."""
    return f"{before} → {now} since the case was opened. " if before != now else ""


def judge(identity: JudgeIdentity) -> str:
    """ "Local model, qwen3, version 1"; of the built-in judge no name of a file."""
    if identity.kind == "builtin":
        return f"{JUDGES[identity.kind]}, version {identity.version}"
    return f"{JUDGES.get(identity.kind, identity.kind)}, {identity.model}, version {identity.version}"
