"""The full check: the built-in judge first, then a language model asked about everything; one verdict from both.

The model is asked in the order of harm: danger, claims (those on risk, medication and plan first), what is left out,
the checklist, what is needed, responses. How both are joined stands in ``domain.two_witnesses``.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar

from noteeval_desktop.domain import two_witnesses as by_two
from noteeval_desktop.domain.behaviours import MiCounts
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.evaluation import JudgeIdentity, Usage
from noteeval_desktop.domain.harm import Harm, harm_of_sentence
from noteeval_desktop.domain.note import Sentence
from noteeval_desktop.domain.phrases import listed
from noteeval_desktop.domain.plan import Thread
from noteeval_desktop.domain.remarks import PrivateSentence
from noteeval_desktop.domain.risk import RiskFinding
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.domain.thresholds import SHIPPED, Thresholds
from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.domain.verdicts import (
    ClaimVerdict,
    ItemVerdict,
    NeedVerdict,
    Omission,
    Opinion,
    ResponseVerdict,
)
from noteeval_desktop.judges.ahead import asked_ahead
from noteeval_desktop.judges.builtin.risk.note import addressing_sentences
from noteeval_desktop.judges.protocol import (
    AskedAtOnce,
    AsksModel,
    CountsBehaviours,
    Exchange,
    FindsPrivate,
    FollowsPlan,
    Given,
    GivesMarks,
    HasRubric,
    Heard,
    Judge,
    LeavesOut,
    Looked,
    Rating,
    Stage,
    exchanges_of,
)

VERSION = "2"
T = TypeVar("T")
_Ask = Callable[[], Iterator[object]]
# A danger that the quick check did not list: so seldom one is there all the same.
_UNHEARD = 0.1
_ASKED = {
    "risks": "danger",
    "claims": "statements",
    "omissions": "what is left out",
    "goals": "the treatment plan",
    "private": "what to leave out of the record",
    "checklist": "checklist",
    "sentences": "needed sentences",
    "responses": "responses",
}


class FullCheck:
    """Implements ``judges.protocol.Judge`` and ``LooksAgain``. ``model`` answers alone what the built-in judge is not
    asked: responses outside a session, and marks."""

    def __init__(
        self,
        quick: Judge,
        model: AsksModel,
        records: by_two.Records,
        tuned: Thresholds = SHIPPED,
        doubt: str = "",
        minutes: float | None = None,
    ) -> None:
        """``records``: what the model has shown on its entrance test. ``doubt``: what is to be known of it.
        ``minutes``: no question is put after so long. A model that is ``AskedAtOnce`` answers while the built-in judge
        is still at work."""
        self._quick, self._model, self._records, self._tuned = quick, model, records, tuned
        self._doubt, self._minutes = doubt, minutes
        self._not_asked: list[str] = []

    @property
    def doubt(self) -> str:
        unasked = f"The time for the model was up: it was not asked about {listed(self._not_asked)}."
        return f"{self._doubt} {unasked}".strip() if self._not_asked else self._doubt

    @property
    def identity(self) -> JudgeIdentity:
        """The model's: it is who was asked on top."""
        model = self._model.identity
        return replace(model, version=f"{model.version}-full-check-{VERSION}-{self._quick.identity.version}")

    def usage(self) -> Usage:
        return self._model.usage()

    def second_look(self, case: Case, questions: Collection[str], cancel: threading.Event) -> tuple[Stage, ...]:
        self._not_asked = []
        learned, deadline = self.rubric.published, _Deadline(self._minutes)
        look = _Look(case, self._model, self._records, self._tuned, self._not_asked, deadline, learned)
        return look.stages(questions, cancel)

    def likert(self, case: Case, cancel: threading.Event) -> Iterator[Rating]:
        assert isinstance(self._model, GivesMarks)
        yield from self._model.likert(case, cancel)

    # As the built-in judge has it

    def risks(self, case: Case, cancel: threading.Event) -> Iterator[RiskFinding]:
        return self._quick.risks(case, cancel)

    def cover(self, case: Case, cancel: threading.Event) -> Iterator[ItemVerdict]:
        return self._quick.cover(case, cancel)

    def need(self, case: Case, cancel: threading.Event) -> Iterator[NeedVerdict]:
        return self._quick.need(case, cancel)

    def support(
        self, case: Case, cancel: threading.Event, first: Callable[[], Sequence[str]] = tuple
    ) -> Iterator[ClaimVerdict]:
        return self._quick.support(case, cancel)

    def omit(self, case: Case, claims: Sequence[ClaimVerdict], cancel: threading.Event) -> Iterator[Omission]:
        return self._quick.omit(case, claims, cancel)

    def respond(self, exchanges: Sequence[Exchange], cancel: threading.Event) -> Iterator[ResponseVerdict]:
        return (self._model if outside_a_session(exchanges) else self._quick).respond(exchanges, cancel)

    def thread(self, case: Case, cancel: threading.Event) -> Iterator[Thread]:
        return self._quick.thread(case, cancel) if isinstance(self._quick, FollowsPlan) else iter(())

    @property
    def asks_private(self) -> bool:
        return isinstance(self._model, FindsPrivate) and self._model.asks_private

    def private(self, case: Case, cancel: threading.Event) -> Iterator[PrivateSentence]:
        """The model is asked at the second look."""
        return iter(())

    def behaviours(self, transcript: Transcript, cancel: threading.Event) -> MiCounts | None:
        return self._quick.behaviours(transcript, cancel) if isinstance(self._quick, CountsBehaviours) else None

    @property
    def rubric(self) -> Rubric:
        assert isinstance(self._quick, HasRubric)
        return self._quick.rubric

    def left_out(self, transcript: Transcript) -> tuple[int, ...]:
        return self._quick.left_out(transcript) if isinstance(self._quick, LeavesOut) else ()


