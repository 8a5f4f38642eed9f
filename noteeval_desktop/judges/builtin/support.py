"""Is each sentence supported by the session, and by which turns? The built-in judge's answer."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.note import Section, Sentence
from noteeval_desktop.domain.risk import RiskFinding
from noteeval_desktop.domain.transcript import Citation, Transcript
from noteeval_desktop.domain.verdicts import ClaimVerdict, Confidence, Severity, Verdict
from noteeval_desktop.engines.embedder import Embedder
from noteeval_desktop.errors import Cancelled, ModelError
from noteeval_desktop.judges.builtin import support_heads
from noteeval_desktop.judges.builtin.claim_reader import borne_out, read_note, sure_of
from noteeval_desktop.judges.builtin.counted import agreed_at_the_end
from noteeval_desktop.judges.builtin.excused import excused, told_apart
from noteeval_desktop.judges.builtin.features_claim import Reading
from noteeval_desktop.judges.builtin.findings import CLASHES, Clash, Finding
from noteeval_desktop.judges.builtin.language import is_english
from noteeval_desktop.judges.builtin.local_reading import LocalReading
from noteeval_desktop.judges.builtin.note_reading import speaks_to_the_reader
from noteeval_desktop.judges.builtin.observed import Observation, observation_in
from noteeval_desktop.judges.builtin.rationale import explain
from noteeval_desktop.judges.builtin.risk_asked import Asked, asked_about
from noteeval_desktop.judges.builtin.risk_denial import (
    denied_dangers,
    denied_plainly,
    invented_dangers,
)
from noteeval_desktop.judges.builtin.session_index import SessionIndex
from noteeval_desktop.judges.builtin.support_heads import KINDS, SupportHeads, decide
from noteeval_desktop.judges.builtin.words import ClaimLexicon
from noteeval_desktop.judges.protocol import Ledger
from noteeval_desktop.measures.changes import ChangeKind

_CITED = 3
_DENIED_DANGER = 0.2
_UNASKED = 0.4
# What a claim keeps that is likely by its topic and of which a rule names what is wrong.
_REASONED = 0.45
# "RTC 19th, 5 pm" of what was agreed on in so many words: the forest knows hardly a line as short.
_AGREED = 0.8
_SHORT_ANSWER = 8
_NEAREST = 3
_CLOSE_ENOUGH = 0.3
_SURELY, _LIKELY = 0.85, 0.7
_SURELY_NOT, _LIKELY_NOT = 0.2, 0.4
_HEDGED = re.compile(
    r"\b(?:may|might|could|likely|possibl\w+|perhaps|potential(?:ly)?|suggest\w*|"
    r"seems?|appears?|goals? includes?|explore)\b",
    re.IGNORECASE,
)
_SAYS_OTHERWISE = (
    Clash.NUMBER,
    Clash.TIME,
    Clash.DENIAL,
    Clash.NEGATION,
    Clash.OPPOSITE,
)


class Supporter:
    """Judges every sentence of a note against a prepared session.

    A verdict rests on the sentence, its section and the session alone, so those of the last session are kept: after an
    edit only what changed is read again.
    """

    def __init__(
        self, embedder: Embedder, lexicon: ClaimLexicon, heads: SupportHeads, ledger: Ledger | None = None
    ) -> None:
        self._embedder, self._lexicon, self._heads = embedder, lexicon, heads
        self._ledger = LocalReading(embedder) if ledger is None else ledger
        self._session: SessionIndex | None = None
        self._given: dict[tuple[str, tuple[Section, ...]], ClaimVerdict] = {}

    def __call__(self, case: Case, session: SessionIndex, cancel: threading.Event) -> Iterator[ClaimVerdict]:
        """One verdict a sentence, in order; None for one that cannot be judged. Raises Cancelled, ModelError."""
        reason = _not_judged(case)
        if reason:
            yield from (ClaimVerdict(sentence.id, None, rationale=reason) for sentence in case.note.sentences)
            return
        judged = [sentence for sentence in case.note.sentences if not speaks_to_the_reader(sentence.text)]
        verdicts = {verdict.sentence: verdict for verdict in self._verdicts(judged, case, session, cancel)}
        denials = partial(session.once, denied_plainly, partial(denied_plainly, case.transcript))
        for denying, risk in denied_dangers(case, judged, self._ledger, cancel, denials).items():
            said = f"The session speaks of {risk.wording}; the note denies it."
            verdicts[denying] = _of_danger(verdicts[denying], risk, said)
        for inventing, risk in invented_dangers(case, judged, self._ledger, cancel).items():
            said = "The client says no to this in the session; the note says that it is so."
            verdicts[inventing] = _of_danger(verdicts[inventing], risk, said)
        spoken = list(self._ledger(case, cancel))
        for sentence in judged:
            asked = asked_about(sentence.text, spoken, case.transcript)
            if asked is not None and verdicts[sentence.id].verdict is Verdict.SUPPORTED:
                verdicts[sentence.id] = _as_asked(verdicts[sentence.id], asked)
        for sentence in case.note.sentences:
            if cancel.is_set():
                raise Cancelled
            rationale = "This speaks to whoever reviews the note; it is not judged."
            aside = ClaimVerdict(sentence.id, None, rationale=rationale, set_aside=True)
            yield verdicts.get(sentence.id, aside)

    def _verdicts(
        self, sentences: list[Sentence], case: Case, session: SessionIndex, cancel: threading.Event
    ) -> Iterator[ClaimVerdict]:
        if self._session is not session:
            self._session, self._given = session, {}
        fresh = [sentence for sentence in sentences if (sentence.text, sentence.sections) not in self._given]
        for verdict, sentence in zip(self._read(fresh, case, session, cancel), fresh, strict=True):
            self._given[sentence.text, sentence.sections] = verdict
        for sentence in sentences:
            yield replace(self._given[sentence.text, sentence.sections], sentence=sentence.id)

    def _read(
        self, sentences: list[Sentence], case: Case, session: SessionIndex, cancel: threading.Event
    ) -> Iterator[ClaimVerdict]:
        if not sentences:
            return
        note = read_note(sentences, session, self._embedder, self._lexicon, self._heads.words, cancel)
        if note.names != self._heads.names:
            raise ModelError("The faithfulness heads do not fit this version. Train them again.")
        spoken = tuple(self._ledger(case, cancel))
        agreed = [agreed_at_the_end(reading.claim, session, self._lexicon) for reading in note.readings]
        unasked = excused(note.readings, spoken, case.transcript, session)
        sure = sure_of(note.readings, KINDS) & ~unasked
        changes = self._heads.changes(note.alone, note.topic, borne_out(note.readings, KINDS) | unasked)
        altered = self._heads.altered(changes) | sure
        altered[agreed] = False
        probability = self._heads.faithful(note.topic, altered, sure)
        probability[agreed] = np.maximum(probability[agreed], _AGREED)
        for reading, chance, marks in zip(note.readings, probability.tolist(), altered, strict=True):
            kinds = [kind for kind, is_so in zip(KINDS, marks, strict=True) if is_so]
            yield self._verdict(reading, chance, kinds, case.transcript, session)

    def _verdict(
        self,
        reading: Reading,
        chance: float,
        altered: Sequence[ChangeKind],
        transcript: Transcript,
        session: SessionIndex,
    ) -> ClaimVerdict:
        observation = observation_in(reading.claim.text)
        verdict = decide(chance, altered, observation)
        finding = _reason(reading, altered) if verdict is Verdict.UNSUPPORTED else None
        if finding is not None and _says_otherwise(finding, reading):
            verdict = Verdict.CONTRADICTED
        verdict, chance = agreed(verdict, chance, finding is not None)
        return ClaimVerdict(
            sentence=reading.claim.sentence.id,
            verdict=verdict,
            probability=min(1.0, max(0.0, chance)),
            confidence=_confidence(verdict, chance, observation, finding),
            severity=_severity(verdict, reading, self._lexicon),
            rationale=explain(
                verdict,
                reading.claim,
                observation,
                finding,
                session,
                chance >= _LIKELY,
                _close(reading),
                session.once(told_apart, partial(told_apart, transcript)),
            ),
            citations=_citations(verdict, reading, finding, transcript, session),
        )


def agreed(verdict: Verdict, chance: float, reasoned: bool) -> tuple[Verdict, float]:
    """A verdict and a probability that say the same: an error lies below one half, what is supported does not.

    Where heads find a claim changed that is more likely borne out than not, it is an error only if a reason can be
    named, and then no longer likely; without one the probability stands. Therapists call three in four of the others
    faithful.
    """
    if verdict in (Verdict.UNSUPPORTED, Verdict.CONTRADICTED) and chance >= support_heads.LIMIT:
        return (verdict, _REASONED) if reasoned else (Verdict.SUPPORTED, chance)
    if verdict is Verdict.SUPPORTED and chance < support_heads.LIMIT:
        return verdict, support_heads.LIMIT
    return verdict, chance


def _of_danger(verdict: ClaimVerdict, risk: RiskFinding, said: str) -> ClaimVerdict:
    return replace(
        verdict,
        verdict=Verdict.CONTRADICTED,
        probability=min(verdict.probability or 0.0, _DENIED_DANGER),
        confidence=Confidence.LIKELY,
        severity=Severity.HIGH,
        rationale=said,
        citations=(risk.citation,),
    )


def _as_asked(verdict: ClaimVerdict, asked: Asked) -> ClaimVerdict:
    """A denial told with its question and answer; one that nobody asked for is not in the session."""
    told = replace(verdict, rationale=asked.rationale, citations=asked.citations)
    if not asked.unasked:
        return told
    probability = min(verdict.probability or 0.0, _UNASKED)
    return replace(
        told,
        verdict=Verdict.UNSUPPORTED,
        probability=probability,
        confidence=Confidence.LIKELY,
        severity=Severity.HIGH,
    )


def load_supporter(embedder: Embedder, lexicon: ClaimLexicon, folder: Path, ledger: Ledger | None = None) -> Supporter:
    """``folder`` holds the heads; ``ledger`` is one to share. Raises ModelError."""
    return Supporter(embedder, lexicon, support_heads.load(folder), ledger)


def _not_judged(case: Case) -> str:
    if not any(turn.text.strip() for turn in case.transcript.turns):
        return "There is no session text to check this against."
    if not is_english(" ".join(sentence.text for sentence in case.note.sentences)):
        return "The note does not read as English; it cannot be judged."
    if not is_english(" ".join(turn.text for turn in case.transcript.turns)):
        return "The session does not read as English; the note cannot be checked against it."
    return ""


def _reason(reading: Reading, altered: Sequence[ChangeKind]) -> Finding | None:
    """What a rule found of the kinds of change that the claim shows; of any kind where it is merely improbable."""
    clashes = {clash for kind in altered for clash in CLASHES[kind]}
    return reading.checks.worst_of(clashes) if altered else reading.checks.worst


def _says_otherwise(finding: Finding, reading: Reading) -> bool:
    """Another number says otherwise only where the session speaks of the same: "nineteen days" of something else
    contradicts no "two nights"."""
    if finding.passage is None or finding.surely:
        return finding.passage is not None
    if finding.clash is Clash.NUMBER:
        return finding.passage in reading.alignment.nearest[:_NEAREST]
    return finding.clash in _SAYS_OTHERWISE


def _close(reading: Reading) -> list[int]:
    alignment = reading.alignment
    return [
        index
        for index in alignment.nearest
        if max(alignment.similarity[index], alignment.recall[index]) >= _CLOSE_ENOUGH
    ]


def _confidence(
    verdict: Verdict, chance: float, observation: Observation | None, finding: Finding | None
) -> Confidence:
    if verdict is Verdict.OBSERVED:
        return Confidence.SURE if observation and observation.certain else Confidence.LIKELY
    if verdict is Verdict.SUPPORTED:
        sure, likely = chance >= _SURELY, chance >= _LIKELY
    else:
        sure, likely = chance < _SURELY_NOT, chance < _LIKELY_NOT or finding is not None
    return Confidence.SURE if sure else Confidence.LIKELY if likely else Confidence.UNSURE


def _severity(verdict: Verdict, reading: Reading, lexicon: ClaimLexicon) -> Severity:
    if verdict is Verdict.SUPPORTED:
        return Severity.NONE
    if verdict is Verdict.OBSERVED:
        return Severity.LOW
    words = {word.folded for word in reading.claim.words}
    grave = lexicon.risk | lexicon.medications | lexicon.diagnoses
    if words & grave or (words & lexicon.substances and reading.claim.quantities):
        return Severity.HIGH
    return Severity.LOW if _HEDGED.search(reading.claim.text) else Severity.MEDIUM


def _citations(
    verdict: Verdict, reading: Reading, finding: Finding | None, transcript: Transcript, session: SessionIndex
) -> tuple[Citation, ...]:
    """The passages that a verdict rests on; for an unsupported claim the one that comes nearest, if any does."""
    close = _close(reading)
    if verdict is Verdict.UNSUPPORTED or verdict is Verdict.OBSERVED:
        close = close[:1]
    if finding is not None and finding.passage is not None:
        close = [finding.passage, *(index for index in close[:1] if index != finding.passage)]
    picked: list[int] = []
    for index in close:
        for own in _with_its_other_half(index, session):
            if own not in picked and len(picked) < _CITED:
                picked.append(own)
    return tuple(_cited(index, transcript, session) for index in sorted(picked))


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


def _cited(index: int, transcript: Transcript, session: SessionIndex) -> Citation:
    passage = session.passages[index]
    return Citation(passage.turn, passage.span, passage.span.of(transcript.turns[passage.turn].text))
