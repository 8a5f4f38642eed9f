"""Risk in the review's window: answered, named, settled first, counted, and told in the feedback."""

from __future__ import annotations

from dataclasses import replace

from noteeval_desktop.domain.asked import RiskAnswer, risk_answers
from noteeval_desktop.domain.review import Dimension
from noteeval_desktop.domain.risk import RiskKind
from noteeval_desktop.ui.over_time.figures import agreed
from noteeval_desktop.ui.supervision import work
from noteeval_desktop.ui.supervision.passes import Stage
from tests.sample_evaluation import sample_rubric
from tests.ui.supervision.conftest import begun, mark_what_is_asked, returned


def test_the_opposite_and_another_kind_are_marked_settled_first_and_told(desk, judge, hands, qtbot):
    reviewer, shown = begun(desk, judge, hands, qtbot)
    reviewer.type("k")
    menu = shown.risk_menu
    assert menu.actions()[0].text() == "Turn 3 is:"
    next(one for one in menu.actions() if one.text() == "Self-harm").trigger()
    menu.close()
    assert shown.panel.where.text() or shown.panel.detail.text()
    assert "Self-harm" in shown.panel.detail.text()
    reviewer.type("o")
    mark_what_is_asked(reviewer)
    review = shown.session.review
    assert risk_answers(review.items) == {2: RiskAnswer.OPPOSITE}
    reviewer.hand_in()
    found = [one.difference for one in shown.session.found]
    assert [one.dimension for one in found[:2]] == [Dimension.RISK, Dimension.RISK]
    assert sum(one.dimension is Dimension.RISK for one in found) == 2
    assert shown.session.progress()[Stage.DIFFERENCES] == (0, len(found))
    assert shown.panel.list.rows.rows[0].title == "Risk"
    assert "The note says the opposite" in shown.panel.buttons[0].text()
    shown.go(1)
    reviewer.type("o")
    offered = shown.endings.dialog.agreed
    assert [offered.itemText(n) for n in range(offered.count())][:2] == ["Suicide", "Self-harm"]
    shown.endings.dialog.reject()
    shown.go(0)
    reviewer.type("kk")
    assert shown.session.settled_count == 2
    assert shown.session.at == 2
    returned(desk, hands, reviewer)
    desk.commands["feedback"].trigger()
    hands.settle(desk)
    rows = " ".join(row.spoken for row in desk.supervision.feedback_window.rows)
    said = "Self-harm, turn 3: “Do you ever think about ending your life?” Your note says the opposite."
    assert said in rows
    assert RiskKind.SELF_HARM in {risk.kind for risk in desk.session.evaluation.risks}


def test_risk_is_a_row_of_its_own_in_agreement_and_what_is_counted_adds_up(desk, judge, hands, qtbot):
    reviewer, shown = begun(desk, judge, hands, qtbot)
    library = desk.library.access.library
    mark_what_is_asked(reviewer)
    reviewer.hand_in()
    # As though it had been marked blind.
    blind = replace(shown.session.review, unblinded=False)
    for review in (blind, replace(blind, id="second", rater="Dr. Adams")):
        library.cases.save_review(shown.session.shown.case_id, review)
    lines = agreed(work.rated(library, "", lambda: False), sample_rubric(), rounds=10).lines
    assert (*lines[0].cells[:2], lines[0].depth) == ("Risk", "1", 0)
    at = next(n for n, line in enumerate(lines) if line.cells[0] == "Completeness")
    sections = []
    for line in lines[at + 1 :]:
        if line.depth == 0:
            break
        sections += [int(str(line.cells[1]))] * (line.depth == 1)
    assert int(str(lines[at].cells[1])) == sum(sections) > 0
