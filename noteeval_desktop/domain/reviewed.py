"""What a handed-in review comes to: its marks after settling, and its scores by the same rules as a judge's."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from noteeval_desktop.domain.asked import (
    NO_RISK_PLACE,
    RISK_AS,
    RISK_PLACE,
    RiskAnswer,
    added_risks,
    risk_answers,
    risks_named,
    with_risk_answer,
    with_risk_named,
)
from noteeval_desktop.domain.decisions import (
    Decision,
    DecisionKind,
    item_subject,
    risk_subject,
    sentence_subject,
    with_ledger,
)
from noteeval_desktop.domain.evaluation import Evaluation, JudgedSentence, Scores
from noteeval_desktop.domain.findings import calls_wrong_on_risk
from noteeval_desktop.domain.note import SOAP, Note
from noteeval_desktop.domain.phrases import sentence
from noteeval_desktop.domain.review import ClaimMark, Dimension, ItemMark, NeedMark, Review, Settlement, verdicts_of
from noteeval_desktop.domain.risk import BY_SUPERVISOR, RiskFinding, RiskKind, with_stood_by, without_wrong
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.domain.scores import score
from noteeval_desktop.domain.transcript import Turn, cite
from noteeval_desktop.domain.verdicts import (
    ERRORS,
    ClaimVerdict,
    Confidence,
    ItemVerdict,
    NeedVerdict,
    OmissionKind,
    Severity,
    Verdict,
)


@dataclass(frozen=True, slots=True)
class Difference:
    """Both values in the field's words ("present", "not needed", ...); on risk a RiskAnswer, or a kind of danger."""

    dimension: Dimension
    place: str
    person: str
    judge: str


def differences(review: Review, evaluation: Evaluation) -> tuple[Difference, ...]:
    """Every place that both marked, differently; settled ones included.

    Raises ValueError while the review is blind, or where it is about another revision of the note.
    """
    if review.blind:
        raise ValueError("the judge's marks stay hidden until the supervisor's are in")
    if evaluation.case.note.sha256 != review.note_sha256:
        raise ValueError("the review and the evaluation are about different notes")
    # A judge that is not sure that something is missing has not said that it is.
    present = {
        v.item: None if v.present is False and v.confidence is Confidence.UNSURE else v.present
        for v in evaluation.checklist
    }
    needed = {j.sentence.id: j.need.needed for j in evaluation.sentences if j.need}
    claims = {j.sentence.id: j.claim.verdict for j in evaluation.sentences if j.claim}
    pairs = [
        *((Dimension.COMPLETENESS, m.item, _present(m.present), _present(present.get(m.item))) for m in review.items),
        *(
            (Dimension.CONCISENESS, m.sentence, _needed(m.needed), _needed(needed.get(m.sentence)))
            for m in review.needs
        ),
        *((Dimension.FAITHFULNESS, m.sentence, m.verdict.value, claims.get(m.sentence)) for m in review.claims),
    ]
    rest = (Difference(d, p, mine, str(theirs)) for d, p, mine, theirs in pairs if theirs and mine != theirs)
    return (*_on_risk(review, evaluation), *rest)


def judged_risk(evaluation: Evaluation, turn: int) -> RiskAnswer | None:
    """What the judge says of the passage; None where it did not look."""
    if evaluation.risks is None:
        return None
    risk = risk_at(evaluation, turn)
    if risk is None:
        return RiskAnswer.NO_DANGER
    if risk.addressed_by is None:
        return None
    if risk.addressed:
        return RiskAnswer.ADDRESSED
    opposed = any(
        one.claim is not None and one.claim.verdict is Verdict.CONTRADICTED
        for one in evaluation.sentences
        if one.sentence.id in risk.doubted
    )
    return RiskAnswer.OPPOSITE if opposed else RiskAnswer.LEFT_OUT


def risk_at(evaluation: Evaluation, turn: int) -> RiskFinding | None:
    """What the ledger has of the turn: the passage itself first, and a sure mention before a guess."""
    found = [risk for risk in evaluation.risks or () if turn in risk.turns]
    return min(found, key=lambda risk: (risk.citation.turn != turn, not risk.certain), default=None)


