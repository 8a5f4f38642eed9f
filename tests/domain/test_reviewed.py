from __future__ import annotations

from datetime import UTC, datetime

import pytest

from noteeval_desktop.domain.review import (
    ClaimMark,
    Dimension,
    ItemMark,
    NeedMark,
    Review,
    ReviewKind,
    Settlement,
)
from noteeval_desktop.domain.reviewed import Difference, scores_of, settled_marks, with_settlements
from noteeval_desktop.domain.verdicts import Verdict
from tests.factories import make_note
from tests.sample_evaluation import sample_rubric

NOW = datetime(2026, 4, 1, 12, tzinfo=UTC)
ITEM, TURNS = "plan-homework", (3, 5)
ITEMS, NEEDS, CLAIMS = Dimension.COMPLETENESS, Dimension.CONCISENESS, Dimension.FAITHFULNESS


def reviewed(*settled: Settlement) -> Review:
    """Three marks on the first two sentences of the note and one item, handed in, then ``settled``."""
    return Review(
        "r",
        ReviewKind.SUPERVISION,
        "Dr. Žižek",
        make_note().sha256,
        NOW,
        items=(ItemMark(ITEM, False),),
        needs=(NeedMark("s1", ("subjective-symptoms",)), NeedMark("s2")),
        claims=(ClaimMark("s1", Verdict.CONTRADICTED, TURNS), ClaimMark("s2", Verdict.SUPPORTED, TURNS)),
        submitted=NOW,
        settled=settled,
    )


@pytest.mark.parametrize(
    ("agreed", "present"), [("present", True), (" Present ", True), ("missing", False), ("see the plan", False)]
)
def test_an_item_is_what_was_agreed_in_the_marks_own_words(agreed: str, present: bool) -> None:
    assert settled_marks(reviewed(Settlement(ITEMS, ITEM, agreed))).items == (ItemMark(ITEM, present),)


@pytest.mark.parametrize(
    ("sentence", "agreed", "needed", "items"),
    [
        ("s1", "needed", True, ("subjective-symptoms",)),
        ("s1", "not needed", False, ()),
        # It had no item: it counts as needed all the same.
        ("s2", "needed", True, None),
        ("s2", "perhaps", False, ()),
    ],
)
def test_a_sentence_is_needed_where_that_was_agreed(
    sentence: str, agreed: str, needed: bool, items: tuple[str, ...] | None
) -> None:
    (mark,) = (m for m in settled_marks(reviewed(Settlement(NEEDS, sentence, agreed))).needs if m.sentence == sentence)
    assert mark.needed is needed
    assert items is None or mark.items == items


def test_turns_that_spoke_for_another_verdict_go() -> None:
    settled = settled_marks(reviewed(Settlement(CLAIMS, "s1", "supported"), Settlement(CLAIMS, "s2", "supported")))
    assert settled.claims == (ClaimMark("s1", Verdict.SUPPORTED), ClaimMark("s2", Verdict.SUPPORTED, TURNS))


def test_an_agreement_on_one_dimension_leaves_the_others_alone() -> None:
    before = reviewed()
    settled = settled_marks(reviewed(Settlement(CLAIMS, "s1", "unsupported")))
    assert (settled.items, settled.needs) == (before.items, before.needs)


def test_each_difference_stands_beside_the_last_agreement_about_it() -> None:
    differences = (Difference(ITEMS, ITEM, "missing", "present"), Difference(NEEDS, "s1", "needed", "not needed"))
    first, last = Settlement(ITEMS, ITEM, "missing"), Settlement(ITEMS, ITEM, "present", "in the plan")
    assert with_settlements(reviewed(first, last), differences) == ((differences[0], last), (differences[1], None))


def test_a_person_is_counted_over_the_marks_that_were_made() -> None:
    scores = scores_of(reviewed(), make_note(), sample_rubric())
    counts = [(one.done, one.total) for one in (scores.completeness, scores.conciseness, scores.faithfulness)]
    assert counts == [(0, 1), (1, 2), (1, 2)]
