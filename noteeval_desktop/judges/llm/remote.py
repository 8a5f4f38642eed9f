"""The judge at an address: sees a case without identifiers, and can show beforehand what it would send."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from noteeval_desktop.domain.behaviours import MiCounts
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.evaluation import JudgeIdentity, Usage
from noteeval_desktop.domain.placeholders import finished
from noteeval_desktop.domain.plan import Thread
from noteeval_desktop.domain.remarks import PrivateSentence
from noteeval_desktop.domain.risk import RiskFinding
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.domain.thresholds import SHIPPED, Thresholds
from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.domain.two_witnesses import Records
from noteeval_desktop.domain.verdicts import (
    ClaimVerdict,
    Evidence,
    ItemVerdict,
    NeedVerdict,
    Omission,
    ResponseVerdict,
    WrongWords,
)
from noteeval_desktop.engines.chat import ChatModel, Request
from noteeval_desktop.engines.remote.chat import RemoteChat
from noteeval_desktop.engines.remote.preview import CollectingChat, Kept, PreviewChat
from noteeval_desktop.judges.full_check import FullCheck
from noteeval_desktop.judges.llm.answers import stretch
from noteeval_desktop.judges.llm.judge import LlmJudge
from noteeval_desktop.judges.protocol import (
    AsksModel,
    CountsBehaviours,
    Exchange,
    HasRubric,
    Heard,
    Judge,
    Rating,
    exchanges_of,
)
from noteeval_desktop.privacy.deidentify import DeidentifiedCase, as_it_is, deidentify, tokens_for
from noteeval_desktop.privacy.identifiers import Decisions, IdentifierFinder, Unknown
from noteeval_desktop.privacy.masking import mask


def _restored(wrong: Sequence[WrongWords], sentence: str, masked: DeidentifiedCase) -> Iterator[WrongWords]:
    """About the ``sentence`` as it was written; none of a name that stands there in another form than its token's."""
    for one in wrong:
        span = stretch(sentence, masked.restore(one.words))
        if span is not None:
            said = one.said and masked.citation(one.said)
            yield WrongWords(span, span.of(sentence), said, masked.restore(one.instead))


