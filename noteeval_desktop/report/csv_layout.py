"""An evaluation as one table, one row a verdict, safe to open in a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path

from noteeval_desktop.domain.decisions import Decision
from noteeval_desktop.domain.evaluation import Evaluation, JudgedSentence
from noteeval_desktop.domain.findings import ItemState, item_state
from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.remarks import Remark
from noteeval_desktop.domain.risk import RiskFinding
from noteeval_desktop.domain.tables import guarded
from noteeval_desktop.domain.transcript import Citation, turn_number
from noteeval_desktop.domain.verdicts import ItemVerdict, Omission, ResponseVerdict
from noteeval_desktop.present.thread import ThreadRow, thread_rows
from noteeval_desktop.present.vocabulary import NOT_CHECKED, NOT_NEEDED, RISK_STATES
from noteeval_desktop.report import files

COLUMNS = ("kind", "id", "section", "text", "result", "probability", "severity", "reason", "turns", "quotes")
Row = dict[str, object]


def evaluation_to_csv(evaluation: Evaluation, *, text: bool = True, decisions: Sequence[Decision] = ()) -> str:
    """A header, a row that names the checklist, and one row a danger, item, need, claim, omission, remark, response,
    line of the plan and decision; turns count from 1.

    With ``text=False`` the columns that repeat the session or the note are empty.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for row in (*_rows(evaluation, decisions), *map(_decision, decisions)):
        hidden = () if text else ("text", "reason", "quotes")
        writer.writerow([guarded("" if column in hidden else row.get(column)) for column in COLUMNS])
    return out.getvalue()


def write_csv(evaluation: Evaluation, path: Path, *, text: bool = True, decisions: Sequence[Decision] = ()) -> None:
    """Raises InputError."""
    files.write_csv(path, evaluation_to_csv(evaluation, text=text, decisions=decisions))


def _rows(evaluation: Evaluation, decisions: Sequence[Decision]) -> Iterator[Row]:
    if evaluation.rubric is not None:
        yield {"kind": "checklist", "id": evaluation.rubric.name, "result": evaluation.rubric.version}
    yield from map(_risk, evaluation.risks or ())
    for item in evaluation.checklist:
        yield _item(item, item_state(item, evaluation))
    for judged in evaluation.sentences:
        yield from _sentence(judged)
    yield from map(_omission, evaluation.omissions or ())
    yield from (_remark(remark, evaluation.case.note) for remark in evaluation.remarks)
    if copied := evaluation.copied:
        for part, share in (("note", copied.note), *copied.sections):
            yield {"kind": "copied", "section": part, "result": round(share, 4)}
    yield from map(_response, evaluation.responses or ())
    yield from map(_of_plan, thread_rows(evaluation, decisions))


def _risk(risk: RiskFinding) -> Row:
    return {
        "kind": "risk",
        "id": risk.wording,
        "result": risk.stance.value,
        "severity": risk.severity.value,
        "reason": _answered(risk),
        "turns": _numbers(risk.turns),
        "quotes": risk.citation.quote,
    }


def _answered(risk: RiskFinding) -> str:
    if risk.addressed_by is None:
        return RISK_STATES[None]
    if risk.addressed:
        return tr("addressed by {sentences}").format(sentences=" ".join(risk.addressed_by))
    if risk.near:
        return tr("may be addressed by {sentences}, please check").format(sentences=" ".join(risk.near))
    return tr("not in the note")


def _item(item: ItemVerdict, state: ItemState) -> Row:
    """``state``: what is not there may be missing, or not recognised: too little to go on to call it missing."""
    return {
        "kind": "item",
        "id": item.item,
        "section": item.section.value if item.section else "general",
        "text": "",
        "result": "present" if state is ItemState.COVERED else state.value,
        "probability": item.probability,
        "severity": item.importance.value,
        "reason": item.rationale,
        "turns": _numbers(item.suggested_turns),
    }


def _sentence(judged: JudgedSentence) -> Iterator[Row]:
    sentence, need, claim = judged.sentence, judged.need, judged.claim
    place: Row = {"id": sentence.id, "section": sentence.section.value, "text": sentence.text}
    if need is not None:
        result = {True: "needed", False: NOT_NEEDED, None: NOT_CHECKED}[need.needed]
        yield place | {"kind": "need", "result": result, "probability": need.probability, "reason": need.rationale}
    if claim is not None:
        yield place | {
            "kind": "claim",
            "result": claim.verdict.value if claim.verdict else NOT_CHECKED,
            "probability": claim.probability,
            "severity": claim.severity.value,
            "reason": claim.rationale,
            "turns": _numbers(tuple(citation.turn for citation in claim.citations)),
            "quotes": _quotes(claim.citations),
        }


def _omission(omission: Omission) -> Row:
    return {
        "kind": "omission",
        "id": omission.item,
        "result": omission.kind.value,
        "severity": omission.severity.value,
        "reason": omission.rationale,
        "turns": _numbers(tuple(citation.turn for citation in omission.citations)),
        "quotes": _quotes(omission.citations),
    }


def _remark(remark: Remark, note: Note) -> Row:
    stated = note.sentence_at(remark.span) if remark.span else None
    return {
        "kind": "remark",
        "id": remark.rule,
        "section": stated.section.value if stated else "",
        "text": remark.span.of(note.text) if remark.span else "",
        "result": remark.kind.value,
        "severity": remark.severity.value,
        "reason": remark.says,
    }


def _response(response: ResponseVerdict) -> Row:
    scores = ", ".join(f"{attribute.value} {value or NOT_CHECKED}" for attribute, value in response.scores)
    turn = _numbers(() if response.turn is None else (response.turn,))
    return {"kind": "response", "result": scores, "reason": ", ".join(response.flags), "turns": turn}


def _of_plan(row: ThreadRow) -> Row:
    """``reason``: the sentences of the note that speak to it."""
    told = " ".join(dict.fromkeys(one.sentence.id for one in row.told))
    return {
        "kind": "plan",
        "id": row.line.id,
        "text": row.line.text,
        "result": row.note,
        "reason": told,
        "turns": _numbers(row.turns),
    }


def _decision(decision: Decision) -> Row:
    when = f"{decision.when:%Y-%m-%d %H:%M}"
    return {"kind": decision.kind.value, "id": decision.subject, "result": when, "reason": decision.reason}


def _numbers(turns: tuple[int, ...]) -> str:
    return " ".join(str(turn_number(turn)) for turn in turns)


def _quotes(citations: tuple[Citation, ...]) -> str:
    return " | ".join(citation.quote for citation in citations)
