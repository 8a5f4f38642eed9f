"""What a person decided about a finding: attested it, or set it aside with a reason. Values beside an Evaluation."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.plan import PlanLink, Thread
from noteeval_desktop.domain.remarks import Remark
from noteeval_desktop.domain.risk import SAFETY_ITEM, RiskFinding, safety_by, with_risks, with_stood_by
from noteeval_desktop.domain.text import fingerprint
from noteeval_desktop.domain.verdicts import ERRORS, Omission, Verdict

# What the clinician said to the doubt whether the session is the note's, decided on like a finding.
SESSION_SUBJECT = "session"
_LINKED = "Addressed in the note: "


class DecisionKind(StrEnum):
    ATTEST = "attest"
    DISMISS = "dismiss"


@dataclass(frozen=True, slots=True)
class Decision:
    """``subject`` names the finding (``sentence_subject`` and its kin); ``when`` is local time."""

    kind: DecisionKind
    subject: str
    reason: str
    when: datetime


def sentence_subject(kind: str, text: str) -> str:
    """A finding of ``kind`` on a sentence; stays the same while the sentence's words do."""
    return f"{kind}:{fingerprint(text)[:16]}"


def item_subject(item: str) -> str:
    return f"missing:{item}"


def omission_subject(omission: Omission) -> str:
    return f"omission:{omission.kind}:{omission.citation.turn}:{omission.citation.span.start}"


def risk_subject(risk: RiskFinding) -> str:
    return f"risk:{risk.kind}:{risk.turns[0]}:{risk.citation.turn}:{risk.citation.span.start}"


def remark_subject(remark: Remark, note: Note) -> str:
    """The same while the sentence that it speaks of is, and its words; of what the note lacks, while it lacks it."""
    stated = note.sentence_at(remark.span) if remark.span else None
    words = remark.span.of(note.text) if remark.span else ""
    return sentence_subject(f"remark:{remark.rule}", f"{stated.text if stated else ''}\n{words}")


def link_subject(line: str, sentence: str) -> str:
    """That a sentence speaks to a line of the treatment plan, by the words of both."""
    return f"plan:{fingerprint(line, sentence)[:16]}"


def with_decided_links(thread: Thread, note: Note, decisions: Iterable[Decision]) -> Thread:
    """``thread`` with the links that a person confirmed or added (attested), and without those that were dismissed."""
    made = {one.subject: one.kind for one in decisions if one.subject.startswith("plan:")}
    if not made:
        return thread
    known, links = {(link.place, link.line): link for link in thread.note}, []
    for sentence in note.sentences:
        for line in thread.plan.lines:
            kind = made.get(link_subject(line.text, sentence.text))
            link = known.get((sentence.id, line.id))
            if kind is DecisionKind.ATTEST:
                links.append(replace(link or PlanLink(sentence.id, line.id), probability=None))
            elif kind is None and link is not None:
                links.append(link)
    return replace(thread, note=tuple(links))


def stood_by(evaluation: Evaluation, subjects: Container[str]) -> frozenset[str]:
    """Ids of the sentences that are called wrong and that the clinician stands by: the finding is set aside."""
    return frozenset(
        judged.sentence.id
        for judged in evaluation.sentences
        if judged.claim is not None
        and judged.claim.verdict in ERRORS
        and sentence_subject(judged.claim.verdict, judged.sentence.text) in subjects
    )


def link_reason(sentence: str) -> str:
    """The reason that is kept when the clinician says which sentence of the note addresses a risk."""
    return f"{_LINKED}“{sentence}”"


def linked_to(reason: str) -> str:
    """The sentence of which a ``link_reason`` was made; empty for any other reason."""
    return reason.removeprefix(_LINKED)[1:-1] if reason.startswith(_LINKED) else ""


def decision_stands(reason: str, note: Note) -> bool:
    """A link holds as long as its sentence is in the note; a dismissal holds."""
    sentence = linked_to(reason)
    return sentence in note.text if sentence else bool(reason)


def with_ledger(evaluation: Evaluation, risks: Sequence[RiskFinding]) -> Evaluation:
    """``evaluation`` with ``risks`` in the place of its own, and with what that makes of the item on safety."""
    if tuple(risks) == tuple(evaluation.risks or ()):
        return evaluation
    checklist = evaluation.checklist
    if any(risk.pressing for risk in evaluation.risks or ()) and not any(risk.pressing for risk in risks):
        # It was called missing for dangers that are answered, or none: then what else the note says is not known.
        checklist = tuple(safety_by(risks, one) if one.item == SAFETY_ITEM else one for one in checklist)
    return replace(evaluation, risks=tuple(risks), checklist=with_risks(checklist, risks))


def with_answered(evaluation: Evaluation, subjects: Container[str]) -> Evaluation:
    """``evaluation`` with the risks answered of which a sentence speaks that the clinician stands by; ``subjects`` are
    those of the findings that were set aside."""
    return with_ledger(evaluation, with_stood_by(evaluation.risks or (), stood_by(evaluation, subjects)))


def with_attested(evaluation: Evaluation, decisions: Iterable[Decision]) -> Evaluation:
    """``evaluation`` with attested claims no longer counted as open or, by the published definition, as errors."""
    subjects = {decision.subject for decision in decisions if decision.kind is DecisionKind.ATTEST}
    observed = [
        judged.sentence.text
        for judged in evaluation.sentences
        if judged.claim is not None and judged.claim.verdict is Verdict.OBSERVED
    ]
    attested = sum(sentence_subject(Verdict.OBSERVED, text) in subjects for text in observed)
    if not attested:
        return evaluation
    score = evaluation.scores.faithfulness
    counted = replace(
        score,
        observed=len(observed) - attested,
        published_definition=(score.done + attested) / (score.total + len(observed)),
    )
    return replace(evaluation, scores=replace(evaluation.scores, faithfulness=counted))
