"""Where a supervisor's marks and the judge's differ, with what each rests on."""

from __future__ import annotations

from dataclasses import dataclass, replace

from noteeval_desktop.domain.asked import RISK_AS, RISK_PLACE, added_risks, risk_answers
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.review import Dimension, Review, Settlement
from noteeval_desktop.domain.reviewed import Difference, differences, risk_at
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.domain.transcript import Citation, cite
from noteeval_desktop.ui.supervision.passes import Place, passes, risk_place
from noteeval_desktop.ui.widgets.words import turn_list


@dataclass(frozen=True, slots=True)
class Differing:
    """A difference as it is settled: what it is about, the judge's reason and evidence, one's own turns, and whether
    one's mark was that of ``ClaimMark.judged``."""

    difference: Difference
    place: Place
    reason: str
    citations: tuple[Citation, ...]
    own_turns: tuple[int, ...]
    judged: bool


def differing(note: Note, rubric: Rubric, review: Review, evaluation: Evaluation) -> tuple[Differing, ...]:
    """In the order of the passes. Raises ValueError as ``differences`` does."""
    known = {place.id: place for one in passes(note, rubric)[:3] for place in one.places}
    known |= _risk_places(review, evaluation)
    own = {mark.sentence: mark for mark in review.claims}
    found = []
    for one in differences(review, evaluation):
        mark = own.get(one.place) if one.dimension is Dimension.FAITHFULNESS else None
        if one.place in known:
            turns, judged = (mark.turns, mark.judged) if mark else ((), False)
            found.append(Differing(one, known[one.place], *_grounds(one, evaluation), turns, judged))
    return tuple(found)


def _risk_places(review: Review, evaluation: Evaluation) -> dict[str, Place]:
    """By what a difference calls them."""
    turns, found = evaluation.case.transcript.turns, {}
    added = {risk.citation.turn: risk for risk in added_risks(review, evaluation.case.transcript)}
    for turn in (one for one in risk_answers(review.items) if one < len(turns)):
        risk = risk_at(evaluation, turn) or added.get(turn)
        quoted = Place(str(turn), f"“{turns[turn].text}”") if risk is None else risk_place(risk)
        which = tr("{turn} · which danger is it?").format(turn=turn_list((turn,)))
        found[f"{RISK_PLACE}{turn}"] = quoted
        found[f"{RISK_AS}{turn}"] = replace(quoted, explained=which)
    return found


def settlement_of(difference: Difference, review: Review) -> Settlement | None:
    own = (s for s in review.settled if (s.dimension, s.place) == (difference.dimension, difference.place))
    return next(own, None)


def _grounds(difference: Difference, evaluation: Evaluation) -> tuple[str, tuple[Citation, ...]]:
    """The judge's reason and the turns that it rests on; on risk the sentences that it takes for the note's answer."""
    turns = evaluation.case.transcript.turns
    if difference.dimension is Dimension.RISK:
        turn = int(difference.place.split(":")[-1])
        risk = risk_at(evaluation, turn)
        named = (*(risk.addressed_by or ()), *risk.doubted) if risk is not None else ()
        texts = {sentence.id: sentence.text for sentence in evaluation.case.note.sentences}
        return " ".join(f"“{texts[one]}”" for one in named if one in texts), (cite(turns[turn]),)
    if difference.dimension is Dimension.COMPLETENESS:
        verdict = next(v for v in evaluation.checklist if v.item == difference.place)
        return verdict.rationale, tuple(cite(turns[number]) for number in verdict.suggested_turns)
    judged = evaluation.judged(difference.place)
    if difference.dimension is Dimension.CONCISENESS:
        return (judged.need.rationale if judged.need else ""), ()
    return (judged.claim.rationale, judged.claim.citations) if judged.claim else ("", ())
