"""The judge at an address: sees a case without identifiers, and can show beforehand what it would send."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence

from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.placeholders import finished
from noteeval_desktop.domain.thresholds import SHIPPED, Thresholds
from noteeval_desktop.domain.two_witnesses import Records
from noteeval_desktop.engines.chat import ChatModel, Request
from noteeval_desktop.engines.remote.chat import RemoteChat
from noteeval_desktop.engines.remote.preview import PreviewChat, Shown
from noteeval_desktop.engines.remote.provider_batch import Collected, CollectingChat
from noteeval_desktop.judges.full_check import FullCheck
from noteeval_desktop.judges.llm.judge import LlmJudge
from noteeval_desktop.judges.llm.likert import Rating
from noteeval_desktop.judges.llm.private import PrivateJudge
from noteeval_desktop.judges.protocol import AsksModel, Exchange, Judge, exchanges_of
from noteeval_desktop.privacy.deidentify import DeidentifiedCase
from noteeval_desktop.privacy.identifiers import Decisions, IdentifierFinder

Asks = Callable[[ChatModel], Iterator[object]]


class RemoteJudge(PrivateJudge):
    """A PrivateJudge over an LlmJudge over ``chat``. ``marks``: they are to be asked for, so previews show them;
    ``responses``: so are the therapist's responses."""

    def __init__(self, llm: LlmJudge, chat: RemoteChat, finder: IdentifierFinder | None) -> None:
        super().__init__(llm, finder)
        self.llm, self._chat = llm, chat
        self.marks, self.responses = False, True

    def preview(self, case: Case) -> Mapping[str, tuple[bytes, ...]]:
        """By question (checklist, sentences, claims, omissions, goals where there is a plan, responses): the bodies,
        JSON in UTF-8, that judging ``case`` would send first, byte for byte. Nothing is sent.

        What was answered before is not asked again and so not shown. Later bodies repeat questions whose
        answer could not be used, with a line on why (``previews``), or put them in a form that the server understands.
        """
        return self.previews(case)[0]

    def previews(self, case: Case) -> tuple[Mapping[str, tuple[bytes, ...]], Mapping[str, tuple[bytes, ...]]]:
        """As ``preview`` has it; and what would be asked once more if no answer were JSON. The line on why and the
        numbers asked about differ with what is wrong; nothing else does."""
        shown = {question: self._shown(ask) for question, ask in self._asks(case).items()}
        if self.marks:
            shown["marks"] = chat = PreviewChat(self._chat)
            with contextlib.suppress(Shown):
                for _ in self.llm.over(chat).likert(self.prepared(case).case, threading.Event()):
                    continue
        first = {question: tuple(chat.bodies) for question, chat in shown.items()}
        return first, {question: tuple(chat.again) for question, chat in shown.items()}

    def previews_of(
        self, exchanges: Sequence[Exchange]
    ) -> tuple[Mapping[str, tuple[bytes, ...]], Mapping[str, tuple[bytes, ...]]]:
        """As ``previews`` has it, for responses outside a session, which are asked about one at a time."""
        cancel = threading.Event()
        shown = [self._shown(lambda chat, one=one: self.answered_by(chat).respond((one,), cancel)) for one in exchanges]  # type: ignore[misc]
        return (
            {"responses": tuple(body for chat in shown for body in chat.bodies)},
            {"responses": tuple(body for chat in shown for body in chat.again)},
        )

    @property
    def chat(self) -> RemoteChat:
        return self._chat

    def questions(self, case: Case) -> tuple[Request, ...]:
        """What judging ``case`` asks first, for a provider's batch; nothing is sent. What was answered before is not
        asked again."""
        collected: list[Request] = []
        for ask in self._asks(case).values():
            chat = CollectingChat(self._chat)
            with contextlib.suppress(Collected):
                for _ in ask(chat):
                    continue
            collected += chat.requests
        return tuple(collected)

    def answered_by(self, chat: ChatModel) -> PrivateJudge:
        """The same questions, fence and all, put to ``chat``."""
        return self.over(self.llm.over(chat))

    def likert(self, case: Case, cancel: threading.Event) -> Iterator[Rating]:
        """As LlmJudge has it, over the case without identifiers."""
        yield from self.llm.likert(self.prepared(case).case, cancel)

    def _asks(self, case: Case) -> Mapping[str, Asks]:
        """The questions about ``case`` by their names, each to be put to a chat model over the same preparation; danger
        is asked about with what is left out."""
        case = finished(case)[0]
        self.prepared(case)
        cancel, exchanges = threading.Event(), exchanges_of(case.transcript)
        asks: dict[str, Asks] = {
            "checklist": lambda chat: self.answered_by(chat).cover(case, cancel),
            "sentences": lambda chat: self.answered_by(chat).need(case, cancel),
            "claims": lambda chat: self.answered_by(chat).support(case, cancel),
            "omissions": lambda chat: self.answered_by(chat).omit(case, (), cancel),
        }
        if case.plan is not None:
            asks["goals"] = lambda chat: self.answered_by(chat).thread(case, cancel)
        if self.responses:
            asks["responses"] = lambda chat: self.answered_by(chat).respond(exchanges, cancel)
        return asks

    def _shown(self, ask: Asks) -> PreviewChat:
        chat = PreviewChat(self._chat)
        with contextlib.suppress(Shown):
            for _ in ask(chat):
                continue
        return chat


class RemoteFullCheck(FullCheck, RemoteJudge):
    """What would be sent is what ``remote`` alone would be sent, over one preparation."""

    def __init__(self, quick: Judge, remote: RemoteJudge, records: Records, tuned: Thresholds = SHIPPED) -> None:
        RemoteJudge.__init__(self, remote.llm, remote.chat, remote.finder)
        FullCheck.__init__(self, quick, remote, records, tuned, ahead=True)
        self._alone = remote

    def decide(self, decisions: Decisions) -> None:
        super().decide(decisions)
        self._alone.decide(decisions)

    def prepared(self, case: Case) -> DeidentifiedCase:
        return self._alone.prepared(case)

    def over(self, judge: AsksModel) -> PrivateJudge:
        return self._alone.over(judge)

    def likert(self, case: Case, cancel: threading.Event) -> Iterator[Rating]:
        return RemoteJudge.likert(self, case, cancel)
