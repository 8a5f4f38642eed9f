from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest

from noteeval_desktop.domain.review import ClaimMark, Dimension, ItemMark, NeedMark, Rating, Review, ReviewKind
from noteeval_desktop.domain.verdicts import Verdict
from noteeval_desktop.measures.agreement import Level, Thing, agree, cohen_kappa, krippendorff_alpha
from noteeval_desktop.measures.rater_tables import as_text, review_agreement, tn_eval_agreement
from noteeval_desktop.measures.tn_eval import LabelledNote
from tests.factories import make_note
from tests.sample_evaluation import sample_evaluation

# Krippendorff, Computing Krippendorff's Alpha-Reliability (2011), section D: four observers, missing values.
FOUR_OBSERVERS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]
# Fleiss (1971) as it is usually printed: ten subjects, fourteen raters, five categories; kappa 0.210.
FLEISS = (
    (0, 0, 0, 0, 14), (0, 2, 6, 4, 2), (0, 0, 3, 5, 6), (0, 3, 9, 2, 0), (2, 2, 8, 1, 1),
    (7, 7, 0, 0, 0), (3, 2, 6, 3, 0), (2, 5, 3, 2, 2), (6, 5, 2, 1, 0), (0, 2, 2, 3, 7),
)  # fmt: skip


def things(ratings: Sequence[Sequence[Any]]) -> list[Thing]:
    return [Thing(f"c{number // 2}", tuple(unit)) for number, unit in enumerate(zip(*ratings, strict=True))]


@pytest.mark.parametrize(
    ("level", "expected"), [(Level.NOMINAL, 0.743), (Level.ORDINAL, 0.815), (Level.INTERVAL, 0.849)]
)
def test_alpha_matches_krippendorffs_example(level: Level, expected: float) -> None:
    found = agree(things(FOUR_OBSERVERS), level)
    assert found.alpha.value == pytest.approx(expected, abs=6e-4)
    assert (found.things, found.raters) == (11, 4)
    assert found.cohen.value is None


def test_fleiss_kappa_matches_the_published_example() -> None:
    units = [Thing(str(i), tuple(v for v, n in enumerate(row) for _ in range(n))) for i, row in enumerate(FLEISS)]
    assert agree(units).fleiss.value == pytest.approx(0.210, abs=5e-4)


def test_fleiss_kappa_leaves_out_what_a_rater_did_not_rate() -> None:
    units = [Thing(str(n), values) for n, values in enumerate([("a", "a", "b"), ("b", "b", "b"), ("a", "日", "a")])]
    partly = [Thing("x", ("b", None, "日")), Thing("y", (None, "a", None))]
    whole, found = agree(units, rounds=20), agree([*units, *partly], rounds=20)
    assert found.fleiss.value == whole.fleiss.value
    assert found.raw.value != whole.raw.value
    assert (whole.things, found.things) == (3, 4)


@pytest.mark.parametrize("seed", range(5))
def test_two_raters_match_the_other_implementations(seed: int) -> None:
    chance = random.Random(seed)
    ratings = [[chance.choice("ab日") for _ in range(60)] for _ in range(2)]
    found = agree(things(ratings), rounds=50)
    assert found.cohen.value == pytest.approx(cohen_kappa(*ratings), abs=6e-5)
    assert found.alpha.value == pytest.approx(krippendorff_alpha(ratings), abs=6e-5)
    equal = np.mean([a == b for a, b in zip(*ratings, strict=True)])
    assert found.raw.value == pytest.approx(equal, abs=6e-5)


def test_intervals_hold_the_figure_and_widen_when_cases_are_few() -> None:
    chance = random.Random(2)
    ratings = [[chance.randrange(1, 6) for _ in range(200)]]
    ratings.append([min(5, max(1, value + chance.choice((-1, 0, 0, 1)))) for value in ratings[0]])
    units = [Thing(f"c{i % 20}", values) for i, values in enumerate(zip(*ratings, strict=True))]
    many, few = agree(units, Level.ORDINAL), agree([u for u in units if u.cluster in ("c0", "c1", "c2")], Level.ORDINAL)
    for found in (many, few):
        assert found.alpha.low <= found.alpha.value <= found.alpha.high
    assert few.alpha.high - few.alpha.low > many.alpha.high - many.alpha.low
    assert agree(units, Level.ORDINAL) == many


