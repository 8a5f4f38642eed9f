from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count

import pytest

from noteeval_desktop.domain.behaviours import Behaviour, MiCounts
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.findings import open_risk, ranked_findings
from noteeval_desktop.domain.note import Section
from noteeval_desktop.domain.risk import RiskFinding, RiskKind, Stance
from noteeval_desktop.domain.rubric import Importance, Rubric, RubricItem
from noteeval_desktop.domain.transcript import cite
from noteeval_desktop.domain.verdicts import ClaimVerdict, ItemVerdict, ResponseVerdict, Verdict
from noteeval_desktop.evaluate import (
    ABOUT_NOTE,
    Finished,
    Judged,
    Memory,
    Progress,
    Question,
    evaluate,
    final,
)
from noteeval_desktop.judges.exchanges import with_reading
from noteeval_desktop.judges.protocol import Exchange
from tests.factories import make_case, make_note
from tests.sample_evaluation import sample_case, sample_judge
from tests.scripted_judge import ScriptedJudge


def test_the_stream_ends_with_one_finished_that_holds_every_verdict() -> None:
    case = sample_case()
    events = list(evaluate(case, sample_judge(case)))
    assert [type(event) for event in events].count(Finished) == 1
    end = events[-1]
    assert isinstance(end, Finished)
    judged = [event for event in events if isinstance(event, Judged)]
    evaluation = end.evaluation
    given = len(evaluation.checklist) + 2 * len(evaluation.sentences)
    assert evaluation.reading is not None
    assert len(judged) == given + 1 + sum(
        map(len, (evaluation.omissions or (), evaluation.responses or (), evaluation.risks or ()))
    )
    assert evaluation.complete


def test_every_question_reports_from_none_to_all() -> None:
    case = sample_case()
    progress = [event for event in evaluate(case, sample_judge(case)) if isinstance(event, Progress)]
    for question in Question:
        own = [event.done for event in progress if event.question is question]
        assert own == list(range(len(own)))


def test_the_time_left_counts_what_is_still_to_come() -> None:
    case = make_case()
    claims = [ClaimVerdict(s.id, Verdict.SUPPORTED) for s in case.note.sentences]
    ticks = count()
    events = evaluate(case, ScriptedJudge(claims=claims), (Question.SUPPORT,), clock=lambda: float(next(ticks)))
    left = [event.seconds_left for event in events if isinstance(event, Progress)]
    assert left[0] is None
    assert [round(seconds, 6) for seconds in left[1:] if seconds is not None] == [4.0, 3.0, 2.0, 1.0, 0.0]


def test_counts_of_what_the_therapist_does_come_with_the_responses_and_are_none_of_them() -> None:
    case, memory = sample_case(), Memory()
    judge = replace(sample_judge(case), counts=MiCounts(((Behaviour.OPEN_QUESTION, 2),), 0.5, ()))
    for _ in range(2):
        events = list(evaluate(case, judge, (Question.RESPOND,), memory=memory))
        assert isinstance(events[-1], Finished)
        assert events[-1].evaluation.behaviours == judge.counts
        done = [event.done for event in events if isinstance(event, Progress)]
        assert done == list(range(len(events[-1].evaluation.responses or ()) + 1))
    assert final(evaluate(case, judge, (Question.COVER,))).evaluation.behaviours is None


class WithRubric(ScriptedJudge):
    rubric = Rubric(
        "Four items",
        "1",
        tuple(RubricItem(f"plan-{n}", Section.PLAN, Importance.MANDATORY, f"Item {n}", "Any.") for n in range(4)),
    )


@pytest.mark.parametrize(("answered", "score"), [(0, (0, 0)), (1, (1, 4)), (3, (3, 4))])
def test_a_judge_that_fails_half_way_is_scored_over_the_whole_rubric(answered: int, score: tuple[int, int]) -> None:
    items = [ItemVerdict(item.id, Section.PLAN, Importance.MANDATORY, True) for item in WithRubric.rubric.items]
    judge = WithRubric(items=items, failure="The endpoint is gone.", fail_after=answered)
    found = final(evaluate(make_case(), judge, (Question.COVER,))).evaluation
    assert (found.scores.completeness.done, found.scores.completeness.total) == score
    assert found.problems == ("checklist: The endpoint is gone.",)


@pytest.mark.parametrize("after", [0, 3, 30, 60])
def test_cancelling_keeps_what_was_judged(after: int) -> None:
    case, cancel, seen = sample_case(), threading.Event(), 0
    end = None
    for event in evaluate(case, sample_judge(case), cancel=cancel):
        if isinstance(event, Judged):
            seen += 1
            if seen > after:
                cancel.set()
        if isinstance(event, Finished):
            end = event
    assert end is not None
    assert end.cancelled
    assert not end.evaluation.complete
    assert seen == after + 1


def test_a_judge_that_fails_becomes_no_score() -> None:
    case = sample_case()
    end = final(evaluate(case, replace(sample_judge(case), failure="The model stopped.", fail_after=30)))
    assert not end.cancelled
    assert not end.evaluation.complete
    assert end.evaluation.problems[0] == "sentences: The model stopped."
    assert end.evaluation.scores.faithfulness.note is None
    assert end.evaluation.omissions is None