def outside_a_session(exchanges: Sequence[Exchange]) -> bool:
    return bool(exchanges) and all(exchange.turn is None for exchange in exchanges)


@dataclass
class _Look:
    """At one case: what the model is asked, and what becomes of its answers beside the quick check's. Fills
    ``not_asked`` with what the time did not reach. ``learned``: as ``need_by_two`` has it."""

    case: Case
    model: AsksModel
    records: by_two.Records
    tuned: Thresholds
    not_asked: list[str]
    deadline: _Deadline
    learned: bool
    given: Given | None = None
    asks: dict[str, _Ask] = field(default_factory=dict)

    @property
    def kind(self) -> str:
        return self.model.identity.kind

    def stages(self, questions: Collection[str], cancel: threading.Event) -> tuple[Stage, ...]:
        case, model, exchanges = self.case, self.model, exchanges_of(self.case.transcript)
        sentences = len(case.note.sentences)
        every: dict[str, tuple[_Ask, Callable[[Given, threading.Event], Iterator[Looked]], int | None]] = {
            "risks": (lambda: model.hear(case, cancel), self._risks, None),
            "claims": (lambda: model.support(case, cancel, self._gravest_first), self._claims, sentences),
            "omissions": (lambda: model.omit(case, (), cancel), self._omissions, None),
            "goals": (lambda: model.thread(case, cancel), partial(self._alone, "goals", Thread), None),
            "private": (lambda: model.private(case, cancel), partial(self._alone, "private", PrivateSentence), None),
            "checklist": (lambda: model.cover(case, cancel), self._items, None),
            "sentences": (lambda: model.need(case, cancel), self._needs, sentences),
            "responses": (lambda: model.respond(exchanges, cancel), self._responses, len(exchanges)),
        }
        put = {question: parts for question, parts in every.items() if question in questions}
        asks = {question: ask for question, (ask, _, _) in put.items()}
        self.asks = asked_ahead(asks) if isinstance(model, AskedAtOnce) else asks
        return tuple(Stage(question, total, joined) for question, (_, joined, total) in put.items())

    def _answers(self, question: str, given: Given, kind: type[T]) -> Iterator[T]:
        self.given = given
        cut_off = self.deadline.until(self.asks[question](), lambda: self.not_asked.append(_ASKED[question]))
        return (answer for answer in cut_off if isinstance(answer, kind))

    def _record(self, question: str) -> by_two.TrackRecord:
        return by_two.record_of(self.records, question)

    def _risks(self, given: Given, cancel: threading.Event) -> Iterator[RiskFinding]:
        heard = list(self._answers("risks", given, Heard))
        # Nobody was asked: a silence that is not the model's says nothing.
        if _ASKED["risks"] in self.not_asked:
            return iter(())
        return _risks_by_two(self.case, given.risks, heard, self.kind, self._record("risks"), cancel)

    def _claims(self, given: Given, cancel: threading.Event) -> Iterator[ClaimVerdict]:
        for one in self._answers("claims", given, ClaimVerdict):
            quick = given.claims.get(one.sentence) or ClaimVerdict(one.sentence, None)
            yield by_two.claim_by_two(quick, one, self.kind, self._record("claims"))

    def _omissions(self, given: Given, cancel: threading.Event) -> Iterator[Omission]:
        found = list(self._answers("omissions", given, Omission))
        if _ASKED["omissions"] not in self.not_asked:
            yield from by_two.omissions_by_two(given.omissions, found, self.kind, self._record("omissions"))

    def _items(self, given: Given, cancel: threading.Event) -> Iterator[ItemVerdict]:
        for one in self._answers("checklist", given, ItemVerdict):
            quick = given.items.get(one.item) or replace(one, present=None, probability=None)
            yield by_two.item_by_two(quick, one, self.kind, self._record("checklist"), self.tuned)

    def _needs(self, given: Given, cancel: threading.Event) -> Iterator[NeedVerdict]:
        for one in self._answers("sentences", given, NeedVerdict):
            quick = given.needs.get(one.sentence) or NeedVerdict(one.sentence, None)
            yield by_two.need_by_two(quick, one, self.kind, self._record("sentences"), self.tuned, self.learned)

    def _responses(self, given: Given, cancel: threading.Event) -> Iterator[ResponseVerdict]:
        for one in self._answers("responses", given, ResponseVerdict):
            yield by_two.response_by_two(given.responses.get(one.turn), one)

    def _alone(self, question: str, kind: type[T], given: Given, cancel: threading.Event) -> Iterator[T]:
        """The model's word, beside which the quick check's has none: it only asks about goals."""
        return self._answers(question, given, kind)

    def _gravest_first(self) -> list[str]:
        """By what an error could do, then by how much an answer can change."""
        claims = self.given.claims if self.given else {}

        def weight(sentence: Sentence) -> tuple[int, float]:
            claim = claims.get(sentence.id)
            chance = 0.5 if claim is None or claim.probability is None else claim.probability
            return _HARMS.index(harm_of_sentence(sentence)), abs(chance - 0.5)

        return [sentence.id for sentence in sorted(self.case.note.sentences, key=weight)]


