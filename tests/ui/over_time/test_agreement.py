"""Which rater and which judge to trust for what: figures over the library's own reviews."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from noteeval_desktop.domain.evaluation import JudgeIdentity
from noteeval_desktop.domain.review import ClaimMark, ItemMark, NeedMark, Review, ReviewKind
from noteeval_desktop.domain.verdicts import Verdict
from noteeval_desktop.store.records import Labels
from noteeval_desktop.ui.over_time.figures import agreed, over
from noteeval_desktop.ui.over_time.window import OverTimeWindow
from noteeval_desktop.ui.supervision import work
from noteeval_desktop.ui.supervision.work import Rated
from tests.sample_evaluation import sample_evaluation, sample_rubric
from tests.ui.supervision.conftest import Reviewer, unseen

NOW = datetime(2026, 4, 1, 12, tzinfo=UTC)


def _as_the_judge(rater: str, but: int = 0) -> Review:
    """The judge's marks, with the first ``but`` items turned round."""
    evaluation = sample_evaluation()
    items = [v for v in evaluation.checklist if v.section is not None]
    return Review(
        rater,
        ReviewKind.SUPERVISION,
        rater,
        evaluation.case.note.sha256,
        NOW,
        items=tuple(ItemMark(v.item, bool(v.present) is (n >= but)) for n, v in enumerate(items)),
        needs=tuple(
            NeedMark(j.sentence.id, ("subjective-symptoms",) if j.need and j.need.needed else ())
            for j in evaluation.sentences
        ),
        claims=tuple(
            ClaimMark(j.sentence.id, j.claim.verdict if j.claim and j.claim.verdict else Verdict.SUPPORTED)
            for j in evaluation.sentences
        ),
        acceptance=4,
        submitted=NOW,
    )


def _other_judge():
    """One that finds every item missing."""
    evaluation = sample_evaluation()
    checklist = tuple(replace(v, present=v.item == "subjective-goals") for v in evaluation.checklist)
    return replace(evaluation, judge=JudgeIdentity("local", "Qwen 緑", "1"), checklist=checklist)


def _rated(*reviews: Review) -> Rated:
    return Rated("c", sample_evaluation().case.note, reviews, (sample_evaluation(), _other_judge()))


def _line(found, name, depth=0):
    """Its cells after the name: how many, equal, κ, α between people, α with each judge."""
    return next(line.cells[1:] for line in found.lines if (line.cells[0], line.depth) == (name, depth))


def test_two_people_who_mark_alike_agree_fully():
    found = agreed([_rated(_as_the_judge("Kim"), _as_the_judge("Ünal"))], sample_rubric(), rounds=50)
    assert _line(found, "Completeness")[:4] == ("23", "100\N{NARROW NO-BREAK SPACE}%", "1.00", "1.00")


def test_the_judge_that_agrees_more_with_the_people_is_marked():
    found = agreed([_rated(_as_the_judge("Kim", but=2), _as_the_judge("Ünal"))], sample_rubric(), rounds=50)
    line = _line(found, "Completeness")
    of = found.headings.index("α with script") - 1
    assert [number for number, cell in enumerate(line) if cell.startswith("★ ")] == [of]
    assert float(line[of].removeprefix("★ ").replace("−", "-")) > 0.5


def test_figures_go_down_to_the_single_item():
    rated = [_rated(_as_the_judge("Kim", but=n % 2), _as_the_judge("Ünal")) for n in range(6)]
    found = agreed(rated, sample_rubric(), rounds=50)
    assert _line(found, "Subjective", 1)[0] == "36"
    item = _line(found, "Chief complaint", 2)
    assert item[1] == "50\N{NARROW NO-BREAK SPACE}%"


