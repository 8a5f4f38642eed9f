"""What the note leaves out, as the rows of its tab."""

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
from noteeval_desktop.ui.findings.rows import RANK, Row, group
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
    own.sort(key=lambda omission: (RANK[omission.severity], omission.citation.turn))
    by_kind = {kind: found for kind in OmissionKind if (found := [one for one in own if one.kind is kind])}
    rows: list[Row] = []
    for kind, found in sorted(by_kind.items(), key=lambda entry: RANK[entry[1][0].severity]):
        rows += group(OMISSION_NAMES[kind], [_row(omission, rubric, evaluation) for omission in found])
    dropped = [
        # No finding: there is nothing to be done about it.
        Row(
            title=_title(omission, evaluation.case.transcript),
            detail=OMISSION_NAMES[omission.kind],
            sign="·",
            tone="grey",
            citations=omission.citations,
            opinions=omission.opinions,
        )
        for omission in evaluation.dropped
    ]
    return (*rows, *group(tr("The model would not add these"), dropped))


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
