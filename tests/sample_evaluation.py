"""The sample case, judged by a script that knows its findings: an evaluation with one of everything."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

from noteeval_desktop import documents, paths
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.remarks import Remark, RemarkKind
from noteeval_desktop.domain.risk import RiskFinding, RiskKind, Stance
from noteeval_desktop.domain.rubric import Importance, Rubric, rubric_from_json
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import Citation, Transcript, cite
from noteeval_desktop.domain.verdicts import (
    Attribute,
    ClaimVerdict,
    Confidence,
    Evidence,
    ItemVerdict,
    NeedVerdict,
    Omission,
    OmissionKind,
    ResponseVerdict,
    Severity,
    Verdict,
)
from noteeval_desktop.evaluate import evaluate, final
from noteeval_desktop.judges.protocol import exchanges_of
from tests.scripted_judge import ScriptedJudge

SAMPLE = paths.resources() / "sample"
MISSING = {"subjective-history", "plan-follow-up", "plan-adjustment", "general-culture"}
CLAIMS = {
    "drinking four times": (Verdict.CONTRADICTED, Severity.HIGH, "The session says twice; the note says four times."),
    "PHQ-9 score was 16": (Verdict.CONTRADICTED, Severity.HIGH, "The session says 11 today; the note says 16."),
    "did not complete": (Verdict.CONTRADICTED, Severity.MEDIUM, "The session says that three were done."),
    "No suicidal": (Verdict.CONTRADICTED, Severity.HIGH, "The client describes thoughts of not waking up."),
    "AA meetings": (Verdict.UNSUPPORTED, Severity.MEDIUM, ""),
    "brother's": (Verdict.UNSUPPORTED, Severity.MEDIUM, "No one in the session mentions a brother."),
    "dressed": (Verdict.OBSERVED, Severity.NONE, ""),
    "Affect": (Verdict.OBSERVED, Severity.NONE, ""),
    "oriented": (Verdict.OBSERVED, Severity.NONE, ""),
}
PASSAGES = {
    "drinking four times": "twice last week",
    "PHQ-9 score was 16": "You scored eleven today",
    "did not complete": "I did three of them",
    "No suicidal": "everybody would have it easier if I just didn't wake up",
}
UNNEEDED = ("parking", "The lift", "It was a pleasure")
LEFT_OUT = (
    ("put the sertraline up, last Thursday. From fifty to a hundred", OmissionKind.MEDICATION, Severity.HIGH),
    ("my mother's pain pills still in the bathroom", OmissionKind.RISK, Severity.HIGH),
)


def beginning_of_sample(folder: Path) -> Path:
    """Its first 18 turns, written into ``folder``: enough of a session where its length does not matter."""
    path, cues = folder / "beginning.vtt", (SAMPLE / "transcript.vtt").read_text("utf-8").split("\n\n")
    path.write_text("\n\n".join(cues[:19]) + "\n", "utf-8")
    return path


@cache
def sample_rubric() -> Rubric:
    return rubric_from_json(json.loads((paths.resources() / "rubrics" / "tn-eval.json").read_text("utf-8")))


@cache
def sample_case() -> Case:
    transcript = documents.parse_transcript((SAMPLE / "transcript.vtt").read_text("utf-8"))
    return Case(transcript, documents.parse_note((SAMPLE / "note.md").read_text("utf-8")), "Sample case")


def find(transcript: Transcript, words: str) -> Citation:
    """Cite the first turn that holds ``words``."""
    for turn in transcript.turns:
        start = turn.text.find(words)
        if start >= 0:
            return cite(turn, Span(start, start + len(words)))
    raise AssertionError(words)


def sample_judge(case: Case) -> ScriptedJudge:
    return ScriptedJudge(
        items=_items(case.note),
        needs=_needs(case.note),
        claims=_claims(case),
        omissions=[
            Omission(find(case.transcript, words), kind, severity, "plan-adjustment", f"The note has no {kind}.")
            for words, kind, severity in LEFT_OUT
        ],
        responses=_responses(case),
        dangers=_dangers(case),
    )


@cache
def sample_evaluation() -> Evaluation:
    case = sample_case()
    return replace(final(evaluate(case, sample_judge(case))).evaluation, remarks=_remarks(case.note))


def _remarks(note: Note) -> tuple[Remark, ...]:
    """Of words, with others for them, and of what the note lacks; both too small to be shown first."""
    start = note.text.index("weekend drinks")
    words = Span(start, start + len("weekend drinks"))
    return (
        Remark(RemarkKind.SIGNATURE, "signature", "No signature.", "Example rule, 2026", severity=Severity.LOW),
        Remark(RemarkKind.WORDING, "wording", "“drinks” may judge.", "", words, "weekend drinking", Severity.LOW),
    )


def _items(note: Note) -> list[ItemVerdict]:
    return [
        ItemVerdict(
            item.id,
            item.section,
            item.importance,
            present=item.id not in MISSING,
            probability=0.1 if item.id in MISSING else 0.9,
            confidence=Confidence.SURE if item.importance is Importance.MANDATORY else Confidence.UNSURE,
            sentences=() if item.id in MISSING else (note.sentences[0].id,),
            suggested_turns=(25, 27) if item.id in MISSING else (),
        )
        for item in sample_rubric().items
    ]


def _needs(note: Note) -> list[NeedVerdict]:
    return [
        NeedVerdict(s.id, False, 0.1, Confidence.SURE)
        if any(words in s.text for words in UNNEEDED)
        else NeedVerdict(s.id, True, 0.9, Confidence.LIKELY, ("subjective-symptoms",))
        for s in note.sentences
    ]


def _claims(case: Case) -> list[ClaimVerdict]:
    verdicts = []
    for sentence in case.note.sentences:
        key = next((words for words in CLAIMS if words in sentence.text), None)
        if key is None:
            verdicts.append(ClaimVerdict(sentence.id, Verdict.SUPPORTED, 0.9, Confidence.SURE))
            continue
        verdict, severity, reason = CLAIMS[key]
        cited = (find(case.transcript, PASSAGES[key]),) if key in PASSAGES else ()
        verdicts.append(ClaimVerdict(sentence.id, verdict, 0.1, Confidence.LIKELY, severity, reason, cited))
    return verdicts


def _dangers(case: Case) -> list[RiskFinding]:
    """One that the note leaves out, and one that it answers."""
    pills, wish = LEFT_OUT[1][0], PASSAGES["No suicidal"]
    answering = next(s.id for s in case.note.sentences if "No suicidal" in s.text)
    found = [
        (find(case.transcript, pills), RiskKind.OVERDOSE, ()),
        (find(case.transcript, wish), RiskKind.SUICIDE, (answering,)),
    ]
    return [RiskFinding((c.turn,), c, kind, Stance.CURRENT, addressed_by=by) for c, kind, by in found]


def _responses(case: Case) -> list[ResponseVerdict]:
    verdicts = []
    for exchange in exchanges_of(case.transcript):
        opening = exchange.response.split(" ")[0]
        scores = tuple((attribute, 5 - index % 3) for index, attribute in enumerate(Attribute))
        evidence = (Evidence(Attribute.EMPATHY, Span(0, len(opening)), opening),)
        verdicts.append(ResponseVerdict(exchange.turn, scores, evidence=evidence))
    return verdicts
