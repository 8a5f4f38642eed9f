"""The judge protocol: generators of verdicts, so that a caller shows what comes and stops between any two."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, runtime_checkable

from noteeval_desktop.domain.behaviours import MiCounts
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.evaluation import JudgeIdentity, Usage
from noteeval_desktop.domain.note import Note, Section
from noteeval_desktop.domain.plan import Thread
from noteeval_desktop.domain.remarks import PrivateSentence
from noteeval_desktop.domain.risk import RiskFinding, RiskKind, Stance
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.domain.thresholds import Thresholds
from noteeval_desktop.domain.transcript import Citation, Role, Transcript, Turn
from noteeval_desktop.domain.verdicts import (
    ClaimVerdict,
    ItemVerdict,
    NeedVerdict,
    Omission,
    ResponseVerdict,
)

CONTEXT_TURNS = 4
Ledger = Callable[[Case, threading.Event], Iterable[RiskFinding]]


class Responder(StrEnum):
    """As whom whoever answers was asked to answer: what a response is held to."""

    NONE = "none"
    CLINICIAN = "clinician"
    PEER = "peer"


@dataclass(frozen=True, slots=True)
class Exchange:
    """A response to a client and what came before it; ``turn`` is the response's number in a session."""

    context: tuple[Turn, ...]
    response: str
    turn: int | None = None
    responder: Responder = Responder.NONE


def exchanges_of(transcript: Transcript) -> tuple[Exchange, ...]:
    """Each therapist turn with the turns before it (at most ``CONTEXT_TURNS``), where a client has spoken."""
    turns = transcript.turns
    return tuple(
        Exchange(context=turns[max(0, turn.index - CONTEXT_TURNS) : turn.index], response=turn.text, turn=turn.index)
        for turn in turns
        if turn.role is Role.THERAPIST
        and any(t.role is Role.CLIENT for t in turns[max(0, turn.index - CONTEXT_TURNS) : turn.index])
    )


@dataclass(frozen=True, slots=True)
class Heard:
    """A danger that a model heard in the session: where it is said, and the note's sentences (ids) that tell of it."""

    citation: Citation
    kind: RiskKind
    stance: Stance
    told_in: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Given:
    """What the first judge has said, by item, sentence and turn."""

    items: Mapping[str, ItemVerdict]
    needs: Mapping[str, NeedVerdict]
    claims: Mapping[str, ClaimVerdict]
    omissions: Sequence[Omission]
    risks: Sequence[RiskFinding]
    responses: Mapping[int | None, ResponseVerdict]


Looked = RiskFinding | ItemVerdict | NeedVerdict | ClaimVerdict | Omission | ResponseVerdict | Thread | PrivateSentence


@dataclass(frozen=True, slots=True)
class Stage:
    """Of a second look: verdicts that take the place of earlier ones, ``total`` of them where that is known.

    ``question``: as the pipeline names it; ``ask`` raises as a judge's generators do.
    """

    question: str
    total: int | None
    ask: Callable[[Given, threading.Event], Iterator[Looked]]


def case_of(exchanges: Sequence[Exchange]) -> Case:
    """All words that would be sent, as one session: each message once, and every response."""
    said = []
    for number, exchange in enumerate(exchanges):
        if number == 0 or exchange.context != exchanges[number - 1].context:
            said += [(turn.speaker, turn.role, turn.text) for turn in exchange.context]
        said.append(("Therapist", Role.THERAPIST, exchange.response))
    turns = tuple(Turn(n, speaker, role, text) for n, (speaker, role, text) in enumerate(said))
    return Case(Transcript(turns), Note("", (), ()))


@runtime_checkable
class CountsBehaviours(Protocol):
    """A judge that also counts what the therapist does; like the risks, found on this computer."""

    def behaviours(self, transcript: Transcript, cancel: threading.Event) -> MiCounts | None:
        """None where it cannot be counted. Raises Cancelled."""
        ...


@runtime_checkable
class FollowsPlan(Protocol):
    """A judge that also says what of the client's treatment plan a note speaks to."""

    def thread(self, case: Case, cancel: threading.Event) -> Iterator[Thread]:
        """One, of a case with a plan. Raises as the judge's generators do."""
        ...


@runtime_checkable
class FindsPrivate(Protocol):
    """A judge that also says what does not belong in the record, where ``asks_private``."""

    @property
    def asks_private(self) -> bool: ...

    def private(self, case: Case, cancel: threading.Event) -> Iterator[PrivateSentence]:
        """Only what it would leave out. Raises as the judge's generators do."""
        ...