def test_answers_without_a_value_make_it_incomplete_and_are_counted_with_their_reason() -> None:
    case = make_case()
    claims = [ClaimVerdict(s.id, Verdict.SUPPORTED) for s in case.note.sentences]
    claims[1] = ClaimVerdict(claims[1].sentence, None, rationale="Not checked: no answer.")
    evaluation = final(evaluate(case, ScriptedJudge(claims=claims))).evaluation
    assert not evaluation.complete
    assert evaluation.problems == ("claims: 1 of 5 could not be judged: Not checked: no answer.",)
    aside = [*claims[:1], replace(claims[1], set_aside=True), *claims[2:]]
    assert final(evaluate(case, ScriptedJudge(claims=aside))).evaluation.complete


def test_an_item_that_the_ledger_of_risks_decides_is_not_counted_among_those_not_judged() -> None:
    case = make_case()
    risk = RiskFinding((3,), cite(case.transcript.turns[3]), RiskKind.SUICIDE, Stance.CURRENT)
    refused = ItemVerdict("general-safety", None, Importance.MANDATORY, None, rationale="Not checked: refused.")
    items = [refused, replace(refused, item="general-professionalism")]
    evaluation = final(evaluate(case, ScriptedJudge(items=items, dangers=[risk]))).evaluation
    assert [item.present for item in evaluation.checklist] == [False, None]
    assert evaluation.problems == ("checklist: 1 of 2 could not be judged: Not checked: refused.",)


def test_a_danger_that_the_note_does_not_answer_makes_the_item_on_safety_missing() -> None:
    case = make_case()
    risk = RiskFinding((3,), cite(case.transcript.turns[3]), RiskKind.SUICIDE, Stance.CURRENT)
    safety = ItemVerdict("general-safety", None, Importance.MANDATORY, True, rationale="The note addresses safety.")

    def judged(found: RiskFinding, present: bool) -> Evaluation:
        judge = ScriptedJudge(items=[replace(safety, present=present)], dangers=[found])
        return final(evaluate(case, judge)).evaluation

    (item,) = judged(risk, present=True).checklist
    assert (item.present, item.suggested_turns) == (False, (3,))
    assert "Suicide" in item.rationale
    (item,) = judged(replace(risk, addressed_by=("s2",)), present=False).checklist
    assert (item.present, item.sentences) == (True, ("s2",))
    # What is warned of in red makes the item missing, a denial that the note does not mention included.
    (item,) = judged(replace(risk, stance=Stance.DENIED), present=True).checklist
    assert not item.present
    assert judged(replace(risk, by_meaning=True), present=True).checklist == (safety,)
    assert judged(risk, present=True).risks == (risk,)


class Echo(ScriptedJudge):
    """Covers the first item by every sentence that it is shown, and finds the danger addressed by each."""

    def cover(self, case: Case, cancel: threading.Event) -> Iterator[ItemVerdict]:
        ids = tuple(sentence.id for sentence in case.note.sentences)
        yield ItemVerdict("plan-follow-up", Section.PLAN, Importance.MANDATORY, bool(ids), sentences=ids)

    def risks(self, case: Case, cancel: threading.Event) -> Iterator[RiskFinding]:
        passage = cite(case.transcript.turns[3])
        ids = tuple(sentence.id for sentence in case.note.sentences)
        yield RiskFinding((3,), passage, RiskKind.SUICIDE, Stance.CURRENT, addressed_by=ids)


class Named(ScriptedJudge):
    """Finds a danger that the first sentence names."""

    def risks(self, case: Case, cancel: threading.Event) -> Iterator[RiskFinding]:
        yield RiskFinding((3,), cite(case.transcript.turns[3]), RiskKind.SUICIDE, Stance.CURRENT, addressed_by=("s1",))


def test_a_placeholder_covers_no_item_addresses_no_risk_and_is_no_gap_in_the_judging() -> None:
    words = "Suicide: “Sometimes.” (turn 4) [finish this sentence]"
    found = final(evaluate(make_case(note=make_note({Section.PLAN: [words]})), Echo())).evaluation
    assert [item.present for item in found.checklist] == [False]
    assert found.risks is not None
    assert [risk.pressing for risk in found.risks] == [True]
    assert found.sentences[0].need is not None
    assert found.sentences[0].need.needed is None
    assert found.sentences[0].claim is not None
    assert "Not finished" in found.sentences[0].claim.rationale
    assert found.complete
    finished = make_note({Section.PLAN: [words.replace("[finish this sentence]", "safety plan made")]})
    answered = final(evaluate(make_case(note=finished), Echo())).evaluation
    assert answered.risks is not None
    assert [risk.addressed_by for risk in answered.risks] == [("s1",)]


