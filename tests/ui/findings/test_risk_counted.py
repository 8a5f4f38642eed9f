"""What the row of scores says of risk: how many mentions are open, and what became of the others."""

from __future__ import annotations

from noteeval_desktop.domain.findings import OpenRisk, ranked_findings
from noteeval_desktop.domain.risk import RiskFinding, RiskKind, Stance
from noteeval_desktop.domain.transcript import cite
from noteeval_desktop.ui.findings.glance_row import glances
from noteeval_desktop.ui.findings.risk import open_risks
from tests.sample_evaluation import sample_evaluation
from tests.ui.findings.test_risk import dangerous, rewrite

__all__ = ["dangerous"]


def test_the_row_of_scores_stays_short_whatever_became_of_the_risks(dangerous, judge, qtbot):
    def risks(case, cancel):
        turns, told = case.transcript.turns, (case.note.sentences[0].id,)
        yield RiskFinding((1,), cite(turns[1]), RiskKind.OVERDOSE, Stance.CURRENT, addressed_by=told)
        yield RiskFinding((3,), cite(turns[3]), RiskKind.SUICIDE, Stance.CURRENT)
        yield RiskFinding((5,), cite(turns[5]), RiskKind.ABUSE, Stance.CURRENT)

    judge.risks = risks
    rewrite(dangerous, qtbot, "Calm and oriented x3.", "Calm.")
    linked, dismissed = (found.key for found in dangerous.session.findings() if found.is_risk)
    card, told = dangerous.workspace.findings.card, dangerous.glance_row.buttons[3]
    card.linked.emit(linked, "Calm.")
    assert told.accessibleName() == "1 risk missing"
    card.dismissed.emit(dismissed, "Not relevant here")
    assert told.accessibleName() == "Risk: 3 addressed or dismissed"
    assert "1 in the note, 1 linked by you and 1 dismissed by you." in told._glance.explanation
    assert dangerous.minimumSizeHint().width() <= 960


def test_what_may_only_sound_like_risk_is_not_said_to_be_none(dangerous, judge, qtbot):
    def risks(case, cancel):
        turn = case.transcript.turns[3]
        yield RiskFinding((3,), cite(turn), RiskKind.ACCESS_TO_MEANS, Stance.CURRENT, by_meaning=True)

    judge.risks = risks
    rewrite(dangerous, qtbot, "Calm and oriented x3.", "Calm.")
    told = dangerous.glance_row.buttons[3]
    assert told.accessibleName() == "Possible risk: 1"
    assert "1 passage may be about risk: read it." in told._glance.explanation
    assert "None found" not in told._glance.explanation


def test_each_mention_that_is_counted_stands_in_the_list_before_a_signature(dangerous, judge, qtbot, rubric):
    def risks(case, cancel):
        for turn in (case.transcript.turns[1], case.transcript.turns[3]):
            yield RiskFinding((turn.index,), cite(turn), RiskKind.SUICIDE, Stance.CURRENT)

    judge.risks = risks
    rewrite(dangerous, qtbot, "Calm and oriented x3.", "Calm.")
    session = dangerous.session
    (one,) = [row for row in dangerous.workspace.findings.lists[0].rows.rows if row.finding and row.finding.is_risk]
    assert len(one.finding.ranked.risks) == 2
    reasons = {session.findings()[0].key: "Stands in the intake"}
    counted, *lines = open_risks(session.evaluation, {}, reasons).splitlines()
    assert counted == "2 risks missing."
    said = [turn.text for turn in session.evaluation.case.transcript.turns]
    assert [said[1][:20] in lines[0], said[3][:20] in lines[1]] == [True, True]
    assert ["Stands in the intake" in line for line in lines] == [True, False]


def test_a_statement_called_wrong_is_warned_of_where_risk_was_not_looked_for() -> None:
    evaluation = sample_evaluation()
    told = glances(evaluation.scores, None, OpenRisk(None, ranked_findings(evaluation)[:1]), {}, 0)[3]
    assert (told.words, told.warning) == ("1 risk to verify", True)
