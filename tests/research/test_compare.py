from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from noteeval_desktop import cli
from noteeval_desktop.domain.verdicts import ClaimVerdict, Verdict
from noteeval_desktop.measures.agreement import difference, holm, permutation_p
from tests.sample_evaluation import SAMPLE, sample_case, sample_judge
from tests.scripted_judge import ScriptedJudge

T, N = str(SAMPLE / "transcript.vtt"), str(SAMPLE / "note.md")


def test_all_flips_of_few_sessions_are_counted() -> None:
    gaps = [3.0, 1.0, 1.0, -1.0]
    sums = [abs(sum(s * g for s, g in zip(signs, gaps, strict=True))) for signs in product((-1, 1), repeat=4)]
    assert permutation_p(gaps, range(4)) == sum(one >= 4 for one in sums) / 16 == 0.5
    assert permutation_p([1.0] * 4, range(4)) == 2 / 16


def test_notes_of_one_session_are_flipped_together() -> None:
    assert permutation_p([1.0] * 4, ["a", "a", "b", "b"]) == 2 / 4


def test_many_flips_are_drawn_and_never_give_0() -> None:
    gaps = np.full(40, 1.0)
    assert permutation_p(gaps, range(40)) == 1 / 10_001
    even = np.tile([1.0, -1.0], 20)
    assert permutation_p(even, range(40)) == 1.0
    random = np.random.default_rng(1).normal(0.3, 1, 40)
    t = random.mean() / random.std(ddof=1) * 40**0.5
    assert permutation_p(random, range(40)) == pytest.approx(2 * (1 - _t_cdf(t, 39)), abs=0.01)


def _t_cdf(t: float, degrees: int) -> float:
    from scipy import stats

    return float(stats.t.cdf(abs(t), degrees))


@pytest.mark.parametrize(
    ("given", "adjusted"),
    [
        ([0.01, 0.04, 0.03], [0.03, 0.06, 0.06]),
        ([0.5, None, 0.2], [0.5, None, 0.4]),
        ([0.9, 0.8], [1.0, 1.0]),
        ([], []),
    ],
)
def test_p_values_that_hold_together(given: list[float | None], adjusted: list[float | None]) -> None:
    assert holm(given) == pytest.approx(adjusted)


def test_the_effect_is_in_standard_deviations_of_the_differences() -> None:
    found = difference([0.0, 0.0, 0.0], [1.0, 2.0, 3.0])
    assert (found.mean, found.effect, found.p) == (2.0, 2.0, 0.25)
    assert difference([0.0, 0.0], [1.0, 1.0]).effect is None
    assert difference([0.0, 0.0], [1.0, 3.0], ["one", "one"]).p is None


def _aggregate(path: Path, scores: dict[str, tuple[float | None, float]], **more: Any) -> str:
    cases = [
        {
            "id": name,
            "status": "done",
            "scores": {"completeness": {"note": first}, "faithfulness": {"note": second}},
            "reference": None,
        }
        for name, (first, second) in scores.items()
    ]
    path.write_text(json.dumps({"schema": "noteeval.aggregate/1", "judge": None, "cases": cases} | more), "utf-8")
    return str(path)


