"""What is said while a check runs and after it: what goes on, what it used, what could not be judged."""

from __future__ import annotations

from statistics import fmean
from urllib.parse import urlsplit

from noteeval_desktop.domain.evaluation import LOCAL, REMOTE, Evaluation, Usage
from noteeval_desktop.domain.phrases import counted, duration, sentence, tr
from noteeval_desktop.engines import loopback
from noteeval_desktop.evaluate import Progress, Question
from noteeval_desktop.settings import Settings
from noteeval_desktop.ui.case.engaged import Marks
from noteeval_desktop.ui.widgets.plain import shortened

_WORK = {
    Question.RISK: tr("Checking for risk"),
    Question.COVER: tr("Checking the checklist"),
    Question.NEED: tr("Checking which sentences are needed"),
    Question.SUPPORT: tr("Comparing each statement with the session"),
    Question.OMIT: tr("Checking for what is left out"),
    Question.PLAN: tr("Looking for the goals of the treatment plan"),
    Question.PRIVATE: tr("Looking for what does not belong in the record"),
    Question.RESPOND: tr("Checking the therapist's responses"),
}
# As the pipeline says it of questions that were asked and not answered, and of a model that was asked on top.
_GAP = "could not be judged"
_ON_TOP = " (second look)"


def answers_here(settings: Settings) -> bool:
    """Is the server one on this computer?"""
    return loopback.on_this_computer(settings.base_url, settings.remote_model)


def host(address: str) -> str:
    return urlsplit(address).netloc or address


def working(progress: Progress, engine_seconds: float | None = None) -> str:
    """Time left from the pace of the answers, or of the engine before there are any."""
    said = _WORK[progress.question]
    if progress.again:
        said = tr("Language model: {work}").format(work=f"{said[0].lower()}{said[1:]}")
    if progress.total:
        said = tr("{work} · {done} of {total}").format(work=said, done=progress.done, total=progress.total)
    left = progress.seconds_left if progress.seconds_left is not None else engine_seconds
    return tr("{work} · about {time} left").format(work=said, time=duration(left)) if left and left >= 1 else said


def testing(done: int, total: int) -> str:
    number = min(done + 1, total)
    return tr("First use of this model: test question {number} of {total}").format(number=number, total=total)


def checked(evaluation: Evaluation, stopped: bool = False, *, here: bool = False) -> str:
    """The status line after a check: who, where, what it took. An unknown cost stays unknown. ``here``: whoever was
    asked answers on this computer, so that nothing left it."""
    usage, judge = evaluation.usage, evaluation.judge
    if judge.kind not in (LOCAL, REMOTE):
        time = f"{max(usage.seconds, 0.1):.1f}"
        return tr("Checked in {time} s on this computer · {sent}").format(time=time, sent=_sent(usage))
    here = here or judge.kind == LOCAL
    did = tr("Stopped after {time} {where} by {judge}") if stopped else tr("Checked in {time} {where} by {judge}")
    where = tr("on this computer") if here else tr("online")
    parts = [did.format(time=duration(usage.seconds), where=where, judge=shortened(judge.model, 40))]
    missing = _unjudged(evaluation)
    left = [tr("{missing} not checked").format(missing=missing)] if missing else []
    return " · ".join([*parts, *used(usage, here), *left])


def _sent(usage: Usage) -> str:
    return tr("{bytes:,} bytes sent").format(bytes=usage.bytes_sent) if usage.bytes_sent else tr("nothing sent")


def used(usage: Usage, here: bool) -> list[str]:
    """What matters most first: a narrow window shows only the beginning."""
    tokens = tr("{read:,} tokens read, {written:,} written").format(
        read=usage.input_tokens, written=usage.output_tokens
    )
    if usage.cached_tokens:
        tokens += tr(" ({again:,} sent again at a lower price)").format(again=usage.cached_tokens)
    cost = tr("cost unknown") if usage.cost is None else tr("cost {cost}").format(cost=money(usage.cost))
    return [
        tr("nothing sent") if here else _sent(usage),
        *([] if here else [cost]),
        counted(usage.calls, "call"),
        tokens,
    ]