def _on_risk(review: Review, evaluation: Evaluation) -> Iterator[Difference]:
    kinds = risks_named(review.items)
    for turn, answer in risk_answers(review.items).items():
        theirs = judged_risk(evaluation, turn)
        if theirs is not None and theirs is not answer:
            yield Difference(Dimension.RISK, f"{RISK_PLACE}{turn}", answer.value, theirs.value)
        found = risk_at(evaluation, turn)
        if found is not None and turn in kinds and kinds[turn] is not found.kind:
            yield Difference(Dimension.RISK, f"{RISK_AS}{turn}", kinds[turn].value, found.kind.value)


def _present(value: bool | None) -> str:
    return "" if value is None else "present" if value else "missing"


def _needed(value: bool | None) -> str:
    return "" if value is None else "needed" if value else "not needed"


# The item of a sentence that was only agreed to be needed.
_AGREED = "agreed"

# Of a judgement, as the assessment has them, that whoever reviews the note does not share.
JUDGED_OTHERWISE = "the supervisor judges otherwise"


def with_settlements(review: Review, found: tuple[Difference, ...]) -> tuple[tuple[Difference, Settlement | None], ...]:
    """Each difference beside what was agreed about it, the last agreement of several; None: still open."""
    made = {(one.dimension, one.place): one for one in review.settled}
    return tuple((one, made.get((one.dimension, one.place))) for one in found)


def settled_marks(review: Review) -> Review:
    """The review with what was agreed in the place of what was first marked.

    An agreement in other words than the marks' own ("present", "not needed", "supported", ...) changes no mark.
    A sentence that is agreed to be needed keeps its items; where it had none it counts as needed all the same.
    The turns that were picked speak for the verdict that was first given: with another one they go.
    """
    agreed = {(one.dimension, one.place): one.agreed.strip().lower() for one in review.settled}
    verdicts = {verdict.value: verdict for verdict in Verdict}

    def about(dimension: Dimension, place: str) -> str:
        return agreed.get((dimension, place), "")

    items = tuple(
        replace(mark, present=_flag(about(Dimension.COMPLETENESS, mark.item), "present", "missing", mark.present))
        for mark in review.items
    )
    for one in review.settled:
        place, turn = one.place.split(":")[0], one.place.split(":")[-1]
        said = about(Dimension.RISK, one.place)
        if f"{place}:" == RISK_PLACE and said in set(RiskAnswer):
            items = with_risk_answer(items, int(turn), RiskAnswer(said))
        elif f"{place}:" == RISK_AS and said in set(RiskKind):
            items = with_risk_named(items, int(turn), RiskKind(said))
    return replace(
        review,
        items=items,
        needs=tuple(
            replace(
                mark,
                items=(mark.items or (_AGREED,))
                if _flag(about(Dimension.CONCISENESS, mark.sentence), "needed", "not needed", mark.needed)
                else (),
            )
            for mark in review.needs
        ),
        claims=tuple(
            _claim(mark, verdicts.get(about(Dimension.FAITHFULNESS, mark.sentence), mark.verdict))
            for mark in review.claims
        ),
    )


def scores_of(review: Review, note: Note, rubric: Rubric) -> Scores:
    """The marks' scores over ``note``, as Shah et al. define them for people; what is not marked is left out."""
    items, needs, claims = verdicts_of(review, rubric)
    need, claim = {one.sentence: one for one in needs}, {one.sentence: one for one in claims}
    marked = [JudgedSentence(one, need.get(one.id), claim.get(one.id)) for one in note.sentences]
    found = score(items, marked)
    needed = score(items, [one for one in marked if one.need is not None])
    return replace(found, conciseness=needed.conciseness)


def _claim(mark: ClaimMark, verdict: Verdict) -> ClaimMark:
    return mark if verdict is mark.verdict else ClaimMark(mark.sentence, verdict)


def _flag(agreed: str, yes: str, no: str, otherwise: bool) -> bool:
    return {yes: True, no: False}.get(agreed, otherwise)


