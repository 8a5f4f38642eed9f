"""What of an evaluation was not judged, in words: each part and each reason once."""

from __future__ import annotations

import re

from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.phrases import tr

_PARTS = {
    "risks": tr("risk"),
    "checklist": tr("the checklist"),
    "sentences": tr("sentences"),
    "claims": tr("statements"),
    "omissions": tr("what is left out"),
    "goals": tr("the treatment plan"),
    "private": tr("what to leave out of the record"),
    "responses": tr("responses"),
}
# As the pipeline counts answers that hold no value.
_SOME = re.compile(r"(?P<open>\d+) of (?P<all>\d+) could not be judged(?:: )?")


def not_english(evaluation: Evaluation) -> bool:
    """Was all that is missing left out because the built-in judge does not read its language?"""
    return evaluation.judge.kind == "builtin" and all("English" in problem for problem in evaluation.problems)


def unjudged(evaluation: Evaluation) -> str:
    """Empty where all was judged."""
    parts, reasons = [], []
    for problem in evaluation.problems:
        part, reason = _parted(problem)
        parts += [part] if part else []
        reasons.append(f"{reason.rstrip('.')}." if reason else "")
    listed = tr("Not checked: {parts}.").format(parts=", ".join(parts)) if parts else ""
    why = [tr("The built-in judge reads English only.")] if parts and not_english(evaluation) else reasons
    return " ".join(dict.fromkeys(said for said in (listed, *why) if said))


def incomplete(evaluation: Evaluation) -> str:
    """Of a check that judged some of it only; the language is no failure of the check."""
    said = unjudged(evaluation)
    return said if not_english(evaluation) else tr("The check did not finish. {said}").format(said=said)


def _parted(problem: str) -> tuple[str, str]:
    """What was not judged, with its number where it is not all of it, and why."""
    asked, _, reason = problem.partition(": ")
    if asked not in _PARTS:
        return "", problem
    some = _SOME.match(reason)
    if some is None:
        return _PARTS[asked], reason
    if some["open"] == some["all"]:
        return _PARTS[asked], reason[some.end() :]
    part = tr("checklist items") if asked == "checklist" else _PARTS[asked]
    return tr("{open} of {all} {part}").format(open=some["open"], all=some["all"], part=part), reason[some.end() :]