def money(amount: float) -> str:
    return f"{amount:.2f}" if amount >= 1 else f"{amount:.4f}"


def _unjudged(evaluation: Evaluation) -> int:
    """Answers that did not come or could not be used."""
    sentences = evaluation.sentences
    return (
        sum(item.present is None for item in evaluation.checklist)
        + sum(s.need is not None and s.need.needed is None for s in sentences)
        + sum(s.claim is not None and s.claim.verdict is None for s in sentences)
        + sum(all(score is None for _, score in r.scores) for r in evaluation.responses or ())
    )


def outcome(evaluation: Evaluation) -> str:
    """For the banner; empty when all went well. What failed for every question in one way is said once."""
    gaps = [problem for problem in evaluation.problems if _GAP in problem]
    failures = [problem.partition(": ")[2] or problem for problem in evaluation.problems if problem not in gaps]
    said = []
    if failures:
        why = " ".join(_without_what_others_say(text, failures).rstrip(".") + "." for text in dict.fromkeys(failures))
        said.append(tr("The check did not finish: {why}").format(why=why))
    by_reason: dict[str, list[str]] = {}
    for gap in gaps:
        what, _, reason = gap.replace(_ON_TOP, "").partition(f" {_GAP}")
        reason = reason.removeprefix(": ").removeprefix("Not checked: ").rstrip(".")
        what = what.removeprefix("omissions: ").replace(f"{Question.SUPPORT}: ", tr("statements: "))
        by_reason.setdefault(reason, []).append(what)
    for reason, places in by_reason.items():
        where = sentence(tr("{places} got no usable answer").format(places=", ".join(places)))
        alone = reason and not any(reason in failure for failure in failures)
        said.append(f"{where}: {reason}." if alone else f"{where}.")
    if not gaps:
        return " ".join(said)
    # The quick check's answer stands where a model was asked on top.
    only = [gap for gap in gaps if _ON_TOP not in gap]
    if any(gap.startswith((Question.COVER, Question.NEED)) for gap in only):
        said.append(tr("Such items and sentences count as not covered or not needed; “Check again” asks again."))
    elif only:
        said.append(tr("They are not scored; “Check again” asks again."))
    else:
        said.append(tr("The quick check's answer stands there; “Check again” asks again."))
    return " ".join(said)


def _without_what_others_say(text: str, failures: list[str]) -> str:
    """Without its reason, which is behind a colon, where another failure has that too."""
    what, _, reason = text.partition(": ")
    return what if reason and any(reason in other for other in failures if other != text) else text


def marks(given: Marks) -> str:
    """ "Ratings from 1 to 5: completeness 3.5, conciseness 4, faithfulness 5 (means of the sections), acceptance 4" """
    by_name: dict[str, list[int]] = {}
    for rating in given.ratings:
        for name, mark in rating.marks.items():
            by_name.setdefault(name, []).append(mark)
    sections = [f"{name} {fmean(found):.3g}" for name, found in by_name.items() if name != "acceptance"]
    whole = [tr("acceptance {found}").format(found=found[0]) for name, found in by_name.items() if name == "acceptance"]
    if sections:
        sections[-1] += tr(" (means of the sections)")
    said = [tr("Ratings from 1 to 5: {names}.").format(names=", ".join(sections + whole))] if by_name else []
    missing = sum(not rating.marks for rating in given.ratings)
    if given.problem:
        what = (
            tr("Ratings")
            if not by_name
            else tr("{missing} of {count} ratings").format(missing=missing, count=len(given.ratings))
            if missing
            else tr("Some ratings")
        )
        said.append(tr("{what} were not given: {problem}.").format(what=what, problem=given.problem.rstrip(".")))
    return " ".join(said)
