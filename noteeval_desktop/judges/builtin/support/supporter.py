"""The built-in judge's verdicts on claims: evidence gathered, decided, and put beside the passages it rests on."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.note import Section, Sentence
from noteeval_desktop.domain.risk import RiskFinding, RiskKind, Stance
from noteeval_desktop.domain.transcript import Citation, Role, Transcript
from noteeval_desktop.domain.verdicts import ClaimVerdict, Confidence, Severity, Verdict
from noteeval_desktop.engines.embedder import Embedder
from noteeval_desktop.errors import Cancelled, ModelError
from noteeval_desktop.judges.builtin.prompt_injection.detection import speaks_to_the_reader
from noteeval_desktop.judges.builtin.risk.note import dangers_in, named_in
from noteeval_desktop.judges.builtin.session_index import SessionIndex
from noteeval_desktop.judges.builtin.support import decision as decisions
from noteeval_desktop.judges.builtin.support.decision import Decision
from noteeval_desktop.judges.builtin.support.evidence import Evidence, gather, rows
from noteeval_desktop.judges.builtin.support.reasons import explain, only_asked, says_it
from noteeval_desktop.judges.builtin.text.language import note_in_english, session_in_english
from noteeval_desktop.judges.builtin.text.observed import observation_in
from noteeval_desktop.judges.builtin.text.words import ClaimLexicon
from noteeval_desktop.judges.protocol import Ledger
from noteeval_desktop.present.vocabulary import CHECK_ON_RISK

_CITED = 3
_SHORT_ANSWER = 8
_DENIED_DANGER = _ONLY_ASKED = 0.4
# What one kind of evidence takes from a claim's probability to be called a reason beside others.
_A_REASON = 0.1
# Below this score a window has next to nothing of a claim, whatever the reader makes of it.
_NEAR = 0.55
_HEDGED = re.compile(
    r"\b(?:may|might|could|likely|possibl\w+|perhaps|potential(?:ly)?|suggest\w*|"
    r"seems?|appears?|goals? includes?|explore)\b",
    re.IGNORECASE,
)


class Supporter:
    """Judges every sentence of a note against a prepared session.

    A verdict rests on the sentence, its section and the session alone, so those of the last session are kept: after an
    edit only what changed is read again.
    """

    def __init__(self, embedder: Embedder, lexicon: ClaimLexicon, decision: Decision, ledger: Ledger) -> None:
        self._embedder, self._lexicon, self._decision, self._ledger = embedder, lexicon, decision, ledger
        self._telling = lexicon.medications | lexicon.diagnoses | lexicon.relations.keys()
        self._session: SessionIndex | None = None
        self._given: dict[tuple[str, tuple[Section, ...]], ClaimVerdict] = {}

    def __call__(self, case: Case, session: SessionIndex, cancel: threading.Event) -> Iterator[ClaimVerdict]:
        """One verdict a sentence, in order; None for one that cannot be judged. Raises Cancelled, ModelError."""
        reason = _not_judged(case)
        if reason:
            yield from (ClaimVerdict(sentence.id, None, rationale=reason) for sentence in case.note.sentences)
            return
        judged = [sentence for sentence in case.note.sentences if not speaks_to_the_reader(sentence.text)]
        if self._session is not session:
            self._session, self._given = session, {}
        fresh = [sentence for sentence in judged if (sentence.text, sentence.sections) not in self._given]
        told = [risk for risk in self._ledger(case, cancel) if _stated(risk, case.transcript)] if fresh else []
        for verdict, sentence in zip(self._verdicts(fresh, case, session, cancel), fresh, strict=True):
            self._given[sentence.text, sentence.sections] = _on_danger(verdict, dangers_in(sentence.text), told)
        ids = {sentence.id for sentence in judged}
        rationale = "This addresses the reader of the note, so it was not judged."
        for sentence in case.note.sentences:
            if cancel.is_set():
                raise Cancelled
            if sentence.id in ids:
                yield replace(self._given[sentence.text, sentence.sections], sentence=sentence.id)
            else:
                yield ClaimVerdict(sentence.id, None, rationale=rationale, set_aside=True)

    def _verdicts(
        self, sentences: Sequence[Sentence], case: Case, session: SessionIndex, cancel: threading.Event
    ) -> Iterator[ClaimVerdict]:
        if not sentences:
            return
        gathered = gather(sentences, session, self._embedder, self._lexicon, list(self._ledger(case, cancel)), cancel)
        names, table = rows(gathered)
        if names != self._decision.names:
            raise ModelError("The faithfulness heads do not fit this version. Train them again.")
        chances = zip(self._decision.borne_out(table), self._decision.said_otherwise(table), strict=True)
        for evidence, row, (borne_out, otherwise) in zip(gathered, table, chances, strict=True):
            yield self._verdict(evidence, row, float(borne_out), float(otherwise), case.transcript, session)

    def _verdict(
        self,
        evidence: Evidence,
        row: NDArray[np.float64],
        borne_out: float,
        otherwise: float,
        transcript: Transcript,
        session: SessionIndex,
    ) -> ClaimVerdict:
        observation = observation_in(evidence.sentence.text)
        verdict = self._decision.verdict(borne_out, otherwise, observation is not None)
        confidence = self._decision.confidence(verdict, borne_out)
        if verdict is Verdict.SUPPORTED and only_asked(evidence, session):
            verdict, borne_out, confidence = Verdict.UNSUPPORTED, min(borne_out, _ONLY_ASKED), Confidence.UNSURE
        passes_narrowly = verdict is Verdict.SUPPORTED and confidence is Confidence.UNSURE
        # Of the notes' own observations that pass, half pass narrowly, of what was said in such words few do.
        if passes_narrowly and observation is not None and observation.certain:
            verdict = Verdict.OBSERVED
        cited = _cited(verdict, evidence, session)

        def moved(instead: Mapping[str, float]) -> bool:
            changed = row.copy()
            for name, value in instead.items():
                changed[self._decision.names.index(name)] = value
            chance = float(self._decision.borne_out(changed[None])[0])
            return chance >= decisions.LIMIT or chance - borne_out >= _A_REASON

        nearest = cited[0] if cited else None
        # "Extra words typed just now" may pass as well.
        if verdict is Verdict.SUPPORTED and not says_it(evidence, nearest):
            confidence = Confidence.UNSURE
        return ClaimVerdict(
            sentence=evidence.sentence.id,
            verdict=verdict,
            probability=borne_out,
            confidence=confidence,
            severity=_severity(verdict, evidence, self._lexicon),
            rationale=explain(verdict, evidence, observation, nearest, session, self._telling, moved),
            citations=_citations(cited, transcript, session),
        )


def _stated(risk: RiskFinding, transcript: Transcript) -> bool:
    """Did anybody but the therapist say in so many words that it is so now? A "no" or "yes" to a question is none."""
    heard = transcript.turns[risk.citation.turn].role is not Role.THERAPIST
    so_now = risk.stance is Stance.CURRENT and not risk.by_meaning
    return heard and so_now and risk.kind in named_in(risk.citation.quote)


def _on_danger(verdict: ClaimVerdict, noted: Mapping[RiskKind, bool], told: Sequence[RiskFinding]) -> ClaimVerdict:
    """No statement on danger is vouched for, since two in three wrong ones pass; and one that denies what the client
    said of themselves in so many words is shown, because to miss that is worse than to ask once too often."""
    if verdict.verdict is not Verdict.SUPPORTED or not noted:
        return verdict
    danger = next((risk for risk in told if noted.get(risk.kind)), None)
    if danger is None:
        return replace(
            verdict,
            confidence=Confidence.UNSURE,
            rationale=f"{CHECK_ON_RISK} {verdict.rationale}",
            unvouched=True,
        )
    return replace(
        verdict,
        verdict=Verdict.UNSUPPORTED,
        probability=_DENIED_DANGER,
        confidence=Confidence.UNSURE,
        severity=Severity.HIGH,
        rationale=f"The client mentioned {danger.name}; the note says none. Please check.",
        citations=(danger.citation,),
    )


def load_supporter(embedder: Embedder, lexicon: ClaimLexicon, folder: Path, ledger: Ledger) -> Supporter:
    """``folder`` holds the heads, ``ledger`` finds a session's dangers.

    Raises ModelError where the heads are missing, damaged or from another encoder.
    """
    decision = decisions.load(folder)
    if decision.encoder != embedder.reader_fingerprint:
        raise ModelError("The faithfulness heads were trained with another encoder. Install again.")
    return Supporter(embedder, lexicon, decision, ledger)


def _not_judged(case: Case) -> str:
    if not any(turn.text.strip() for turn in case.transcript.turns):
        return "The session has no text to check this against."
    if not note_in_english(case.note):
        return "The note does not read as English; it cannot be judged."
    if not session_in_english(case.transcript):
        return "The session does not read as English; the note cannot be checked against it."
    return ""


def _cited(verdict: Verdict, evidence: Evidence, session: SessionIndex) -> list[int]:
    """The passages to show, the first first: of windows that say it, or that say otherwise, and that come near."""
    order = list(range(len(evidence.logits)))
    if verdict in (Verdict.CONTRADICTED, Verdict.SUPPORTED):
        side = 2 if verdict is Verdict.CONTRADICTED else 0
        gain = {i: 0.1 * float(evidence.logits[i, side]) + evidence.windows[i].score for i in order}
        order = sorted(order, key=lambda i: -gain[i])
    differing = [amount.passage for amount in evidence.amounts if amount.differs and verdict is not Verdict.SUPPORTED]
    near = [evidence.windows[i].centre for i in order if evidence.windows[i].score >= _NEAR]
    if verdict in (Verdict.UNSUPPORTED, Verdict.OBSERVED):
        near = near[:1]
    shown = [index for index in (*differing, *near) if index is not None]
    return list(dict.fromkeys(other for index in shown for other in _with_its_other_half(index, session)))[:_CITED]


def _with_its_other_half(index: int, session: SessionIndex) -> list[int]:
    """A short answer is nothing without its question, nor a question without its answer."""
    passages = session.passages
    own = passages[index]
    before = passages[index - 1] if index else None
    after = passages[index + 1] if index + 1 < len(passages) else None
    asks = own.text.rstrip().endswith("?")
    if before and len(own.words) <= _SHORT_ANSWER and before.role is not own.role and not asks:
        return [index, index - 1]
    if after and asks and len(after.words) <= _SHORT_ANSWER and after.role is not own.role:
        return [index, index + 1]
    return [index]


def _citations(cited: Sequence[int], transcript: Transcript, session: SessionIndex) -> tuple[Citation, ...]:
    passages = [session.passages[index] for index in sorted(cited)]
    return tuple(
        Citation(passage.turn, passage.span, passage.span.of(transcript.turns[passage.turn].text))
        for passage in passages
    )


def _severity(verdict: Verdict, evidence: Evidence, lexicon: ClaimLexicon) -> Severity:
    if verdict is Verdict.SUPPORTED:
        return Severity.NONE
    if verdict is Verdict.OBSERVED:
        return Severity.LOW
    words = {word.folded for word in evidence.words}
    grave = bool(words & (lexicon.risk | lexicon.medications | lexicon.diagnoses))
    if verdict is Verdict.CONTRADICTED:
        return Severity.HIGH
    if grave:
        return Severity.HIGH
    return Severity.LOW if _HEDGED.search(evidence.sentence.text) else Severity.MEDIUM
