"""The "Left out" tab: risk first, then what else the session holds, by kind, the gravest kinds and passages first."""

from __future__ import annotations

from dataclasses import replace

from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.findings import FindingKind, in_the_ledger, of_omission
from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.domain.transcript import Transcript, turn_list
from noteeval_desktop.domain.verdicts import Omission, OmissionKind, Severity
from noteeval_desktop.present.finding import Finding, worded
from noteeval_desktop.present.headings import item_heading
from noteeval_desktop.present.vocabulary import KINDS, OMISSION_NAMES, SEVERITY_NAMES
from noteeval_desktop.ui.findings.omission_draft import question_before
from noteeval_desktop.ui.findings.rows import RANK, Row
from noteeval_desktop.ui.widgets.plain import shortened
from noteeval_desktop.ui.widgets.words import turn_number


def belongs(finding: Finding, note: Note) -> str:
    """ "Subjective · Symptoms": the section of the note and the item of the rubric where it would stand."""
    item = finding.item.id if finding.item else ""
    section = item_heading(note, finding.home, item) if finding.home else ""
    return " · ".join(part for part in (section, finding.item.name if finding.item else "") if part)


def left_out_rows(evaluation: Evaluation, rubric: Rubric) -> tuple[Row, ...]:
    """A group a kind. Risks that the ledger holds stand there and not here."""
    own = [omission for omission in evaluation.omissions or () if not in_the_ledger(omission, evaluation)]
    kinds = sorted({omission.kind for omission in own}, key=lambda kind: _kind_order(kind, own))
    rows: list[Row] = []
    for kind in kinds:
        found = sorted(
            (omission for omission in own if omission.kind is kind), key=lambda o: (RANK[o.severity], o.citation.turn)
        )
        rows.append(Row(OMISSION_NAMES[kind], aside=str(len(found)), heading=True))
        rows += [_row(omission, rubric, evaluation) for omission in found]
    if evaluation.dropped:
        rows.append(Row(tr("The model would not add these"), aside=str(len(evaluation.dropped)), heading=True))
        rows += [_dropped(omission, evaluation.case.transcript) for omission in evaluation.dropped]
    return tuple(rows)


def _dropped(omission: Omission, transcript: Transcript) -> Row:
    """No finding: there is nothing to be done about it."""
    return Row(
        title=_title(omission, transcript),
        detail=OMISSION_NAMES[omission.kind],
        sign="·",
        tone="grey",
        citations=omission.citations,
        opinions=omission.opinions,
    )


def _kind_order(kind: OmissionKind, omissions: list[Omission]) -> tuple[int, int]:
    return min(RANK[o.severity] for o in omissions if o.kind is kind), list(OmissionKind).index(kind)


def _row(omission: Omission, rubric: Rubric, evaluation: Evaluation) -> Row:
    transcript = evaluation.case.transcript
    finding = worded(of_omission(omission, evaluation), evaluation, rubric)
    where = belongs(finding, evaluation.case.note)
    if where:
        finding = replace(finding, why=tr("{why}\nWould belong under {where}.").format(why=finding.why, where=where))
    danger = omission.kind is OmissionKind.RISK
    return Row(
        title=_title(omission, transcript),
        detail=" · ".join(part for part in (where, _elsewhere(omission, transcript)) if part),
        sign="⚠" if danger else KINDS[FindingKind.OMISSION].sign,
        tone="red" if finding.severity is Severity.HIGH else "amber",
        aside=SEVERITY_NAMES[finding.severity],
        finding=finding,
        citations=finding.citations,
        hint=omission.rationale,
    )


def _title(omission: Omission, transcript: Transcript) -> str:
    """The words, with the question where they are a short answer."""
    turn, quote = turn_number(omission.citation.turn), shortened(omission.citation.quote, 160)
    question = question_before(omission, transcript)
    asked = f"“{shortened(question.quote, 120)}” – " if question else ""
    return f"{turn}  {asked}“{quote}”"


def _elsewhere(omission: Omission, transcript: Transcript) -> str:
    """The other turns on the subject."""
    question = question_before(omission, transcript)
    turns = [c.turn for c in omission.also if c != question and c.turn != omission.citation.turn]
    return tr("also {turns}").format(turns=turn_list(list(dict.fromkeys(turns)))) if turns else ""
