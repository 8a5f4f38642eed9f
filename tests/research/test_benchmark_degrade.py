from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.note import Section
from noteeval_desktop.domain.verdicts import ClaimVerdict, Verdict
from noteeval_desktop.research.benchmark_claims import DegradeCase, run_degrade
from tests.factories import make_note, make_transcript
from tests.scripted_judge import ScriptedJudge

NOTE = make_note(
    {
        Section.SUBJECTIVE: ["Client reports drinking twice a week.", "His wife is worried.", "He is not sleeping."],
        Section.ASSESSMENT: ["Client meets criteria for depression.", "He is able to name triggers."],
        Section.PLAN: ["Client will return in two weeks.", "Continue sertraline."],
    }
)
CASE = DegradeCase(Case(make_transcript(), NOTE), frozenset({"s1", "s2"}))


class Remembering(ScriptedJudge):
    """Calls supported exactly what stands in the original note, or, ``upside_down``, what does not."""

    def __init__(self, upside_down: bool) -> None:
        super().__init__()
        self._upside_down = upside_down

    def support(self, case: Case, cancel: threading.Event) -> Iterator[ClaimVerdict]:
        known = {sentence.text for sentence in NOTE.sentences}
        for sentence in case.note.sentences:
            good = (sentence.text in known) is not self._upside_down
            yield ClaimVerdict(
                sentence.id, Verdict.SUPPORTED if good else Verdict.UNSUPPORTED, probability=0.9 if good else 0.1
            )


@pytest.mark.parametrize(
    ("upside_down", "found", "alarms", "violations"), [(False, 1.0, 0.0, 0.0), (True, 0.0, 1.0, 1.0)]
)
def test_a_perfect_judge_finds_all_and_its_opposite_nothing(
    upside_down: bool, found: float, alarms: float, violations: float
) -> None:
    figures = run_degrade([CASE], lambda _: Remembering(upside_down), threading.Event())
    detection = figures["detection"]
    assert set(detection) == {"number", "negation", "person", "term", "fact"}
    assert {entry["found"] for entry in detection.values()} == {found}
    assert figures["false_alarms"] == {"sentences": 2, "share": alarms}
    monotonicity = figures["monotonicity"]
    assert {entry["violations"] for entry in monotonicity.values()} == {violations}
    assert {entry["pairs"] for entry in monotonicity.values()} == {15}


def test_nothing_to_measure_gives_no_figures() -> None:
    assert run_degrade([], lambda _: Remembering(False), threading.Event()) == {
        "notes": 0,
        "detection": {},
        "false_alarms": {"sentences": 0, "share": None},
        "monotonicity": {},
    }
