"""Behaviours are counted once for each transcript, and failing to count leaves the rest as it is."""

from __future__ import annotations

from dataclasses import replace

from noteeval_desktop.domain.evaluation import Evaluation, JudgeIdentity
from noteeval_desktop.domain.scores import score
from noteeval_desktop.judges.builtin.mi import Behaviour, MiCounts
from noteeval_desktop.ui.jobs import JobRunner
from noteeval_desktop.ui.responses.behaviours import BehaviourCounter
from tests.factories import make_case, make_transcript

COUNTS = MiCounts(((Behaviour.OPEN_QUESTION, 2),), 0.5, ())


def evaluation_of(**changes) -> Evaluation:
    return Evaluation(make_case(**changes), JudgeIdentity("scripted", "", "1"), (), (), score((), ()))


def test_a_session_is_counted_once_and_another_one_again(qtbot) -> None:
    jobs, asked, shown = JobRunner(), [], []
    counter = BehaviourCounter(jobs, lambda transcript, cancel: asked.append(transcript) or COUNTS)
    counter.counted.connect(shown.append)
    evaluation = evaluation_of()
    counter.count_in(evaluation)
    qtbot.waitUntil(lambda: COUNTS in shown)
    counter.count_in(replace(evaluation, problems=("the note was edited",)))
    assert len(asked) == 1
    counter.count_in(evaluation_of(transcript=make_transcript((("client", "Other words."),))))
    qtbot.waitUntil(lambda: len(asked) == 2)
    jobs.shut_down()


def test_counts_of_an_earlier_session_do_not_stay_where_a_later_one_fails(qtbot) -> None:
    def fail(transcript, cancel):
        raise ValueError("no heads")

    jobs, shown, said = JobRunner(), [], []
    counter = BehaviourCounter(jobs, fail)
    counter.counted.connect(shown.append)
    counter.failed.connect(said.append)
    counter.count_in(evaluation_of())
    qtbot.waitUntil(lambda: bool(said))
    assert shown == [None]
    assert "ValueError" in said[0]
    assert "no heads" not in said[0]
    jobs.shut_down()
