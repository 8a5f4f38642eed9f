"""What the window says about responses, as pure functions. A score is put in words beside its number."""

from __future__ import annotations

from collections.abc import Sequence

from noteeval_desktop.domain.behaviours import Behaviour
from noteeval_desktop.domain.exchanges import ASKED, HELPED, Reading, ScoredExchange
from noteeval_desktop.domain.phrases import are, counted
from noteeval_desktop.domain.verdicts import Attribute, ResponseVerdict
from noteeval_desktop.present.vocabulary import ATTRIBUTE_NAMES
from noteeval_desktop.ui.widgets.plain import native
from noteeval_desktop.ui.widgets.words import turn_list, turn_number

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
REMOVE_THE_LAST_RESPONSE = "Remove the last"
UNDO_REMOVING = "Undo removing"
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
MOMENTS, EXCHANGES = "Worth rereading", "Every exchange"
BESIDE, OTHERS = "Beside other sessions", "133 demonstration sessions"
COUNTED = "Motivational interviewing"
SOURCE = "Source: AnnoMI"
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
    ASKED: "the danger taken up",
    HELPED: "help in the danger",
    "takes the feeling seriously": "the feeling taken seriously",
    "affirms": "an affirmation",
    "leaves the choice with the client": "the choice left with the client",
}
SCORE_WORDS = {1: "poor", 2: "weak", 3: "fair", 4: "good", 5: "very good"}
CSS, ARS = "Cognitive support", "Affective resonance"
UNDERSTANDING = "Understanding"
VERY_GOOD = "5 very good"
NO_RESPONSE_JUDGED = "No response was judged."
RESTS_ON_THIS = "rests on this"
THE_THERAPIST = "The therapist"
SHOW = "Show"
COMPARE = "Compare…"
NOT_UTF8 = "is not text in UTF-8"
SAVE_AS_UTF8 = "Save it as plain text in UTF-8."
CHECK_THE_PATH = "Check the path."
TOO_LONG = "is longer than a message and its responses can be"
LAST_TURNS_ONLY = "Give the last turns only."
NO_RESPONSE_IN_IT = "holds no message with a response"
NOT_A_MESSAGE = "is not a message with responses"
MESSAGE_EXAMPLE = 'Write {"client": "...", "responses": ["...", "..."]}.'
RANK = "Rank"
LOW_SCORES = "Scores of 3 or less"
MEAN_OF_ALL = "Mean of all six"
GAP = "Gap"
FLAGS = "Flags"
NOTICES = "Notices"
SUGGESTIONS = "Suggestions"
NOTHING_FOUND = "nothing found"
EVIDENCE = "Evidence"
NOT_RANKED = "not ranked"
NOT_JUDGED = "not judged"
THE_RATERS_TABLE = "the table of raters"
EMPTY = "is empty"
NOT_A_TABLE = "cannot be read as a table"
SEPARATE_CELLS = "Put commas, semicolons or tabs between cells."
NAME_RESPONSES = "Name it A, B, ... or 1, 2, ...."
SCORE_RANGE = "Leave a score empty or give 1 to 5."
NOT_DEFINED = "not defined"
HOW_FAR_RATERS_AGREE = "How far the raters agree"
COMPARING = "Comparing…"
NO_DIFFERENCES = "No two raters differ by more than 2 points."
CONSISTENCY = "Consistency, ICC(C,1)"
ABSOLUTE_AGREEMENT = "Absolute agreement, ICC(A,1)"
QUESTIONS = "Questions"
REFLECTIONS = "Reflections"
SCORING = "Scoring…"
WRITE_BOTH = "Write what the client said, and at least one response."
CANNOT_ASK = "Nothing was sent: this judge cannot ask for consent here. Choose a judge on this computer."
NOTHING_SENT_BEFORE = "Nothing is sent before you have seen it and agreed."
WHAT_THE_CLIENT_SAID = "What the client said"
WHAT_THE_CLIENT_SAID_HINT = "What the client said…"
RESPONSES_SIDE_BY_SIDE = "Responses side by side"
LOAD = "Load…"
SCORE = "Score"
A_SET = "A set"
RATERS = "Raters"
MESSAGE_FILES = "Message and responses (*.txt *.md *.json);;All files (*)"
THREE_OR_LESS = "3 or less"
INTERVAL = "95 % interval"
ABOVE_THREE = "Above 3"
MEAN = "Mean"
SPREAD = "Spread"
SET_FORMAT = "A CSV file with the columns context and response, or a JSON list of such objects."
HOW_OFTEN_LOW = "How often each attribute scores 3 or less"
SET_FILES = "Sets (*.csv *.json)"


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
    """ "Cognitive support 4.0 · affective resonance 2.3 · gap +1.7, more fact than feeling"."""
    return f"{CSS} {mean_words(verdict.css)} · {ARS.lower()} {mean_words(verdict.ars)} · {gap_words(verdict)}"


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
    credited = [said for comment, said in CREDITED.items() if comment in evidence and not exchange.unsafe]
    did = [*credited, *(DID[behaviour] for behaviour in exchange.did)][:4]
    turns = turn_list(exchange.turns)
    followed = f"{turns}: {', '.join(did)}" if did else turns
    followed = followed[:1].upper() + followed[1:]
    return f"{exchange.headline}\n{followed}" if exchange.danger else followed


