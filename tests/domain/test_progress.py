from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from noteeval_desktop.domain.progress import Marked, Source, progress, supervised
from noteeval_desktop.domain.review import Dimension, ItemMark
from noteeval_desktop.domain.reviewed import settled_evaluation
from noteeval_desktop.domain.risk import SAFETY_ITEM
from tests.sample_evaluation import sample_evaluation, sample_rubric
from tests.sample_review import sample_review

RUBRIC, START = sample_rubric(), datetime(2026, 3, 1, 12, tzinfo=UTC)


def made_marks(
    case: str,
    day: int,
    revision: int = 1,
    source: Source = Source.JUDGE,
    missing: tuple[str, ...] = (),
    share: float | None = 0.5,
) -> Marked:
    return Marked(
        source=source,
        who="Ω" if source is Source.SUPERVISOR else "builtin",
        case=case,
        label=f"Fall {case}",
        day=date(2026, 3, day),
        saved=START + timedelta(days=day, minutes=revision),
        revision=revision,
        scores=tuple((dimension, share) for dimension in Dimension),
        items=tuple((item.id, item.id not in missing) for item in RUBRIC.items),
    )


def test_nothing_marked_is_nothing_shown() -> None:
    found = progress([], RUBRIC)
    assert (found.slots, found.misses, found.cases) == ((), (), 0)


def test_slots_follow_the_sessions_then_the_revisions_and_join_both_sources() -> None:
    found = progress(
        [
            made_marks("b", 9),
            made_marks("a", 2, 2),
            made_marks("a", 2, 1),
            made_marks("a", 2, 2, Source.SUPERVISOR, share=0.9),
            made_marks("c", 1, source=Source.SUPERVISOR, share=None),
        ],
        RUBRIC,
    )
    assert [(slot.case, slot.revision) for slot in found.slots] == [("c", 1), ("a", 1), ("a", 2), ("b", 1)]
    both = found.slots[2]
    assert both.share(Source.JUDGE, Dimension.FAITHFULNESS) == 0.5
    assert both.share(Source.SUPERVISOR, Dimension.FAITHFULNESS) == 0.9
    assert found.slots[0].share(Source.SUPERVISOR, Dimension.CONCISENESS) is None
    assert found.slots[0].share(Source.JUDGE, Dimension.CONCISENESS) is None
    assert found.cases == 3


def test_the_later_of_two_marks_of_one_revision_counts() -> None:
    found = progress([made_marks("a", 1, share=0.2), made_marks("a", 1, share=0.8)], RUBRIC)
    assert [slot.share(Source.JUDGE, Dimension.COMPLETENESS) for slot in found.slots] == [0.8]
    (miss,) = progress([made_marks("a", 1), made_marks("a", 1, missing=("plan-homework",))], RUBRIC).misses
    assert (miss.item, miss.judge.missed, miss.judge.of) == ("plan-homework", 1, 1)


def test_misses_count_the_latest_revision_of_each_case_and_keep_the_sources_apart() -> None:
    found = progress(
        [
            made_marks("a", 1, 1, missing=("plan-homework", "subjective-history")),
            made_marks("a", 1, 2, missing=("subjective-history",)),
            made_marks("b", 5, missing=("subjective-history",)),
            made_marks("c", 7),
            made_marks("c", 7, source=Source.SUPERVISOR, missing=("plan-homework",)),
        ],
        RUBRIC,
    )
    rows = {miss.item: miss for miss in found.misses}
    history, homework = rows["subjective-history"], rows["plan-homework"]
    assert (history.judge.missed, history.judge.of, history.judge.last) == (2, 3, date(2026, 3, 5))
    assert (history.supervisor.missed, history.supervisor.of, history.supervisor.last) == (0, 1, None)
    assert (homework.judge.missed, homework.supervisor.missed, homework.supervisor.of) == (0, 1, 1)
    assert [miss.item for miss in found.misses] == ["plan-homework", "subjective-history"]
    assert history.mandatory
    assert history.section == "Subjective"


def test_a_review_counts_as_it_was_settled() -> None:
    evaluation = sample_evaluation()
    note = evaluation.case.note
    day = {"case": "a", "label": "", "day": date(2026, 3, 1), "saved": START, "revision": 1}
    marked = supervised(sample_review(evaluation), note, RUBRIC, **day)  # type: ignore[arg-type]
    assert dict(marked.items)["assessment-diagnosis"] is True
    assert marked.share(Dimension.COMPLETENESS) == pytest.approx(21 / 23)
    with pytest.raises(ValueError, match="handed in"):
        supervised(sample_review(evaluation, handed_in=False), note, RUBRIC, **day)  # type: ignore[arg-type]


def test_of_a_short_review_what_was_accepted_counts_where_the_supervisor_marked_something() -> None:
    evaluation = sample_evaluation()
    note, whole = evaluation.case.note, sample_review(evaluation)
    short = replace(whole, items=whole.items[:1], needs=(), claims=whole.claims[:2], settled=())
    day = {"case": "c", "label": "", "day": date(2026, 1, 5), "saved": START, "revision": 1}
    marked = supervised(short, note, RUBRIC, **day, judged=evaluation)  # type: ignore[arg-type]
    assert [item for item, _ in marked.items] == [whole.items[0].item], "the judge's marks are the judge's"
    assert marked.partly == {Dimension.COMPLETENESS, Dimension.FAITHFULNESS}
    risks = (ItemMark("risk:2", True), ItemMark("risk:4", False), ItemMark("no-risk:6", True))
    told = supervised(replace(short, items=risks), note, RUBRIC, **day, judged=evaluation)  # type: ignore[arg-type]
    assert dict(told.items) == {SAFETY_ITEM: False}
    settled = settled_evaluation(evaluation, short).scores
    assert marked.share(Dimension.COMPLETENESS) == settled.completeness.note
    assert marked.share(Dimension.FAITHFULNESS) == settled.faithfulness.note
    # Nobody but the judge said anything on it.
    assert marked.share(Dimension.CONCISENESS) is None
    assert supervised(short, note, RUBRIC, **day).share(Dimension.COMPLETENESS) is None  # type: ignore[arg-type]
