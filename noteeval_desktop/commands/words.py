"""What the commands say and ask."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from noteeval_desktop.domain.phrases import counted, share_of

CASES = "Cases"
MEAN = "Mean"
MEDIAN = "Median"
NO_ROUGE = "note: references are not compared: that needs the package rouge-score, in the extra measure."
THE_COMPARISON = "The comparison"
SCORE, METRIC, NOTES = "Score", "Metric", "Notes"
ALL_FACTS = "All facts"
FACTS = "Facts"
CANCELLED = "cancelled; what was judged until then is in the files, marked incomplete."
PDF_PASSWORD = "Password of the PDF"
MARKS = "Marks"
MARKS_TABLE = "Marks, 1 to 5"
NOTE = "Note"
THE_NOTE = "the note"
HOW_TO_GET = "\nTo get one that is suggested: `noteeval models download NAME`."
MODEL, KIND, STATE, SIZE, MEMORY, LICENCE = "Model", "Kind", "State", "Size", "Memory", "Licence"
AN_INPUT = "an input"
A_RESULT = "a result"
STANDARD_INPUT = "standard input"
SCORING = "Scoring responses"
NO_ANSWER = "it gave no answer."
ATTRIBUTE = "Attribute"
THREE_OR_LESS = "3 or less"
INTERVAL = "95 % interval"
ABOVE_THREE = "Above 3"
SPREAD = "Spread"
NOT_JUDGED = "not judged"
NOTHING_SENT = "nothing was sent."
SUSPECTED = "replaced on suspicion"
UNKNOWN = "not recognised and sent as they are"
AS_THEY_ARE = (
    "The address is on this computer: nothing is replaced. Where the program there passes questions on to an online "
    "service, that service gets names too."
)
TEST_QUESTIONS, TESTING = "Test questions on", "Test questions"
AS_EXPECTED = "As expected"


def sent_for_test(questions: int) -> str:
    return f"{questions} questions about two invented sessions are sent: about 25,000 tokens. Nothing of yours is."


NO_SIGNATURE = "no valid signature"
PREPARING, PROVIDER = "Preparing", "Provider"
DOWNLOAD = "models download"
THE_REST_LATER = "what is here already is kept; the same command gets the rest."
THE_LIBRARY = "the library"
TRIAGE = "A guide for qualified reviewers, not a verdict."
RATES = {
    "factual_precision": "Factual precision",
    "factual_recall": "Factual recall",
    "factual_f1": "Factual F1",
    "hallucination_rate": "Hallucination rate",
    "omission_rate": "Omission rate",
    "aggregate": "Aggregate",
}
# A problem and its remedy, for an InputError.
NOT_WITH_NO_CACHE = ("does not go with --no-cache", "Leave one of them out.")
NO_LIBRARY = ("there is none on this computer", "Make one in the app with “Keep this case…” first.")
BUILTIN_ONLY = ("works with the built-in judge only", "Leave it out.")
REMOTE_ONLY = ("works with a remote judge only", "Add --judge remote, or leave it out.")
NO_FOLDER = ("there is no such folder", "Check the path.")
NO_RESULT = ("holds no result of a batch", "Name the folder that you gave as --out-dir.")
TABLE_ALONE = ("is used on its own", "Leave out the notes, or the table.")
LIST_ALONE = ("is used on its own", "Leave out --note, --reference and --transcript, or the list.")
SET_ALONE = ("is used on its own", "Leave out --context and --response.")
NO_REFERENCE = ("needs a note and a reference", "Give --note and --reference, or --pairs.")
ROW_WITHOUT_REFERENCE = ("has no reference", "Fill in the column reference.")
NO_PDF = ("has no PDF to encrypt", "Add --pdf OUT.")
NO_MARKS = ("needs a judge that gives marks", "Add --judge local or --judge remote with its model.")
NEEDS_MODEL = ("needs a model", "Name one of `noteeval models list`, or give --url.")
NO_MODEL_FILE = ("there is no such model file", "Check the path.")
NOT_TO_OUTPUT = ("cannot go to standard output", "Name a file.")
NO_RESPONSE = ("needs a context and a response", "Give --context and --response, or --set.")
BOTH_FROM_INPUT = ("cannot be both the context and the response", "Give one of them as a file.")
INPUT_CLOSED = ("is closed", "Pipe the text in, or give it as a file.")
NOT_UTF8 = ("is not text in UTF-8", "Save it as plain text in UTF-8.")
TOO_LONG = ("is longer than a response and its context can be", "Give the last few turns only.")
NO_TEXT = ("holds no text", "Give what was said.")
_OWN_JSON = "Choose what `noteeval evaluate --json` wrote."
NO_EVALUATION_FILE = ("is not an evaluation", _OWN_JSON)
NOT_JSON = ("is not JSON", _OWN_JSON)
TOO_LARGE = ("is too large for an evaluation", "Choose another file.")
OTHER_QUESTIONS = (
    "has questions to another model, or in other words, that are still with a provider",
    "Use another --out-dir, or delete it.",
)
ANOTHER_RUN = ("is in use: another run sends its questions to the provider", "Wait for it, or use another --out-dir.")
STATE_UNREADABLE = (
    "says what was sent to the provider, and cannot be read",
    "Restore it, or delete it: then all questions are sent, and paid for, again.",
)
NOTHING_CHECKED = ("holds no evaluation", "Choose a case that was checked.")


def cannot_be_used(error: OSError) -> tuple[str, str]:
    return f"cannot be used ({error.strerror})", "Choose another folder."


def cannot_be_read(error: OSError) -> tuple[str, str]:
    return f"cannot be read ({error.strerror})", "Check the path."


def case_unreadable(error: OSError) -> tuple[str, str]:
    return f"cannot be read ({error.strerror})", "Check the path after --case."


def no_row(problem: str) -> tuple[str, str]:
    return f"has no row that can be used ({problem})", "Correct the list."


def unlisted(names: str) -> tuple[str, str]:
    return "is not in the list of models", f"The list has {names}."


def taken(by: str, option: str) -> tuple[str, str]:
    return f"is already {by}", f"Give {option} a file of its own."


def library_locked(variable: str) -> tuple[str, str]:
    return "is locked", f"Set {variable}, or run it in a terminal, which asks."


def encrypted(variable: str) -> tuple[str, str]:
    return "is encrypted", set_or_terminal(variable)


def set_or_terminal(variable: str) -> str:
    return f"Set {variable}, or run it in a terminal."


def file_for(option: str) -> str:
    return f"the file for {option}"


def passphrase_of(what: str) -> str:
    return f"Passphrase of {what}: "


def password_of(name: str) -> str:
    return f"Password of {name}"


def judge_failed(problem: str) -> str:
    return f"the judge failed: {problem}"


IF_IT_IS_RIGHT = "If it is the right one, add --right-session."


def judge_failed_because(said: str) -> str:
    """``said``: whole sentences."""
    return f"the judge failed. {said}"


def judge_failed_on(note: str, problem: str) -> str:
    return f"{note}: {judge_failed(problem)}"


def not_computed(names: Sequence[str], reason: str) -> str:
    return f"not computed: {', '.join(names)}: {reason}."


def mean_of_notes(count: int) -> str:
    return f"Mean of {counted(count, 'note')}"


def marks_of(what: str, problem: str) -> str:
    return f"marks of {what}: {problem}"


def encoder_ready(name: str) -> str:
    return f"The encoder is ready: {name}"


def address_sent(whose: str) -> str:
    return f"note: only the file's address is sent. {whose}"


def downloaded(path: Path) -> str:
    return f"{path.name} is here, and its SHA-256 is right: {path}"


def sha256_of(name: str, digest: str) -> str:
    return f"{name}: SHA-256 {digest}"


def about(gigabytes: str) -> str:
    return f"about {gigabytes} GB"


def not_judged_because(count: int, reason: str) -> str:
    return f"{count} could not be judged: {reason}"


def scored_until(scored: int, asked: int, problem: object) -> str:
    return f"{share_of(scored, asked)} responses were scored: {problem}"


def scored_of(scored: int, asked: int) -> str:
    return f"{share_of(scored, asked)} responses scored. {TRIAGE}"


def previewed(name: str, requests: int) -> str:
    return (
        f"nothing was sent; {name} holds the {counted(requests, 'request')}, one per line. An answer that cannot be "
        "used is requested again, with a line on what was wrong with it."
    )


def these_cases(count: int) -> str:
    return "this case" if count == 1 else f"these {counted(count, 'case')}"


def send_to(what: str, host: str) -> str:
    return f"Send {what} to {host}? [y/N] "


def replaced(names: int, others: int, places: int, cases: int) -> str:
    where = f"in {counted(places, 'place')}" + (f" of {counted(cases, 'case')}" if cases > 1 else "")
    what = f"{counted(names, 'name')} and {counted(others, 'other identifier')}"
    return f"{what} will be replaced, {where}; dates are moved."


def such_words(what: str, words: Sequence[str], more: int) -> str:
    return f"{what}: {', '.join(words)}{f' and {more} more' if more > 0 else ''}."


def mostly_hidden(hidden: int, cases: int) -> str:
    what = "this case" if cases == 1 else f"{hidden} of {counted(cases, 'case')}"
    return (
        f"note: most words of {what} are hidden before sending, as when a session is not in English; "
        "there is little left to judge."
    )


def with_provider(count: int) -> str:
    return (
        f"{counted(count, 'question')} handed to the provider's batch API; answers may take a day. Ctrl+C leaves them "
        "there, and the same command fetches them later."
    )


def ended_early(reason: str) -> str:
    return f"a batch ended early ({reason}); what it answered is used."
