from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from noteeval_desktop.domain.behaviours import MiCounts
from noteeval_desktop.domain.note import Section
from noteeval_desktop.domain.risk import RiskKind
from noteeval_desktop.domain.verdicts import Verdict
from noteeval_desktop.engines.embedder import FakeEmbedder, LlamaEmbedder
from noteeval_desktop.evaluate import evaluate, final
from noteeval_desktop.judges import builtin
from noteeval_desktop.judges.builtin import local_reading
from noteeval_desktop.judges.builtin.local_reading import LocalReading
from tests.factories import make_case, make_note, make_transcript
from tests.sample_evaluation import sample_rubric

GO = threading.Event()
DANGER = make_transcript((("therapist", "What brings you here?"), ("client", "I want to die.")))


def test_the_ledger_of_a_case_is_found_once_and_again_after_an_edit(monkeypatch: pytest.MonkeyPatch) -> None:
    found = []

    def counted(*arguments: object) -> tuple[object, ...]:
        found.append(arguments)
        return real(*arguments)  # type: ignore[arg-type]

    real = local_reading.find_risks
    monkeypatch.setattr(local_reading, "find_risks", counted)
    reading, case = LocalReading(FakeEmbedder()), replace(make_case(), transcript=DANGER)
    assert reading(case, GO) == reading(case, GO)
    assert len(found) == 1
    (open_,) = reading(case, GO)
    (answered,) = reading(replace(case, note=make_note({Section.ASSESSMENT: ["Client reports SI."]})), GO)
    assert (open_.addressed, answered.addressed) == (False, True)
    assert len(found) == 2


def test_an_embedder_that_the_heads_do_not_know_counts_nothing() -> None:
    assert LocalReading(FakeEmbedder()).behaviours(DANGER, GO) is None


@pytest.fixture(scope="module")
def reading(encoder_path: Path) -> Iterator[LocalReading]:
    with closing(LlamaEmbedder(encoder_path, threads=1)) as embedder:
        yield LocalReading(embedder)


def test_what_the_therapist_does_is_counted(reading: LocalReading) -> None:
    counts = reading.behaviours(DANGER, GO)
    assert isinstance(counts, MiCounts)
    assert [turn for turn, _ in counts.turns] == [0]
    assert counts.talk_share == 0.5
    assert reading.behaviours(DANGER, GO) is counts


def test_the_judge_finds_the_ledger_of_a_case_once(encoder_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = []

    def counted(*arguments: object) -> tuple[object, ...]:
        found.append(arguments)
        return real(*arguments)  # type: ignore[arg-type]

    real = local_reading.find_risks
    monkeypatch.setattr(local_reading, "find_risks", counted)
    note = make_note({Section.SUBJECTIVE: ["Client denies suicidal ideation."]})
    with closing(LlamaEmbedder(encoder_path, threads=1)) as embedder:
        judge = builtin.load(embedder, sample_rubric())
        evaluation = final(evaluate(replace(make_case(), transcript=DANGER, note=note), judge)).evaluation
    assert [risk.kind for risk in evaluation.risks or ()] == [RiskKind.SUICIDE]
    assert [claim.verdict for claim in (s.claim for s in evaluation.sentences) if claim] == [Verdict.CONTRADICTED]
    assert len(found) == 1
