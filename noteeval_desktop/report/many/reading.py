"""A row of the overview from an evaluation's JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from noteeval_desktop.domain.note_rows import DIMENSIONS, NoteRow, NoteState
from noteeval_desktop.domain.rubric import rubric_from_json
from noteeval_desktop.domain.verdicts import ERRORS
from noteeval_desktop.report.json_layout import SCHEMA

_WRONG = tuple(verdict.value for verdict in ERRORS)


def row_of(data: Mapping[str, Any], about: Mapping[str, Any] | None = None) -> NoteRow:
    """``about``: id, clinician, source and date (2026-03-14) as far as known. Raises ValueError where ``data`` is no
    evaluation."""
    about = about or {}
    try:
        if data["schema"] != SCHEMA:
            raise ValueError(data["schema"])
        return _row(data, {name: str(about.get(name) or "") for name in ("id", "clinician", "source", "date")})
    except (LookupError, TypeError, AttributeError) as error:
        raise ValueError(type(error).__name__) from error


def was_checked(data: Mapping[str, Any]) -> bool:
    """Not where a judge could hear nothing of the session, as in another language: neither for dangers nor for what the
    note says. What it found in the note alone is no mark of it."""
    return data.get("risks") is not None or data["scores"]["faithfulness"]["note"] is not None


def _row(data: Mapping[str, Any], about: Mapping[str, str]) -> NoteRow:
    judge = data["judge"]
    row = NoteRow(
        id=about["id"] or data["case"].get("label") or "",
        clinician=about["clinician"],
        source=about["source"],
        month=about["date"][:7],
        session=data["case"]["transcript_sha256"] or "",
        judge=f"{judge['kind']} {judge['model']}".strip(),
        checklist="" if data.get("rubric") is None else rubric_from_json(data["rubric"]).titled,
        complete=False,
        state=NoteState.NOT_CHECKED,
        problem=" ".join(data.get("problems") or ()),
    )
    if not was_checked(data):
        return row
    scores, used, risks = data["scores"], data["usage"], data.get("risks") or ()
    checklist = [item for item in data["checklist"] if item["present"] is not None]
    missing = [item for item in checklist if item["present"] is False]
    return replace(
        row,
        shares=tuple(scores[name]["note"] for name in DIMENSIONS),
        sections=_sections(scores),
        missing=tuple(item["item"] for item in missing),
        mandatory=tuple(item["item"] for item in missing if item["importance"] == "mandatory"),
        judged=tuple(item["item"] for item in checklist),
        wrong=tuple(_wrong(data)),
        open_risks=tuple(_open_risks(data, risks)),
        risks=len(risks),
        tokens=used["input_tokens"] + used["output_tokens"],
        cost=used["cost"],
        seconds=used["seconds"],
        copied=(data.get("copied") or {}).get("note"),
        goals=goals_of(data),
        complete=bool(data["complete"]),
        state=NoteState.CHECKED if data["complete"] else NoteState.IN_PART,
    )


def goals_of(data: Mapping[str, Any]) -> tuple[int, int, int] | None:
    """As ``NoteRow.goals`` has them."""
    if (plan := data.get("treatment_plan")) is None:
        return None
    links = [(link["line"].partition(".")[0], link["probability"]) for link in plan["note"]]
    goals = {line["id"] for line in plan["lines"] if line["id"].startswith("g") and "." not in line["id"]}
    sure = goals & {goal for goal, probability in links if probability is None}
    return len(goals), len(sure), len(goals & {goal for goal, _ in links} - sure)


def _sections(scores: Mapping[str, Any]) -> dict[str, tuple[float | None, ...]]:
    names = dict.fromkeys(section for name in DIMENSIONS for section in scores[name]["sections"])
    return {section: tuple(scores[name]["sections"].get(section) for name in DIMENSIONS) for section in names}


def _wrong(data: Mapping[str, Any]) -> Iterator[str]:
    harms = {f["sentence"]: f["harm"] for f in data["findings"] if f["kind"] in _WRONG}
    for sentence in data["sentences"]:
        if sentence["verdict"] in _WRONG:
            yield f"{sentence['verdict']} {harms.get(sentence['id'], 'rest')} {sentence['section']}"


def _open_risks(data: Mapping[str, Any], risks: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """As ``findings.open_risk`` counts them: what is warned of and unanswered; its kind where the ledger has it."""
    kinds = {tuple(risk["turns"]): risk["kind"] for risk in risks}
    doubted = {sentence: risk["kind"] for risk in risks for sentence in risk.get("doubted", ())}
    for finding in data["findings"]:
        if finding["pressing"] and finding["open"]:
            yield (
                doubted.get(finding["sentence"], "risk")
                if finding["sentence"]
                else kinds.get(tuple(finding["turns"]), "risk")
            )
