from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from noteeval_desktop.documents import parse_note
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.transcript import Role, Transcript, Turn
from noteeval_desktop.domain.verdicts import ClaimVerdict, Verdict
from noteeval_desktop.research.benchmark_claims import run_true_notes
from tests.scripted_judge import ScriptedJudge

SAID = Transcript((Turn(0, "Patient", Role.CLIENT, "My knee hurts, no fever, and I am tired."),))
NOTES = (
    "Subjective:\nPt has knee pain. He has no fever.",
    "Subjective:\nPatient feels tired. He took 3 tablets. Good.",
)
CASES = [Case(SAID, parse_note(text), f"visit {number}") for number, text in enumerate(NOTES)]


class Saying(ScriptedJudge):
    """Answers every sentence with the verdict that stands beside its words, the others with "supported"."""

    def __init__(self, **verdicts: Verdict | None) -> None:
        super().__init__()
        self.verdicts = verdicts

    def support(self, case: Case, _cancel: threading.Event) -> Iterator[ClaimVerdict]:
        for one in case.note.sentences:
            said = next((v for word, v in self.verdicts.items() if word in one.text), Verdict.SUPPORTED)
            yield ClaimVerdict(one.id, said, set_aside=said is None)


def test_doubts_are_counted_by_what_the_sentence_holds() -> None:
    found = run_true_notes(CASES, Saying(knee=Verdict.UNSUPPORTED, tablets=Verdict.CONTRADICTED), threading.Event())
    assert (found["doubted"]["of"], found["doubted"]["share"]) == (5, pytest.approx(0.4))
    assert found["contradicted"]["share"] == pytest.approx(0.2)
    kinds = {kind: (own["of"], own["share"]) for kind, own in found["doubted_by_kind"].items()}
    assert kinds == {"with shorthand": (1, 1.0), "with a number": (1, 1.0), "with a negation": (1, 0.0)}


def test_what_was_not_judged_is_no_answer_and_what_only_the_room_shows_no_doubt() -> None:
    found = run_true_notes(CASES, Saying(knee=None, tired=Verdict.OBSERVED), threading.Event())
    assert (found["doubted"]["of"], found["doubted"]["share"]) == (4, 0.0)
