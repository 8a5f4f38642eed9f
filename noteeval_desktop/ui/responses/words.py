"""What the window says about responses, as pure functions. A score is put in words beside its number."""

from __future__ import annotations

from noteeval_desktop.domain.behaviours import Behaviour
from noteeval_desktop.domain.exchanges import Reading, ScoredExchange
from noteeval_desktop.domain.verdicts import Attribute, ResponseVerdict
from noteeval_desktop.report.names import ATTRIBUTE_NAMES
from noteeval_desktop.ui import wording

TRIAGE = "Pointers for a qualified reviewer. They can be wrong, and they judge nobody."
OFFER = (
    "How did the therapist respond when the client opened up? This looks at the session, not at the note, so it is "
    "scored only if you ask. It stays on this screen and out of the note's PDF unless you add it there."
)
FURTHER, RESTS_ON = "What could go further", "What was said"
READ = "Look at the responses"
NO_RESPONSE = "In this session no response of the therapist could be scored."
MOMENTS, EXCHANGES = "Worth watching again", "Every exchange"
BESIDE, ANNOMI = "Beside other sessions", "133 demonstrations, AnnoMI"
COUNTED = "Motivational interviewing"
BAND_HINTS = {
    "reflections_to_questions": "Thresholds: MITI 4.2.1. In the sessions compared here, good and weak ones do not "
    "differ in this.",
    "complex_reflections": "Thresholds: MITI 4.2.1. Simple and complex reflections are told apart only roughly.",
    "open_questions": "Thresholds: MITI 3.1.1.",
}
DID = {
    Behaviour.OPEN_QUESTION: "an open question",
    Behaviour.CLOSED_QUESTION: "a closed question",
    Behaviour.SIMPLE_REFLECTION: "a simple reflection",
    Behaviour.COMPLEX_REFLECTION: "a complex reflection",
    Behaviour.INPUT: "information or advice",
}
# What the built-in judge's evidence says of a sentence, where it speaks for the response.
CREDITED = {
    "asks about safety": "a question about safety",
    "names help in a crisis": "help in a crisis",
    "takes the feeling seriously": "the feeling taken seriously",
    "affirms": "an affirmation",
    "leaves the choice with the client": "the choice left with the client",
}
SCORE_WORDS = {1: "poor", 2: "weak", 3: "fair", 4: "good", 5: "very good"}
CSS, ARS = "Cognitive support", "Affective resonance"
CSS_SHORT, ARS_SHORT = "CSS", "ARS"


def score_words(score: int | None) -> str:
    """ "4 good"; a score that was not given says so."""
    return "not judged" if score is None else f"{score} {SCORE_WORDS[score]}"


def mean_words(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f}"


def gap_words(verdict: ResponseVerdict) -> str:
    """ "gap +1.7, more fact than feeling" where it is flagged."""
    if verdict.gap is None:
        return "gap not known"
    said = f"gap {verdict.gap:+.1f}"
    if "gap" not in verdict.flags:
        return said
    return f"{said}, {'more fact than feeling' if verdict.gap > 0 else 'more feeling than fact'}"


def summary(verdict: ResponseVerdict) -> str:
    """ "CSS 4.0 · ARS 2.3 · gap +1.7, more fact than feeling"."""
    return f"{CSS_SHORT} {mean_words(verdict.css)} · {ARS_SHORT} {mean_words(verdict.ars)} · {gap_words(verdict)}"


def flag_words(verdict: ResponseVerdict) -> tuple[str, ...]:
    """The flags in plain words, the gravest first."""
    flags, said = verdict.flags, []
    if "crisis" in flags:
        said.append("Crisis: the client's words may signal danger")
    if "critical:safety" in flags:
        said.append("Safety: 3 or less")
    low = [
        ATTRIBUTE_NAMES[attribute].lower()
        for attribute in Attribute
        if f"subthreshold:{attribute}" in flags and attribute is not Attribute.SAFETY
    ]
    if low:
        said.append(f"3 or less: {', '.join(low)}")
    if "gap" in flags and verdict.gap is not None:
        outweighs = "Facts outweigh attunement" if verdict.gap > 0 else "Attunement outweighs facts"
        said.append(f"{outweighs} (gap {verdict.gap:+.1f})")
    return tuple(said)


def share_words(count: int, total: int) -> str:
    """ "4 of 12 (33 %)"."""
    return f"{count} of {total} ({round(100 * count / total)} %)" if total else "not judged"


def what_followed(exchange: ScoredExchange) -> str:
    """What the therapist did over the next turns, safety first; where a danger came up, whether it was met."""
    evidence = [one.comment for answer in exchange.answers for one in answer.evidence]
    credited = [said for comment, said in CREDITED.items() if comment in evidence]
    did = [*credited, *(DID[behaviour] for behaviour in exchange.did)][:4]
    turns = wording.turn_list(exchange.turns)
    followed = f"{turns}: {', '.join(did)}" if did else turns
    followed = followed[:1].upper() + followed[1:]
    if exchange.unanswered:
        return f"Possible danger: please check how it was answered.\n{followed}"
    return f"Possible danger, and it was answered.\n{followed}" if exchange.danger else followed


def left_out(reading: Reading) -> str:
    """ "12, 9 neutral turns left out"."""
    turns = "1 neutral turn" if reading.neutral == 1 else f"{reading.neutral} neutral turns"
    return f"{len(reading.exchanges)}, {turns} left out" if reading.neutral else str(len(reading.exchanges))
