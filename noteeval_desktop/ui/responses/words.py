"""What the window says about responses, as pure functions. A score is put in words beside its number."""

from __future__ import annotations

from noteeval_desktop.domain.behaviours import Behaviour
from noteeval_desktop.domain.exchanges import Reading, ScoredExchange
from noteeval_desktop.domain.verdicts import Attribute, ResponseVerdict
from noteeval_desktop.report.names import ATTRIBUTE_NAMES
from noteeval_desktop.ui.widgets.plain import native
from noteeval_desktop.ui.widgets.words import turn_list

EACH_FROM_1_POOR_TO_5 = "Each from 1 (poor) to 5 (very good); 3 is fair"
COGNITIVE_SUPPORT_AND_AFFECTIVE = "Cognitive support and affective resonance along the session"
SCORE_AND_COMPARE_ANY_RESPONSES = "Score and compare any responses to a message"
AGREEMENT_ICC_WITH_95_BOOTSTRAP = "Agreement (ICC, with 95 % bootstrap intervals)"
DIFFERENCES_ABOVE_2_POINTS = "Differences above 2 points, for discussion"
PASTE_THE_RATERS_SCORES_ONE_LINE = "Paste the raters' scores, one line for each rater and response."
COMPARE_WITH_THE_JUDGE_TOO = "Compare with the judge too"
COMPARE_THE_RATERS = "Compare the raters"
SCORES_OF_SEVERAL_RATERS = "Scores of several raters, as a table"
NOTHING_SAID = "nothing said"
THE_THERAPISTS_SHARE = "The therapist's share of the words"
A_ROUGH_COUNT = "a rough count"
GOOD_ONES_FIRST = "good ones first"
PRESS_SCORE_WHEN_THE_TEXTS = "Press Score when the texts are ready."
LOAD_A_MESSAGE_AND_ITS_RESPONSES = "Load a message and its responses"
SIDE_BY_SIDE = "Side by side"
SCORE_THE_RESPONSES_NOW_CTRL = f"Score the responses now ({native('Ctrl+Return')})"
ADD_A_RESPONSE = "Add a response"
THE_CLIENT = "The client"
COMPARE_RESPONSES = "Compare responses"
LOAD_A_SET_OF_RESPONSES = "Load a set of responses"
SCORE_THE_SET = "Score the set"
LOAD_A_SET = "Load a set…"


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
    turns = turn_list(exchange.turns)
    followed = f"{turns}: {', '.join(did)}" if did else turns
    followed = followed[:1].upper() + followed[1:]
    if exchange.unanswered:
        return f"Possible danger: please check how it was answered.\n{followed}"
    return f"Possible danger, and it was answered.\n{followed}" if exchange.danger else followed


def left_out(reading: Reading) -> str:
    """ "12, 9 neutral turns left out"."""
    turns = "1 neutral turn" if reading.neutral == 1 else f"{reading.neutral} neutral turns"
    return f"{len(reading.exchanges)}, {turns} left out" if reading.neutral else str(len(reading.exchanges))


def scores_from_1_to_5(said: str) -> str:
    return f"Scores from 1 to 5: {said}"


def show_in_the_session(shortened: str) -> str:
    return f"Show in the session: {shortened}"


def raters_failed(name: str) -> str:
    return f"The raters could not be compared ({name}). Check the table."


def reflections(simple: object, complex: object) -> str:
    return f"{simple} simple · {complex} complex"


def questions(opened: object, closed: object) -> str:
    return f"{opened} open · {closed} closed"


def failed(name: str) -> str:
    return f"That did not work ({name}). Try again."


def responses_scored(counted: str) -> str:
    return f"{counted} scored. Fewest low scores first."


def testing_here(testing: str) -> str:
    return f"{testing}. Close this window to stop."


def set_scored(counted: str) -> str:
    return f"{counted} scored. Most frequent low scores first."


def set_loaded(count: int) -> str:
    return f"{count} responses are loaded. Score the set with the judge in use."