@runtime_checkable
class LeavesOut(Protocol):
    """A judge that does not hear what speaks to whoever reviews the note."""

    def left_out(self, transcript: Transcript) -> tuple[int, ...]:
        """The turns of the session judged last that it did not hear, or not wholly; none of another session."""
        ...


@runtime_checkable
class Doubted(Protocol):
    """A judge of which whoever reads its verdicts should know something; ``doubt`` is empty where there is nothing."""

    doubt: str


@runtime_checkable
class HasRubric(Protocol):
    """A judge that says what it goes through, in what order its verdicts are to stand, and what it has not answered."""

    @property
    def rubric(self) -> Rubric: ...


@runtime_checkable
class UsesChecklist(Protocol):
    """A judge that goes through another checklist from now on."""

    def use(self, rubric: Rubric) -> None: ...


@dataclass(frozen=True, slots=True)
class Rating:
    """Marks of one section, or with ``section`` None of the note as a whole (acceptance). ``marks`` is empty
    where the model gave none that can be used, and ``problem`` says why."""

    section: Section | None
    marks: Mapping[str, int]
    problem: str = ""


@runtime_checkable
class GivesMarks(Protocol):
    """A judge that also gives marks from 1 to 5."""

    def likert(self, case: Case, cancel: threading.Event) -> Iterator[Rating]: ...


@runtime_checkable
class AskedAtOnce(Protocol):
    """A judge elsewhere, whose generators may run side by side over one case: its answers come from a network."""

    asked_at_once: bool


@runtime_checkable
class LooksAgain(Protocol):
    """A judge that asks a second judge the same questions, whose answers are joined with its own."""

    def second_look(self, case: Case, questions: Collection[str], cancel: threading.Event) -> Sequence[Stage]:
        """Called before the first judge is asked: a second one at an address answers meanwhile. Raises as the judge's
        generators do."""
        ...


@runtime_checkable
class Tunable(Protocol):
    """A judge that says yes from another probability on, where a practice wants it so."""

    def tune(self, thresholds: Thresholds) -> None: ...


class Judge(Protocol):
    """Answers over frozen data.

    Every generator yields one verdict for each thing asked about, in any order; one that could not be
    judged has None for its value and says why in ``rationale``. Raises JudgeError when the judge as a
    whole cannot go on, Cancelled soon after ``cancel`` is set. Not thread-safe: one case at a time.
    """

    @property
    def identity(self) -> JudgeIdentity: ...

    def risks(self, case: Case, cancel: threading.Event) -> Iterator[RiskFinding]:
        """Where does the session touch danger, and does the note answer it? Whatever the kind of judge, this is found
        on this computer: nothing is sent for it, and no model's mood decides it."""
        ...

    def cover(self, case: Case, cancel: threading.Event) -> Iterator[ItemVerdict]:
        """Which rubric items do the note's sections cover (general items included)? Of ``Rubric.for_judge``."""
        ...

    def need(self, case: Case, cancel: threading.Event) -> Iterator[NeedVerdict]:
        """Which rubric items does each sentence serve?"""
        ...

    def support(self, case: Case, cancel: threading.Event) -> Iterator[ClaimVerdict]:
        """Is each sentence supported by the session, and by which turns?"""
        ...

    def omit(self, case: Case, claims: Sequence[ClaimVerdict], cancel: threading.Event) -> Iterator[Omission]:
        """What is critical in the session and not in the note? (Yields only what is left out.)"""
        ...

    def respond(self, exchanges: Sequence[Exchange], cancel: threading.Event) -> Iterator[ResponseVerdict]:
        """How do responses score on the six attributes?"""
        ...

    def usage(self) -> Usage:
        """What the judge has used since it was made (seconds aside, which the pipeline measures)."""
        ...


class AsksModel(Judge, FollowsPlan, FindsPrivate, Protocol):
    """A judge that a language model answers."""

    def hear(self, case: Case, cancel: threading.Event) -> Iterator[Heard]:
        """Every danger that it hears in the session."""
        ...

    def support(
        self, case: Case, cancel: threading.Event, first: Callable[[], Sequence[str]] = tuple
    ) -> Iterator[ClaimVerdict]:
        """``first``: ids of the sentences to ask about before all others, when it comes to that."""
        ...
