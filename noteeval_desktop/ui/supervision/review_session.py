"""A review from its first blind mark to the answer: where it stands, what each step does, and undo. No window in it.

While it is blind its passes are marked, one place after the other. Once the marks are in (``uncover``) the judge's are
known, and differences are settled; then the note is returned or approved (``finished``). Comments are written until it
is signed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from types import MappingProxyType

from noteeval_desktop.domain.asked import (
    RiskAnswer,
    added_risks,
    risk_added,
    risks_named,
    with_risk_answer,
    with_risk_named,
)
from noteeval_desktop.domain.carrying import Rewritten, decided, rewritten
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.evaluation import model_name as judge_name
from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.review import Comment, Dimension, Review, Settlement
from noteeval_desktop.domain.risk import RiskFinding, RiskKind
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.domain.standing import NOT_SUBMITTED, CaseStatus, Stand
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import Citation, Transcript, cite
from noteeval_desktop.store.records import Labels
from noteeval_desktop.store.supervision import BankComment
from noteeval_desktop.ui.library.revisions import Kept, difference
from noteeval_desktop.ui.supervision import words
from noteeval_desktop.ui.supervision.alike_turns import Seeker
from noteeval_desktop.ui.supervision.differing import Differing, differing, settlement_of
from noteeval_desktop.ui.supervision.passes import MARKED, Pass, Place, Stage, claim_mark, open_places, passes

_MOST_UNDONE = 500


@dataclass(frozen=True, slots=True)
class Earlier:
    """The review of a revision before, by the same rater."""

    review: Review
    note: Note


@dataclass(frozen=True, slots=True)
class OpenReview:
    """A review with what its window may show: the judges' marks and ``labels`` are missing while it is blind.

    ``dismissed``: what the author set aside, by finding, and why; missing as well while it is blind.
    ``dangers``: where the session may be on risk, and nothing of what the note says to it. ``also``: ids of the
    sentences that are asked whatever their words: a judge takes them to be on risk, or they are new in this round.
    ``judged`` are the judges' marks of this note, ``judged_before`` those of the earlier one. ``own_note``: it was
    written in this library. ``rubric``: what the note was last judged by.
    """

    case_id: str
    status: CaseStatus
    transcript: Transcript
    note: Note
    review: Review
    earlier: Earlier | None
    dangers: tuple[RiskFinding, ...]
    also: frozenset[str]
    bank: tuple[BankComment, ...]
    labels: Labels | None = None
    dismissed: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    judged: tuple[Evaluation, ...] = ()
    judged_before: tuple[Evaluation, ...] = ()
    stand: Stand = NOT_SUBMITTED
    own_note: bool = False
    rubric: Rubric | None = None


@dataclass(frozen=True, slots=True)
class _Before:
    """What undo goes back to: the review, and where the marker stood."""

    review: Review
    stage: Stage
    at: int


class ReviewSession:
    """``review`` is what stands; ``picked`` are the turns chosen for the sentence at hand.

    ``asked_only``: only what a person must judge is asked. ``writing``: a step is on its way to the disk, and nothing
    may change before it is there. ``changes`` and ``decided`` tell of the round before; ``found``, ``judge`` (the
    number of the judge compared with) and ``changes_judged`` (what the changes solved or caused by it) are known once
    the marks are in.
    """

    def __init__(self, shown: OpenReview, rubric: Rubric, asked_only: bool = True) -> None:
        self.shown, self.rubric, self.review = shown, rubric, shown.review
        self.writing = False
        self.changes: tuple[Rewritten, ...] = ()
        self.decided: dict[tuple[Dimension, str], Settlement] = {}
        if shown.earlier is not None:
            self.changes = rewritten(shown.earlier.review, shown.earlier.note, shown.note)
            self.decided = decided(shown.earlier.review, shown.earlier.note, shown.note, rubric)
        self.found: tuple[Differing, ...] = ()
        self.judge, self.changes_judged = 0, ""
        self.picked: tuple[int, ...] = ()
        self._alike: tuple[int, ...] = ()
        self._seeker = Seeker(shown.transcript)
        self._undone: list[_Before] = []
        self._redone: list[_Before] = []
        self._at = dict.fromkeys(Stage, 0)
        self.stage = Stage.RATINGS
        self.ask(asked_only)
        if shown.earlier is not None:
            self.show(Stage.CHANGES)
        if not shown.review.blind:
            self.uncover(shown)

    @property
    def note(self) -> Note:
        return self.shown.note

    def ask(self, asked_only: bool) -> None:
        """What a person must judge, or everything; a pass goes on at what is open first."""
        self.asked_only = asked_only
        self.passes = self._passes()
        self._at |= dict.fromkeys(MARKED, 0)
        if self.stage in MARKED:
            first = (one.stage for one in self.passes if open_places(one, self.review))
            self.show(next(first, self.passes[0].stage))

    def _passes(self) -> tuple[Pass, ...]:
        self._added = added_risks(self.review, self.shown.transcript)
        known = {risk.citation.turn for risk in self.shown.dangers}
        new = [risk for risk in self._added if risk.citation.turn not in known]
        self._named = named = risks_named(self.review.items)
        dangers = [replace(one, kind=named.get(one.citation.turn, one.kind)) for one in (*self.shown.dangers, *new)]
        return passes(self.note, self.rubric, dangers, self.asked_only, self.shown.also)

    # Where it stands

    @property
    def stages(self) -> tuple[Stage, ...]:
        """Those that there are at present, in their order."""
        first = (Stage.CHANGES,) if self.shown.earlier else ()
        written = (Stage.COMMENTS,) if self.review.comments or self.stage is Stage.COMMENTS else ()
        last = written if self.review.blind else (Stage.DIFFERENCES, Stage.ANSWER)
        return (*first, *(one.stage for one in self.passes if one.places), *last)

    @property
    def stage_keys(self) -> dict[Stage, str]:
        """With Ctrl: a stage's number as they stand on screen; what changed, before them, is 0."""
        numbered = [stage for stage in self.stages if stage is not Stage.CHANGES]
        return {Stage.CHANGES: "0", **{stage: str(number) for number, stage in enumerate(numbered, 1)}}

    @property
    def current(self) -> Pass | None:
        """The pass at hand; None where the stage is none."""
        return next((one for one in self.passes if one.stage is self.stage), None)

    @property
    def place(self) -> Place | None:
        """What is marked at hand."""
        return self.current.places[self.at] if self.current and self.current.places else None

    @property
    def at(self) -> int:
        counts = {Stage.CHANGES: len(self.changes) + bool(self.changes_judged), Stage.DIFFERENCES: len(self.found)}
        in_pass = len(self.current.places) if self.current else len(self.review.comments)
        return max(0, min(self._at[self.stage], counts.get(self.stage, in_pass) - 1))

    def progress(self) -> dict[Stage, tuple[int, int]]:
        """Done and total, of the stages in which there is something to count."""
        marked = {
            one.stage: (len(one.places) - len(open_places(one, self.review)), len(one.places)) for one in self.passes
        }
        return marked | {Stage.DIFFERENCES: (self.settled_count, len(self.found))}

    @property
    def all_marked(self) -> bool:
        return not any(open_places(one, self.review) for one in self.passes)

    @property
    def not_asked(self) -> tuple[int, int]:
        """How many items, and how many sentences, are left to the judge: open, and in no pass."""
        asked = {(one.stage, place.id) for one in self.passes for place in one.places}
        items, _, claims = (
            sum((one.stage, place.id) not in asked for place in open_places(one, self.review))
            for one in passes(self.note, self.rubric)[:3]
        )
        return items, claims

    @property
    def comment_here(self) -> Comment | None:
        """The comment that is chosen in their list."""
        comments = self.review.comments
        return comments[self.at] if self.stage in (Stage.COMMENTS, Stage.ANSWER) and comments else None

    @property
    def span(self) -> Span | None:
        """The passage of the note at hand."""
        if self.stage in MARKED:
            return self.place.span if self.place else None
        if self.stage is Stage.DIFFERENCES and self.found:
            return self.found[self.at].place.span
        if self.comment_here is not None:
            return self.comment_here.span
        if self.stage is Stage.CHANGES and self.at < len(self.changes) and self.changes[self.at].after:
            after = self.changes[self.at].after
            return Span(after[0].span.start, after[-1].span.end)
        return None

    @property
    def citations(self) -> tuple[Citation, ...]:
        """Turns at hand: one's own, and after the marks are in the judge's."""
        turns, place = self.shown.transcript.turns, self.place
        if self.stage is Stage.RISK and place is not None:
            risks = tuple(risk.citation for risk in self.shown.dangers if str(risk.citation.turn) == place.id)
            return risks or (cite(turns[int(place.id)]),)
        if self.stage is Stage.FAITHFULNESS:
            return tuple(cite(turns[n]) for n in self.picked)
        if self.stage is Stage.DIFFERENCES and self.found:
            one = self.found[self.at]
            cited = {citation.turn for citation in one.citations}
            return (*one.citations, *(cite(turns[n]) for n in one.own_turns if n not in cited))
        return ()

    # Moving

    def go(self, at: int) -> None:
        most = len(self.current.places) - 1 if self.current else at
        self._at[self.stage] = max(0, min(at, most))
        self._arrive()

    def show(self, stage: Stage) -> None:
        """A stage; a pass at what is open in it."""
        if stage not in self.stages and not any(one.stage is stage for one in self.passes):
            return
        self.stage = stage
        left = open_places(self.current, self.review) if self.current else ()
        if self.current and left and self.place not in left:
            self._at[stage] = self.current.places.index(left[0])
        self._arrive()

    def _arrive(self) -> None:
        """With the turns that were picked for the place at hand before."""
        in_claims = self.stage is Stage.FAITHFULNESS and self.place is not None
        mark = claim_mark(self.place, self.review) if in_claims and self.place else None
        self.picked, self._alike = mark.turns if mark else (), ()

    def go_to_sentence(self, offset: int) -> bool:
        """To the sentence that stands at an offset of the note, in the passes that go by sentences."""
        if self.stage not in (Stage.CONCISENESS, Stage.FAITHFULNESS) or self.current is None:
            return False
        places = self.current.places
        at = next((n for n, place in enumerate(places) if place.span and place.span.contains(offset)), None)
        if at is not None:
            self.go(at)
        return at is not None

    def go_on(self) -> None:
        """Enter: what is chosen here is enough. To the next place, or into the next pass from the last place of one
        that is finished."""
        if self.current is None or self.at + 1 < len(self.current.places):
            self.go(self.at + 1)
        elif open_places(self.current, self.review):
            self.next_open()
        elif later := self.passes[self.passes.index(self.current) + 1 :]:
            self.show(later[0].stage)

    def next_open(self) -> bool:
        """In this pass, from here on and then from its beginning; then in the others. False: nothing is open."""
        if self.stage is Stage.DIFFERENCES:
            return self._next_difference()
        first = self.passes.index(self.current) if self.current else 0
        for one in (*self.passes[first:], *self.passes[:first]):
            left = [one.places.index(place) for place in open_places(one, self.review)]
            if one is self.current:
                left = [at for at in left if at > self.at] or [at for at in left if at < self.at]
            if left and self.current is None:
                self.show(one.stage)
                return True
            if left:
                self.stage = one.stage
                self.go(left[0])
                return True
        return False

    def next_alike(self) -> int | None:
        """The turn that shares most words with the sentence at hand; again: the next one. None: none shares any."""
        if self.stage is not Stage.FAITHFULNESS or self.place is None:
            return None
        if not self._alike:
            self._alike = self._seeker.turns_with_words_of(self.place.words)
        if not self._alike:
            return None
        turn, *later = self._alike
        self._alike = (*later, turn)
        return turn

    # Marking

    def press(self, key: str) -> bool:
        """A key that marks or settles, and what is asked next; False where it means nothing here."""
        if self.stage is Stage.DIFFERENCES:
            settles = bool(self.found) and key in ("K", "T") and not self.review.signature
            if settles:
                difference = self.found[self.at].difference
                self.settle(difference.person if key == "K" else difference.judge, "")
            return settles
        one, place = self.current, self.place
        if one is None or place is None or self.review.submitted is not None:
            return False
        choice = next((each for each in one.choices(place, self.review) if each.key == key and each.marks), None)
        if choice is None:
            return False
        was_open = place in open_places(one, self.review)
        self._change(one.marked(place, choice.value, self.review, self.picked))
        left = [each for each in open_places(one, self.review) if each in one.places[self.at + 1 :]]
        # From an open place to the next open one: marks carried over from an earlier round are not marked anew by a
        # row of keys. From one that is marked again to its neighbour.
        if choice.ends and was_open:
            self.go(one.places.index(left[0]) if left else len(one.places) - 1)
        if choice.ends and not (was_open and left):
            self.go_on()
        return True

    def add_risk(self, kind: RiskKind, turn: int) -> None:
        """One that no judge listed, and that the note does not address."""
        added, _ = risk_added(kind, turn)
        review = self.review.marked(added)
        self._change(replace(review, items=with_risk_answer(review.items, turn, RiskAnswer.LEFT_OUT)))
        self.show(Stage.RISK)

    @property
    def risk_at_hand(self) -> int | None:
        """The turn of the passage on risk that is asked about, as long as its mark may change."""
        return int(self.place.id) if self.stage is Stage.RISK and self.place and self.review.blind else None

    def name_risk(self, kind: RiskKind) -> None:
        """Which danger the passage at hand is."""
        if self.risk_at_hand is not None:
            items = with_risk_named(self.review.items, self.risk_at_hand, kind)
            self._change(replace(self.review, items=items))

    def toggle_turn(self, turn: int) -> None:
        """Pick a turn as a source of the sentence at hand, or let it go; also of one that is marked already."""
        if self.stage is not Stage.FAITHFULNESS or not self.review.blind:
            return
        others = tuple(one for one in self.picked if one != turn)
        self.picked = others if turn in self.picked else tuple(sorted((*self.picked, turn)))
        mark = claim_mark(self.place, self.review) if self.place else None
        if mark is not None:
            self._change(self.review.marked(replace(mark, turns=self.picked)))

    # Comments

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

    # Handing in

    def handed_in(self, when: datetime) -> Review:
        """As it will be once it is kept. Raises ValueError where marks are missing."""
        asked = {place.id for one in self.passes for place in one.places} if self.asked_only else None
        return self.review.submit(self.note, self.rubric, when, asked)

    def uncover(self, shown: OpenReview) -> None:
        """The marks are in: what the judges said is known from now on. What was settled in the round before, and is
        marked as it was, is settled."""
        self.shown = shown
        self._take(shown.review)
        self.use_judge(max(len(shown.judged) - 1, 0))
        for one in (each.difference for each in self.found):
            before = self.decided.get((one.dimension, one.place))
            as_before = before and (before.agreed == one.person or before.agreed not in words.values(one.dimension))
            if before and as_before and settlement_of(one, self.review) is None and not self.review.signature:
                self._take(self.review.settled_with(before))
        settled = self.evaluation is not None and self.settled_count == len(self.found)
        self.show(Stage.ANSWER if settled else Stage.DIFFERENCES)

    def _take(self, review: Review) -> None:
        """What was handed in or signed stands: there is nothing before it to go back to."""
        self.review = review
        self._undone, self._redone = [], []

    # Settling

    @property
    def evaluation(self) -> Evaluation | None:
        """Of the judge that is compared with."""
        return self.shown.judged[self.judge] if self.shown.judged else None

    @property
    def judge_names(self) -> tuple[str, ...]:
        return tuple(judge_name(f"{one.judge.kind} {one.judge.model}") for one in self.shown.judged)

    def use_judge(self, number: int) -> None:
        self.judge = number
        if self.evaluation is not None:
            self.found = differing(self.note, self.rubric, self.review, self.evaluation)
            left = [n for n, one in enumerate(self.found) if settlement_of(one.difference, self.review) is None]
            self._at[Stage.DIFFERENCES] = left[0] if left else 0
            earlier, self.changes_judged = self.shown.earlier, ""
            before = next((one for one in self.shown.judged_before if one.judge == self.evaluation.judge), None)
            if earlier is not None and before is not None:
                first = Kept(1, earlier.review.started, earlier.note, before)
                second = Kept(2, self.shown.review.started, self.note, self.evaluation)
                self.changes_judged = difference(first, second, self.item_name)

    def item_name(self, item: str) -> str:
        """Of the rubric; what is none stays as it is."""
        return next((one.name for one in self.rubric.items if one.id == item), item)

    @property
    def settled_count(self) -> int:
        return sum(settlement_of(one.difference, self.review) is not None for one in self.found)

    @property
    def settlement_here(self) -> Settlement | None:
        return settlement_of(self.found[self.at].difference, self.review) if self.found else None

    def settle(self, agreed: str, reason: str) -> None:
        """The difference at hand; then the next open one."""
        difference = self.found[self.at].difference
        was_open = self.settlement_here is None
        self._change(self.review.settled_with(Settlement(difference.dimension, difference.place, agreed, reason)))
        if not self._next_difference() and was_open:
            self.stage = Stage.ANSWER

    def _next_difference(self) -> bool:
        at = self.at
        for other in [*range(at + 1, len(self.found)), *range(at)]:
            if settlement_of(self.found[other].difference, self.review) is None:
                self._at[Stage.DIFFERENCES] = other
                return True
        return False

    # The answer

    @property
    def answers(self) -> dict[str, CaseStatus]:
        """By key, what the supervisor may do next with a case of this status. Nobody approves a note of their own."""
        keys = {"R": CaseStatus.RETURNED, "A": CaseStatus.APPROVED}
        own = {CaseStatus.APPROVED} if self.shown.own_note else set()
        return {key: one for key, one in keys.items() if self.shown.status.may_become(one) and one not in own}

    def finished(self, review: Review, status: CaseStatus, stand: Stand) -> None:
        """``review`` is on the disk as it ends, and the case stands so."""
        self._take(review)
        self.shown = replace(self.shown, status=status, stand=stand)

    # Undo

    def _change(self, review: Review) -> None:
        if review != self.review:
            self._undone = [*self._undone[-_MOST_UNDONE:], self._now()]
            self._redone = []
            self._put(review)

    def _put(self, review: Review) -> None:
        """``review`` with its passes: a risk may have been added, or taken back."""
        self.review, self._alike = review, ()
        if (added_risks(review, self.shown.transcript), risks_named(review.items)) != (self._added, self._named):
            self.passes = self._passes()
            if self.stage in MARKED and self.current is None:
                self.stage = self.passes[0].stage

    def undo(self) -> bool:
        return self._step(self._undone, self._redone)

    def redo(self) -> bool:
        return self._step(self._redone, self._undone)

    def _step(self, taken: list[_Before], given: list[_Before]) -> bool:
        """To where something is as it was before."""
        if not taken:
            return False
        before = taken.pop()
        given.append(self._now())
        self._put(before.review)
        if before.stage in self.stages:
            self.stage = before.stage
            self._at[before.stage] = before.at
        self._arrive()
        return True

    def _now(self) -> _Before:
        return _Before(self.review, self.stage, self.at)