def accepted_marks(review: Review, evaluation: Evaluation) -> Review:
    """What the supervisor was not asked about and left, as the judge marks it: those places, and no others.

    What the judge did not judge, or is not sure is missing, has no mark.
    """
    items, needs, claims = ({mark.place for mark in marks} for marks in (review.items, review.needs, review.claims))
    judged = [one for one in evaluation.sentences if set(one.sentence.sections) & set(SOAP)]
    return replace(
        review,
        items=tuple(
            ItemMark(verdict.item, verdict.present)
            for verdict in evaluation.checklist
            if verdict.section is not None and verdict.item not in items and verdict.present is not None
            if verdict.present or verdict.confidence is not Confidence.UNSURE
        ),
        needs=tuple(
            NeedMark(one.sentence.id, (one.need.items or (_AGREED,)) if one.need.needed else ())
            for one in judged
            if one.need is not None and one.need.needed is not None and one.sentence.id not in needs
        ),
        claims=tuple(
            ClaimMark(one.sentence.id, one.claim.verdict, tuple(sorted({c.turn for c in one.claim.citations})))
            for one in judged
            if one.claim is not None and one.claim.verdict is not None and one.sentence.id not in claims
        ),
    )


def as_reviewed(
    evaluation: Evaluation, decisions: Sequence[Decision], review: Review | None
) -> tuple[Evaluation, Sequence[Decision]]:
    """With the marks as they were settled, and without the author's dismissals of what the supervisor marked: there the
    supervisor's word stands. Both as they are where nobody reviewed."""
    if review is None:
        return evaluation, decisions
    claims, needs, items = ({mark.place for mark in marks} for marks in (review.claims, review.needs, review.items))
    texts = {one.sentence.id: one.sentence.text for one in evaluation.sentences}
    marked = {sentence_subject(verdict, texts[place]) for place in claims & texts.keys() for verdict in Verdict}
    marked |= {sentence_subject("unneeded", texts[place]) for place in needs & texts.keys()}
    marked |= {item_subject(item) for item in items}
    settled = settled_evaluation(evaluation, review)
    risks = (*(evaluation.risks or ()), *(settled.risks or ()))
    marked |= {risk_subject(risk) for risk in risks if f"{RISK_PLACE}{risk.citation.turn}" in items}
    kept = [one for one in decisions if one.kind is DecisionKind.ATTEST or one.subject not in marked]
    return settled, kept


def settled_evaluation(evaluation: Evaluation, review: Review) -> Evaluation:
    """``evaluation`` with the supervisor's marks, as they were settled, in the place of the judge's, and its scores by
    the same rules. Where a person marked nothing the judge's mark stands: it was accepted."""
    settled = settled_marks(review)
    items = {mark.item: mark.present for mark in settled.items}
    named = risks_named(settled.items)
    judged = evaluation.risks and tuple(
        replace(risk, kind=named.get(risk.citation.turn, risk.kind)) for risk in evaluation.risks
    )
    needs, claims = {mark.sentence: mark for mark in settled.needs}, {mark.sentence: mark for mark in settled.claims}
    missing = {item for item, present in items.items() if not present}
    checklist = tuple(_settled_item(verdict, items.get(verdict.item)) for verdict in evaluation.checklist)
    turns = evaluation.case.transcript.turns
    sentences = tuple(
        replace(
            one,
            need=_settled_need(one.need, needs.get(one.sentence.id), missing),
            claim=_settled_claim(one.claim, claims.get(one.sentence.id), turns),
        )
        for one in evaluation.sentences
    )
    wrong = {one.sentence.id for one in sentences if one.claim is not None and one.claim.verdict in ERRORS}
    on_risk = [one.sentence for one in evaluation.sentences if calls_wrong_on_risk(one.sentence, evaluation)]
    shown = replace(
        evaluation,
        checklist=checklist,
        sentences=sentences,
        wrong_on_risk=tuple(one for one in evaluation.wrong_on_risk if one in wrong),
    )
    risks = _with_added(judged, added_risks(review, evaluation.case.transcript))
    shown = shown if risks is None else _with_settled_risks(shown, risks, items, wrong)
    # What was said of the danger says nothing of the sentence: still called wrong, it is still wrong on risk.
    kept = tuple(one.id for one in on_risk if one.id in wrong and not calls_wrong_on_risk(one, shown))
    shown = replace(shown, wrong_on_risk=(*shown.wrong_on_risk, *kept))
    return replace(shown, scores=score(shown.checklist, sentences))


