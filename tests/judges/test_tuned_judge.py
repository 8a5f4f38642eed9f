"""The built-in judge with thresholds of a practice's own, over the real encoder and heads."""

from __future__ import annotations

import threading
from contextlib import ExitStack
from typing import Any

from noteeval_desktop.domain.thresholds import Thresholds, tuned_as
from noteeval_desktop.domain.verdicts import Verdict
from noteeval_desktop.evaluate import evaluate, final
from noteeval_desktop.judges import making
from noteeval_desktop.report.fingerprints import fingerprints_of
from tests.sample_evaluation import sample_case, sample_rubric

NEVER = threading.Event()


def test_a_tuned_judge_says_so_on_the_scorecard_and_goes_back_without_a_trace(lent_encoder: None) -> None:
    case, tuned = sample_case(), Thresholds(0.75, 0.75, 0.75)
    with ExitStack() as closing:
        judge: Any = making.builtin_judge(sample_rubric(), closing, threads=1)
        before = final(evaluate(case, judge)).evaluation
        judge.tune(tuned)
        during = final(evaluate(case, judge)).evaluation
        judge.tune(Thresholds())
        after = final(evaluate(case, judge)).evaluation
    assert tuned_as(fingerprints_of(during).version) == tuned
    assert fingerprints_of(after) == fingerprints_of(before)
    assert during.scores.completeness.done < before.scores.completeness.done
    supported = [
        sum(one.claim is not None and one.claim.verdict is Verdict.SUPPORTED for one in each.sentences)
        for each in (before, during)
    ]
    assert supported[1] < supported[0]
    assert [risk.kind for risk in during.risks or ()] == [risk.kind for risk in before.risks or ()]
