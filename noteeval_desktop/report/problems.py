"""What of an evaluation was not judged, in words: each part and each reason once."""

from __future__ import annotations

import re

from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.report import words

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
    listed = words.unjudged_parts(parts) if parts else ""
    why = [words.ENGLISH_ONLY] if parts and not_english(evaluation) else reasons
    return " ".join(dict.fromkeys(said for said in (listed, *why) if said))


def _parted(problem: str) -> tuple[str, str]:
    """What was not judged, with its number where it is not all of it, and why."""
    asked, _, reason = problem.partition(": ")
    if asked not in words.PARTS:
        return "", problem
    some = _SOME.match(reason)
    if some is None:
        return words.PARTS[asked], reason
    partly = some["open"] != some["all"]
    part = f"{words.share_of(some['open'], some['all'])} {words.PARTLY[asked]}" if partly else words.PARTS[asked]
    return part, reason[some.end() :]
