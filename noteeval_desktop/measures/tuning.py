"""Thresholds of the built-in judge from a practice's own settled reviews, and what they would have changed.

A threshold is proposed only where it also does better on notes that it was not chosen on: those of each tenth are
judged by what the other nine tenths would have chosen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.review import SCORED, Dimension, Review
from noteeval_desktop.domain.reviewed import settled_marks
from noteeval_desktop.domain.thresholds import Thresholds, by_rule, tunable, tuned_as
from noteeval_desktop.domain.verdicts import ERRORS, Verdict

FEWEST_REVIEWS = 30
# Beyond these a few reviews would switch the judge off.
GRID = tuple(n / 100 for n in range(25, 80, 5))
_FOLDS = 10


@dataclass(frozen=True, slots=True)
class Place:
    """One thing that the judge and a person marked: the judge's probability untuned, what it said, what was settled."""

    note: str
    dimension: Dimension
    probability: float
    judge: bool
    person: bool


@dataclass(frozen=True, slots=True)
class Proposal:
    """``threshold`` None: no other does better. ``changed`` marks, of them ``to_person`` to what was settled.
    ``differing``: marks that were settled otherwise, as judged; ``held_out``: as they would be on notes left out."""

    dimension: Dimension
    places: int
    differing: int
    held_out: int
    threshold: float | None = None
    changed: int = 0
    to_person: int = 0
    notes: int = 0


def places_of(review: Review, evaluation: Evaluation) -> Iterator[Place]:
    """Of a handed-in review of the note that was judged; of the built-in judge, tuned or not."""
    settled, tuned, note = settled_marks(review), tuned_as(evaluation.judge.version), evaluation.case.note.sha256
    present = {mark.item: mark.present for mark in settled.items}
    for item in evaluation.checklist:
        if item.section is not None and None not in (item.present, item.probability, present.get(item.item)):
            said = bool(item.present), present[item.item]
            yield Place(note, Dimension.COMPLETENESS, item.probability or 0.0, *said)
    needed = {mark.sentence: mark.needed for mark in settled.needs}
    stated = {mark.sentence: mark.verdict for mark in settled.claims}
    for one in evaluation.sentences:
        need, claim, place = one.need, one.claim, one.sentence.id
        free = need is not None and not need.set_aside and not by_rule(need)
        if need and free and place in needed and need.needed is not None and need.probability is not None:
            yield Place(note, Dimension.CONCISENESS, need.probability, need.needed, needed[place])
        if claim and tunable(claim) and stated.get(place) in (*ERRORS, Verdict.SUPPORTED):
            chance = tuned.untuned(claim)
            if chance is not None:
                said = claim.verdict is Verdict.SUPPORTED, stated[place] is Verdict.SUPPORTED
                yield Place(note, Dimension.FAITHFULNESS, chance, *said)


def propose(places: Sequence[Place]) -> tuple[Proposal, ...]:
    """One a dimension that has places, in order."""
    found = []
    for dimension in SCORED:
        own = [place for place in places if place.dimension is dimension]
        if own:
            found.append(_proposal(dimension, own))
    return tuple(found)


def thresholds(proposals: Sequence[Proposal]) -> Thresholds:
    return Thresholds(**{proposal.dimension.value: proposal.threshold for proposal in proposals})


def _proposal(dimension: Dimension, places: Sequence[Place]) -> Proposal:
    differing, held_out = _differing(places, None), 0
    for fold in range(_FOLDS):
        left_out = [place for place in places if _fold(place) == fold]
        held_out += _differing(left_out, _best([place for place in places if _fold(place) != fold]))
    as_it_is = Proposal(dimension, len(places), differing, held_out)
    best = _best(places)
    if best is None or held_out >= differing:
        return as_it_is
    changed = [place for place in places if (place.probability >= best) is not place.judge]
    to_person = sum(place.person is not place.judge for place in changed)
    notes = len({place.note for place in changed})
    return replace(as_it_is, threshold=best, changed=len(changed), to_person=to_person, notes=notes)


def _best(places: Sequence[Place]) -> float | None:
    """With the fewest differences; of several the nearest to one half; None where none is better than what is."""
    best = min(GRID, key=lambda limit: (_differing(places, limit), abs(limit - 0.5)))
    return best if _differing(places, best) < _differing(places, None) else None


def _differing(places: Sequence[Place], limit: float | None) -> int:
    return sum(place.person is not (place.judge if limit is None else place.probability >= limit) for place in places)


def _fold(place: Place) -> int:
    """Of a note always the same, whatever else there is."""
    return int(sha256(place.note.encode()).hexdigest(), 16) % _FOLDS
