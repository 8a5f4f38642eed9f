"""A review in progress: where the marker stands, what is open, undo, and what changed. No widget in it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from noteeval_desktop.domain.asked import (
    RISK_AS,
    RISK_PLACE,
    RiskAnswer,
    added_risks,
    risk_added,
    risk_answers,
    risks_named,
    with_risk_answer,
    with_risk_named,
)
from noteeval_desktop.domain.differences import Difference, differences, risk_at
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.review import (
    Comment,
    Dimension,
    Review,
    Settlement,
)
from noteeval_desktop.domain.risk import RiskFinding, RiskKind
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.domain.transcript import Citation, Transcript, cite
from noteeval_desktop.ui.supervision import risk_words, words
from noteeval_desktop.ui.supervision.passes import (
    FaithfulnessPass,
    Pass,
    Place,
    RiskPass,
    claim_mark,
    open_places,
    passes,
    risk_place,
)

_MOST_UNDONE = 500


@dataclass(frozen=True, slots=True)
class _Before:
    """What undo goes back to: the review, and where the marker stood."""

    review: Review
    name: str
    at: int


class Marking:
    """``review`` is what stands; ``stage`` counts the passes from 0; ``at`` is the place within each.

    ``asked_only``: only what a person must judge is asked, of the sentences also those of ``also`` (ids).
    """

    def __init__(
        self,
        note: Note,
        rubric: Rubric,
        review: Review,
        dangers: Sequence[RiskFinding] = (),
        transcript: Transcript | None = None,
        asked_only: bool = False,
        also: Collection[str] = (),
    ) -> None:
        self.note, self.rubric, self.review = note, rubric, review
        self._dangers, self._also, self._transcript = dangers, also, transcript
        self._undone: list[_Before] = []
        self._redone: list[_Before] = []
        self.ask(asked_only)

    def ask(self, asked_only: bool) -> None:
        """What must be judged only, or everything; from what is open first."""
        self.asked_only = asked_only
        self.passes = self._passes()
        self.stage = 0
        self._at = [0 for _ in self.passes]
        self.to_first_open()

    def _passes(self) -> tuple[Pass, ...]:
        self._added = added_risks(self.review, self._transcript)
        known = {risk.citation.turn for risk in self._dangers}
        new = [risk for risk in self._added if risk.citation.turn not in known]
        self._named = named = risks_named(self.review.items)
        dangers = [replace(risk, kind=named.get(risk.citation.turn, risk.kind)) for risk in (*self._dangers, *new)]
        return passes(self.note, self.rubric, dangers, self.asked_only, self._also)

    @property
    def not_asked(self) -> tuple[int, int]:
        """How many items, and how many sentences, are left to the judge: open, and in no pass."""
        asked = {(one.name, place.id) for one in self.passes for place in one.places}
        items, _, claims = (
            sum((one.name, place.id) not in asked for place in open_places(one, self.review))
            for one in passes(self.note, self.rubric)[:3]
        )
        return items, claims

    def to_first_open(self) -> bool:
        """Where the marker was when the review was put away. False: nothing is open."""
        for number, one in enumerate(self.passes):
            if open_places(one, self.review):
                self.enter(number)
                return True
        return False

    def enter(self, stage: int) -> None:
        """A pass, at what is open in it."""
        self.stage = stage
        left = open_places(self.current, self.review)
        if left and self.place not in left:
            self._at[stage] = self.current.places.index(left[0])

    # Where the marker stands

    @property
    def current(self) -> Pass:
        return self.passes[self.stage]

    @property
    def at(self) -> int:
        return self._at[self.stage]

    @property
    def place(self) -> Place | None:
        places = self.current.places
        return places[self.at] if places else None

    def go(self, at: int) -> None:
        self._at[self.stage] = max(0, min(at, len(self.current.places) - 1))

    def to_next_open(self) -> bool:
        """In this pass, from here on and then from its beginning; then in the others. False: nothing is open."""
        for stage in (*range(self.stage, len(self.passes)), *range(self.stage)):
            one = self.passes[stage]
            left = [one.places.index(place) for place in open_places(one, self.review)]
            if stage == self.stage:
                left = [at for at in left if at > self.at] or [at for at in left if at < self.at]
            if left:
                self.stage, self._at[stage] = stage, left[0]
                return True
        return False

    def progress(self) -> tuple[tuple[int, int], ...]:
        """Per pass: places marked, places."""
        return tuple((len(one.places) - len(open_places(one, self.review)), len(one.places)) for one in self.passes)

    # Marking

    def choose(self, key: str) -> bool:
        """Answer by a key and go on where nothing more is asked; False where the key means nothing here."""
        place = self.place
        if place is None or self.review.submitted is not None:
            return False
        choice = next((one for one in self.current.choices(place, self.review) if one.key == key), None)
        if choice is None:
            return False
        was_open = place in open_places(self.current, self.review)
        self._change(self.current.marked(place, choice.value, self.review))
        if choice.ends:
            self._on_from(was_open)
        return True

    def go_on(self) -> None:
        """To the next place, or into the next pass from the last one where this one is finished."""
        if self.at + 1 < len(self.current.places):
            self.go(self.at + 1)
        elif open_places(self.current, self.review):
            self.to_next_open()
        elif self.stage + 1 < len(self.passes):
            self.enter(self.stage + 1)

    def judge_claim(self, key: str, turns: Sequence[int]) -> bool:
        """As ``choose``, in the pass over claims, with the turns that were picked."""
        place, one = self.place, self.current
        if place is None or self.review.submitted is not None or not isinstance(one, FaithfulnessPass):
            return False
        choice = next((choice for choice in one.choices(place, self.review) if choice.key == key), None)
        if choice is None:
            return False
        was_open = place in open_places(one, self.review)
        self._change(one.marked(place, choice.value, self.review, tuple(sorted(turns))))
        self._on_from(was_open)
        return True

    def _on_from(self, was_open: bool) -> None:
        """From an open place to the next open one: marks carried over from an earlier round are not marked anew by a
        row of keys. From one that is marked again to its neighbour."""
        later = self.current.places[self.at + 1 :]
        left = [place for place in open_places(self.current, self.review) if place in later]
        if was_open and left:
            self.go(self.current.places.index(left[0]))
        elif was_open:
            self.go(len(self.current.places) - 1)
            self.go_on()
        else:
            self.go_on()

    def add_risk(self, kind: RiskKind, turn: int) -> None:
        """One that no judge listed, and that the note does not address."""
        added, _ = risk_added(kind, turn)
        review = self.review.marked(added)
        self._change(replace(review, items=with_risk_answer(review.items, turn, RiskAnswer.LEFT_OUT)))

    def name_risk(self, kind: RiskKind) -> None:
        """Of the passage at hand: which danger it is."""
        if isinstance(self.current, RiskPass) and self.place is not None and self.review.submitted is None:
            items = with_risk_named(self.review.items, int(self.place.id), kind)
            self._change(replace(self.review, items=items))

    def pick_turns(self, turns: Sequence[int]) -> None:
        """Other turns for a claim that is marked already."""
        place = self.place
        if place is None or self.review.submitted is not None or not isinstance(self.current, FaithfulnessPass):
            return
        mark = claim_mark(place, self.review)
        if mark is not None:
            self._change(self.review.marked(replace(mark, turns=tuple(sorted(turns)))))

    # Comments, settling, signing

    def comment(self, comment: Comment, instead_of: Comment | None = None) -> None:
        """Added, or put in the place of another. Raises ValueError where it does not quote the note."""
        if comment.span.of(self.note.text) != comment.quote:
            raise ValueError("a comment quotes the note")
        kept = [comment if one is instead_of else one for one in self.review.comments]
        if instead_of is None:
            kept.append(comment)
        self._change(replace(self.review, comments=tuple(kept)))

    def remove_comment(self, comment: Comment) -> None:
        self._change(replace(self.review, comments=tuple(c for c in self.review.comments if c is not comment)))

    def settle(self, settlement: Settlement) -> None:
        self._change(self.review.settled_with(settlement))

    def handed_in(self, when: datetime) -> Review:
        """As it will be once it is kept. Raises ValueError where marks are missing."""
        asked = {place.id for one in self.passes for place in one.places} if self.asked_only else None
        return self.review.submit(self.note, self.rubric, when, asked)

    def take(self, review: Review) -> None:
        """What was handed in or signed stands: there is nothing before it to go back to."""
        self.review = review
        self._undone, self._redone = [], []

    # Undo

    def _change(self, review: Review) -> None:
        if review == self.review:
            return
        self._undone = [*self._undone[-_MOST_UNDONE:], self._now()]
        self._redone = []
        self._show(review)

    def _show(self, review: Review) -> None:
        """``review`` with its passes: a risk may have been added, or taken back."""
        self.review, name = review, self.current.name
        as_before = self._added, self._named
        if (added_risks(review, self._transcript), risks_named(review.items)) == as_before:
            return
        at = {one.name: at for one, at in zip(self.passes, self._at, strict=True)}
        self.passes = self._passes()
        self._at = [min(at.get(one.name, 0), max(len(one.places) - 1, 0)) for one in self.passes]
        self.stage = next((n for n, one in enumerate(self.passes) if one.name == name), 0)

    def undo(self) -> bool:
        return self._step(self._undone, self._redone)

    def redo(self) -> bool:
        return self._step(self._redone, self._undone)

    def _step(self, taken: list[_Before], given: list[_Before]) -> bool:
        if not taken:
            return False
        before = taken.pop()
        given.append(self._now())
        self._show(before.review)
        names = [one.name for one in self.passes]
        if before.name in names:
            self.stage = names.index(before.name)
            self.go(before.at)
        return True

    def _now(self) -> _Before:
        return _Before(self.review, self.current.name, self.at)


@dataclass(frozen=True, slots=True)
class Differing:
    """A difference as it is settled: what it is about, the judge's reason and evidence, one's own turns and mark."""

    difference: Difference
    place: Place
    reason: str
    citations: tuple[Citation, ...]
    own_turns: tuple[int, ...]
    mine: str


def differing(note: Note, rubric: Rubric, review: Review, evaluation: Evaluation) -> tuple[Differing, ...]:
    """In the order of the passes. Raises ValueError as ``differences`` does."""
    known = {place.id: place for one in passes(note, rubric)[:3] for place in one.places}
    known |= _risk_places(review, evaluation)
    return tuple(
        Differing(one, known[one.place], *_grounds(one, evaluation), *_own(one, review))
        for one in differences(review, evaluation)
        if one.place in known
    )


def _risk_places(review: Review, evaluation: Evaluation) -> dict[str, Place]:
    """By what a difference calls them."""
    turns, found = evaluation.case.transcript.turns, {}
    added = {risk.citation.turn: risk for risk in added_risks(review, evaluation.case.transcript)}
    for turn in (one for one in risk_answers(review.items) if one < len(turns)):
        risk = risk_at(evaluation, turn) or added.get(turn)
        quoted = Place(str(turn), f"“{turns[turn].text}”") if risk is None else risk_place(risk)
        found[f"{RISK_PLACE}{turn}"] = quoted
        found[f"{RISK_AS}{turn}"] = replace(quoted, explained=risk_words.which_kind(turn))
    return found


def settlement_of(difference: Difference, review: Review) -> Settlement | None:
    own = (s for s in review.settled if (s.dimension, s.place) == (difference.dimension, difference.place))
    return next(own, None)


def _own(difference: Difference, review: Review) -> tuple[tuple[int, ...], str]:
    """One's turns, and one's mark in the window's words."""
    said = words.value(difference.dimension, difference.person)
    if difference.dimension is not Dimension.FAITHFULNESS:
        return (), said
    mark = next(mark for mark in review.claims if mark.sentence == difference.place)
    return mark.turns, words.JUDGED if mark.judged else said


