"""To take out what is false is never a fall."""

from __future__ import annotations

from dataclasses import replace

from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.revisions import start
from noteeval_desktop.domain.scores import score
from noteeval_desktop.domain.verdicts import Verdict
from tests.sample_evaluation import sample_evaluation

ITEM = "assessment-diagnosis"


def _with(evaluation: Evaluation, carrier: str, verdict: Verdict) -> Evaluation:
    """The diagnosis stands in one sentence alone, of which the session says ``verdict``."""
    checklist = tuple(
        replace(item, present=True, sentences=(carrier,)) if item.item == ITEM else item
        for item in evaluation.checklist
    )
    sentences = tuple(
        replace(one, claim=replace(one.claim, verdict=verdict)) if one.sentence.id == carrier and one.claim else one
        for one in evaluation.sentences
    )
    return replace(evaluation, checklist=checklist, sentences=sentences, scores=score(checklist, sentences))


def _without(evaluation: Evaluation, carrier: str) -> Evaluation:
    checklist = tuple(replace(i, present=False) if i.item == ITEM else i for i in evaluation.checklist)
    sentences = tuple(one for one in evaluation.sentences if one.sentence.id != carrier)
    return replace(evaluation, checklist=checklist, sentences=sentences, scores=score(checklist, sentences))


def test_to_remove_an_invented_diagnosis_is_no_fall_and_a_true_one_is() -> None:
    sample = sample_evaluation()
    carrier = next(one.sentence.id for one in sample.sentences if "depression and anxiety persist" in one.sentence.text)
    for verdict, done in ((Verdict.UNSUPPORTED, 0), (Verdict.CONTRADICTED, 0), (Verdict.SUPPORTED, 1)):
        before = _with(sample, carrier, verdict)
        after = _without(before, carrier)
        began = start(before, after)
        assert began.completeness.done - after.scores.completeness.done == done
        fell = (began.conciseness.note or 0.0) > (after.scores.conciseness.note or 0.0)
        assert fell is (verdict is Verdict.SUPPORTED)


def test_a_rise_is_counted_from_what_was() -> None:
    sample = sample_evaluation()
    carrier = sample.sentences[0].sentence.id
    before = _with(sample, carrier, Verdict.UNSUPPORTED)
    assert start(before, before) == before.scores
    assert start(_without(before, carrier), before) == _without(before, carrier).scores
