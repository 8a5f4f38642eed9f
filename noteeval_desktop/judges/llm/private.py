"""A judge that sees a case without identifiers; its verdicts come back about the original."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from noteeval_desktop.domain.behaviours import MiCounts
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.evaluation import JudgeIdentity, Usage
from noteeval_desktop.domain.plan import Thread
from noteeval_desktop.domain.risk import RiskFinding
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.domain.verdicts import (
    ClaimVerdict,
    Evidence,
    ItemVerdict,
    NeedVerdict,
    Omission,
    ResponseVerdict,
    WrongWords,
)
from noteeval_desktop.judges.llm.answers import stretch
from noteeval_desktop.judges.protocol import AsksModel, CountsBehaviours, Exchange, HasRubric, Heard
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
