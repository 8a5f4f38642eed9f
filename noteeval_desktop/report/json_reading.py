"""An evaluation from its JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from noteeval_desktop.domain.behaviours import Behaviour, MiCounts
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.decisions import Decision, DecisionKind
from noteeval_desktop.domain.evaluation import Evaluation, JudgedSentence, JudgeIdentity, Usage
from noteeval_desktop.domain.note import Block, Note, Section, Sentence
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.plan import GoalProgress, PlanLine, PlanLink, Thread, TreatmentPlan
from noteeval_desktop.domain.remarks import Remark, RemarkKind
from noteeval_desktop.domain.risk import RiskFinding, RiskKind, Stance
from noteeval_desktop.domain.rubric import Importance
from noteeval_desktop.domain.scores import score
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import Citation, Role, Transcript, Turn
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
    WrongWords,
)
from noteeval_desktop.errors import InputError

SCHEMA = "noteeval.evaluation/1"
GENERAL = "general"

_EVALUATION, _OWN_JSON = tr("evaluation"), tr("Choose a file that this program wrote, with its texts.")


def evaluation_from_json(data: Mapping[str, Any]) -> Evaluation:
    """Read what ``evaluation_to_json`` wrote with its texts; scores are counted anew from the verdicts.

    All of the case's warnings come back as the transcript's.

    Raises InputError for another schema, a file without texts, or a damaged one.
    """
    if data.get("schema") != SCHEMA:
        raise InputError(_EVALUATION, tr("is not of the kind {schema}").format(schema=SCHEMA), _OWN_JSON)
    if "note_text" not in data.get("case", {}):
        raise InputError(_EVALUATION, tr("was written without its texts"), _OWN_JSON)
    try:
        return _evaluation(data)
    except (KeyError, ValueError, TypeError, AttributeError) as error:
        raise InputError(_EVALUATION, tr("is damaged"), _OWN_JSON) from error


def decisions_from_json(data: Mapping[str, Any]) -> tuple[Decision, ...]:
    """What a person decided; empty in a file that was written before decisions were kept. Raises InputError."""
    try:
        return tuple(
            Decision(
                DecisionKind(entry["kind"]), entry["subject"], entry["reason"], datetime.fromisoformat(entry["when"])
            )
            for entry in data.get("decisions", ())
        )
    except (KeyError, ValueError, TypeError) as error:
        raise InputError(_EVALUATION, tr("is damaged"), _OWN_JSON) from error


def _evaluation(data: Mapping[str, Any]) -> Evaluation:
    checklist = tuple(_item(entry) for entry in data["checklist"])
    sentences = tuple(_judged(entry) for entry in data["sentences"])
    case = _case(data["case"], tuple(judged.sentence for judged in sentences))
    return Evaluation(
        case=case,
        judge=JudgeIdentity(**data["judge"]),
        checklist=checklist,
        sentences=sentences,
        scores=score(checklist, sentences),
        complete=data["complete"],
        problems=tuple(data["problems"]),
        omissions=None if data["omissions"] is None else tuple(_omission(entry) for entry in data["omissions"]),
        responses=None if data["responses"] is None else tuple(_response(entry) for entry in data["responses"]),
        usage=Usage(**data["usage"]),
        # Absent in files from before the ledger was kept.
        risks=None if data.get("risks") is None else tuple(_risk(entry) for entry in data["risks"]),
        dropped=tuple(_omission(entry) for entry in data.get("dropped_omissions", ())),
        wrong_on_risk=tuple(data.get("wrong_on_risk", ())),
        thread=None if data.get("treatment_plan") is None else _thread(data["treatment_plan"]),
        behaviours=None if data.get("behaviours") is None else _behaviours(data["behaviours"]),
        remarks=tuple(_remark(entry, case.note) for entry in data.get("remarks", ())),
    )


def _thread(data: Mapping[str, Any]) -> Thread:
    lines = tuple(PlanLine(one["id"], one["text"], Span(one["start"], one["end"])) for one in data["lines"])
    note, session = (
        tuple(
            PlanLink(str(one[place]), one["line"], GoalProgress(one["progress"]), one["probability"])
            for one in data[where]
        )
        for where, place in (("note", "sentence"), ("session", "turn"))
    )
    return Thread(TreatmentPlan(data["text"], lines), note, session, data["read"])


def _case(data: Mapping[str, Any], sentences: tuple[Sentence, ...]) -> Case:
    transcript = Transcript(
        tuple(_turn(index, entry) for index, entry in enumerate(data["turns"])),
        source_sha256=data["transcript_sha256"],
        warnings=tuple(data["warnings"]),
        roles_guessed=data["roles_guessed"],
    )
    note = Note(
        data["note_text"], tuple(_block(entry) for entry in data["blocks"]), sentences, format=data["note_format"]
    )
    if any(sentence.span.of(note.text) != sentence.text for sentence in sentences):
        raise ValueError("a sentence is not where it says")
    return Case(transcript, note, data["label"])


def _turn(index: int, data: Mapping[str, Any]) -> Turn:
    return Turn(index, data["speaker"], Role(data["role"]), data["text"], data["seconds"])


def _block(data: Mapping[str, Any]) -> Block:
    heading = data["heading"]
    return Block(_sections(data["sections"]), None if heading is None else Span(*heading), Span(*data["body"]))


def _sections(names: Sequence[str]) -> tuple[Section, ...]:
    return tuple(Section(name) for name in names)


def _confidence(name: str | None) -> Confidence | None:
    return None if name is None else Confidence(name)


def _item(data: Mapping[str, Any]) -> ItemVerdict:
    return ItemVerdict(
        item=data["item"],
        section=None if data["section"] == GENERAL else Section(data["section"]),
        importance=Importance(data["importance"]),
        present=data["present"],
        probability=data["probability"],
        confidence=_confidence(data["confidence"]),
        sentences=tuple(data["sentences"]),
        suggested_turns=tuple(data["suggested_turns"]),
        rationale=data["rationale"],
        mass=data.get("mass"),
        opinions=_opinions(data.get("opinions", ())),
    )


def _judged(data: Mapping[str, Any]) -> JudgedSentence:
    sentence = Sentence(data["id"], _sections(data["sections"]), Span(data["start"], data["end"]), data["text"])
    need = None
    if data["items"] is not None:
        need = NeedVerdict(
            sentence=sentence.id,
            needed=data["needed"],
            probability=data["probability_needed"],
            confidence=_confidence(data["need_confidence"]),
            items=tuple(data["items"]),
            rationale=data["need_rationale"],
            mass=data.get("mass_needed"),
            opinions=_opinions(data.get("need_opinions", ())),
        )
    claim = None
    if data["severity"] is not None:
        claim = ClaimVerdict(
            sentence=sentence.id,
            verdict=None if data["verdict"] is None else Verdict(data["verdict"]),
            probability=data["probability_supported"],
            confidence=_confidence(data["confidence"]),
            severity=Severity(data["severity"]),
            rationale=data["rationale"],
            citations=tuple(_citation(entry) for entry in data["citations"]),
            set_aside=data.get("set_aside", False),
            unvouched=data.get("unvouched", False),
            opinions=_opinions(data.get("opinions", ())),
            mass=data.get("mass_supported"),
            wrong=tuple(_wrong(data, sentence)),
            inferred=data.get("inferred", False),
            seen=_within(data["seen"], sentence) if data.get("seen") else None,
        )
    return JudgedSentence(sentence, need, claim)


def _wrong(data: Mapping[str, Any], sentence: Sentence) -> Iterator[WrongWords]:
    for entry, said in zip(data.get("wrong", ()), data.get("session_says", ()), strict=True):
        yield WrongWords(
            _within(entry, sentence), entry["words"], None if said is None else _citation(said), entry["instead"]
        )


def _within(data: Mapping[str, int], sentence: Sentence) -> Span:
    start = sentence.span.start
    if not start <= data["start"] < data["end"] <= sentence.span.end:
        raise ValueError("words outside their sentence")
    return Span(data["start"] - start, data["end"] - start)


def _citation(data: Mapping[str, Any]) -> Citation:
    return Citation(data["turn"], Span(data["start"], data["end"]), data["quote"])


def _omission(data: Mapping[str, Any]) -> Omission:
    return Omission(
        citation=_citation(data),
        kind=OmissionKind(data["kind"]),
        severity=Severity(data["severity"]),
        item=data["item"],
        rationale=data["rationale"],
        also=tuple(_citation(entry) for entry in data.get("also", ())),
        opinions=_opinions(data.get("opinions", ())),
    )


def _opinions(entries: Sequence[Mapping[str, Any]]) -> tuple[Opinion, ...]:
    return tuple(
        Opinion(
            entry["judge"],
            entry["says"] or "",
            entry["probability"],
            entry["mass"],
            entry["rationale"],
            tuple(_citation(citation) for citation in entry["citations"]),
        )
        for entry in entries
    )


def _behaviours(data: Mapping[str, Any]) -> MiCounts:
    return MiCounts(
        counts=tuple((Behaviour(name), number) for name, number in data["counts"].items()),
        talk_share=data["talk_share"],
        turns=tuple((entry["turn"], tuple(Behaviour(name) for name in entry["does"])) for entry in data["turns"]),
    )


def _risk(data: Mapping[str, Any]) -> RiskFinding:
    return RiskFinding(
        turns=tuple(data["turns"]),
        citation=_citation(data),
        kind=RiskKind(data["kind"]),
        stance=Stance(data["stance"]),
        by_meaning=data["by_meaning"],
        addressed_by=None if data["addressed_by"] is None else tuple(data["addressed_by"]),
        doubted=tuple(data.get("doubted", ())),
        near=tuple(data.get("near", ())),
        likely=data.get("likely", False),
        opinions=_opinions(data.get("opinions", ())),
    )


def _remark(data: Mapping[str, Any], note: Note) -> Remark:
    if data["end"] is not None and data["end"] > len(note.text):
        raise ValueError("words outside the note")
    return Remark(
        RemarkKind(data["kind"]),
        data["rule"],
        data["says"],
        data["source"],
        None if data["start"] is None else Span(data["start"], data["end"]),
        data["instead"],
        Severity(data["severity"]),
    )


def _response(data: Mapping[str, Any]) -> ResponseVerdict:
    return ResponseVerdict(
        turn=data.get("turn"),
        scores=tuple((Attribute(name), value) for name, value in data["scores"].items()),
        crisis=data["crisis"],
        evidence=tuple(
            Evidence(
                Attribute(entry["attribute"]), Span(entry["start"], entry["end"]), entry["quote"], entry["comment"]
            )
            for entry in data["evidence"]
        ),
        recommendations=tuple(data["recommendations"]),
        notices=tuple(data["notices"]),
    )
