"""A library of notes that the judge and a person have marked, without a window."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from functools import cache

from noteeval_desktop import documents
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.evaluation import Evaluation, JudgeIdentity
from noteeval_desktop.domain.review import (
    ClaimMark,
    Dimension,
    ItemMark,
    NeedMark,
    Review,
    ReviewKind,
    Settlement,
)
from noteeval_desktop.domain.verdicts import Verdict
from noteeval_desktop.evaluate import ABOUT_NOTE, evaluate, final
from noteeval_desktop.store.library import Library
from tests.sample_evaluation import sample_case, sample_judge

NOW = datetime(2026, 4, 1, 12, tzinfo=UTC)
BUILTIN = JudgeIdentity("builtin", "encoder:1", "1")
WAVERING = 0.55
"""How likely the judge finds the one claim of each note that it supports and that is settled as unsupported."""


@cache
def judged(number: int, judge: JudgeIdentity | None = BUILTIN) -> tuple[Evaluation, str]:
    """A note of its own, and the sentence on which the judge wavers."""
    sample = sample_case()
    case = Case(
        sample.transcript, documents.parse_note(f"{sample.note.text}\nShe has {number} cats."), f"Note {number}"
    )
    evaluation = final(evaluate(case, sample_judge(case), ABOUT_NOTE)).evaluation
    passed = [one for one in evaluation.sentences if one.claim and one.claim.verdict is Verdict.SUPPORTED]
    wavering = passed[0].sentence.id
    sentences = tuple(
        replace(one, claim=replace(one.claim, probability=WAVERING))
        if one.claim and one.sentence.id == wavering
        else one
        for one in evaluation.sentences
    )
    return replace(evaluation, judge=judge or evaluation.judge, sentences=sentences), wavering


def review_of(evaluation: Evaluation, wavering: str, number: int, settled: bool = True) -> Review:
    """As the judge marks it, but for the one claim."""
    dimension = Dimension.FAITHFULNESS
    claims = {one.sentence.id: one.claim.verdict for one in evaluation.sentences if one.claim and one.claim.verdict}
    return Review(
        *(f"r{number}", ReviewKind.SUPERVISION, "Dr. Žižek 🙂", evaluation.case.note.sha256, NOW),
        items=tuple(
            ItemMark(item.item, item.present)
            for item in evaluation.checklist
            if item.section and item.present is not None
        ),
        needs=tuple(
            NeedMark(one.sentence.id, ("subjective-symptoms",) if one.need and one.need.needed else ())
            for one in evaluation.sentences
        ),
        claims=tuple(
            ClaimMark(place, Verdict.UNSUPPORTED if place == wavering else verdict) for place, verdict in claims.items()
        ),
        acceptance=4,
        submitted=NOW,
        settled=(Settlement(dimension, wavering, "unsupported", "Nobody said so."),) if settled else (),
    )


def fill(library: Library, count: int, judge: JudgeIdentity | None = BUILTIN, settled: bool = True) -> None:
    for number in range(count):
        evaluation, wavering = judged(number, judge)
        case_id = library.cases.add(evaluation.case)
        library.cases.save_evaluation(case_id, evaluation)
        library.cases.save_review(case_id, review_of(evaluation, wavering, number, settled))
