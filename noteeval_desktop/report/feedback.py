"""What a supervisor's review adds to a scorecard, apart from how it is laid out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from noteeval_desktop.domain.asked import RISK_AS, RiskAnswer, risk_answers
from noteeval_desktop.domain.evaluation import Evaluation, JudgedSentence, Scores
from noteeval_desktop.domain.findings import ItemState
from noteeval_desktop.domain.note import SOAP
from noteeval_desktop.domain.phrases import sentence, share_of, tr
from noteeval_desktop.domain.review import (
    HIGHEST,
    SCORED,
    ClaimMark,
    Comment,
    Dimension,
    ItemMark,
    NeedMark,
    Review,
    ReviewKind,
    Settlement,
    Signature,
)
from noteeval_desktop.domain.reviewed import (
    Difference,
    differences,
    risk_at,
    scores_of,
    settled_evaluation,
    settled_marks,
    with_settlements,
)
from noteeval_desktop.domain.risk import danger
from noteeval_desktop.domain.rubric import Importance, Rubric
from noteeval_desktop.domain.standing import Stand, stand_of
from noteeval_desktop.domain.transcript import turn_list
from noteeval_desktop.domain.verdicts import Confidence, ItemVerdict, Verdict
from noteeval_desktop.errors import InputError
from noteeval_desktop.present.headings import by_heading, item_heading, sentence_heading
from noteeval_desktop.present.vocabulary import ITEM_STATES, NOT_NEEDED

NOT_MARKED = "–"
STILL_OPEN = tr("still open")
ACCEPTANCE_VALUES = (tr("No"), tr("Not yet"), tr("After some work"), tr("Nearly as it is"), tr("Yes, as it is"))


@dataclass(frozen=True, slots=True)
class Remark:
    """A comment: ``number`` is its place in the list, ``item`` the rubric item's name or empty. ``quote`` is from the
    note, or where it is about ``turns`` ("turn 8") from the session."""

    number: int
    section: str
    quote: str
    text: str
    item: str
    turns: str = ""


@dataclass(frozen=True, slots=True)
class DifferenceRow:
    """``agreed`` is empty while the difference is open."""

    dimension: Dimension
    place: str
    supervisor: str
    judge: str
    agreed: str
    reason: str

    @property
    def open(self) -> bool:
        return not self.agreed


@dataclass(frozen=True, slots=True)
class RiskRow:
    """A passage on risk as the supervisor has it, after settling; ``turn`` is its index."""

    name: str
    turn: int
    answer: RiskAnswer


@dataclass(frozen=True, slots=True)
class Marks:
    """``agreed``: what was settled, or empty; ``open``: the two differ, and nothing was."""

    supervisor: str
    judge: str
    agreed: str = ""
    open: bool = False

    @property
    def decided(self) -> str:
        return (self.agreed or self.supervisor).strip().lower()


@dataclass(frozen=True, slots=True)
class ItemRow:
    name: str
    mandatory: bool
    marks: Marks


@dataclass(frozen=True, slots=True)
class SentenceRow:
    """``judged`` as ClaimMark has it, once settled."""

    section: str
    text: str
    needed: Marks
    claim: Marks
    items: tuple[str, ...]
    turns: tuple[int, ...]
    judged: bool


@dataclass(frozen=True, slots=True)
class RatingRow:
    """The ratings (1..5) of one dimension by SOAP section, then of the whole note; None where not rated."""

    dimension: Dimension
    sections: tuple[int | None, ...]
    note: int | None


@dataclass(frozen=True, slots=True)
class Feedback:
    """A review beside the judge's evaluation; ``supervisor`` and ``judge`` are the scores of each.

    ``settled`` are the scores of the supervisor's own marks once what was agreed is put in; where ``partly``, of what
    the supervisor was asked about, and no more.
    """

    rater: str
    handed_in: datetime
    supervisor: Scores
    settled: Scores
    judge: Scores
    differences: tuple[DifferenceRow, ...]
    remarks: tuple[Remark, ...]
    items: tuple[tuple[str, tuple[ItemRow, ...]], ...]
    sentences: tuple[SentenceRow, ...]
    ratings: tuple[RatingRow, ...]
    acceptance: int | None
    signature: Signature | None
    stand: Stand
    carried: bool
    unblinded: bool
    risks: tuple[RiskRow, ...] = ()
    partly: bool = False

    @property
    def open(self) -> tuple[DifferenceRow, ...]:
        return tuple(row for row in self.differences if row.open)


def handed_in(review: Review, evaluation: Evaluation) -> Review:
    """The review, fit for a scorecard. Raises InputError for a self-review, a blind one, or one of another note."""
    what = tr("The review")
    if review.kind is not ReviewKind.SUPERVISION:
        raise InputError(what, tr("is the clinician's own"), tr("Choose a supervisor's review."))
    if review.blind:
        raise InputError(
            what,
            tr("has not been submitted, so the judge's marks have to stay hidden"),
            tr("Finish the marks and submit them first."),
        )
    if review.note_sha256 != evaluation.case.note.sha256:
        problem = tr("is about another revision of the note")
        raise InputError(what, problem, tr("Export the revision it was made for."))
    return review


def feedback(review: Review, evaluation: Evaluation, rubric: Rubric) -> Feedback:
    """Raises InputError as ``handed_in`` does."""
    review, rubric = handed_in(review, evaluation), evaluation.rubric or rubric
    assert review.submitted is not None
    note = evaluation.case.note
    settled = settled_marks(review)
    left = any(places for _, places in review.open_places(note, rubric))
    rows = _difference_rows(review, evaluation, rubric)
    differing = {(row.dimension, row.place): row for row in rows}
    return Feedback(
        rater=review.rater,
        handed_in=review.submitted,
        supervisor=scores_of(review, note, rubric),
        settled=scores_of(settled, note, rubric),
        judge=evaluation.scores,
        differences=tuple(_named(row, evaluation, rubric) for row in rows),
        remarks=tuple(
            _remark(number, comment, evaluation, rubric)
            for number, comment in enumerate(sorted(review.comments, key=lambda one: one.span), start=1)
        ),
        items=_items(review, evaluation, rubric, differing),
        sentences=_sentences(review, evaluation, rubric, differing),
        ratings=_ratings(review),
        acceptance=review.acceptance,
        signature=review.signature,
        stand=stand_of(review),
        carried=review.carried,
        unblinded=review.unblinded,
        risks=_risks(settled, settled_evaluation(evaluation, review)),
        partly=left,
    )


def _risks(settled: Review, shown: Evaluation) -> tuple[RiskRow, ...]:
    turns = shown.case.transcript.turns
    found = ((turn, answer, risk_at(shown, turn)) for turn, answer in risk_answers(settled.items).items())
    return tuple(
        RiskRow(sentence(risk.name) if risk else tr("Risk"), turn, answer)
        for turn, answer, risk in found
        if turn < len(turns)
    )


def present_word(present: bool | None) -> str:
    return NOT_MARKED if present is None else "present" if present else "missing"


def _judged(verdict: ItemVerdict) -> str:
    """A judge that is not sure that something is missing does not say that it is."""
    doubts = verdict.present is False and verdict.confidence is Confidence.UNSURE
    return ITEM_STATES[ItemState.NOT_RECOGNISED].name if doubts else present_word(verdict.present)


def needed_word(needed: bool | None) -> str:
    return NOT_MARKED if needed is None else "needed" if needed else NOT_NEEDED


def _difference_rows(review: Review, evaluation: Evaluation, rubric: Rubric) -> tuple[DifferenceRow, ...]:
    """With ids as places; a settlement of what is no longer a difference is kept too, since it was agreed."""
    rows = [_row(*pair) for pair in with_settlements(review, differences(review, evaluation))]
    known = {(row.dimension, row.place) for row in rows}
    rows += [
        DifferenceRow(one.dimension, one.place, NOT_MARKED, NOT_MARKED, one.agreed or "settled", one.reason)
        for one in {(one.dimension, one.place): one for one in review.settled}.values()
        if (one.dimension, one.place) not in known
    ]
    return tuple(rows)


def _row(found: Difference, settlement: Settlement | None) -> DifferenceRow:
    agreed, reason = (settlement.agreed or "settled", settlement.reason) if settlement else ("", "")
    return DifferenceRow(found.dimension, found.place, found.person, found.judge, agreed, reason)


def _named(row: DifferenceRow, evaluation: Evaluation, rubric: Rubric) -> DifferenceRow:
    names = {item.id: item.name for item in rubric.items} | {
        s.id: f"“{s.text}”" for s in evaluation.case.note.sentences
    }
    turns = {str(turn.index): turn for turn in evaluation.case.transcript.turns}
    if row.dimension is Dimension.RISK and (turn := turns.get(row.place.split(":")[-1])):
        names[row.place] = f"{sentence(turn_list((turn.index,)))}: “{turn.text}”"
        if row.place.startswith(RISK_AS):
            row = replace(row, supervisor=danger(row.supervisor), judge=danger(row.judge), agreed=danger(row.agreed))
    return replace(row, place=names.get(row.place, row.place))


def _remark(number: int, comment: Comment, evaluation: Evaluation, rubric: Rubric) -> Remark:
    inside = [one for one in evaluation.case.note.sentences if one.span.meets(comment.span)]
    item = {item.id: item.name for item in rubric.items}.get(comment.item or "", "")
    turns = [turn for turn in evaluation.case.transcript.turns if turn.index in comment.turns]
    if turns:
        named, said = turn_list([turn.index for turn in turns]), " ".join(turn.text for turn in turns)
        return Remark(number, sentence(named), said, comment.text, item, named)
    section = sentence_heading(evaluation.case.note, inside[0]) if inside else tr("Note")
    return Remark(number, section, comment.quote, comment.text, item)


Differing = dict[tuple[Dimension, str], DifferenceRow]


def _marks(mine: str, theirs: str, differing: DifferenceRow | None) -> Marks:
    return Marks(mine, theirs, differing.agreed, differing.open) if differing else Marks(mine, theirs)


def _items(
    review: Review, evaluation: Evaluation, rubric: Rubric, differing: Differing
) -> tuple[tuple[str, tuple[ItemRow, ...]], ...]:
    mine: dict[str, ItemMark] = {mark.item: mark for mark in review.items}
    theirs = {verdict.item: _judged(verdict) for verdict in evaluation.checklist}
    note = evaluation.case.note
    groups = by_heading(note, rubric.items, lambda item: item_heading(note, item.section, item.id))
    return tuple(
        (
            title,
            tuple(
                ItemRow(
                    item.name,
                    item.importance is Importance.MANDATORY,
                    _marks(
                        present_word(mine[item.id].present if item.id in mine else None),
                        theirs.get(item.id, NOT_MARKED),
                        differing.get((Dimension.COMPLETENESS, item.id)),
                    ),
                )
                for item in sorted(items, key=lambda item: item.importance is not Importance.MANDATORY)
            ),
        )
        for title, items in groups
    )


def _sentences(review: Review, evaluation: Evaluation, rubric: Rubric, differing: Differing) -> tuple[SentenceRow, ...]:
    """Those that anyone marked, in the note's order."""
    needs: dict[str, NeedMark] = {mark.sentence: mark for mark in review.needs}
    claims: dict[str, ClaimMark] = {mark.sentence: mark for mark in review.claims}
    judged_otherwise = {mark.sentence for mark in settled_marks(review).claims if mark.judged}
    names = {item.id: item.name for item in rubric.items}
    rows = []
    for judged in evaluation.sentences:
        one = judged.sentence
        need, claim = needs.get(one.id), claims.get(one.id)
        if need is None and claim is None:
            continue
        rows.append(
            SentenceRow(
                section=sentence_heading(evaluation.case.note, one),
                text=one.text,
                needed=_marks(
                    needed_word(need.needed if need else None),
                    needed_word(judged.need.needed if judged.need else None),
                    differing.get((Dimension.CONCISENESS, one.id)),
                ),
                claim=_marks(
                    claim.verdict.value if claim else NOT_MARKED,
                    _judged_claim(judged),
                    differing.get((Dimension.FAITHFULNESS, one.id)),
                ),
                items=tuple(names.get(item, item) for item in need.items) if need else (),
                turns=claim.turns if claim else (),
                judged=one.id in judged_otherwise,
            )
        )
    return tuple(rows)


def _judged_claim(judged: JudgedSentence) -> str:
    verdict: Verdict | None = judged.claim.verdict if judged.claim else None
    return verdict.value if verdict else NOT_MARKED


def _ratings(review: Review) -> tuple[RatingRow, ...]:
    given = {(rating.dimension, rating.section): rating.value for rating in review.ratings}
    rows = tuple(
        RatingRow(dimension, tuple(given.get((dimension, section)) for section in SOAP), given.get((dimension, None)))
        for dimension in SCORED
    )
    return tuple(row for row in rows if row.note is not None or any(value is not None for value in row.sections))


def outcome(marks: Marks) -> str:
    """What became of a difference; empty where there is none."""
    return STILL_OPEN if marks.open else marks.agreed


def rating_word(value: int | None) -> str:
    return NOT_MARKED if value is None else share_of(value, HIGHEST)
