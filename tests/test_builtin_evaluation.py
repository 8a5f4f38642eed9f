"""The pipeline with the judge and the encoder that ship."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace

import pytest

from noteeval_desktop import documents
from noteeval_desktop.domain.risk import SAFETY_ITEM, RiskKind, Stance
from noteeval_desktop.evaluate import Question, evaluate, final
from noteeval_desktop.judges import making
from noteeval_desktop.judges.protocol import Judge
from tests.factories import make_case
from tests.sample_evaluation import sample_case, sample_rubric

SPANISH = (
    "# Subjetivo\nEl cliente dice que duerme muy mal y que bebe todas las noches para poder descansar un poco.\n"
    "# Plan\nSe acuerda con el cliente que la próxima sesión será en dos semanas y que hará los ejercicios.\n"
)


@pytest.fixture(scope="module")
def judge() -> Iterator[Judge]:
    with ExitStack() as closing:
        yield making.builtin_judge(sample_rubric(), closing)


@pytest.mark.usefixtures("encoder_path")
def test_the_sample_and_a_plain_note_are_judged_completely(judge: Judge) -> None:
    for case in (sample_case(), make_case()):
        evaluation = final(evaluate(case, judge)).evaluation
        assert evaluation.problems == ()
        assert evaluation.complete
        assert evaluation.risks is not None


@pytest.mark.usefixtures("encoder_path")
def test_a_danger_of_the_sample_is_in_the_ledger_and_denied_by_the_note(judge: Judge) -> None:
    evaluation = final(evaluate(sample_case(), judge, (Question.RISK, Question.COVER))).evaluation
    assert evaluation.risks is not None
    current = [risk for risk in evaluation.risks if risk.stance is Stance.CURRENT and not risk.by_meaning]
    assert RiskKind.SUICIDE in {risk.kind for risk in current}
    assert all(risk.citation.stands_in(evaluation.case.transcript) for risk in evaluation.risks)
    (safety,) = (item for item in evaluation.checklist if item.item == SAFETY_ITEM)
    assert safety.present is not any(risk.pressing for risk in current)


@pytest.mark.usefixtures("encoder_path")
def test_a_note_in_another_language_ends_incomplete_and_says_so(judge: Judge) -> None:
    case = replace(make_case(), note=documents.parse_note(SPANISH))
    evaluation = final(evaluate(case, judge)).evaluation
    assert not evaluation.complete
    assert any(p.startswith("claims: 3 of 3 could not be judged") and "English" in p for p in evaluation.problems)
    assert evaluation.scores.faithfulness.note is None
