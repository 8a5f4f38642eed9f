"""What nobody foresaw costs its row or its question, is told by type and place, and nothing else."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from noteeval_desktop import batch, cli, documents
from noteeval_desktop.domain.case import Background, Case
from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.plan import PlanLine, TreatmentPlan
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.verdicts import ClaimVerdict, ItemVerdict, ResponseVerdict
from noteeval_desktop.errors import unexpected
from noteeval_desktop.evaluate import Memory, Question, evaluate, final
from noteeval_desktop.judges.protocol import Exchange
from noteeval_desktop.ui.case.engaged import Engaged
from noteeval_desktop.ui.widgets.jobs import Lane
from tests.batch_outcomes import outcomes
from tests.factories import make_case
from tests.sample_evaluation import SAMPLE, sample_case, sample_judge
from tests.scripted_judge import ScriptedJudge

CLINICAL = "Daniel drinks twice a week"
PLACE = re.compile(r"The program failed here \(\w+ at [\w/.]+\.py:\d+\)\. Please report this line\.")


class Breaks(ScriptedJudge):
    """Fails as nobody foresaw, in our own code: a span that ends before it begins."""

    def support(self, case: Case, cancel: threading.Event) -> Iterator[ClaimVerdict]:
        Span(len(CLINICAL), 0)
        yield from ()


def test_an_unexpected_error_is_told_by_its_kind_and_our_line_never_by_its_text() -> None:
    with pytest.raises(ValueError, match="not a span") as caught:
        Span(5, 1)
    said = unexpected(caught.value)
    assert PLACE.fullmatch(said)
    assert "ValueError at domain/text.py:" in said
    with pytest.raises(ValueError, match=CLINICAL) as elsewhere:
        raise ValueError(CLINICAL)
    assert CLINICAL not in unexpected(elsewhere.value)


def test_a_question_that_breaks_takes_no_other_with_it() -> None:
    evaluation = final(evaluate(make_case(), Breaks())).evaluation
    assert not evaluation.complete
    (problem,) = evaluation.problems
    assert problem.startswith("claims: The program failed here (ValueError at domain/text.py:")
    assert evaluation.omissions == ()
    assert evaluation.responses == ()


@pytest.mark.parametrize("question", list(Question))
def test_every_question_is_a_boundary(question: Question, monkeypatch: pytest.MonkeyPatch) -> None:
    case = sample_case()
    judge = sample_judge(case)
    if question is Question.PLAN:
        goal = "Sleep through the night."
        plan = TreatmentPlan(goal, (PlanLine("g1", goal, Span(0, len(goal))),))
        case = replace(case, background=Background(plan=plan))
    names = ("risks", "cover", "need", "support", "omit", "thread", "private", "respond")
    name = dict(zip(Question, names, strict=True))[question]

    def breaks(*_: object) -> Iterator[object]:
        yield from ()
        raise OverflowError(CLINICAL)

    monkeypatch.setattr(judge, "asks_private", question is Question.PRIVATE, raising=False)
    monkeypatch.setattr(judge, name, breaks, raising=False)
    end = final(evaluate(case, judge))
    assert [problem.partition(":")[0] for problem in end.evaluation.problems] == [question.value]
    assert CLINICAL not in end.evaluation.problems[0]
    assert not end.cancelled


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    for name in ("transcript.vtt", "note.md"):
        (tmp_path / name).write_bytes((SAMPLE / name).read_bytes())
    rows = "".join(f"{name},transcript.vtt,{name}.md\n" for name in "abc")
    for name in "abc":
        (tmp_path / f"{name}.md").write_text(f"{(SAMPLE / 'note.md').read_text('utf-8')}\n{name}\n", "utf-8")
    (tmp_path / "pairs.csv").write_text(f"id,transcript,note\n{rows}", "utf-8")
    return tmp_path / "pairs.csv"


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_row_that_breaks_is_recorded_and_the_rest_goes_on(
    pairs: Path, jobs: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    read = documents.read_note

    def breaks(path: Path, cancel: threading.Event | None = None) -> Note:
        if path.name == "b.md":
            raise OverflowError(CLINICAL)
        return read(path, cancel)

    monkeypatch.setattr(documents, "read_note", breaks)
    out = pairs.parent / "out"
    arguments = ["batch", "--pairs", str(pairs), "--out-dir", str(out), "--jobs", str(jobs)]
    code = cli.main([*arguments, "--aggregate", str(out / "all.json")], lambda *_: sample_judge(sample_case()))
    assert code == 1
    cases = json.loads((out / "all.json").read_text("utf-8"))["cases"]
    assert [case["status"] for case in cases] == ["done", "incomplete", "done"]
    assert PLACE.fullmatch(cases[1]["problem"])
    printed = capsys.readouterr()
    assert CLINICAL not in printed.err + printed.out
    assert sorted(path.name for path in out.glob("?.json")) == ["a.json", "c.json"]


def test_a_start_of_401_digits_is_a_time_that_cannot_be_read(pairs: Path) -> None:
    turns = [{"speaker": "Client", "text": "Hello.", "start": 0}, {"speaker": "T", "text": "Hi.", "start": 10**401}]
    (pairs.parent / "long.json").write_text(json.dumps(turns), "utf-8")
    (pairs.parent / "long.csv").write_text("transcript,note\nlong.json,a.md\ntranscript.vtt,b.md\n", "utf-8")
    (pairs.parent / "out").mkdir()
    found = outcomes(
        batch.read_pairs(pairs.parent / "long.csv"),
        lambda: sample_judge(sample_case()),
        batch.Plan(pairs.parent / "out"),
    )
    assert [outcome.status for outcome in found] == ["done", "done"]
    assert found[0].evaluation is not None
    assert "1 of 2 passages had no time that could be read." in found[0].evaluation["case"]["warnings"]


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data.pop("judge"),
        lambda data: data.pop("scores"),
        lambda data: data.update(judge=[]),
        lambda data: data["scores"].update(faithfulness=None),
        lambda data: data.update(omissions=[3]),
    ],
)
def test_a_result_that_somebody_changed_is_judged_again(pairs: Path, damage: Callable[[dict], object]) -> None:
    listed, plan = batch.read_pairs(pairs)[:1], batch.Plan(pairs.parent, resume=True)
    for _ in range(2):
        found = outcomes(listed, lambda: sample_judge(sample_case()), plan)
    assert [outcome.status for outcome in found] == ["resumed"]
    data = json.loads((pairs.parent / "a.json").read_text("utf-8"))
    damage(data)
    (pairs.parent / "a.json").write_text(json.dumps(data), "utf-8")
    assert outcomes(listed, lambda: sample_judge(sample_case()), plan)[0].status == "done"


class BreaksOnTheSecond(ScriptedJudge):
    def respond(self, exchanges: Sequence[Exchange], cancel: threading.Event) -> Iterator[ResponseVerdict]:
        if exchanges[0].response == "Two.":
            raise KeyError(CLINICAL)
        yield from sample_judge(sample_case()).responses[:1]


def test_a_response_that_breaks_the_judge_takes_no_other_with_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "set.csv").write_text("context,response\nDown.,One.\nDown.,Two.\nDown.,Three.\n", "utf-8")
    arguments = ["score-response", "--set", str(tmp_path / "set.csv"), "--json", str(tmp_path / "out.json")]
    assert cli.main(arguments, lambda *_: BreaksOnTheSecond()) == 1
    told = capsys.readouterr().err
    assert "noteeval: 2 of 3 responses were scored: 1 could not be judged: The program failed" in told
    assert CLINICAL not in told
    responses = json.loads((tmp_path / "out.json").read_text("utf-8"))["responses"]
    assert [set(entry["scores"].values()) == {None} for entry in responses] == [False, True, False]


def test_two_checks_never_meet_in_one_judge() -> None:
    """The lane of remote judges has four threads, and a check that was stopped may still be ending."""
    inside, met = threading.Semaphore(1), []

    class Alone(ScriptedJudge):
        def cover(self, case: Case, cancel: threading.Event) -> Iterator[ItemVerdict]:
            free = inside.acquire(blocking=False)
            met.append(not free)
            threading.Event().wait(0.02)
            if free:
                inside.release()
            yield from ()

    engaged, memory = Engaged(lambda _tell: Alone(), Lane.REMOTE, live=False), Memory()
    checks = [
        threading.Thread(target=engaged.run, args=(make_case(), memory, threading.Event(), lambda _event: None))
        for _ in range(4)
    ]
    for check in checks:
        check.start()
    for check in checks:
        check.join()
    assert met == [False] * 4
