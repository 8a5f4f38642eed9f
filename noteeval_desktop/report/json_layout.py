"""An evaluation as JSON, and back. The layout is a public interface: resources/schema documents it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from noteeval_desktop.domain.behaviours import MiCounts
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.decisions import Decision, with_decided_links
from noteeval_desktop.domain.evaluation import DimensionScore, Evaluation, JudgedSentence, JudgeIdentity, Usage
from noteeval_desktop.domain.fitting import check_evaluation, check_note
from noteeval_desktop.domain.note import Block, Note, Section, Sentence
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.plain import from_plain, to_plain
from noteeval_desktop.domain.plan import PlanLink, Thread
from noteeval_desktop.domain.remarks import CopiedShare, Remark
from noteeval_desktop.domain.risk import RiskFinding
from noteeval_desktop.domain.rubric import rubric_from_json, rubric_to_json
from noteeval_desktop.domain.scores import score
from noteeval_desktop.domain.silencing import listed
from noteeval_desktop.domain.text import Span, fingerprint
from noteeval_desktop.domain.transcript import Citation, Transcript, Turn
from noteeval_desktop.domain.verdicts import (
    Attribute,
    ClaimVerdict,
    Evidence,
    ItemVerdict,
    NeedVerdict,
    Omission,
    Opinion,
    ResponseVerdict,
)
from noteeval_desktop.errors import InputError

T = TypeVar("T")
SCHEMA = "noteeval.evaluation/1"
_GENERAL = "general"
_EVALUATION, _OWN_JSON = tr("evaluation"), tr("Choose a file that this program wrote, with its texts.")

# The members of each value, in the file's order; a span and an omission's citation are spread among its own.
_MEMBERS: dict[type, str] = {
    Citation: "turn,span,quote",
    Decision: "kind,subject,reason,when",
    Evidence: "attribute,span,quote,comment",
    ItemVerdict: "item,section,importance,present,probability,mass,confidence,sentences,suggested_turns,opinions,"
    "set_aside,rationale",
    JudgeIdentity: "kind,model,rubric,prompts,version",
    Omission: "citation,kind,severity,item,also,opinions,rationale",
    Opinion: "judge,says,probability,mass,citations,rationale",
    Remark: "kind,rule,source,severity,span,says,instead,quote",
    RiskFinding: "citation,turns,kind,stance,severity,by_meaning,likely,addressed_by,doubted,near,or_meant,state,"
    "opinions",
    Usage: "calls,input_tokens,output_tokens,cached_tokens,cost,seconds,bytes_sent",
}
# What repeats the session or the note.
_TEXTS = {
    Citation: "quote",
    Evidence: "quote,comment",
    ItemVerdict: "rationale",
    Omission: "rationale",
    Opinion: "rationale",
    Remark: "says,instead,quote",
}
# A sentence's members, and what of them stands in its two verdicts under another name.
_SENTENCE = (
    "id,section,sections,start,end,needed,probability_needed,mass_needed,need_confidence,items,verdict,"
    "probability_supported,mass_supported,confidence,severity,set_aside,unvouched,inferred,seen,wrong,session_says,"
    "citations,opinions,need_opinions,text,rationale,need_rationale"
)
_OF_NEED = {"needed": "needed", "probability": "probability_needed", "mass": "mass_needed", "items": "items"}
_OF_NEED |= {name: f"need_{name}" for name in ("confidence", "rationale", "opinions")}
_OF_CLAIM = {"probability": "probability_supported", "mass": "mass_supported"}
_OF_CLAIM |= {
    name: name for name in _SENTENCE.split(",") if name in ClaimVerdict.__slots__ and name not in ("wrong", "seen")
}


def evaluation_to_json(
    evaluation: Evaluation, *, text: bool = True, decisions: Sequence[Decision] = ()
) -> dict[str, Any]:
    """The evaluation as CONTRACT's object, with what a person decided about its findings.

    With ``text=False`` everything that repeats the session or the note is left out: their texts,
    speakers' names, quotes, and the reasons, which restate both.
    """
    responses, counts, copied = evaluation.responses, evaluation.behaviours, evaluation.copied
    return {
        "schema": SCHEMA,
        "case": _case(evaluation.case, text),
        "judge": _laid(evaluation.judge),
        "complete": evaluation.complete,
        "problems": list(evaluation.problems),
        "scores": scores_to_json(evaluation),
        "checklist": _laid(evaluation.checklist, text),
        "rubric": None if evaluation.rubric is None else rubric_to_json(evaluation.rubric),
        "sentences": [_sentence(judged, text) for judged in evaluation.sentences],
        "omissions": _laid(evaluation.omissions, text),
        "dropped_omissions": _laid(evaluation.dropped, text),
        "responses": None if responses is None else [response_to_json(one, text=text) for one in responses],
        "wrong_on_risk": list(evaluation.wrong_on_risk),
        "risks": _laid(evaluation.risks, text),
        "behaviours": None if counts is None else _behaviours(counts),
        "copied": copied and {**to_plain(copied), "sections": dict(copied.sections)},
        "treatment_plan": _thread(evaluation, decisions, text),
        "remarks": _laid(evaluation.remarks, text),
        "findings": _findings(evaluation, decisions),
        "decisions": _laid(tuple(decisions)),
        "usage": _laid(evaluation.usage) | {"seconds": round(evaluation.usage.seconds, 3)},
    }


def scores_to_json(evaluation: Evaluation) -> dict[str, Any]:
    """The three scores; a share is null where nothing was judged."""
    faithfulness = evaluation.scores.faithfulness
    return {
        "completeness": _dimension(evaluation.scores.completeness),
        "conciseness": _dimension(evaluation.scores.conciseness),
        "faithfulness": _dimension(faithfulness)
        | {
            "published_definition": faithfulness.published_definition,
            "unsupported": faithfulness.unsupported,
            "contradicted": faithfulness.contradicted,
            "observed": faithfulness.observed,
            "by_severity": dict(faithfulness.by_severity),
        },
    }


def response_to_json(verdict: ResponseVerdict, *, text: bool = True) -> dict[str, Any]:
    """One member of ``responses``; without ``turn`` for a response outside a session."""
    scores = dict(verdict.scores)
    data: dict[str, Any] = {} if verdict.turn is None else {"turn": verdict.turn}
    data |= {
        "scores": {attribute.value: scores.get(attribute) for attribute in Attribute},
        "css": verdict.css,
        "ars": verdict.ars,
        "gap": verdict.gap,
        "crisis": verdict.crisis,
        "flags": list(verdict.flags),
        "evidence": _laid(verdict.evidence, text),
        "notices": list(verdict.notices),
    }
    return data | ({"recommendations": list(verdict.recommendations)} if text else {})


def _laid(value: Any, text: bool = True) -> Any:
    if isinstance(value, tuple):
        return [_laid(member, text) for member in value]
    if type(value) not in _MEMBERS:
        return to_plain(value)
    data: dict[str, Any] = {}
    for name in _MEMBERS[type(value)].split(","):
        member = getattr(value, name)
        if name == "span":
            data |= {"start": member and member.start, "end": member and member.end}
        elif name == "citation":
            data |= _laid(member, text)
        elif text or name not in _TEXTS.get(type(value), "").split(","):
            data[name] = _laid(member, text)
    if isinstance(value, ItemVerdict):
        data["section"] = data["section"] or _GENERAL
    if isinstance(value, Opinion):
        data["says"] = data["says"] or None
    return data


def _thread(evaluation: Evaluation, decisions: Sequence[Decision], text: bool) -> dict[str, Any] | None:
    """With what a person decided about links; None without a plan."""
    if evaluation.thread is None:
        return None
    thread = with_decided_links(evaluation.thread, evaluation.case.note, decisions)
    plan = thread.plan
    return ({"text": plan.text} if text else {}) | {
        "sha256": fingerprint(plan.text),
        "read": thread.read,
        "lines": [
            {"id": line.id, "start": line.span.start, "end": line.span.end} | ({"text": line.text} if text else {})
            for line in plan.lines
        ],
        "note": [{"sentence": link.place} | _plan_link(link) for link in thread.note],
        "session": [{"turn": int(link.place)} | _plan_link(link) for link in thread.session],
        "untouched": [goal.id for goal in thread.untouched],
        "in_session_only": [goal.id for goal in thread.in_session_only],
    }


def _plan_link(link: PlanLink) -> dict[str, Any]:
    return {"line": link.line, "progress": link.progress.value, "probability": link.probability}


def _findings(evaluation: Evaluation, decisions: Sequence[Decision]) -> list[dict[str, Any]]:
    """The one list, as the window and the PDF have it."""
    made = {decision.subject: decision.kind.value for decision in decisions}
    reasons = {decision.subject: decision.reason for decision in decisions}
    found = listed(evaluation, reasons)
    first = {key for finding in found.first for key in finding.keys}
    still_open = {key for finding in found.open for key in finding.keys}
    return [
        {
            "rank": rank,
            "key": finding.key,
            "kind": finding.kind.value,
            "harm": finding.harm.value,
            "severity": finding.severity.value,
            "certainty": round(finding.certainty, 4),
            "pressing": finding.pressing,
            "before_you_sign": finding.key in first,
            "open": finding.key in still_open,
            "decision": made.get(finding.key),
            "sentence": finding.sentence.id if finding.sentence else None,
            "item": finding.source.item if isinstance(finding.source, ItemVerdict | Omission) else None,
            "turns": list(finding.turns),
        }
        for rank, finding in enumerate(found.ranked, start=1)
    ]


def _case(case: Case, text: bool) -> dict[str, Any]:
    return {
        "label": case.label,
        "transcript_sha256": case.transcript.source_sha256,
        "note_sha256": case.note.sha256,
        "warnings": list(case.warnings),
        "note_format": case.note.format,
        "blocks": [
            {
                "sections": list(block.sections),
                "heading": block.heading and [block.heading.start, block.heading.end],
                "body": [block.body.start, block.body.end],
            }
            for block in case.note.blocks
        ],
        **({"note_text": case.note.text} if text else {}),
        "roles_guessed": case.transcript.roles_guessed,
        "turns": [
            {"role": turn.role.value, "time": turn.time, "seconds": turn.start}
            | ({"speaker": turn.speaker, "text": turn.text} if text else {})
            for turn in case.transcript.turns
        ],
    }


def _dimension(score: DimensionScore) -> dict[str, Any]:
    return {
        "note": score.note,
        "sections": {section.value: share for section, share in score.sections},
        "done": score.done,
        "total": score.total,
        "not_judged": score.unjudged,
        "expected": score.expected,
    }


def _sentence(judged: JudgedSentence, text: bool) -> dict[str, Any]:
    """The claim's confidence and reason stand as ``confidence`` and ``rationale``, the need's with ``need_`` before."""
    sentence, need, claim = judged.sentence, judged.need, judged.claim or ClaimVerdict(judged.sentence.id, None)
    data = {there: _laid(getattr(claim, own), text) for own, there in _OF_CLAIM.items()}
    data |= {there: _laid(getattr(need, own, None), text) for own, there in _OF_NEED.items()}
    data |= {
        "id": sentence.id,
        "section": sentence.section.value,
        "sections": list(sentence.sections),
        **_stretch(sentence.span, 0),
        "text": sentence.text,
        "seen": claim.seen and _stretch(claim.seen, sentence.span.start),
        "wrong": [
            _stretch(one.span, sentence.span.start) | ({"words": one.words, "instead": one.instead} if text else {})
            for one in claim.wrong
        ],
        "session_says": [_laid(one.said, text) for one in claim.wrong],
    }
    if need is None:
        data["need_opinions"] = []
    if judged.claim is None:
        data |= {"severity": None, "rationale": None}
    left_out = () if text else ("text", "rationale", "need_rationale")
    return {name: data[name] for name in _SENTENCE.split(",") if name not in left_out}


def _stretch(span: Span, start: int) -> dict[str, int]:
    """In the note, where a verdict counts from the ``start`` of its sentence."""
    return {"start": start + span.start, "end": start + span.end}


def _behaviours(counts: MiCounts) -> dict[str, Any]:
    return {
        "counts": {behaviour.value: number for behaviour, number in counts.counts},
        "reflections_to_questions": counts.reflections_to_questions,
        "talk_share": counts.talk_share,
        "turns": [{"turn": turn, "does": list(does)} for turn, does in counts.turns],
    }


# And back


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
        return _read_evaluation(data)
    except (KeyError, ValueError, TypeError, AttributeError, RecursionError) as error:
        raise InputError(_EVALUATION, tr("is damaged"), _OWN_JSON) from error


def _read_evaluation(data: Mapping[str, Any]) -> Evaluation:
    plain = _gathered(data)
    sentences = tuple(_read_sentence(entry) for entry in plain["sentences"])
    case = _read_case(data["case"], tuple(judged.sentence for judged in sentences))
    checklist = _many(ItemVerdict, plain["checklist"]) or ()
    remarks = _many(Remark, plain.get("remarks")) or ()
    if any(remark.span and remark.span.end > len(case.note.text) for remark in remarks):
        raise ValueError("words outside the note")
    # What may be absent was not kept by earlier programs.
    evaluation = Evaluation(
        case=case,
        judge=from_plain(JudgeIdentity, plain["judge"]),
        checklist=checklist,
        sentences=sentences,
        scores=score(checklist, sentences),
        complete=from_plain(bool, plain["complete"]),
        problems=from_plain(tuple[str, ...], plain["problems"]),
        omissions=_many(Omission, plain["omissions"]),
        responses=_many(ResponseVerdict, plain["responses"]),
        usage=from_plain(Usage, plain["usage"]),
        risks=_many(RiskFinding, plain.get("risks")),
        dropped=_many(Omission, plain.get("dropped_omissions")) or (),
        wrong_on_risk=from_plain(tuple[str, ...], plain.get("wrong_on_risk", [])),
        behaviours=from_plain(MiCounts, counts) if (counts := plain.get("behaviours")) else None,
        remarks=remarks,
        thread=None if (plan := plain.get("treatment_plan")) is None else _read_thread(plan),
        copied=from_plain(CopiedShare, copied) if (copied := plain.get("copied")) else None,
        rubric=None if data.get("rubric") is None else rubric_from_json(data["rubric"]),
    )
    check_evaluation(evaluation, case.transcript, case.note)
    return evaluation


def _read_thread(data: Mapping[str, Any]) -> Thread:
    """``data`` as ``_gathered`` has it."""
    note = [one | {"place": one["sentence"]} for one in data["note"]]
    session = [one | {"place": str(one["turn"])} for one in data["session"]]
    return from_plain(Thread, {"plan": data, "note": note, "session": session, "read": data["read"]})


def _many(kind: type[T], entries: Any) -> tuple[T, ...] | None:
    return None if entries is None else tuple(from_plain(kind, entry) for entry in entries)


def _gathered(value: Any) -> Any:
    """The file's data with each value's members as ``from_plain`` reads them: what ``_laid`` spread is together."""
    if isinstance(value, list):
        return [_gathered(member) for member in value]
    if not isinstance(value, dict):
        return value
    data = {name: _gathered(member) for name, member in value.items()}
    if "start" in data:
        data["span"] = None if data["start"] is None else {"start": data["start"], "end": data["end"]}
    if "quote" in data:
        data["citation"] = data
    if data.get("section") == _GENERAL:
        data["section"] = None
    if "judge" in data and "says" in data:
        data["says"] = data["says"] or ""
    for name in ("scores", "counts", "sections"):
        if isinstance(data.get(name), dict):
            data[name] = [list(pair) for pair in data[name].items()]
    if "talk_share" in data:
        data["turns"] = [[one["turn"], one["does"]] for one in data["turns"]]
    if "flags" in data:
        data.setdefault("turn", None)
    return data


def _read_case(data: Mapping[str, Any], sentences: tuple[Sentence, ...]) -> Case:
    turns = tuple(
        from_plain(Turn, {**entry, "index": index, "start": entry["seconds"]})
        for index, entry in enumerate(data["turns"])
    )
    blocks = tuple(
        Block(
            tuple(map(Section, entry["sections"])),
            None if entry["heading"] is None else Span(*entry["heading"]),
            Span(*entry["body"]),
        )
        for entry in data["blocks"]
    )
    said = {"turns": [], "source_sha256": data["transcript_sha256"]}
    said |= {name: data[name] for name in ("warnings", "roles_guessed")}
    transcript = replace(from_plain(Transcript, said), turns=turns)
    note = Note(data["note_text"], blocks, sentences, from_plain(str, data["note_format"]))
    check_note(note)
    return Case(transcript, note, from_plain(str, data["label"]))


def _read_sentence(data: Mapping[str, Any]) -> JudgedSentence:
    sentence = from_plain(Sentence, data)
    need = claim = None
    if data["items"] is not None:
        need = from_plain(NeedVerdict, _verdict(data, _OF_NEED))
    if data["severity"] is not None:
        # Words that are wrong were not named by earlier programs.
        wrong = [
            {**entry, "span": _within(entry, sentence), "said": said}
            for entry, said in zip(data.get("wrong", ()), data.get("session_says", ()), strict=True)
        ]
        seen = data.get("seen") and _within(data["seen"], sentence)
        claim = from_plain(ClaimVerdict, _verdict(data, _OF_CLAIM) | {"wrong": wrong, "seen": seen})
    return JudgedSentence(sentence, need, claim)


def _verdict(data: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    return {"sentence": data["id"]} | {own: data[there] for own, there in names.items() if there in data}


def _within(data: Mapping[str, Any], sentence: Sentence) -> dict[str, int]:
    if not sentence.span.start <= data["start"] < data["end"] <= sentence.span.end:
        raise ValueError("words outside their sentence")
    return {"start": data["start"] - sentence.span.start, "end": data["end"] - sentence.span.start}
