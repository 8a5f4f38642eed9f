"""What a review gives the author of a note: comments first, then the marks that ask for something. Pure functions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.review import Comment, Dimension, Review
from noteeval_desktop.domain.reviewed import settled_marks
from noteeval_desktop.domain.rubric import Importance, Rubric
from noteeval_desktop.domain.verdicts import Verdict
from noteeval_desktop.report.names import SECTION_NAMES
from noteeval_desktop.ui.supervision import words

COMMENTS, TO_MEND, TO_ADD, TO_CUT, REASONS = "Comments", "To fix", "To add", "To cut", ("How differences were settled")
_ERRORS = (Verdict.CONTRADICTED, Verdict.UNSUPPORTED)


@dataclass(frozen=True, slots=True)
class Point:
    """``quote`` are words of the reviewed note that it is about; ``turns`` those of the session that it rests on."""

    group: str
    said: str
    quote: str = ""
    turns: tuple[int, ...] = ()
    about: str = ""


def points(review: Review, note: Note, rubric: Rubric) -> tuple[Point, ...]:
    """After settling: what both agreed on in the end."""
    settled = settled_marks(review)
    sentences = {sentence.id: sentence.text for sentence in note.sentences}
    names = {item.id: item.name for item in rubric.items}
    found = [_comment(comment, names.get) for comment in review.comments]
    found += [
        Point(TO_MEND, words.claim(mark), sentences[mark.sentence], mark.turns)
        for mark in settled.claims
        if mark.verdict in _ERRORS and mark.sentence in sentences
    ]
    missing = {mark.item for mark in settled.items if not mark.present}
    items = [item for item in rubric.section_items if item.id in missing and item.section is not None]
    items.sort(key=lambda item: item.importance is not Importance.MANDATORY)
    found += [
        Point(TO_ADD, f"{item.name}: {item.description}", about=SECTION_NAMES[item.section])
        for item in items
        if item.section is not None
    ]
    found += [
        Point(TO_CUT, words.NOT_NEEDED, sentences[mark.sentence])
        for mark in settled.needs
        if not mark.needed and mark.sentence in sentences
    ]
    found += [
        Point(
            REASONS,
            f"{words.value(one.dimension, one.agreed)}: {one.reason}",
            sentences.get(one.place, ""),
            about=names.get(one.place, ""),
        )
        for one in review.settled
        if one.reason
    ]
    return tuple(found)


def summary(review: Review) -> str:
    """ "Completeness 4 of 5 · Conciseness 3 of 5 · …"."""
    rated = {rating.dimension: rating.value for rating in review.ratings if rating.section is None}
    parts = [f"{words.DIMENSION_NAMES[d]} {words.of_five(rated[d])}" for d in Dimension if d in rated]
    if review.acceptance is not None:
        parts.append(f"Into the record: {words.ACCEPTANCE_VALUES[review.acceptance - 1].lower()}")
    return " · ".join(parts)


def _comment(comment: Comment, name: Callable[[str], str | None]) -> Point:
    about = name(comment.item) if comment.item else None
    return Point(COMMENTS, comment.text, comment.quote, about=about or "")