def left_out(reading: Reading) -> str:
    """ "12, 9 neutral turns left out"."""
    return (
        f"{len(reading.exchanges)}, {counted(reading.neutral, 'neutral turn')} left out"
        if reading.neutral
        else str(len(reading.exchanges))
    )


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


def responses_scored(said: str) -> str:
    return f"{said} scored. Fewest low scores first."


def testing_here(testing: str) -> str:
    return f"{testing}. Close this window to stop."


def set_scored(said: str) -> str:
    return f"{said} scored. Most frequent low scores first."


def set_loaded(count: int) -> str:
    return f"{counted(count, 'response')} {are(count)} loaded. Score the set with the judge in use."


def chart_said(
    turns: Sequence[int],
    css: tuple[float, float],
    ars: tuple[float, float],
    widest: tuple[int, float],
    flagged: int,
) -> str:
    """The chart for those who do not see it; ``widest`` is the turn with the widest gap, and the gap."""
    return (
        f"{counted(len(turns), 'response')}, turns {turn_number(turns[0])} to {turn_number(turns[-1])}. "
        f"{CSS} from {css[0]:.1f} to {css[1]:.1f}, {ARS.lower()} from {ars[0]:.1f} to {ars[1]:.1f}, of 5. "
        f"The widest gap is {widest[1]:+.1f} at turn {turn_number(widest[0])}; {counted(flagged, 'turn')} "
        f"{are(flagged, 'has', 'have')} a gap that is flagged. Left and Right go from turn to turn, Enter shows it."
    )


def point_said(turn: int, css: float, ars: float) -> str:
    return f"Turn {turn_number(turn)}: {CSS.lower()} {css:.1f}, {ARS.lower()} {ars:.1f}, gap {css - ars:+.1f}"


def figure_between(value: float, low: float, high: float) -> str:
    return f"{value:.2f} ({low:.2f} to {high:.2f})"


def exchange(turns: str) -> str:
    return f"Exchange, {turns}"


def not_readable(reason: str | None) -> str:
    return f"cannot be read ({reason})"


def put_a_line(separator: str) -> str:
    return f"Put a line of {separator} between the two."


def rank(rank: int, among: int) -> str:
    return f"{rank} of {among}"


def paste_lines(columns: str) -> str:
    return f"Paste lines of {columns}."


def no_column(name: str) -> str:
    return f"has no column named {name}"


def first_line(columns: str) -> str:
    return f"The first line names {columns}."


def which_response(line: int) -> str:
    return f"does not say which response line {line} is about"


def score_out_of_range(line: int) -> str:
    return f"has a score other than 1 to 5 in line {line}"


def intervals_from(fewest: int) -> str:
    return f"Intervals are shown from {fewest} responses on that every rater scored."


def raters(count: int, names: str, few: str) -> str:
    return f"{count} raters: {names}.{few}"


def removed(letter: str) -> str:
    return f"Response {letter} was removed. “{UNDO_REMOVING}” brings it back."


def response(letter: str) -> str:
    return f"Response {letter}"


def response_hint(letter: str) -> str:
    return f"Response {letter}…"


def share_between(low: str, high: str) -> str:
    return f"{low} to {high}"


def table_example(columns: str) -> str:
    return f"{columns}\nKim,A,4,4,5,3,4,3"