def test_intervals_are_shown_from_five_notes_on():
    few = agreed([_rated(_as_the_judge("Kim", 2), _as_the_judge("Ünal"))], sample_rubric(), rounds=50)
    assert " to " not in _line(few, "Completeness")[3]
    notes = [
        replace(one, note=replace(one.note, text=f"{one.note.text}{n}"))
        for n, one in enumerate([_rated(_as_the_judge("Kim", n), _as_the_judge("Ünal")) for n in range(6)])
    ]
    assert " to " in _line(agreed(notes, sample_rubric(), rounds=50), "Completeness")[3]


def test_a_rater_who_did_not_mark_a_note_is_missing_there():
    rated = [_rated(_as_the_judge("Kim"), _as_the_judge("Ünal")), _rated(_as_the_judge("Kim"))]
    assert _line(agreed(rated, sample_rubric(), rounds=50), "Completeness")[0] == "23"
    alone = agreed(rated[1:], sample_rubric(), rounds=50)
    assert _line(alone, "Completeness")[1:4] == ("–", "–", "–")


@pytest.mark.parametrize(("second", "told"), [("Ünal", True), ("Kim", False)])
def test_it_is_said_where_no_note_was_marked_twice(second, told):
    said = over([_rated(_as_the_judge("Kim")), _rated(_as_the_judge(second))])
    assert ("No note was marked by two" in said) is told


@pytest.mark.parametrize("names", [("Kim",), ("Kim", "Dr. Žižek 🙂")])
def test_the_window_counts_what_was_handed_in(desk, hands, qtbot, names):
    hands.keep(desk)
    case_id = desk.library.kept.id
    for name in names:
        desk.library.access.library.supervision.set_rater(
            replace(desk.library.access.library.supervision.rater(), name=name)
        )
        hands.settle(desk)
        unseen(desk.library.access.library)
        reviewer = Reviewer(desk, qtbot, name)
        shown = reviewer.open(case_id)
        reviewer.mark_everything()
        reviewer.hand_in()
        shown.close()
    desk.commands["agreement"].trigger()
    hands.settle(desk)
    shown = desk.findChild(OverTimeWindow).agreement
    qtbot.waitUntil(lambda: shown.found is not None, timeout=20_000)
    assert all(name in shown.said.text() for name in names)
    assert shown.table.topLevelItem(0).text(0) == "Completeness"
    assert shown.table.topLevelItem(0).isExpanded()
    heads = [shown.table.headerItem().text(place) for place in range(6)]
    assert heads == ["", "Judgments compared", "Equal", "κ", "α between people", "α with script"]
    assert shown.table.columnWidth(0) >= shown.table.sizeHintForColumn(0)
    assert shown.table.columnWidth(1) >= shown.table.header().sectionSizeHint(1)
    assert [shown.choice.itemData(n) for n in range(shown.choice.count())] == ["", "intake"]
    desk.library.access.library.cases.set_labels(case_id, Labels("Frau Ünal 🙂"))
    shown.choice.setCurrentIndex(1)
    shown.choice.activated.emit(1)
    hands.settle(desk)
    assert "Nobody has submitted marks for these cases yet" in shown.said.text()
    assert shown.table.isHidden()


def test_a_name_that_ends_in_a_full_stop_gets_no_second_one():
    assert over([_rated(_as_the_judge("Dr. Ruth K."))]).startswith("1 note, marked by Dr. Ruth K. Between people")


def test_without_any_review_the_window_says_what_to_do(desk, hands, qtbot):
    hands.keep(desk)
    desk.commands["agreement"].trigger()
    hands.settle(desk)
    assert "Finish a review" in desk.findChild(OverTimeWindow).agreement.said.text()


def test_marks_carried_over_from_what_was_settled_do_not_count(desk, hands):
    hands.keep(desk)
    case_id = desk.library.kept.id
    library = desk.library.access.library
    digest = library.cases.open(case_id).revisions[-1].note.sha256
    first = replace(_as_the_judge("Kim"), note_sha256=digest)
    for review in (first, replace(first, id="later", rater="Ünal", carried=True)):
        library.cases.save_review(case_id, review)
    [found] = work.rated(library, "", lambda: False)
    assert [review.rater for review in found.reviews] == ["Kim"]