def test_two_lists_of_scores(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    a = _aggregate(tmp_path / "a.json", {"x": (0.5, 0.9), "y": (0.4, 0.8), "z": (None, 0.7), "only": (1.0, 1.0)})
    b = _aggregate(tmp_path / "b.json", {"z": (0.9, 0.6), "y": (0.6, 0.8), "x": (0.6, 0.6)})
    chart = tmp_path / "c.svg"
    assert cli.main(["compare", a, b, "--json", str(tmp_path / "o.json"), "--chart", str(chart)]) == 0
    found = json.loads((tmp_path / "o.json").read_bytes())
    assert (found["cases"], found["only_in_a"], found["only_in_b"]) == (3, ["only"], [])
    complete, faithful = found["figures"]["completeness"], found["figures"]["faithfulness"]
    assert {name: complete[name] for name in ("n", "a", "b", "p", "p_holm")} == pytest.approx(
        {"n": 2, "a": 0.45, "b": 0.6, "p": 0.5, "p_holm": 1.0}
    )
    assert (complete["low"], complete["mean"], complete["high"]) == pytest.approx((0.1, 0.15, 0.2))
    assert (faithful["n"], faithful["mean"], faithful["p"]) == (3, pytest.approx(-0.4 / 3), 0.5)
    assert "completeness  0.450  0.600  0.150   0.100 to 0.200" in capsys.readouterr().out
    assert "faithfulness: B − A -0.13." in chart.read_text("utf-8")


@pytest.mark.parametrize(
    ("judge", "told"), [({"rubric": "one"}, False), ({"rubric": "two"}, True), (None, False), ({}, False)]
)
def test_results_by_two_checklists_are_said_not_to_compare(
    judge: dict[str, str] | None, told: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scores: dict[str, tuple[float | None, float]] = {"x": (0.5, 0.9), "y": (0.4, 0.8)}
    a = _aggregate(tmp_path / "a.json", scores, judge={"rubric": "one"})
    b = _aggregate(tmp_path / "b.json", scores, judge=judge)
    assert cli.main(["compare", a, b]) == 0
    assert ("judged by two checklists" in capsys.readouterr().out) is told


def test_batches_of_other_notes_of_the_same_sessions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("one", "two"):
        rows = "".join(f"case-{number},{T},{N}\n" for number in (1, 2))
        (tmp_path / f"{name}.csv").write_text(f"id,transcript,note\n{rows}", "utf-8")
        given = ["batch", "--pairs", str(tmp_path / f"{name}.csv"), "--out-dir", str(tmp_path / name)]
        assert cli.main(given, lambda *_: sample_judge(sample_case())) == 0
    capsys.readouterr()
    assert cli.main(["compare", str(tmp_path / "one"), str(tmp_path / "two"), "--json", "-"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["cases"], found["sessions"]) == (2, 1)
    assert found["figures"]["completeness"]["mean"] == 0
    assert found["figures"]["completeness"]["p"] is None  # one session says nothing of others
    single = [str(tmp_path / name / "case-1.json") for name in ("one", "two")]
    assert cli.main(["compare", *single, "--json", "-"]) == 0
    found = json.loads(capsys.readouterr().out)["figures"]
    assert (found["item present"]["n"], found["item present"]["a"]) == (23, pytest.approx(20 / 23))
    assert (found["sentence needed"]["p"], found["statement supported"]["n"]) == (1.0, 24)


def _evaluated(path: Path, session: str, note: Path, supported: Sequence[bool]) -> str:
    said = {True: Verdict.SUPPORTED, False: Verdict.UNSUPPORTED}
    judge = ScriptedJudge(claims=[ClaimVerdict(f"s{n}", said[one]) for n, one in enumerate(supported, 1)])
    given = ["evaluate", "-q", "--transcript", session, "--note", str(note), "--json", str(path)]
    cli.main(given, lambda *_: judge)
    return str(path)


def test_two_versions_of_one_note(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    notes = tmp_path / "one.md", tmp_path / "two.md"
    notes[0].write_text("Subjective\nShe sleeps badly. She drinks.\n\nPlan\nGo on.\n", "utf-8")
    notes[1].write_text("Subjective\nShe drinks. He calls.\n\nPlan\nGo on.\n", "utf-8")
    a = _evaluated(tmp_path / "one.json", T, notes[0], (True, True, True))
    b = _evaluated(tmp_path / "two.json", T, notes[1], (False, True, True))
    assert cli.main(["compare", a, b, "--json", str(tmp_path / "o.json")]) == 0
    found, printed = json.loads((tmp_path / "o.json").read_bytes()), capsys.readouterr().out
    assert (found["sessions"], found["only_in_a"], found["only_in_b"]) == (1, ["She sleeps badly."], ["He calls."])
    assert (found["figures"]["statement supported"]["n"], found["cases"]) == (2, 2)
    assert {"case": "She drinks.", "figure": "statement supported", "a": 1.0, "b": 0.0} in found["changed"]
    assert "She drinks.: statement supported: yes → no" in printed
    assert "Only in B: He calls." in printed
    assert found["a"]["scores"]["faithfulness"] == 1.0
    other = tmp_path / "other.vtt"
    other.write_text(Path(T).read_text("utf-8") + "\n", "utf-8")
    c = _evaluated(tmp_path / "c.json", str(other), notes[1], (True, True, True))
    assert cli.main(["compare", b, c]) == 0  # the same note
    assert cli.main(["compare", a, c]) == 2
    assert "c.json: is of another note of another session than one.json." in capsys.readouterr().err


REFUSED = {
    "no case in common": ({"p": (0.1, 0.1), "q": (0.1, 0.1)}, {}, "b.json: has 0 cases in common with a.json."),
    "one case in common": ({"x": (0.1, 0.1), "q": (0.1, 0.1)}, {}, "b.json: has 1 case in common with a.json."),
    "another kind": ({}, {"schema": "noteeval.metrics/1", "notes": [{"id": "x", "metrics": {"BLEU": 1}}]}, "holds ref"),
    "another schema": ({}, {"schema": "noteeval.comparison/1"}, "b.json: is no result that can be compared."),
    "nothing finished": ({}, {}, "b.json: holds no finished result."),
}


@pytest.mark.parametrize(("scores", "more", "told"), REFUSED.values(), ids=REFUSED.keys())
def test_results_that_do_not_belong_together_are_refused(
    scores: Any, more: dict[str, Any], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    a = _aggregate(tmp_path / "a.json", {"x": (0.5, 0.9), "y": (0.4, 0.8)})
    b = _aggregate(tmp_path / "b.json", scores, **more)
    assert cli.main(["compare", a, b]) == 2
    printed = capsys.readouterr()
    assert told in printed.err
    assert (printed.out, len(printed.err.splitlines())) == ("", 1)


def test_a_case_of_another_session_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = tmp_path / "other.vtt"
    other.write_text(Path(T).read_text("utf-8") + "\n", "utf-8")
    for name, session in (("one", T), ("two", str(other))):
        rows = "".join(f"case-{number},{session},{N}\n" for number in (1, 2))
        (tmp_path / f"{name}.csv").write_text(f"id,transcript,note\n{rows}", "utf-8")
        cli.main(
            ["batch", "--pairs", str(tmp_path / f"{name}.csv"), "--out-dir", str(tmp_path / name)],
            lambda *_: sample_judge(sample_case()),
        )
    capsys.readouterr()
    assert cli.main(["compare", str(tmp_path / "one"), str(tmp_path / "two")]) == 2
    assert "case-1: is of one session in one and of another in two." in capsys.readouterr().err
    assert cli.main(["compare", *(str(tmp_path / name / "case-1.json") for name in ("one", "two"))]) == 0
