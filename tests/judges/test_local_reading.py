from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest

from noteeval_desktop.domain.behaviours import MiCounts
from noteeval_desktop.domain.note import Section
from noteeval_desktop.domain.risk import RiskKind
from noteeval_desktop.domain.verdicts import Verdict
from noteeval_desktop.engines.embedder import LlamaEmbedder
from noteeval_desktop.evaluate import evaluate, final
from noteeval_desktop.judges import builtin
from noteeval_desktop.judges.builtin.risk import local_reading
from noteeval_desktop.judges.builtin.risk.local_reading import LocalReading
from tests.factories import make_case, make_note, make_transcript
from tests.fake_embedder import FakeEmbedder
from tests.sample_evaluation import sample_rubric

GO = threading.Event()
DANGER = make_transcript((("therapist", "What brings you here?"), ("client", "I want to die.")))


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often the session was searched ("spoken_risks") and the note ("addressing_sentences")."""
    calls: Counter[str] = Counter()

    def counting(name: str, real: Callable[..., object]) -> Callable[..., object]:
        def counted(*arguments: object) -> object:
            calls[name] += 1
            return real(*arguments)

        return counted

    for name in ("spoken_risks", "addressing_sentences"):
        monkeypatch.setattr(local_reading, name, counting(name, getattr(local_reading, name)))
    return calls


def test_the_session_is_searched_once_and_the_note_again_after_an_edit(calls: Counter[str]) -> None:
    reading, case = LocalReading(FakeEmbedder()), replace(make_case(), transcript=DANGER)
    assert reading(case, GO) == reading(case, GO)
    assert calls == {"spoken_risks": 1, "addressing_sentences": 1}
    (open_,) = reading(case, GO)
    (answered,) = reading(replace(case, note=make_note({Section.ASSESSMENT: ["Client reports SI."]})), GO)
    assert (open_.addressed, answered.addressed) == (False, True)
    assert calls == {"spoken_risks": 1, "addressing_sentences": 2}


@pytest.fixture(scope="module")
def reading(encoder: LlamaEmbedder) -> LocalReading:
    return LocalReading(encoder)


def test_what_the_therapist_does_is_counted(reading: LocalReading) -> None:
    counts = reading.behaviours(DANGER, GO)
    assert isinstance(counts, MiCounts)
    assert [turn for turn, _ in counts.turns] == [0]
    assert counts.talk_share == 0.5
    assert reading.behaviours(DANGER, GO) is counts


def test_the_judge_finds_the_ledger_of_a_case_once(encoder: LlamaEmbedder, calls: Counter[str]) -> None:
    note = make_note({Section.SUBJECTIVE: ["Client denies suicidal ideation."]})
    judge = builtin.load(encoder, sample_rubric())
    evaluation = final(evaluate(replace(make_case(), transcript=DANGER, note=note), judge)).evaluation
    assert [risk.kind for risk in evaluation.risks or ()] == [RiskKind.SUICIDE]
    assert [claim.verdict for claim in (s.claim for s in evaluation.sentences) if claim] == [Verdict.UNSUPPORTED]
    assert calls == {"spoken_risks": 1, "addressing_sentences": 1}
