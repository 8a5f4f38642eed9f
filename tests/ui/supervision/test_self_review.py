"""The author's own answers to findings are kept as a self-review, each with its time."""

from __future__ import annotations

from datetime import UTC

from noteeval_desktop.domain.review import AnswerKind, ReviewKind


def test_each_answer_keeps_when_it_was_given(desk, hands, qtbot):
    hands.keep(desk)
    session, case_id = desk.session, desk.library.kept.id
    key = session.findings()[0].key
    desk.workspace.findings.card.dismissed.emit(key, "Said off the record. 緑")
    hands.settle(desk)
    given = session.decisions[key].when.astimezone(UTC)
    review = desk.library.access.library.cases.reviews(case_id)[0]
    assert review.kind is ReviewKind.SELF
    assert (review.answers[0].kind, review.answers[0].when) == (AnswerKind.DISMISSED, given)
    desk.commands["close_case"].trigger()
    with qtbot.waitSignal(session.evaluation_finished):
        desk.library.open_case(case_id)
    hands.settle(desk)
    assert session.decisions[key].when.astimezone(UTC) == given
