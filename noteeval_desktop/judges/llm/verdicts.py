"""From a model's sound answers to verdicts; what was not answered becomes "not judged", with the reason."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from noteeval_desktop.domain.note import Sentence
from noteeval_desktop.domain.rubric import RubricItem
from noteeval_desktop.domain.transcript import Role, Transcript, Turn
from noteeval_desktop.domain.verdicts import (
    Attribute,
    ClaimVerdict,
    Confidence,
    Evidence,
    ItemVerdict,
    NeedVerdict,
    Omission,
    OmissionKind,
    Opinion,
    ResponseVerdict,
    Severity,
    Verdict,
)
from noteeval_desktop.judges.llm.answers import REASON_LENGTH, locate
from noteeval_desktop.judges.llm.asking import Answered
from noteeval_desktop.judges.protocol import Exchange

# A yes/no probability this far from one half is called sure, this near unsure.
SURE, UNSURE = 0.4, 0.15
# Less probability than this on yes and no together, and the model evades the question: no verdict.
LEAST_MASS = 0.5
_EVADED = "the model answered neither yes nor no"


def not_judged(problem: str) -> str:
    return f"Not judged: {problem.rstrip('.')}."


def _confidence(probability: float | None) -> Confidence | None:
    if probability is None:
        return None
    distance = abs(probability - 0.5)
    return Confidence.SURE if distance >= SURE else Confidence.UNSURE if distance < UNSURE else Confidence.LIKELY


def absent(item: RubricItem) -> ItemVerdict:
    return ItemVerdict(item.id, item.section, item.importance, present=False, rationale="This section is empty.")


def covered(answered: Answered[RubricItem], sentences: Sequence[Sentence]) -> ItemVerdict:
    """``sentences`` in the order in which they were numbered. A probability is there where only yes or no was asked."""
    item, answer = answered.unit.subject, answered.answer
    if answer is None:
        return ItemVerdict(item.id, item.section, item.importance, present=None, rationale=not_judged(answered.problem))
    probability, mass = answer.get("probability"), answer.get("mass")
    if _evades(mass):
        return ItemVerdict(
            item.id, item.section, item.importance, present=None, rationale=not_judged(_EVADED), mass=mass
        )
    present = answer["yes"] if "yes" in answer else answer["covered"]
    return ItemVerdict(
        item=item.id,
        section=item.section,
        importance=item.importance,
        present=present,
        probability=probability,
        confidence=_confidence(probability),
        sentences=tuple(sentences[number - 1].id for number in answer.get("sentences", ()) if present),
        mass=mass,
    )


def _evades(mass: float | None) -> bool:
    return mass is not None and not mass >= LEAST_MASS


def needed(answered: Answered[Sentence], items: Sequence[RubricItem]) -> NeedVerdict:
    """``items`` in the order in which they were numbered."""
    sentence, answer = answered.unit.subject, answered.answer
    if answer is None:
        return NeedVerdict(sentence.id, None, rationale=not_judged(answered.problem))
    if "yes" in answer:
        probability, mass = answer["probability"], answer["mass"]
        if _evades(mass):
            return NeedVerdict(sentence.id, None, rationale=not_judged(_EVADED), mass=mass)
        return NeedVerdict(sentence.id, answer["yes"], probability, _confidence(probability), mass=mass)
    own = tuple(items[number - 1].id for number in answer["items"])
    return NeedVerdict(sentence.id, bool(own), items=own)


def opinion(answered: Answered[Any], judge: str, yes: str, no: str) -> Opinion:
    """Of an answer that was to be yes or no: what each says."""
    answer = answered.answer
    if answer is None:
        return Opinion(judge, "", rationale=not_judged(answered.problem))
    probability, mass = answer["probability"], answer["mass"]
    if _evades(mass):
        return Opinion(judge, "", mass=mass, rationale=not_judged(_EVADED))
    return Opinion(judge, yes if answer["yes"] else no, probability, mass)


def unjudged(sentence: Sentence, reason: str) -> ClaimVerdict:
    return ClaimVerdict(sentence.id, None, rationale=reason)


def claimed(answered: Answered[Sentence], transcript: Transcript) -> ClaimVerdict:
    """An error is at least of low severity, what is none of no severity, whatever the model says."""
    sentence, answer = answered.unit.subject, answered.answer
    if answer is None:
        return unjudged(sentence, not_judged(answered.problem))
    verdict = Verdict(answer["label"])
    flawed = verdict in (Verdict.CONTRADICTED, Verdict.UNSUPPORTED)
    severity = Severity(answer["severity"])
    cited = [locate(transcript.turns[c["turn"]], c["quote"]) for c in answer["citations"]]
    return ClaimVerdict(
        sentence=sentence.id,
        verdict=verdict,
        severity=(Severity.LOW if severity is Severity.NONE else severity) if flawed else Severity.NONE,
        rationale=answer["reason"][:REASON_LENGTH],
        citations=tuple(citation for citation in cited if citation is not None),
    )


def omitted(answer: Mapping[str, Any], transcript: Transcript) -> Iterator[Omission]:
    """Those whose passage stands in its turn."""
    for entry in answer["omissions"]:
        citation = locate(transcript.turns[entry["turn"]], entry["quote"])
        if citation is not None:
            yield Omission(
                citation,
                OmissionKind(entry["kind"]),
                Severity(entry["severity"]),
                None,
                entry["reason"][:REASON_LENGTH],
            )


def responded(answered: Answered[Exchange]) -> ResponseVerdict:
    """Without an answer every attribute is None, and a notice says why."""
    exchange, answer = answered.unit.subject, answered.answer
    if answer is None:
        return ResponseVerdict(
            exchange.turn,
            tuple((attribute, None) for attribute in Attribute),
            notices=(not_judged(answered.problem),),
        )
    response = Turn(0, "", Role.THERAPIST, exchange.response)
    evidence = []
    for entry in answer["evidence"]:
        found = locate(response, entry["quote"])
        if found is not None:
            evidence.append(Evidence(Attribute(entry["attribute"]), found.span, found.quote, entry["comment"]))
    return ResponseVerdict(
        turn=exchange.turn,
        scores=tuple((attribute, answer[attribute.value]) for attribute in Attribute),
        crisis=answer["crisis"],
        evidence=tuple(evidence),
        recommendations=tuple(answer["recommendations"]),
    )
