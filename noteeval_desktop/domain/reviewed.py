"""What a handed-in review comes to: its marks after settling, and its scores by the same rules as a judge's."""

from __future__ import annotations

from dataclasses import replace

from noteeval_desktop.domain.evaluation import JudgedSentence, Scores
from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.review import (
    ClaimMark,
    Difference,
    Dimension,
    Review,
    Settlement,
    verdicts_of,
)
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.domain.scores import score
from noteeval_desktop.domain.verdicts import Verdict

# The item of a sentence that was only agreed to be needed.
_AGREED = "agreed"


def with_settlements(review: Review, found: tuple[Difference, ...]) -> tuple[tuple[Difference, Settlement | None], ...]:
    """Each difference beside what was agreed about it, the last agreement of several; None: still open."""
    made = {(one.dimension, one.place): one for one in review.settled}
    return tuple((one, made.get((one.dimension, one.place))) for one in found)


def settled_marks(review: Review) -> Review:
    """The review with what was agreed in the place of what was first marked.

    An agreement in other words than the marks' own ("present", "not needed", "supported", ...) changes no mark.
    A sentence that is agreed to be needed keeps its items; where it had none it counts as needed all the same.
    The turns that were picked speak for the verdict that was first given: with another one they go.
    """
    agreed = {(one.dimension, one.place): one.agreed.strip().lower() for one in review.settled}
    verdicts = {verdict.value: verdict for verdict in Verdict}

    def about(dimension: Dimension, place: str) -> str:
        return agreed.get((dimension, place), "")

    return replace(
        review,
        items=tuple(
            replace(mark, present=_flag(about(Dimension.COMPLETENESS, mark.item), "present", "missing", mark.present))
            for mark in review.items
        ),
        needs=tuple(
            replace(
                mark,
                items=(mark.items or (_AGREED,))
                if _flag(about(Dimension.CONCISENESS, mark.sentence), "needed", "not needed", mark.needed)
                else (),
            )
            for mark in review.needs
        ),
        claims=tuple(
            _claim(mark, verdicts.get(about(Dimension.FAITHFULNESS, mark.sentence), mark.verdict))
            for mark in review.claims
        ),
    )


def scores_of(review: Review, note: Note, rubric: Rubric) -> Scores:
    """The marks' scores over ``note``, as Shah et al. define them for people; what is not marked is left out."""
    items, needs, claims = verdicts_of(review, rubric)
    need, claim = {one.sentence: one for one in needs}, {one.sentence: one for one in claims}
    marked = [JudgedSentence(one, need.get(one.id), claim.get(one.id)) for one in note.sentences]
    found = score(items, marked)
    needed = score(items, [one for one in marked if one.need is not None])
    return replace(found, conciseness=needed.conciseness)


def _claim(mark: ClaimMark, verdict: Verdict) -> ClaimMark:
    return mark if verdict is mark.verdict else replace(mark, verdict=verdict, turns=())


def _flag(agreed: str, yes: str, no: str, otherwise: bool) -> bool:
    return {yes: True, no: False}.get(agreed, otherwise)
