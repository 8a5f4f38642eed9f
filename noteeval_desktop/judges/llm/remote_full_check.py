"""The full check with a model at an address: it sees the doubtful parts of a case without identifiers."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.evaluation import JudgeIdentity, Usage
from noteeval_desktop.domain.placeholders import finished
from noteeval_desktop.domain.risk import RiskFinding
from noteeval_desktop.domain.verdicts import ClaimVerdict, NeedVerdict, Omission, Opinion, ResponseVerdict
from noteeval_desktop.engines.chat import ChatModel
from noteeval_desktop.judges.full_check import FullCheck, outside_a_session
from noteeval_desktop.judges.llm.likert import Rating
from noteeval_desktop.judges.llm.private import restored_claim
from noteeval_desktop.judges.llm.remote import Asks, RemoteJudge
from noteeval_desktop.judges.llm.second_look import SecondLook
from noteeval_desktop.judges.protocol import Doubt, Exchange, Judge
from noteeval_desktop.privacy.deidentify import DeidentifiedCase


class MaskedLook:
    """A Looker that shows another the case without identifiers, and answers about the original."""

    def __init__(self, look: SecondLook, prepared: Callable[[Case], DeidentifiedCase]) -> None:
        self._look, self._prepared = look, prepared

    def over(self, chat: ChatModel) -> MaskedLook:
        return MaskedLook(self._look.over(chat), self._prepared)

    @property
    def identity(self) -> JudgeIdentity:
        return self._look.identity

    def usage(self) -> Usage:
        return self._look.usage()

    def claims(self, case: Case, doubts: Sequence[Doubt], cancel: threading.Event) -> Iterator[ClaimVerdict]:
        masked = self._prepared(case)
        for verdict in self._look.claims(masked.case, doubts, cancel):
            yield restored_claim(verdict, masked)

    def needs(self, case: Case, sentences: Sequence[str], cancel: threading.Event) -> Iterator[NeedVerdict]:
        masked = self._prepared(case)
        for verdict in self._look.needs(masked.case, sentences, cancel):
            yield replace(verdict, rationale=masked.restore(verdict.rationale))

    def left_out(
        self, case: Case, omissions: Sequence[Omission], cancel: threading.Event
    ) -> Iterator[tuple[Omission, Opinion]]:
        return self._look.left_out(self._prepared(case).case, omissions, cancel)

    def dangers(
        self, case: Case, risks: Sequence[RiskFinding], cancel: threading.Event
    ) -> Iterator[tuple[RiskFinding, Opinion]]:
        return self._look.dangers(self._prepared(case).case, risks, cancel)


class RemoteFullCheck(FullCheck, RemoteJudge):
    """The built-in judge's answers over the case as it is; only what it does not vouch for is sent."""

    def __init__(self, quick: Judge, remote: RemoteJudge) -> None:
        RemoteJudge.__init__(self, remote.llm, remote.chat, remote.finder)
        self._masked = MaskedLook(SecondLook(remote.llm), self.prepared)
        FullCheck.__init__(self, quick, remote.llm, self._masked)

    def respond(self, exchanges: Sequence[Exchange], cancel: threading.Event) -> Iterator[ResponseVerdict]:
        asked = RemoteJudge if outside_a_session(exchanges) else FullCheck
        return asked.respond(self, exchanges, cancel)

    def likert(self, case: Case, cancel: threading.Event) -> Iterator[Rating]:
        return RemoteJudge.likert(self, case, cancel)

    def _asks(self, case: Case) -> Mapping[str, Asks]:
        asked, cancel = finished(case)[0], threading.Event()
        doubts = FullCheck.doubts(self, asked, cancel)
        self.prepared(asked)

        def to(question: str) -> Asks:
            def put(chat: ChatModel) -> Iterator[object]:
                for stage in self.stages(asked, doubts, self._masked.over(chat)):
                    if stage.question == question:
                        yield from stage.ask(cancel)

            return put

        return {question: to(question) for question in ("risks", "claims", "omissions", "sentences")}
