"""The built-in judge's verdicts on claims: evidence gathered, decided, and put beside the passages it rests on."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.note import Section, Sentence
from noteeval_desktop.domain.risk import RiskFinding, Stance
from noteeval_desktop.domain.transcript import Citation, Role, Transcript
from noteeval_desktop.domain.verdicts import ClaimVerdict, Confidence, Severity, Verdict
from noteeval_desktop.engines.embedder import Embedder
from noteeval_desktop.errors import Cancelled, ModelError
from noteeval_desktop.judges.builtin.prompt_injection.detection import speaks_to_the_reader
from noteeval_desktop.judges.builtin.risk.lexicon import straightened
from noteeval_desktop.judges.builtin.risk.note import OWN_DANGERS, dangers_in, denies_ever, mentions, named_in, related
from noteeval_desktop.judges.builtin.risk.stance import affirms
from noteeval_desktop.judges.builtin.session_index import SessionIndex
from noteeval_desktop.judges.builtin.support import decision as decisions
from noteeval_desktop.judges.builtin.support.decision import Decision
from noteeval_desktop.judges.builtin.support.evidence import Evidence, gather, rows
from noteeval_desktop.judges.builtin.text.language import note_in_english, session_in_english
from noteeval_desktop.judges.builtin.text.observed import Observation, observation_in
from noteeval_desktop.judges.builtin.text.polarity import Answer, negated, strong_negations
from noteeval_desktop.judges.builtin.text.words import ClaimLexicon
from noteeval_desktop.judges.protocol import Ledger
from noteeval_desktop.present.vocabulary import CHECK_ON_RISK

# Why a claim was judged as it was: evidence that moved the decision, and nothing else.
# The evidence as it would be if the claim were right in this one respect.
AMOUNTS_MATCH = {
    "amount_worst": 1.0, "amount_mean": 1.0, "amount_absent": 0.0, "amount_elsewhere": 0.0, "amount_differs": 0.0,
    "amount_gap": 0.0, "amount_rank": 0.0, "amount_shared": 0.0, "amount_nearly": 0.0, "amount_other_first": 0.0,
    "timed_missing": 0.0, "period_missing": 0.0, "period_far": 0.0, "period_gap": 0.0,
}  # fmt: skip
ALL_NAMED = {
    "terms_missing": 0.0, "medical_missing": 0.0, "names_missing": 0.0, "persons_missing": 0.0, "words_missing": 0.0,
}  # fmt: skip
_QUOTED_WORDS = 30
_NOT_NEAR = 0.15
_OPENING = 5
# A question and nothing else: a clinician states a finding and asks "okay?" after it.
_QUESTION = re.compile(r"[^.!?;]{1,120}(?<!okay)(?<!right)(?<!okay )(?<!right )\?", re.IGNORECASE)
_WELL = frozenset({"fine", "good", "normal", "okay", "ok", "regular", "same", "well"})

Reconsidered = Callable[[Mapping[str, float]], bool]
"""Would the claim pass, or be clearly more probable, if these values of its evidence were others?"""


def explain(
    verdict: Verdict,
    evidence: Evidence,
    observation: Observation | None,
    cited: int | None,
    session: SessionIndex,
    telling: Set[str],
    moved: Reconsidered,
) -> str:
    """``cited`` is the passage that is shown beside the verdict, None where none comes near; ``telling`` are words
    (medications, diagnoses, relatives) of which it says something that nobody said them."""
    if verdict is Verdict.OBSERVED and observation:
        if observation.stock:
            return f"A transcript cannot show “{observation.words}”. Confirm it if you checked."
        return f"Only someone in the room can know “{observation.words}”. Confirm it if you saw or heard it."
    nearest = None if cited is None else _quote(cited, session)
    if verdict is Verdict.SUPPORTED:
        if not says_it(evidence, cited):
            return "No single passage of the session says this."
        return f"Nearest passage: {nearest}"
    return _differs(evidence, session, telling, moved) or _otherwise(verdict, evidence, nearest)


def says_it(evidence: Evidence, cited: int | None) -> bool:
    """Is there a passage with words of the claim to show beside it?"""
    return cited is not None and evidence.row["words_near"] >= _NOT_NEAR


def only_asked(evidence: Evidence, session: SessionIndex) -> bool:
    """Is what comes nearest a clinician's question that was not answered as the claim has it? Of a claim that denies,
    what it denies is looked for; a statement with as many of the words stands by itself."""
    under = negated(evidence.words)
    denied = {word.stem for place, word in enumerate(evidence.words) if word.content and place in under}
    told = denied or {word.stem for word in evidence.words if word.content}
    near = {index for window in evidence.windows for index in window.passages if told & session.passages[index].stems}
    asked = {i for i in near if _QUESTION.fullmatch(session.passages[i].text.strip()) and not session.clients[i]}
    most = max((len(told & session.passages[i].stems) for i in near - asked), default=0)
    nearest = [i for i in asked if len(told & session.passages[i].stems) > most]
    return bool(nearest) and not any(_answered(i, bool(denied), session) for i in nearest)


def _answered(question: int, denies: bool, session: SessionIndex) -> bool:
    given = session.passages[question + 1] if question + 1 < len(session.passages) else None
    if given is None or not session.clients[question + 1]:
        return False
    if session.passages[question].negated:  # "So no pain?" "Right."
        return True
    if not denies:
        return given.answer is not Answer.NO
    well = given.answer is None and _WELL & {word.folded for word in given.words}
    return bool(well) or given.answer is Answer.NO or bool(strong_negations(given.words[:_OPENING]))


def _differs(evidence: Evidence, session: SessionIndex, telling: Set[str], moved: Reconsidered) -> str:
    doubted = [amount for amount in evidence.amounts if amount.level < 1.0]
    said_first = {"amount_first": evidence.row["amounts"], "timed_near": evidence.row["timed"]}
    if doubted and moved(AMOUNTS_MATCH | said_first):
        amount = min(doubted, key=lambda one: (not one.differs, one.level))
        if amount.passage is not None and amount.said is not None:
            passage = session.passages[amount.passage]
            said = amount.said.of(passage.text)
            return f"The note says “{amount.noted.shown}”; turn {passage.turn + 1} says “{said}”."
        return f"Nobody in the session says “{amount.noted.shown}” about this."
    unheard = _unheard(evidence, session, telling)
    if unheard and moved(ALL_NAMED):
        return f"Nobody in the session mentions “{unheard}”."
    return ""


def _unheard(evidence: Evidence, session: SessionIndex, telling: Set[str]) -> str:
    """A name, or else a word that is ``telling``, of the claim that nobody said. That nobody says "symptoms" tells
    nothing."""
    text = evidence.text
    missing = [word for word in evidence.words if word.content and word.stem not in session.by_stem]
    names = [word for word in missing if word.span.start and word.span.of(text)[:1].isupper()]
    found = names or [word for word in missing if word.folded in telling]
    return found[0].span.of(text) if found else ""


def _otherwise(verdict: Verdict, evidence: Evidence, nearest: str | None) -> str:
    if verdict is Verdict.CONTRADICTED and nearest is not None:
        return f"The session seems to contradict this: {nearest}"
    if nearest is not None and evidence.row["words_near"] >= _NOT_NEAR:
        return f"The session does not say quite this. Nearest passage: {nearest}"
    if Section.PLAN in evidence.sentence.sections:
        return "The session does not mention this plan."
    return "Nothing in the session says this."


def _quote(index: int, session: SessionIndex) -> str:
    passage = session.passages[index]
    words: Sequence[str] = passage.text.split()
    text = " ".join(words[:_QUOTED_WORDS]) + ("…" if len(words) > _QUOTED_WORDS else "")
    return f"turn {passage.turn + 1}, “{text}”"


_CITED = 3
_SHORT_ANSWER = 8
_DENIED_DANGER = _ONLY_ASKED = 0.4
_NEVER_SPOKEN_OF = "The note says that there is no such risk, and nobody spoke of it in the session. Please check."
# What one kind of evidence takes from a claim's probability to be called a reason beside others.
_A_REASON = 0.1
# Below this score a window has next to nothing of a claim, whatever the reader makes of it.
_NEAR = 0.55
_QUOTATION = re.compile(r"[\"“]([^\"“”]+)[\"”]")
# Fewer words stand between quotation marks for other reasons. Of 155 quotations in true sentences of labelled sessions
# half the neighbouring words are found of 154.
_FEWEST_PAIRS = 3
_OF_ONESELF = re.compile(r"\b(?:I|me|my|myself)\b")
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
        ledger = self._ledger(case, cancel) if fresh else ()
        told = [risk for risk in ledger if _stated(risk, case.transcript)]
        for verdict, sentence in zip(self._verdicts(fresh, case, session, cancel), fresh, strict=True):
            self._given[sentence.text, sentence.sections] = _on_danger(verdict, sentence.text, ledger, told)
        ids = {sentence.id for sentence in judged}
        rationale = "This addresses the reader of the note, so it was not checked."
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
        rationale = explain(verdict, evidence, observation, nearest, session, self._telling, moved)
        doubt = self._doubt(evidence, nearest, transcript, session)
        if verdict is Verdict.SUPPORTED and doubt:
            confidence, rationale = Confidence.UNSURE, f"{doubt} {rationale}"
        return ClaimVerdict(
            sentence=evidence.sentence.id,
            verdict=verdict,
            probability=borne_out,
            confidence=confidence,
            severity=_severity(verdict, evidence, self._lexicon),
            rationale=rationale,
            citations=tuple(
                Citation(one.turn, one.span, one.span.of(transcript.turns[one.turn].text))
                for one in (session.passages[index] for index in sorted(cited))
            ),
        )

    def _doubt(self, evidence: Evidence, nearest: int | None, transcript: Transcript, session: SessionIndex) -> str:
        """What speaks against a statement whose words come up: a quotation that nobody says like that, or that another
        client than the one it names says it of themselves. Empty where neither does."""
        text = evidence.sentence.text
        for quoted in _QUOTATION.findall(text):
            pairs = list(pairwise(word.folded for word in self._lexicon.words(quoted)))
            if len(pairs) >= _FEWEST_PAIRS and sum(pair in session.word_pairs for pair in pairs) < len(pairs) / 2:
                return f"Nobody says “{quoted}” in these words. Please check the quotation."
        named = _named_first(text, transcript)
        if not named or nearest is None or not says_it(evidence, nearest) or not session.clients[nearest]:
            return ""
        passage = session.passages[nearest]
        speaker = transcript.turns[passage.turn].speaker
        if speaker == named or not _OF_ONESELF.search(passage.text):
            return ""
        return f"The nearest passage is what {speaker} says; the note names {named}. Please check who is meant."


def _named_first(text: str, transcript: Transcript) -> str:
    """Which of several clients a sentence names first; empty where it names none, or where there is one client."""
    clients = dict.fromkeys(turn.speaker for turn in transcript.turns if turn.role is not Role.THERAPIST)
    found = {one: re.search(rf"\b{re.escape(one)}\b", text) for one in clients} if len(clients) > 1 else {}
    return min((match.start(), one) for one, match in found.items() if match)[1] if any(found.values()) else ""


def _stated(risk: RiskFinding, transcript: Transcript) -> bool:
    """Did anybody but the therapist say that it is so or was so, in its own words or to a question in these?"""
    said = transcript.turns[risk.citation.turn]
    if said.role is Role.THERAPIST or risk.by_meaning or risk.stance not in (Stance.CURRENT, Stance.PAST):
        return False
    if risk.kind in named_in(risk.citation.quote):
        return True
    # "Not a plan, but there are the pills" is no yes.
    answers = risk.stance is Stance.PAST or affirms(straightened(risk.citation.quote))
    asked = transcript.turns[said.index - 1] if said.index else said
    return answers and asked.role is Role.THERAPIST and risk.kind in named_in(asked.text)


def _on_danger(
    verdict: ClaimVerdict, text: str, ledger: Sequence[RiskFinding], told: Sequence[RiskFinding]
) -> ClaimVerdict:
    """No statement on danger is vouched for, since two in three wrong ones pass. One that denies what the client said
    of themselves in so many words is shown, because to miss that is worse than to ask once too often; so is a denial of
    what nobody spoke of: of 71 true denials in labelled sessions that shows none."""
    noted = dangers_in(text)
    if verdict.verdict is not Verdict.SUPPORTED or not noted:
        return verdict
    ever = denies_ever(text)
    now = (risk for risk in told if risk.stance is Stance.CURRENT or ever)
    danger = next((risk for risk in now if noted.get(risk.kind)), None)
    if danger is not None:
        said = f"The client mentioned {danger.name}; the note says there is none. Please check."
        return replace(_doubted(verdict, said), citations=(danger.citation,))
    kinds = {one.kind for one in mentions(text)}
    spoken_of = any(related(kind, (risk.kind for risk in ledger)) for kind in kinds)
    if kinds and kinds <= set(OWN_DANGERS) and all(noted.values()) and not spoken_of:
        return _doubted(verdict, _NEVER_SPOKEN_OF)
    return replace(
        verdict, confidence=Confidence.UNSURE, rationale=f"{CHECK_ON_RISK} {verdict.rationale}", unvouched=True
    )


def _doubted(verdict: ClaimVerdict, why: str) -> ClaimVerdict:
    return replace(
        verdict,
        verdict=Verdict.UNSUPPORTED,
        probability=_DENIED_DANGER,
        confidence=Confidence.UNSURE,
        severity=Severity.HIGH,
        rationale=why,
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