def _grounds(difference: Difference, evaluation: Evaluation) -> tuple[str, tuple[Citation, ...]]:
    """The judge's reason and the turns that it rests on."""
    if difference.dimension is Dimension.RISK:
        return _grounds_on_risk(evaluation, int(difference.place.split(":")[-1]))
    if difference.dimension is Dimension.COMPLETENESS:
        verdict = next(v for v in evaluation.checklist if v.item == difference.place)
        turns = evaluation.case.transcript.turns
        return verdict.rationale, tuple(cite(turns[number]) for number in verdict.suggested_turns)
    judged = evaluation.judged(difference.place)
    if difference.dimension is Dimension.CONCISENESS:
        return (judged.need.rationale if judged.need else ""), ()
    return (judged.claim.rationale, judged.claim.citations) if judged.claim else ("", ())


def _grounds_on_risk(evaluation: Evaluation, turn: int) -> tuple[str, tuple[Citation, ...]]:
    """The sentences that the judge takes for the note's answer, and the passage."""
    risk = risk_at(evaluation, turn)
    named = (*(risk.addressed_by or ()), *risk.doubted) if risk is not None else ()
    texts = {sentence.id: sentence.text for sentence in evaluation.case.note.sentences}
    return " ".join(f"“{texts[one]}”" for one in named if one in texts), (cite(evaluation.case.transcript.turns[turn]),)