class PrivateJudge:
    """Implements ``judges.protocol.Judge`` around another judge. One case is prepared at a time. Without a ``finder``
    the judge gets the words as they are, which never leave this computer."""

    def __init__(self, judge: AsksModel, finder: IdentifierFinder | None) -> None:
        self._judge = judge
        self.finder = finder
        self._prepared: DeidentifiedCase | None = None
        self._preparing = threading.Lock()

    @property
    def identity(self) -> JudgeIdentity:
        return self._judge.identity

    def usage(self) -> Usage:
        return self._judge.usage()

    def over(self, judge: AsksModel) -> PrivateJudge:
        """The same preparation, tokens and all, around another judge."""
        other = PrivateJudge(judge, self.finder)
        other._prepared = self._prepared
        return other

    def decide(self, decisions: Decisions) -> None:
        """From now on mask and keep the words that the user decided about."""
        self.finder = self.finder and self.finder.with_decisions(decisions)
        self._prepared = None

    def unknown(self, case: Case) -> tuple[Unknown, ...]:
        """Capitalised words in ``case`` that no rule and no decision covers: to be shown before it is sent."""
        texts = [*(turn.text for turn in case.transcript.turns), case.note.text, *case.plan_texts]
        finder = self._finder_for(case)
        return finder.unknown(texts) if finder else ()

    def _finder_for(self, case: Case) -> IdentifierFinder | None:
        names = [name for name in (*case.transcript.speakers, case.label) if name]
        return self.finder and self.finder.with_names(names)

    def prepared(self, case: Case) -> DeidentifiedCase:
        """What the judge is given for ``case``; the same value is shown in the preview."""
        with self._preparing:
            kept = self._prepared and self._prepared.original
            if kept is None or kept != case or kept.plan != case.plan:
                finder = self._finder_for(case)
                self._prepared = deidentify(case, finder, move_dates=True) if finder else as_it_is(case)
            assert self._prepared is not None
            return self._prepared

    def risks(self, case: Case, cancel: threading.Event) -> Iterator[RiskFinding]:
        """Over the case as it is: the ledger is found on this computer."""
        return self._judge.risks(case, cancel)

    def behaviours(self, transcript: Transcript, cancel: threading.Event) -> MiCounts | None:
        return self._judge.behaviours(transcript, cancel) if isinstance(self._judge, CountsBehaviours) else None

    @property
    def rubric(self) -> Rubric:
        assert isinstance(self._judge, HasRubric)
        return self._judge.rubric

    def cover(self, case: Case, cancel: threading.Event) -> Iterator[ItemVerdict]:
        masked = self.prepared(case)
        for verdict in self._judge.cover(masked.case, cancel):
            yield replace(verdict, rationale=masked.restore(verdict.rationale))

    def need(self, case: Case, cancel: threading.Event) -> Iterator[NeedVerdict]:
        masked = self.prepared(case)
        for verdict in self._judge.need(masked.case, cancel):
            yield replace(verdict, rationale=masked.restore(verdict.rationale))

    def support(
        self, case: Case, cancel: threading.Event, first: Callable[[], Sequence[str]] = tuple
    ) -> Iterator[ClaimVerdict]:
        masked = self.prepared(case)
        texts = {sentence.id: sentence.text for sentence in case.note.sentences}
        hidden = {sentence.id: sentence.text for sentence in masked.case.note.sentences}
        for verdict in self._judge.support(masked.case, cancel, first):
            text, seen = texts[verdict.sentence], verdict.seen
            yield replace(
                verdict,
                rationale=masked.restore(verdict.rationale),
                citations=tuple(masked.citation(citation) for citation in verdict.citations),
                wrong=tuple(_restored(verdict.wrong, text, masked)),
                seen=seen and stretch(text, masked.restore(seen.of(hidden[verdict.sentence]))),
            )

    def hear(self, case: Case, cancel: threading.Event) -> Iterator[Heard]:
        masked = self.prepared(case)
        for heard in self._judge.hear(masked.case, cancel):
            yield replace(heard, citation=masked.citation(heard.citation))

    def omit(self, case: Case, claims: Sequence[ClaimVerdict], cancel: threading.Event) -> Iterator[Omission]:
        masked = self.prepared(case)
        for omission in self._judge.omit(masked.case, claims, cancel):
            yield replace(
                omission,
                citation=masked.citation(omission.citation),
                rationale=masked.restore(omission.rationale),
                also=tuple(masked.citation(citation) for citation in omission.also),
            )

    def thread(self, case: Case, cancel: threading.Event) -> Iterator[Thread]:
        for thread in self._judge.thread(self.prepared(case).case, cancel):
            assert case.plan is not None
            yield replace(thread, plan=case.plan)

    @property
    def asks_private(self) -> bool:
        return self._judge.asks_private

    def private(self, case: Case, cancel: threading.Event) -> Iterator[PrivateSentence]:
        return self._judge.private(self.prepared(case).case, cancel)

    def respond(self, exchanges: Sequence[Exchange], cancel: threading.Event) -> Iterator[ResponseVerdict]:
        if self.finder is None:
            yield from self._judge.respond(exchanges, cancel)
            return
        texts = [turn.text for exchange in exchanges for turn in exchange.context]
        texts += [exchange.response for exchange in exchanges]
        speakers = {turn.speaker for exchange in exchanges for turn in exchange.context}
        finder = self.finder.with_names(speakers).learn(texts)
        turns = [turn for exchange in exchanges for turn in exchange.context]
        tokens = tokens_for(texts, finder, turns, move_dates=True)
        responses = [mask(exchange.response, finder.find(exchange.response), tokens) for exchange in exchanges]
        masked = [
            replace(
                exchange,
                response=response.text,
                context=tuple(
                    replace(turn, speaker=turn.role.value, text=mask(turn.text, finder.find(turn.text), tokens).text)
                    for turn in exchange.context
                ),
            )
            for exchange, response in zip(exchanges, responses, strict=True)
        ]
        # Verdicts come in any order: outside a session a verdict has no turn, and there is one exchange only.
        place = {exchange.turn: index for index, exchange in enumerate(exchanges)}
        for verdict in self._judge.respond(masked, cancel):
            index = place[verdict.turn]
            evidence = []
            for entry in verdict.evidence:
                span = responses[index].to_original(entry.span)
                quote = span.of(exchanges[index].response)
                evidence.append(Evidence(entry.attribute, span, quote, tokens.restore(entry.comment)))
            yield replace(
                verdict,
                evidence=tuple(evidence),
                recommendations=tuple(tokens.restore(advice) for advice in verdict.recommendations),
            )


C = TypeVar("C", bound=CollectingChat)
Asks = Callable[[ChatModel], Iterator[object]]


class RemoteJudge(PrivateJudge):
    """A PrivateJudge over an LlmJudge over ``chat``. ``marks``: they are to be asked for, so previews show them;
    ``responses``: so are the therapist's responses."""

    asked_at_once = True

    def __init__(self, llm: LlmJudge, chat: RemoteChat, finder: IdentifierFinder | None) -> None:
        super().__init__(llm, finder)
        self.llm, self._chat = llm, chat
        self.marks, self.responses = False, True

    def preview(self, case: Case) -> Mapping[str, tuple[bytes, ...]]:
        """By question (checklist, sentences, claims, omissions, goals where there is a plan,
        private where that is asked, responses): the bodies,
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
            shown["marks"] = self._shown(
                lambda chat: self.llm.over(chat).likert(self.prepared(case).case, threading.Event())
            )
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
        chats = [_asked(CollectingChat(self._chat), ask) for ask in self._asks(case).values()]
        return tuple(request for chat in chats for request in chat.requests)

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
        if self.llm.asks_private:
            asks["private"] = lambda chat: self.answered_by(chat).private(case, cancel)
        if self.responses:
            asks["responses"] = lambda chat: self.answered_by(chat).respond(exchanges, cancel)
        return asks

    def _shown(self, ask: Asks) -> PreviewChat:
        return _asked(PreviewChat(self._chat), ask)


def _asked(chat: C, ask: Asks) -> C:
    with contextlib.suppress(Kept):
        for _ in ask(chat):
            continue
    return chat


class RemoteFullCheck(FullCheck, RemoteJudge):
    """What would be sent is what ``remote`` alone would be sent, over one preparation."""

    def __init__(self, quick: Judge, remote: RemoteJudge, records: Records, tuned: Thresholds = SHIPPED) -> None:
        RemoteJudge.__init__(self, remote.llm, remote.chat, remote.finder)
        FullCheck.__init__(self, quick, remote, records, tuned)
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