def _with_added(judged: tuple[RiskFinding, ...] | None, added: Sequence[RiskFinding]) -> tuple[RiskFinding, ...] | None:
    """The ledger with what the supervisor added to it, in the order of the session."""
    known = {(risk.kind, turn) for risk in judged or () for turn in risk.turns}
    new = [risk for risk in added if (risk.kind, risk.citation.turn) not in known]
    return tuple(sorted((*(judged or ()), *new), key=lambda risk: risk.turns)) if new else judged


def _with_settled_risks(
    shown: Evaluation, judged: Sequence[RiskFinding], items: Mapping[str, bool], wrong: Container[str]
) -> Evaluation:
    """With the ledger as it was settled, and what else speaks of it: the item on safety, and what was left out."""
    told = with_stood_by(judged, {one for risk in judged for one in risk.doubted if one not in wrong})
    called = {one for risk in told for one in risk.addressed_by or () if one in wrong}
    risks = tuple(_settled_risks(without_wrong(told, called), items))
    if risks == shown.risks:
        return shown
    none_meant = {turn for risk in judged if not _means_danger(risk, items) for turn in risk.turns}
    omissions = shown.omissions and tuple(
        one for one in shown.omissions if one.kind is not OmissionKind.RISK or one.citation.turn not in none_meant
    )
    return with_ledger(replace(shown, omissions=omissions), risks)


def _settled_item(verdict: ItemVerdict, present: bool | None) -> ItemVerdict:
    """What a person calls missing is missing: the judge's doubts are answered, and no sentence carries it."""
    if present is None:
        return verdict
    verdict = verdict if present else replace(verdict, sentences=())
    doubts = (Confidence.UNSURE,) if present else (Confidence.UNSURE, Confidence.LIKELY)
    if present is verdict.present and verdict.confidence not in doubts:
        return verdict
    return replace(verdict, present=present, probability=None, confidence=Confidence.SURE, rationale="")


def _settled_need(verdict: NeedVerdict | None, mark: NeedMark | None, missing: Container[str]) -> NeedVerdict | None:
    """``missing``: items that no sentence serves, by a person's word."""
    if verdict is not None:
        verdict = replace(verdict, items=tuple(item for item in verdict.items if item not in missing))
    if mark is None or (verdict is not None and verdict.needed is mark.needed):
        return verdict
    return NeedVerdict(mark.sentence, mark.needed, confidence=Confidence.SURE, items=mark.items)


def _settled_claim(verdict: ClaimVerdict | None, mark: ClaimMark | None, turns: Sequence[Turn]) -> ClaimVerdict | None:
    if mark is None:
        return verdict
    if verdict is not None and verdict.verdict is mark.verdict and not mark.judged:
        # She has looked: what passed narrowly, or unvouched for, is to be checked no more.
        return (
            replace(verdict, confidence=Confidence.SURE, unvouched=False)
            if verdict.barely or verdict.unvouched
            else verdict
        )
    severity = Severity.MEDIUM if mark.verdict in ERRORS else Severity.NONE
    cited = tuple(cite(turns[turn]) for turn in mark.turns if turn < len(turns))
    why = f"{sentence(JUDGED_OTHERWISE)}." if mark.judged else ""
    return ClaimVerdict(mark.sentence, mark.verdict, None, Confidence.SURE, severity, why, cited, judged=mark.judged)


def _settled_risks(risks: Sequence[RiskFinding], items: Mapping[str, bool]) -> Iterator[RiskFinding]:
    """Without those in which the supervisor saw no danger; addressed is what the supervisor found the note to say."""
    for risk in risks:
        if not _means_danger(risk, items):
            continue
        answered = items.get(f"{RISK_PLACE}{risk.citation.turn}")
        if answered and not risk.addressed_by:
            yield replace(risk, addressed_by=(BY_SUPERVISOR,))
        else:
            yield replace(risk, addressed_by=(), doubted=(), near=()) if answered is False else risk


def _means_danger(risk: RiskFinding, items: Mapping[str, bool]) -> bool:
    return f"{NO_RISK_PLACE}{risk.citation.turn}" not in items
