"""An evaluation as JSON, and back. The layout is a public interface: resources/schema documents it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from noteeval_desktop.domain.behaviours import MiCounts
from noteeval_desktop.domain.decisions import Decision, with_decided_links
from noteeval_desktop.domain.evaluation import DimensionScore, Evaluation, JudgedSentence
from noteeval_desktop.domain.note import Block, Sentence
from noteeval_desktop.domain.plan import PlanLink
from noteeval_desktop.domain.remarks import Remark
from noteeval_desktop.domain.risk import RiskFinding
from noteeval_desktop.domain.silencing import listed
from noteeval_desktop.domain.text import Span, fingerprint
from noteeval_desktop.domain.transcript import Citation, Turn
from noteeval_desktop.domain.verdicts import (
    Attribute,
    Evidence,
    ItemVerdict,
    Omission,
    Opinion,
    ResponseVerdict,
    WrongWords,
)
from noteeval_desktop.report.json_reading import GENERAL, SCHEMA, decisions_from_json, evaluation_from_json

__all__ = [
    "SCHEMA",
    "decisions_from_json",
    "evaluation_from_json",
    "evaluation_to_json",
    "response_to_json",
    "scores_to_json",
]


def evaluation_to_json(
    evaluation: Evaluation, *, text: bool = True, decisions: Sequence[Decision] = ()
) -> dict[str, Any]:
    """The evaluation as CONTRACT's object, with what a person decided about its findings.

    With ``text=False`` everything that repeats the session or the note is left out: their texts,
    speakers' names, quotes, and the reasons, which restate both.
    """
    return {
        "schema": SCHEMA,
        "case": _case(evaluation, text),
        "judge": {
            "kind": evaluation.judge.kind,
            "model": evaluation.judge.model,
            "rubric": evaluation.judge.rubric,
            "prompts": evaluation.judge.prompts,
            "version": evaluation.judge.version,
        },
        "complete": evaluation.complete,
        "problems": list(evaluation.problems),
        "scores": scores_to_json(evaluation),
        "checklist": [_item(item, text) for item in evaluation.checklist],
        "sentences": [_sentence(judged, text) for judged in evaluation.sentences],
        "omissions": _listed(evaluation.omissions, lambda omission: _omission(omission, text)),
        "dropped_omissions": [_omission(omission, text) for omission in evaluation.dropped],
        "responses": _listed(evaluation.responses, lambda response: response_to_json(response, text=text)),
        "wrong_on_risk": list(evaluation.wrong_on_risk),
        "risks": _listed(evaluation.risks, lambda risk: _risk(risk, text)),
        "behaviours": _behaviours(evaluation.behaviours),
        "treatment_plan": _thread(evaluation, decisions, text),
        "remarks": [_remark(remark, text) for remark in evaluation.remarks],
        "findings": _findings(evaluation, decisions),
        "decisions": [_decision(decision) for decision in decisions],
        "usage": {
            "calls": evaluation.usage.calls,
            "input_tokens": evaluation.usage.input_tokens,
            "output_tokens": evaluation.usage.output_tokens,
            "cached_tokens": evaluation.usage.cached_tokens,
            "cost": evaluation.usage.cost,
            "seconds": round(evaluation.usage.seconds, 3),
            "bytes_sent": evaluation.usage.bytes_sent,
        },
    }


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


def _decision(decision: Decision) -> dict[str, str]:
    return {
        "kind": decision.kind.value,
        "subject": decision.subject,
        "reason": decision.reason,
        "when": decision.when.isoformat(),
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
        "evidence": [_evidence(evidence, text) for evidence in verdict.evidence],
        "notices": list(verdict.notices),
    }
    return data | ({"recommendations": list(verdict.recommendations)} if text else {})


def _listed(values: Any, layout: Any) -> list[Any] | None:
    return None if values is None else [layout(value) for value in values]


def _case(evaluation: Evaluation, text: bool) -> dict[str, Any]:
    case = evaluation.case
    data: dict[str, Any] = {
        "label": case.label,
        "transcript_sha256": case.transcript.source_sha256,
        "note_sha256": case.note.sha256,
        "warnings": list(case.warnings),
        "note_format": case.note.format,
        "blocks": [_block(block) for block in case.note.blocks],
    }
    if text:
        data["note_text"] = case.note.text
    data["roles_guessed"] = case.transcript.roles_guessed
    data["turns"] = [_turn(turn, text) for turn in case.transcript.turns]
    return data


def _block(block: Block) -> dict[str, Any]:
    return {
        "sections": [section.value for section in block.sections],
        "heading": None if block.heading is None else [block.heading.start, block.heading.end],
        "body": [block.body.start, block.body.end],
    }


def _turn(turn: Turn, text: bool) -> dict[str, Any]:
    words = {"speaker": turn.speaker, "text": turn.text} if text else {}
    return {"role": turn.role.value, "time": turn.time, "seconds": turn.start} | words


def _dimension(score: DimensionScore) -> dict[str, Any]:
    return {
        "note": score.note,
        "sections": {section.value: share for section, share in score.sections},
        "done": score.done,
        "total": score.total,
        "not_judged": score.unjudged,
        "expected": score.expected,
    }


def _reason(rationale: str, text: bool) -> dict[str, str]:
    return {"rationale": rationale} if text else {}


def _item(item: ItemVerdict, text: bool) -> dict[str, Any]:
    return {
        "item": item.item,
        "section": item.section.value if item.section else GENERAL,
        "importance": item.importance.value,
        "present": item.present,
        "probability": item.probability,
        "mass": item.mass,
        "confidence": item.confidence,
        "sentences": list(item.sentences),
        "suggested_turns": list(item.suggested_turns),
        "opinions": _opinions(item.opinions, text),
    } | _reason(item.rationale, text)


def _sentence(judged: JudgedSentence, text: bool) -> dict[str, Any]:
    """The claim's confidence and reason stand as ``confidence`` and ``rationale``, the need's with ``need_`` before."""
    sentence, need, claim = judged.sentence, judged.need, judged.claim
    data: dict[str, Any] = {
        "id": sentence.id,
        "section": sentence.section.value,
        "sections": [section.value for section in sentence.sections],
        "start": sentence.span.start,
        "end": sentence.span.end,
        "needed": need.needed if need else None,
        "probability_needed": need.probability if need else None,
        "mass_needed": need.mass if need else None,
        "need_confidence": need.confidence if need else None,
        "items": list(need.items) if need else None,
        "verdict": claim.verdict if claim else None,
        "probability_supported": claim.probability if claim else None,
        "mass_supported": claim.mass if claim else None,
        "confidence": claim.confidence if claim else None,
        "severity": claim.severity if claim else None,
        "set_aside": claim.set_aside if claim else False,
        "unvouched": claim.unvouched if claim else False,
        "inferred": claim.inferred if claim else False,
        "seen": _stretch(claim.seen, sentence) if claim and claim.seen else None,
        "wrong": [_stretch(one.span, sentence) | _instead(one, text) for one in claim.wrong] if claim else [],
        "session_says": [one.said and _citation(one.said, text) for one in claim.wrong] if claim else [],
        "citations": [_citation(citation, text) for citation in claim.citations] if claim else [],
        "opinions": _opinions(claim.opinions if claim else (), text),
        "need_opinions": _opinions(need.opinions if need else (), text),
    }
    if text:
        data |= {
            "text": sentence.text,
            "rationale": claim.rationale if claim else None,
            "need_rationale": need.rationale if need else None,
        }
    return data


def _stretch(span: Span, sentence: Sentence) -> dict[str, int]:
    """In the note, where a verdict counts within its sentence."""
    return {"start": sentence.span.start + span.start, "end": sentence.span.start + span.end}


def _instead(wrong: WrongWords, text: bool) -> dict[str, str]:
    return {"words": wrong.words, "instead": wrong.instead} if text else {}


def _citation(citation: Citation, text: bool) -> dict[str, Any]:
    place = {"turn": citation.turn, "start": citation.span.start, "end": citation.span.end}
    return place | ({"quote": citation.quote} if text else {})


def _omission(omission: Omission, text: bool) -> dict[str, Any]:
    return (
        _citation(omission.citation, text)
        | {"kind": omission.kind.value, "severity": omission.severity.value, "item": omission.item}
        | {"also": [_citation(citation, text) for citation in omission.also]}
        | {"opinions": _opinions(omission.opinions, text)}
        | _reason(omission.rationale, text)
    )


def _behaviours(counts: MiCounts | None) -> dict[str, Any] | None:
    if counts is None:
        return None
    return {
        "counts": {behaviour.value: number for behaviour, number in counts.counts},
        "reflections_to_questions": counts.reflections_to_questions,
        "talk_share": counts.talk_share,
        "turns": [{"turn": turn, "does": [b.value for b in does]} for turn, does in counts.turns],
    }


def _risk(risk: RiskFinding, text: bool) -> dict[str, Any]:
    return _citation(risk.citation, text) | {
        "turns": list(risk.turns),
        "kind": risk.kind.value,
        "stance": risk.stance.value,
        "severity": risk.severity.value,
        "by_meaning": risk.by_meaning,
        "likely": risk.likely,
        "addressed_by": None if risk.addressed_by is None else list(risk.addressed_by),
        "doubted": list(risk.doubted),
        "near": list(risk.near),
        "state": risk.state.value,
        "opinions": _opinions(risk.opinions, text),
    }


def _remark(remark: Remark, text: bool) -> dict[str, Any]:
    span = remark.span
    return {
        "kind": remark.kind.value,
        "rule": remark.rule,
        "source": remark.source,
        "severity": remark.severity.value,
        "start": span and span.start,
        "end": span and span.end,
    } | ({"says": remark.says, "instead": remark.instead} if text else {})


def _opinions(opinions: Sequence[Opinion], text: bool) -> list[dict[str, Any]]:
    return [
        {
            "judge": opinion.judge,
            "says": opinion.says or None,
            "probability": opinion.probability,
            "mass": opinion.mass,
            "citations": [_citation(citation, text) for citation in opinion.citations],
        }
        | _reason(opinion.rationale, text)
        for opinion in opinions
    ]


def _evidence(evidence: Evidence, text: bool) -> dict[str, Any]:
    place = {"attribute": evidence.attribute.value, "start": evidence.span.start, "end": evidence.span.end}
    return place | ({"quote": evidence.quote, "comment": evidence.comment} if text else {})