@pytest.mark.parametrize("verdict", list(Verdict))
def test_a_risk_is_addressed_only_by_a_statement_that_is_not_itself_called_wrong(verdict: Verdict) -> None:
    case = make_case(note=make_note({Section.PLAN: ["No suicidal thoughts."]}))
    found = final(evaluate(case, Echo(claims=[ClaimVerdict("s1", verdict)]))).evaluation
    assert found.risks is not None
    wrong = verdict in (Verdict.CONTRADICTED, Verdict.UNSUPPORTED)
    (risk,) = found.risks
    assert (risk.pressing, risk.doubted) == (wrong, ("s1",) if wrong else ())
    assert found.wrong_on_risk == (("s1",) if wrong else ())


@pytest.mark.parametrize(
    ("said", "wrong"),
    [
        ("Denies SI.", True),
        ("No safety concerns at this time.", True),  # it denies whatever the client may do
        ("Denies homicidal ideation.", False),
        ("Safety plan reviewed.", False),
    ],
)
def test_what_denies_a_danger_is_wrong_on_risk_beside_a_sentence_that_names_it(said: str, wrong: bool) -> None:
    """Or the banner is calm over a note that says both."""
    note = make_note({Section.SUBJECTIVE: ["Client thinks of suicide."], Section.PLAN: [said]})
    found = final(evaluate(make_case(note=note), Named(claims=[ClaimVerdict("s2", Verdict.UNSUPPORTED)]))).evaluation
    assert [risk.addressed_by for risk in found.risks or ()] == [("s1",)]
    assert found.wrong_on_risk == (("s2",) if wrong else ())
    risk = open_risk(found, ranked_findings(found))
    assert (risk.missing, len(risk.wrong)) == (0, int(wrong))


def test_nothing_found_differs_from_not_asked() -> None:
    case = make_case()
    assert final(evaluate(case, ScriptedJudge())).evaluation.omissions == ()
    only = final(evaluate(case, ScriptedJudge(), (Question.COVER,))).evaluation
    assert only.omissions is None
    assert only.risks is None
    assert final(evaluate(case, ScriptedJudge())).evaluation.risks == ()


class _Counting(ScriptedJudge):
    asked: tuple[str, ...] = ()

    def support(self, case: Case, cancel: threading.Event) -> Iterator[ClaimVerdict]:
        self.asked += ("support",)
        for sentence in case.note.sentences:
            yield ClaimVerdict(sentence.id, Verdict.SUPPORTED)

    def respond(self, exchanges: Sequence[Exchange], cancel: threading.Event) -> Iterator[ResponseVerdict]:
        self.asked += ("respond",)
        yield from ()


def test_memory_spares_what_was_asked_before_over_the_same_content() -> None:
    judge, memory, case = _Counting(), Memory(), make_case()
    first = final(evaluate(case, judge, memory=memory)).evaluation
    again = final(evaluate(case, judge, memory=memory)).evaluation
    assert judge.asked == ("support", "respond")
    assert again.sentences == first.sentences
    edited = replace(case, note=make_note({case.note.sentences[0].section: ["Client reports drinking twice a week."]}))
    final(evaluate(edited, judge, memory=memory))
    assert judge.asked == ("support", "respond", "support")


def test_a_heading_that_says_another_section_is_asked_about_anew() -> None:
    """The same words and sentences: an empty section that became another one changes what is missing."""
    judge, memory, case = _Counting(), Memory(), make_case(note=make_note({Section.PLAN: ["Next session."]}))
    final(evaluate(case, judge, (Question.SUPPORT,), memory=memory))
    blocks = tuple(replace(block, sections=(Section.PLAN,)) for block in case.note.blocks)
    final(evaluate(replace(case, note=replace(case.note, blocks=blocks)), judge, (Question.SUPPORT,), memory=memory))
    assert judge.asked == ("support", "support")


def test_memory_keeps_no_half_answers_and_no_other_judges() -> None:
    case, memory = make_case(), Memory()
    claims = [ClaimVerdict(s.id, Verdict.SUPPORTED) for s in case.note.sentences]
    failing = ScriptedJudge(claims=claims, failure="no", fail_after=2)
    assert not final(evaluate(case, failing, (Question.SUPPORT,), memory=memory)).evaluation.complete
    whole = ScriptedJudge(claims=claims)
    assert final(evaluate(case, whole, (Question.SUPPORT,), memory=memory)).evaluation.scores.faithfulness.done == 5
    other = ScriptedJudge(identity=replace(whole.identity, model="another"))
    assert final(evaluate(case, other, (Question.SUPPORT,), memory=memory)).evaluation.scores.faithfulness.total == 0


def test_memory_forgets_the_least_recently_used() -> None:
    memory = Memory(capacity=2)
    for key in ("a", "b"):
        memory.put(key, ())
    memory.get("a")
    memory.put("c", ())
    assert [memory.get(key) for key in ("a", "b", "c")] == [(), None, ()]


def test_responses_are_summed_up_once_and_not_in_the_file() -> None:
    case = sample_case()
    evaluation = final(evaluate(case, sample_judge(case))).evaluation
    assert evaluation.reading is not None
    assert final(evaluate(case, sample_judge(case), ABOUT_NOTE)).evaluation.responses is None
    kept = replace(evaluation, reading=None)
    assert kept == evaluation
    assert with_reading(kept).reading == evaluation.reading
