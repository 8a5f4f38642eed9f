"""A supervisor's review of the sample case: all marked, handed in, one difference settled, with comments."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.note import SOAP, Section
from noteeval_desktop.domain.review import (
    ClaimMark,
    Comment,
    Dimension,
    ItemMark,
    NeedMark,
    Rating,
    Review,
    ReviewKind,
    Settlement,
    Signature,
)
from noteeval_desktop.domain.verdicts import Verdict
from tests.sample_evaluation import sample_rubric

STARTED = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)
HANDED_IN = datetime(2026, 11, 20, 9, 40, tzinfo=UTC)
MISSING = {"subjective-history", "plan-follow-up", "assessment-diagnosis"}
WRONG = {
    "drinking four times": (Verdict.CONTRADICTED, (21,)),
    "PHQ-9 score was 16": (Verdict.CONTRADICTED, ()),
    "brother's": (Verdict.UNSUPPORTED, ()),
}


def sample_review(evaluation: Evaluation, *, handed_in: bool = True, signed: bool = False) -> Review:
    """Of the sample's evaluation, or any other; what ``WRONG`` does not name is marked supported and needed."""
    note = evaluation.case.note
    sentences = [one for one in note.sentences if set(one.sections) & set(SOAP)]
    first = note.sentences[0]
    comments = tuple(
        Comment(one.span, one.text, text, item)
        for one, text, item in (
            (first, "Good opening: it says why the client came today.", "subjective-chief-complaint"),
            (note.sentences[-1], "What will you do if the plan does not hold?", None),
        )
    )
    marks = Review(
        id="0" * 32,
        kind=ReviewKind.SUPERVISION,
        rater="Dr. Ines Okafor",
        note_sha256=note.sha256,
        started=STARTED,
        items=tuple(ItemMark(item.id, item.id not in MISSING) for item in sample_rubric().items),
        needs=tuple(NeedMark(one.id, () if "parking" in one.text else ("subjective-symptoms",)) for one in sentences),
        claims=tuple(_claim(one.id, one.text) for one in sentences),
        ratings=(
            *(
                Rating(Dimension.COMPLETENESS, value, section)
                for section, value in zip(SOAP, (4, 3, 5, 2), strict=True)
            ),
            Rating(Dimension.FAITHFULNESS, 2, Section.SUBJECTIVE),
            Rating(Dimension.CONCISENESS, 4),
        ),
        acceptance=3,
        comments=comments,
        submitted=HANDED_IN if handed_in else None,
    )
    if not handed_in:
        return marks
    return _settled(marks, signed)


def _settled(review: Review, signed: bool) -> Review:
    settled = (
        Settlement(Dimension.COMPLETENESS, "assessment-diagnosis", "present", "The diagnosis stands under Assessment."),
    )
    signature = Signature("Ines Okafor", "PhD, LCP 40213", HANDED_IN) if signed else None
    return replace(review, settled=settled, signature=signature)


def _claim(sentence: str, text: str) -> ClaimMark:
    for words, (verdict, turns) in WRONG.items():
        if words in text:
            return ClaimMark(sentence, verdict, turns)
    return ClaimMark(sentence, Verdict.SUPPORTED)
