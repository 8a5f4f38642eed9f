from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from noteeval_desktop.domain.review import ClaimMark, Dimension, ItemMark, NeedMark, Review, ReviewKind, Settlement
from noteeval_desktop.domain.thresholds import Thresholds
from noteeval_desktop.domain.verdicts import Verdict
from noteeval_desktop.measures.tuning import Place, places_of, propose, thresholds
from tests.sample_evaluation import sample_evaluation

NOW = datetime(2026, 4, 1, 12, tzinfo=UTC)
CLAIMS = Dimension.FAITHFULNESS


def places(*answers: tuple[float, bool]) -> list[Place]:
    """Of forty notes each, judged from one half on."""
    return [Place(f"note {n}", CLAIMS, chance, chance >= 0.5, said) for n in range(40) for chance, said in answers]


def test_a_threshold_that_people_draw_elsewhere_is_found() -> None:
    """Between 0.55 and 0.65 they say no; one mark a note would change, all to what was settled."""
    [found] = propose(places((0.9, True), (0.66, True), (0.56, False), (0.2, False)))
    assert (found.threshold, found.changed, found.to_person, found.notes) == (0.6, 40, 40, 40)
    assert (found.places, found.differing, found.held_out) == (160, 40, 0)
    assert thresholds([found]) == Thresholds(faithfulness=0.6)


def test_where_the_judge_is_right_as_it_is_nothing_is_proposed() -> None:
    [found] = propose(places((0.9, True), (0.2, False)))
    assert (found.threshold, found.differing, found.changed) == (None, 0, 0)


def test_what_does_better_only_where_it_was_chosen_is_not_proposed() -> None:
    """Of two notes that say the opposite each would be judged by the other."""
    one = [Place("a", CLAIMS, 0.52, True, False)] * 3 + [Place("b", CLAIMS, 0.52, True, True)] * 2
    [found] = propose(one)
    assert found.held_out >= found.differing
    assert found.threshold is None


def test_what_was_settled_counts_and_not_what_was_first_marked() -> None:
    evaluation = sample_evaluation()
    items = [item for item in evaluation.checklist if item.section is not None and item.probability is not None]
    sentence = next(one for one in evaluation.sentences if one.claim and one.claim.verdict is Verdict.SUPPORTED)
    review = Review(
        *("r", ReviewKind.SUPERVISION, "Kim", evaluation.case.note.sha256, NOW),
        items=tuple(ItemMark(item.item, True) for item in items),
        needs=(NeedMark(sentence.sentence.id, ("x",)),),
        claims=(ClaimMark(sentence.sentence.id, Verdict.SUPPORTED),),
        submitted=NOW,
    )
    settled = replace(review, settled=(Settlement(CLAIMS, sentence.sentence.id, "unsupported"),))
    first, then = (
        [place for place in places_of(one, evaluation) if place.dimension is CLAIMS] for one in (review, settled)
    )
    assert [place.person for place in first] == [True]
    assert [place.person for place in then] == [False]
    assert {place.judge for place in first} == {True}


def test_a_judge_that_was_tuned_is_learned_from_as_if_it_were_not() -> None:
    tuned, evaluation = Thresholds(faithfulness=0.7), sample_evaluation()
    judged = tuple(replace(one, claim=tuned.claim(one.claim)) if one.claim else one for one in evaluation.sentences)
    after = replace(evaluation, sentences=judged, judge=replace(evaluation.judge, version=f"1{tuned.version}"))
    marks = tuple(ClaimMark(one.sentence.id, Verdict.SUPPORTED) for one in evaluation.sentences)
    review = Review("r", ReviewKind.SUPERVISION, "Kim", evaluation.case.note.sha256, NOW, claims=marks, submitted=NOW)
    before = {round(place.probability, 9) for place in places_of(review, evaluation)}
    assert before
    assert {round(place.probability, 9) for place in places_of(review, after)} == before
