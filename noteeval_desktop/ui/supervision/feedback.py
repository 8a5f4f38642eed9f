"""What a review gives the author of a note: comments first, then the marks that ask for something. Pure functions."""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import dataclass, replace

from noteeval_desktop.domain.asked import RiskAnswer, risk_answers
from noteeval_desktop.domain.decisions import item_subject, risk_subject
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.findings import FindingKind, ranked_findings
from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.review import SCORED, Comment, Dimension, Review, Settlement
from noteeval_desktop.domain.reviewed import accepted_marks, settled_evaluation, settled_marks
from noteeval_desktop.domain.risk import RiskFinding
from noteeval_desktop.domain.rubric import Importance, Rubric
from noteeval_desktop.domain.verdicts import ERRORS
from noteeval_desktop.present.headings import item_heading
from noteeval_desktop.ui.supervision import risk_words, words
from noteeval_desktop.ui.widgets.plain import shortened
from noteeval_desktop.ui.widgets.words import turn_list


@dataclass(frozen=True, slots=True)
class Point:
    """``quote`` are words of the reviewed note that it is about; ``turns`` those of the session that it rests on.
    ``by``: of what only the check found, the group that it would stand in."""

    group: str
    said: str
    quote: str = ""
    turns: tuple[int, ...] = ()
    about: str = ""
    by: str = ""


def points(
    review: Review, note: Note, rubric: Rubric, judged: Evaluation | None = None, dismissed: Container[str] = ()
) -> tuple[Point, ...]:
    """After settling: what both agreed on in the end, and of ``judged`` what the supervisor left to it and the author
    has not ``dismissed`` (keys of findings)."""
    found = [*_risks(review, judged), *_points(settled_marks(review), note, rubric)]
    if judged is not None:
        left = _points(
            replace(_told(accepted_marks(review, judged), judged, dismissed), comments=(), settled=()), note, rubric
        )
        check = words.FOUND_BY_THE_CHECK
        found += [replace(one, group=check, about=one.about or one.group, by=one.group) for one in left]
        found += [replace(one, group=check, by=words.RISK) for one in _left_risks(review, judged, dismissed)]
    own = (words.RISK, words.TO_FIX, words.TO_ADD, words.TO_CUT)
    order, kinds = (words.COMMENTS, *own, words.REASONS, words.FOUND_BY_THE_CHECK), (*own, "")
    return tuple(sorted(found, key=lambda point: (order.index(point.group), kinds.index(point.by))))


def _told(accepted: Review, judged: Evaluation, dismissed: Container[str]) -> Review:
    """Without marks that the judge itself is not sure enough of to show the author: nobody said them."""
    found = [one for one in ranked_findings(judged) if one.key not in dismissed]
    told = {(one.kind, one.sentence.id) for one in found if one.sentence is not None}
    wrong = {sentence for kind, sentence in told if kind in map(FindingKind, ERRORS)}
    return replace(
        accepted,
        items=tuple(m for m in accepted.items if m.present or item_subject(m.item) not in dismissed),
        needs=tuple(m for m in accepted.needs if m.needed or (FindingKind.UNNEEDED, m.sentence) in told),
        claims=tuple(m for m in accepted.claims if m.verdict not in ERRORS or m.sentence in wrong),
    )


def _risks(review: Review, judged: Evaluation | None) -> list[Point]:
    """Passages on risk that the supervisor did not find in the note; ``judged`` knows which danger each is."""
    ledger = (settled_evaluation(judged, review).risks if judged is not None else None) or ()
    known = {risk.citation.turn: risk for risk in reversed(ledger)}
    answers = risk_answers(settled_marks(review).items)
    named = {RiskAnswer.LEFT_OUT: False, RiskAnswer.OPPOSITE: True}
    return [
        Point(words.RISK, _not_written(turn, known.get(turn), named[answer]), turns=(turn,))
        for turn, answer in answers.items()
        if answer in named
    ]


def _left_risks(review: Review, judged: Evaluation, dismissed: Container[str]) -> list[Point]:
    """Passages on risk that the check did not find in the note, and about which nobody asked the supervisor."""
    asked = risk_answers(review.items)
    return [
        Point(words.RISK, _not_written(risk.citation.turn, risk, False), turns=(risk.citation.turn,))
        for risk in settled_evaluation(judged, review).risks or ()
        if risk.pressing and risk.citation.turn not in asked and risk_subject(risk) not in dismissed
    ]


def _not_written(turn: int, risk: RiskFinding | None, opposite: bool) -> str:
    quote = shortened(risk.citation.quote, 160) if risk is not None else ""
    return risk_words.not_written(risk.kind if risk is not None else None, turn, quote, opposite)


def _points(settled: Review, note: Note, rubric: Rubric) -> list[Point]:
    review = settled
    sentences = {sentence.id: sentence.text for sentence in note.sentences}
    names = {item.id: item.name for item in rubric.items}
    found = [_comment(comment, names.get) for comment in review.comments]
    found += [
        Point(words.TO_FIX, words.claim(mark), sentences[mark.sentence], mark.turns)
        for mark in settled.claims
        if mark.verdict in ERRORS and mark.sentence in sentences
    ]
    missing = {mark.item for mark in settled.items if not mark.present}
    items = [item for item in rubric.items if item.id in missing]
    items.sort(key=lambda item: item.importance is not Importance.MANDATORY)
    found += [
        Point(words.TO_ADD, f"{item.name}: {item.description}", about=item_heading(note, item.section, item.id))
        for item in items
    ]
    found += [
        Point(words.TO_CUT, words.NOT_NEEDED, sentences[mark.sentence])
        for mark in settled.needs
        if not mark.needed and mark.sentence in sentences
    ]
    judged = {mark.sentence for mark in settled.claims if mark.judged}
    found += [
        Point(
            words.REASONS,
            words.decided(one, one.place in judged),
            sentences.get(one.place, ""),
            turns=(turn := _turns_of(one)),
            about=names.get(one.place, turn_list(turn) if turn else ""),
        )
        for one in review.settled
        if one.reason
    ]
    return found


def _turns_of(one: Settlement) -> tuple[int, ...]:
    return (int(one.place.split(":")[-1]),) if one.dimension is Dimension.RISK else ()


def summary(review: Review) -> str:
    """ "Completeness 4 of 5 · Conciseness 3 of 5 · …"."""
    rated = {rating.dimension: rating.value for rating in review.ratings if rating.section is None}
    parts = [f"{words.DIMENSION_NAMES[d]} {words.of_five(rated[d])}" for d in SCORED if d in rated]
    if review.acceptance is not None:
        parts.append(words.into_the_record(words.ACCEPTANCE_VALUES[review.acceptance - 1]))
    return " · ".join(parts)


def _comment(comment: Comment, name: Callable[[str], str | None]) -> Point:
    about = name(comment.item) if comment.item else None
    turns = turn_list(comment.turns) if comment.turns else ""
    return Point(words.COMMENTS, comment.text, comment.quote, comment.turns, " · ".join(filter(None, (turns, about))))
