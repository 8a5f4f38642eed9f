"""A judgement that the supervisor does not share, by keys from the first question to the second round."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from noteeval_desktop.domain.note import Section
from noteeval_desktop.ui.supervision.passes import Stage
from tests.ui.supervision.conftest import begun, change, mark_what_is_asked, returned, submit
from tests.ui_texts import NOTE


def test_it_is_told_as_such_in_every_place_of_the_round(desk, judge, hands, qtbot):
    with qtbot.waitSignal(desk.session.evaluation_finished, timeout=10_000):
        desk.session.open_note(f"{NOTE}\nAssessment:\nRisk of suicide is low.\n")
    reviewer, shown = begun(desk, judge, hands, qtbot)
    while shown.session.stage is not Stage.FAITHFULNESS:
        reviewer.type("y")
    while shown.session.place.section is not Section.ASSESSMENT:
        assert "Judged differently" not in [button.text() for button in shown.panel.buttons]
        reviewer.type("s")
    reviewer.type("i")
    assert not shown.banner.text
    mark_what_is_asked(reviewer)
    # The last mark says what comes next, and once it came no more.
    assert shown.banner.text.startswith("Everything is marked.")
    reviewer.hand_in()
    assert not shown.banner.text
    reviewer.type("kkk")
    assert shown.panel.title.text() == "Risk of suicide is low."
    assert shown.panel.buttons[0].text() == "K   Keep mine: Judged differently"
    assert "You: Judged differently · Judge: Supported" in [line.row.detail for line in shown.page.lines]
    reviewer.type("k")
    reviewer.settle()
    reviewer.ctrl(Qt.Key.Key_5)
    assert shown.page.lines[-1].row.detail == "Settled: Judged differently"

    case_id = returned(desk, hands, reviewer)
    desk.commands["feedback"].trigger()
    hands.settle(desk)
    rows = {row.detail: row.title for row in desk.supervision.feedback_window.rows}
    assert rows["“Risk of suicide is low.”"] == "Judged differently"
    change(desk, qtbot)
    submit(desk, hands)
    shown = reviewer.open(case_id)
    assert shown.session.stage is Stage.CHANGES
    assert shown.page.lines[-1].row.detail == "Judged differently"
    assert "J first open question" in shown.keys.text()
    QTest.keyClicks(shown.panel.list, "j")
    assert shown.session.stage is Stage.RISK