@pytest.mark.parametrize(
    "units", [[], [Thing("a", (None, None))], [Thing("a", (1, 1)), Thing("b", (1, 1))], [Thing("a", (1,))]]
)
def test_what_is_undefined_is_none(units: list[Thing]) -> None:
    found = agree(units)
    assert found.alpha.value is None
    assert found.cohen.value is None
    assert found.fleiss.value is None


def test_things_with_different_raters_are_refused() -> None:
    with pytest.raises(ValueError, match="one entry a rater"):
        agree([Thing("a", (1, 1)), Thing("a", (1, 1, 1))])


def review(rater: str, missing: tuple[str, ...], wrong: tuple[str, ...]) -> Review:
    evaluation = sample_evaluation()
    note, now = evaluation.case.note, datetime(2026, 5, 1, tzinfo=UTC)
    verdicts = {s.id: Verdict.UNSUPPORTED if s.id in wrong else Verdict.SUPPORTED for s in note.sentences}
    return Review(
        id=rater,
        kind=ReviewKind.SUPERVISION,
        rater=rater,
        note_sha256=note.sha256,
        started=now,
        items=tuple(ItemMark(v.item, v.item not in missing) for v in evaluation.checklist),
        needs=tuple(NeedMark(s.id, ("x",)) for s in note.sentences),
        claims=tuple(ClaimMark(place, verdict) for place, verdict in verdicts.items()),
        ratings=(Rating(Dimension.COMPLETENESS, 4 - len(missing) % 3),),
        acceptance=3,
        submitted=now,
    )


def test_reviews_are_compared_with_each_other_and_with_a_judge() -> None:
    evaluation = sample_evaluation()
    note = evaluation.case.note
    gone = tuple(v.item for v in evaluation.checklist if not v.present)
    one, two = review("A", gone, ("s3",)), review("B", gone[:2], ("s3", "s4"))
    report = review_agreement([(note, [one, two])], [{"built-in": evaluation}], rounds=10)
    items = len(evaluation.checklist)
    people = report["people"]["completeness"]["all"]
    assert people["raw"]["value"] == pytest.approx(1 - (len(gone) - 2) / items, abs=1e-4)
    assert people["things"] == items
    assert report["people"]["faithfulness"]["all"]["raw"]["value"] == pytest.approx(
        1 - 1 / len(note.sentences), abs=1e-4
    )
    judge = report["judges"]["built-in"]["completeness"]
    assert judge["all"]["things"] == 2 * items
    assert judge["items"][gone[0]]["raw"]["value"] == 1.0
    assert judge["items"][gone[-1]]["raw"]["value"] == 0.5
    assert "built-in: completeness" in as_text(report)


def test_marks_that_are_not_submitted_do_not_count() -> None:
    evaluation = sample_evaluation()
    one, two = review("A", (), ()), replace(review("B", (), ()), submitted=None)
    report = review_agreement([(evaluation.case.note, [one, two])], rounds=10)
    assert report["people"]["completeness"]["all"]["things"] == 0


def test_reviews_of_an_empty_note_give_no_figures() -> None:
    assert review_agreement([(make_note({}), [])], rounds=10)["judges"] == {}


def test_the_therapists_agree_as_published(published_notes: tuple[LabelledNote, ...]) -> None:
    """Alpha over all 150 notes is 0.50, 0.35 and 0.62; these are the 105 that are for development.

    r is that of the data's own labels, each therapist's mean over items or sentences, computed apart from the program.
    """
    report = tn_eval_agreement(published_notes, rounds=100)
    published = {"completeness": (0.50, 0.4036), "conciseness": (0.35, 0.6366), "faithfulness": (0.62, 0.7483)}
    for dimension, (alpha, r) in published.items():
        found = report["people"][dimension]["all"]["alpha"]
        assert found["value"] == pytest.approx(alpha, abs=0.03)
        assert found["low"] < alpha < found["high"]
        assert report["notes"][dimension]["r"] == pytest.approx(r, abs=1e-4)
    assert len(report["people"]["completeness"]["items"]) == 23
    assert set(report["judges"]) == {"Llama 3.1 70B", "Mistral Large V2"}
