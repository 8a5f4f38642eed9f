"""A second round: what of an earlier review still holds of a rewritten note, and what was rewritten."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from difflib import SequenceMatcher

from noteeval_desktop.domain.asked import ADDED_RISK, NO_RISK_PLACE, RISK_AS, RISK_PLACE
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.note import SOAP, Note, Section, Sentence
from noteeval_desktop.domain.review import Comment, Dimension, Review, Settlement
from noteeval_desktop.domain.reviewed import settled_evaluation, settled_marks
from noteeval_desktop.domain.rubric import Rubric


@dataclass(frozen=True, slots=True)
class Rewritten:
    """Sentences taken out and put in; ``comments`` are those on the former."""

    before: tuple[Sentence, ...]
    after: tuple[Sentence, ...]
    comments: tuple[Comment, ...]


def carried(earlier: Review, before: Note, after: Note, rubric: Rubric, review_id: str, started: datetime) -> Review:
    """A new review of ``after`` with the marks, as they were settled, of what reads as it did before.

    A sentence keeps its marks where it stands word for word in a section of the same name; an item where the whole
    section reads the same. Ratings and acceptance are asked anew.
    """
    holds = _holding(earlier, before, after, {item.id: item.section for item in rubric.scored_items})
    return replace(
        holds,
        id=review_id,
        started=started,
        ratings=(),
        acceptance=None,
        comments=(),
        submitted=None,
        signature=None,
        carried=bool(holds.items or holds.needs or holds.claims),
        unblinded=False,
        returned=None,
    )


def _holding(earlier: Review, before: Note, after: Note, sections: Mapping[str, Section | None]) -> Review:
    """``earlier`` as it was settled, with the marks that hold of ``after``; ``sections`` of the items."""
    settled = settled_marks(earlier)
    ids = _same_sentences(before, after)
    same = {section for section in SOAP if before.section_text(section) == after.section_text(section)}
    kept = {item for item, section in sections.items() if section in same}
    # In the same session a passage that meant no danger still means none, and a risk that was added is one.
    same_risk = (NO_RISK_PLACE, ADDED_RISK, RISK_AS)
    items = tuple(one for one in settled.items if one.item in kept or one.item.startswith(same_risk))
    needs = tuple(replace(mark, sentence=ids[mark.sentence]) for mark in settled.needs if mark.sentence in ids)
    claims = tuple(replace(mark, sentence=ids[mark.sentence]) for mark in settled.claims if mark.sentence in ids)
    return replace(settled, note_sha256=after.sha256, items=items, needs=needs, claims=claims, settled=())


def settled_of(evaluation: Evaluation, review: Review, note: Note | None) -> Evaluation:
    """``evaluation`` with the marks of a ``review`` of ``note`` that still hold, as they were settled."""
    return settled_evaluation(evaluation, still_held(evaluation, review, note))


def still_held(evaluation: Evaluation, review: Review, note: Note | None) -> Review:
    """The ``review`` with those of its marks, as they were settled, that hold of the note that was judged.

    What the reviewed note said to a danger it still says while none of its sentences was taken out.
    """
    now = evaluation.case.note
    if now.sha256 == review.note_sha256:
        return replace(settled_marks(review), settled=())
    if note is None:
        return replace(review, items=(), needs=(), claims=(), settled=())
    holds = _holding(review, note, now, {verdict.item: verdict.section for verdict in evaluation.checklist})
    if len(_same_sentences(note, now)) == len(note.sentences):
        answered = tuple(one for one in review.items if one.item.startswith(RISK_PLACE) and one.present)
        holds = replace(holds, items=(*holds.items, *answered))
    return holds


def as_came_back(evaluation: Evaluation, reviews: Iterable[Review], notes: Mapping[str, Note]) -> Evaluation:
    """``evaluation`` as it is shown: settled by the review of its very note, or else by the last of the ``reviews``
    that came back; ``notes`` by their hash."""
    own = evaluation.case.note.sha256
    last = max(reviews, key=lambda one: (one.note_sha256 == own, one.submitted or one.started), default=None)
    return evaluation if last is None else settled_of(evaluation, last, notes.get(last.note_sha256))


def decided(earlier: Review, before: Note, after: Note, rubric: Rubric) -> dict[tuple[Dimension, str], Settlement]:
    """What was settled in the round before, by where it stands now: on sentences that read the same, and on items."""
    ids, items = _same_sentences(before, after), {item.id for item in rubric.scored_items}
    # What was agreed of a passage of the session holds while the session is the same.
    on_risk = (one.place for one in earlier.settled if one.dimension is Dimension.RISK)
    places = {**ids, **{place: place for place in (*items, *on_risk)}}
    return {
        (one.dimension, places[one.place]): replace(one, place=places[one.place])
        for one in earlier.settled
        if one.place in places
    }


def rewritten(earlier: Review, before: Note, after: Note) -> tuple[Rewritten, ...]:
    """In the order of the note; then, by themselves, comments on passages that were left as they are."""
    matcher = SequenceMatcher(None, _texts(before), _texts(after), autojunk=False)
    changes = []
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag != "equal":
            old = before.sentences[i1:i2]
            new = after.sentences[j1:j2]
            changes.append(Rewritten(old, new, _about(earlier.comments, before, old, new)))
    answered = {id(comment) for change in changes for comment in change.comments}
    left = tuple(comment for comment in earlier.comments if id(comment) not in answered)
    return (*changes, Rewritten((), (), left)) if left else tuple(changes)


def _about(
    comments: tuple[Comment, ...], note: Note, old: tuple[Sentence, ...], new: tuple[Sentence, ...]
) -> tuple[Comment, ...]:
    """Comments on sentences that were taken out, or on the heading over them or over what was put in."""
    sections = {section for sentence in (*old, *new) for section in sentence.sections}
    headings = [block.heading for block in note.blocks if block.heading and sections & set(block.sections)]
    spans = [*(sentence.span for sentence in old), *headings]
    return tuple(c for c in comments if any(c.span.meets(one) for one in spans))


def _texts(note: Note) -> list[tuple[Section, str]]:
    return [(one.section, one.text) for one in note.sentences]


def _same_sentences(before: Note, after: Note) -> dict[str, str]:
    """Ids of sentences of ``before`` by ids of ``after``; one that stands there twice goes with its own number."""
    waiting: dict[tuple[Section, str], list[str]] = defaultdict(list)
    for sentence in after.sentences:
        waiting[sentence.section, sentence.text].append(sentence.id)
    found = {}
    for sentence in before.sentences:
        same = waiting[sentence.section, sentence.text]
        if same:
            found[sentence.id] = same.pop(0)
    return found
