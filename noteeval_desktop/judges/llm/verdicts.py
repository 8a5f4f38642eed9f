"""From a model's sound answers to verdicts; what was not answered becomes "not checked", with the reason."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.harm import Harm, harm_of_sentence
from noteeval_desktop.domain.note import Note, Sentence
from noteeval_desktop.domain.plan import GoalProgress, PlanLink, Thread
from noteeval_desktop.domain.remarks import Private, PrivateSentence
from noteeval_desktop.domain.risk import RiskKind, Stance
from noteeval_desktop.domain.rubric import RubricItem
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import Role, Transcript, Turn
from noteeval_desktop.domain.two_witnesses import turns_apart
from noteeval_desktop.domain.verdicts import (
    ERRORS,
    Attribute,
    ClaimVerdict,
    Evidence,
    ItemVerdict,
    NeedVerdict,
    Omission,
    OmissionKind,
    ResponseVerdict,
    Severity,
    Verdict,
    WrongWords,
    confidence_of,
)
from noteeval_desktop.judges.llm.answers import BORNE_OUT, INFERRED, NO_CLAIM, PARTLY, REASON_LENGTH, locate, stretch
from noteeval_desktop.judges.llm.asking import Answered
from noteeval_desktop.judges.protocol import Exchange, Heard

# Less probability than this on yes and no together, and the model evades the question: no verdict.
LEAST_MASS = 0.5
_EVADED = "the model answered neither yes nor no"
_NO_LABEL = "the model's answer was not one of the choices"
_NOTHING_CLAIMED = "It claims nothing about the session."
_UNDECIDED = "the model could not decide between its answers"


def not_judged(problem: str) -> str:
    return f"Not checked: {problem.rstrip('.')}."


def absent(item: RubricItem) -> ItemVerdict:
    return ItemVerdict(item.id, item.section, item.importance, present=False, rationale="This section is empty.")


def covered(answered: Answered[RubricItem], sentences: Sequence[Sentence]) -> ItemVerdict:
    """``sentences`` in the order in which they were numbered. A probability is there where only yes or no was asked."""
    item, answer = answered.unit.subject, answered.answer
    verdict = ItemVerdict(item.id, item.section, item.importance, present=None)
    if answer is None:
        return replace(verdict, rationale=not_judged(answered.problem))
    probability, mass = answer.get("probability"), answer.get("mass")
    verdict = replace(verdict, mass=mass)
    if _evades(mass):
        return replace(verdict, rationale=not_judged(_EVADED))
    present = answer["yes"] if "yes" in answer else answer["covered"]
    if probability is not None and present != (probability >= 0.5):
        return replace(verdict, rationale=not_judged(_UNDECIDED))
    return replace(
        verdict,
        present=present,
        probability=probability,
        confidence=confidence_of(probability),
        sentences=tuple(sentences[number - 1].id for number in answer.get("sentences", ()) if present),
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
        return NeedVerdict(sentence.id, answer["yes"], probability, confidence_of(probability), mass=mass)
    own = tuple(items[number - 1].id for number in answer["items"])
    return NeedVerdict(sentence.id, bool(own), items=own)


def unjudged(sentence: Sentence, reason: str) -> ClaimVerdict:
    return ClaimVerdict(sentence.id, None, rationale=reason)


def claimed(answered: Answered[Sentence], transcript: Transcript) -> ClaimVerdict:
    """An error is at least of low severity, what is none of no severity, whatever the model says.

    With a probability where the engine told how likely each label is: that it is borne out. A label that goes against
    it, or that stands for less than half of what the model might have said, is no verdict. What is partly wrong is
    contradicted where the session has something in the place of its wrong words, unsupported else.
    """
    sentence, answer = answered.unit.subject, answered.answer
    if answer is None:
        return unjudged(sentence, not_judged(answered.problem))
    label, odds, mass = answer["label"], answer.get("odds", {}), answer.get("mass")
    borne_out = sum(odds.get(one, 0.0) for one in BORNE_OUT)
    probability = borne_out if odds else None
    if _evades(mass):
        return replace(unjudged(sentence, not_judged(_NO_LABEL)), mass=mass)
    if probability is not None and (label in BORNE_OUT) != (probability >= 0.5):
        return replace(unjudged(sentence, not_judged(_UNDECIDED)), mass=mass)
    if label == NO_CLAIM:
        return replace(unjudged(sentence, _NOTHING_CLAIMED), set_aside=True, mass=mass)
    wrong = tuple(_wrong_words(answer["wrong"], sentence, transcript))
    if label == PARTLY:
        verdict = Verdict.CONTRADICTED if any(one.said for one in wrong) else Verdict.UNSUPPORTED
    else:
        verdict = Verdict.SUPPORTED if label in BORNE_OUT else Verdict(label)
    flawed = verdict in ERRORS
    wrong = wrong if flawed else ()
    severity = Severity(answer["severity"])
    cited = [locate(transcript.turns[c["turn"]], c["quote"]) for c in answer["citations"]]
    # What decides comes first, and once.
    shown = dict.fromkeys(one for one in (*(w.said for w in wrong), *cited) if one is not None)
    return ClaimVerdict(
        sentence=sentence.id,
        verdict=verdict,
        probability=probability,
        confidence=confidence_of(max(0.5, odds[label], borne_out if label in BORNE_OUT else 0.0)) if odds else None,
        severity=(Severity.LOW if severity is Severity.NONE else severity) if flawed else Severity.NONE,
        rationale=answer["reason"][:REASON_LENGTH],
        citations=tuple(shown),
        mass=mass,
        wrong=wrong,
        inferred=label == INFERRED,
        seen=_part_of(sentence.text, answer["seen"]) if verdict is Verdict.OBSERVED else None,
    )


def _wrong_words(
    entries: Sequence[Mapping[str, Any]], sentence: Sentence, transcript: Transcript
) -> Iterator[WrongWords]:
    """Those that stand in the sentence, in its order and none within another. What is to stand instead is kept where
    it is in the passage's own words and the sentence's."""
    end = 0
    found = [(stretch(sentence.text, entry["words"]), entry) for entry in entries]
    for span, entry in sorted(((span, e) for span, e in found if span is not None), key=lambda one: one[0]):
        if span.start < end:
            continue
        end = span.end
        said = locate(transcript.turns[entry["turn"]], entry["quote"]) if entry["quote"].strip() else None
        words, instead = span.of(sentence.text), entry["instead"].strip()
        told = _words(words) | _words(said.quote if said else "")
        yield WrongWords(span, words, said, instead if said and _words(instead) <= told else "")


def _words(text: str) -> set[str]:
    return set(re.findall(r"[^\W_]+", text.casefold()))


def _part_of(sentence: str, words: str) -> Span | None:
    span = stretch(sentence, words)
    return None if span is None or len(span.of(sentence)) >= len(sentence.strip(" .!")) else span


def omitted(answers: Sequence[Mapping[str, Any]], transcript: Transcript) -> list[Omission]:
    """Those whose passage stands in its turn; what is told of one kind in one turn and its neighbours is one."""
    found: list[Omission] = []
    for entry in (entry for answer in answers for entry in answer["omissions"]):
        citation = locate(transcript.turns[entry["turn"]], entry["quote"])
        if citation is None:
            continue
        kind, severity, reason = OmissionKind(entry["kind"]), Severity(entry["severity"]), entry["reason"]
        one = Omission(citation, kind, severity, None, reason[:REASON_LENGTH])
        same = next((o for o in found if o.kind is kind and turns_apart(o, one) <= 1), None)
        if same is None:
            found.append(one)
        else:
            also = same.also if citation in same.citations else (*same.also, citation)
            graver = max(same.severity, severity, key=list(Severity).index)
            told = replace(same, severity=graver, rationale=f"{same.rationale} {one.rationale}".strip(), also=also)
            found[found.index(same)] = told
    return found


def heard(answer: Mapping[str, Any], case: Case) -> Iterator[Heard]:
    """Those whose passage stands in its turn."""
    for entry in answer["dangers"]:
        citation = locate(case.transcript.turns[entry["turn"]], entry["quote"])
        if citation is not None:
            told = tuple(case.note.sentences[number - 1].id for number in entry["told_in"])
            yield Heard(citation, RiskKind(entry["kind"]), Stance(entry["meant"]), told)


def thread_of(case: Case, answer: Mapping[str, Any]) -> Thread:
    """In the order of note, session and plan, each link once."""
    assert case.plan is not None
    ids, places = [line.id for line in case.plan.lines], [sentence.id for sentence in case.note.sentences]
    goes = {(e["n"] - 1, number - 1): GoalProgress(e["progress"]) for e in answer["sentences"] for number in e["lines"]}
    heard = sorted({(entry["turn"], number - 1) for entry in answer["turns"] for number in entry["lines"]})
    note = tuple(PlanLink(places[n], ids[m], goes[n, m]) for n, m in sorted(goes))
    return Thread(case.plan, note, tuple(PlanLink(str(turn), ids[m]) for turn, m in heard), read=True)


def private_of(note: Note, answer: Mapping[str, Any]) -> Iterator[PrivateSentence]:
    """In the order of the note, each sentence once. One on danger stays in the record, whatever a model says."""
    for n, why in sorted({entry["n"]: entry["why"] for entry in answer["sentences"]}.items()):
        sentence = note.sentences[n - 1]
        if harm_of_sentence(sentence) is not Harm.RISK:
            yield PrivateSentence(sentence.id, Private(why))


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
