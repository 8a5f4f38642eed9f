"""The full check: the built-in judge first, then a language model on what the built-in judge does not vouch for.

Asked are: every claim that does not stand in the session nearly word for word, or that is on risk, medication, dose,
plan, side of the body or on who did it; every sentence that is called not needed; every passage that may be left out,
of which the model ranks and drops; and every danger that is warned of. All else stands as the built-in judge has it.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol, TypeVar, runtime_checkable

from noteeval_desktop.domain import second_look as by_two
from noteeval_desktop.domain.behaviours import MiCounts
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.evaluation import JudgeIdentity, Usage
from noteeval_desktop.domain.risk import RiskFinding, without_wrong
from noteeval_desktop.domain.rubric import RubricItem
from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.domain.verdicts import (
    ERRORS,
    ClaimVerdict,
    ItemVerdict,
    NeedVerdict,
    Omission,
    OmissionKind,
    Opinion,
    ResponseVerdict,
)
from noteeval_desktop.errors import JudgeError, ModelError
from noteeval_desktop.judges.builtin.risk.note import with_told
from noteeval_desktop.judges.protocol import (
    CountsBehaviours,
    Doubt,
    Exchange,
    HasRubric,
    Judge,
    KnowsItsDoubts,
    LeavesOut,
    Stage,
)

if TYPE_CHECKING:
    from noteeval_desktop.judges.llm.likert import Rating

VERSION = "1"
T = TypeVar("T")


@runtime_checkable
class GivesMarks(Protocol):
    def likert(self, case: Case, cancel: threading.Event) -> Iterator[Rating]: ...


class Looker(Protocol):
    """What a second judge is asked; raises as a judge does."""

    @property
    def identity(self) -> JudgeIdentity: ...

    def usage(self) -> Usage: ...

    def claims(self, case: Case, doubts: Sequence[Doubt], cancel: threading.Event) -> Iterator[ClaimVerdict]: ...

    def needs(self, case: Case, sentences: Sequence[str], cancel: threading.Event) -> Iterator[NeedVerdict]: ...

    def left_out(
        self, case: Case, omissions: Sequence[Omission], cancel: threading.Event
    ) -> Iterator[tuple[Omission, Opinion]]: ...

    def dangers(
        self, case: Case, risks: Sequence[RiskFinding], cancel: threading.Event
    ) -> Iterator[tuple[RiskFinding, Opinion]]: ...


@dataclass(frozen=True, slots=True)
class Doubts:
    """What the built-in judge said and does not vouch for: what a second judge is asked about."""

    claims: Mapping[str, ClaimVerdict]
    doubted: tuple[Doubt, ...]
    needs: Mapping[str, NeedVerdict]
    omissions: tuple[Omission, ...]
    risks: tuple[RiskFinding, ...]


class FullCheck:
    """Implements ``judges.protocol.Judge`` and ``LooksAgain``. ``model`` answers what the built-in judge is not asked:
    responses outside a session, and marks; ``doubt``: what is to be known of it."""

    def __init__(self, quick: Judge, model: Judge, look: Looker, doubt: str = "") -> None:
        self._quick, self._model, self._look, self.doubt = quick, model, look, doubt

    @property
    def identity(self) -> JudgeIdentity:
        """The model's: it is who was asked on top."""
        model = self._look.identity
        return replace(model, version=f"{model.version}-full-check-{VERSION}-{self._quick.identity.version}")

    def usage(self) -> Usage:
        return self._look.usage()

    def second_look(self, case: Case, cancel: threading.Event) -> tuple[Stage, ...]:
        return self.stages(case, self.doubts(case, cancel), self._look)

    def doubts(self, case: Case, cancel: threading.Event) -> Doubts:
        """The built-in judge is asked again, and remembers most of what it said."""
        claims = {claim.sentence: claim for claim in self._quick.support(case, cancel)}
        wrong = {claim.sentence for claim in claims.values() if claim.verdict in ERRORS}
        risks = with_told(without_wrong(_unless_foreign(self._quick.risks(case, cancel)), wrong), case.note, claims)
        needs = {n.sentence: n for n in self._quick.need(case, cancel) if not (n.needed or n.set_aside)}
        left_out = _unless_foreign(self._quick.omit(case, tuple(claims.values()), cancel))
        # A danger that is left out is asked about as a danger, and dropped by nobody.
        omissions = tuple(omission for omission in left_out if omission.kind is not OmissionKind.RISK)
        assert isinstance(self._quick, KnowsItsDoubts)
        doubted = tuple(self._quick.doubts(case, tuple(claims.values()), cancel))
        return Doubts(claims, doubted, needs, omissions, tuple(risk for risk in risks if risk.pressing))

    def stages(self, case: Case, doubts: Doubts, look: Looker) -> tuple[Stage, ...]:
        """The questions to ``look``, dangers first."""
        kind = look.identity.kind

        def dangers(cancel: threading.Event) -> Iterator[RiskFinding]:
            for risk, opinion in look.dangers(case, doubts.risks, cancel):
                yield by_two.risk_by_two(risk, opinion)

        def claims(cancel: threading.Event) -> Iterator[ClaimVerdict]:
            for claim in look.claims(case, doubts.doubted, cancel):
                yield by_two.claim_by_two(doubts.claims[claim.sentence], claim, kind)

        def left_out(cancel: threading.Event) -> Iterator[Omission]:
            for omission, opinion in look.left_out(case, doubts.omissions, cancel):
                yield by_two.omission_by_two(omission, opinion)

        def needs(cancel: threading.Event) -> Iterator[NeedVerdict]:
            for need in look.needs(case, tuple(doubts.needs), cancel):
                yield by_two.need_by_two(doubts.needs[need.sentence], need, kind)

        stages = (
            Stage("risks", len(doubts.risks), dangers),
            Stage("claims", len(doubts.doubted), claims),
            Stage("omissions", len(doubts.omissions), left_out),
            Stage("sentences", len(doubts.needs), needs),
        )
        return tuple(stage for stage in stages if stage.total)

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

    def support(self, case: Case, cancel: threading.Event) -> Iterator[ClaimVerdict]:
        return self._quick.support(case, cancel)

    def omit(self, case: Case, claims: Sequence[ClaimVerdict], cancel: threading.Event) -> Iterator[Omission]:
        return self._quick.omit(case, claims, cancel)

    def respond(self, exchanges: Sequence[Exchange], cancel: threading.Event) -> Iterator[ResponseVerdict]:
        return (self._model if outside_a_session(exchanges) else self._quick).respond(exchanges, cancel)

    def behaviours(self, transcript: Transcript, cancel: threading.Event) -> MiCounts | None:
        return self._quick.behaviours(transcript, cancel) if isinstance(self._quick, CountsBehaviours) else None

    def rubric_items(self) -> Sequence[RubricItem]:
        return self._quick.rubric_items() if isinstance(self._quick, HasRubric) else ()

    def left_out(self, transcript: Transcript) -> tuple[int, ...]:
        return self._quick.left_out(transcript) if isinstance(self._quick, LeavesOut) else ()


def outside_a_session(exchanges: Sequence[Exchange]) -> bool:
    return bool(exchanges) and all(exchange.turn is None for exchange in exchanges)


def _unless_foreign(found: Iterator[T]) -> list[T]:
    """What comes until the judge cannot go on: a session in another language, which is told where it is first asked."""
    kept: list[T] = []
    try:
        kept += found
    except ModelError:
        raise
    except JudgeError:
        pass
    return kept