_HARMS = tuple(Harm)


def _risks_by_two(
    case: Case,
    quick: Sequence[RiskFinding],
    heard: Sequence[Heard],
    kind: str,
    record: by_two.TrackRecord,
    cancel: threading.Event,
) -> Iterator[RiskFinding]:
    """All of the ledger's, and what only the model heard. A model takes no danger away and ticks none; what it says
    tells of one may be meant for it. A danger that both heard, or that a proven model did, is warned of."""
    left = list(heard)
    for risk in quick:
        near = {turn + step for turn in (*risk.turns, risk.citation.turn) for step in (-1, 0, 1)}
        same = [one for one in left if one.kind is risk.kind and one.citation.turn in near]
        left = [one for one in left if one not in same]
        told = tuple(dict.fromkeys(i for one in same for i in one.told_in if i not in (risk.addressed_by or ())))
        yield replace(
            risk,
            likely=risk.likely or (risk.by_meaning and bool(same)),
            near=tuple(dict.fromkeys((*told, *risk.near))) if risk.addressed_by == () else risk.near,
            opinions=(
                Opinion(by_two.QUICK, by_two.HEARD),
                Opinion(kind, by_two.HEARD if same else by_two.NOT_HEARD, citations=tuple(o.citation for o in same)),
            ),
        )
    likely = by_two.joint(_UNHEARD, True, record) >= 0.5
    alone = [
        RiskFinding((one.citation.turn,), one.citation, one.kind, one.stance, by_meaning=True, likely=likely)
        for one in left
    ]
    for one, risk in zip(left, addressing_sentences(alone, case.transcript, case.note, None, cancel), strict=True):
        yield replace(
            risk,
            near=tuple(dict.fromkeys((*one.told_in, *risk.near))) if risk.addressed_by == () else risk.near,
            opinions=(Opinion(by_two.QUICK, by_two.NOT_HEARD), Opinion(kind, by_two.HEARD, citations=(one.citation,))),
        )


@dataclass
class _Deadline:
    """For a whole look: the first question starts it."""

    minutes: float | None
    end: float | None = None

    def until(self, answers: Iterator[T], cut_off: Callable[[], None]) -> Iterator[T]:
        if self.minutes is None:
            yield from answers
            return
        if self.end is None:
            self.end = time.monotonic() + 60 * self.minutes
        while time.monotonic() < self.end:
            try:
                answer = next(answers)
            except StopIteration:
                return
            yield answer
        cut_off()
