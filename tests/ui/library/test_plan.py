"""A client's treatment plan is kept with the case, and offered for the client's next note."""

from __future__ import annotations

import pytest

from noteeval_desktop.domain.plan import PlanLink, Thread
from noteeval_desktop.ui.case.plan_window import PlanDialog, PlanWindow
from tests.ui.conftest import NoteJudge
from tests.ui_texts import NOTE, SESSION

PLAN = "Goal 1: Drink at weekends only\nInterventions: diary\n"


class PlanJudge(NoteJudge):
    def thread(self, case, cancel):
        yield Thread(case.plan, (PlanLink(case.note.sentences[0].id, "g1", probability=0.6),))


@pytest.fixture
def judge(judge):
    return PlanJudge(items=judge.items)


def plan_of(window):
    return window.session.plan


def given(window, qtbot, text):
    window.commands["treatment_plan"].trigger()
    asking = window.findChild(PlanDialog)
    asking.text.setPlainText(text)
    with qtbot.waitSignal(window.session.evaluation_finished):
        asking.go.click()


def test_the_plan_comes_back_with_the_case_and_for_the_client_s_next_note(desk, hands, qtbot):
    of_client = "Client: Ms. R. C.\n\n" + NOTE
    with qtbot.waitSignal(desk.session.evaluation_finished):
        desk.workspace.editor.selectAll()
        desk.workspace.editor.insertPlainText(of_client)
    given(desk, qtbot, PLAN)
    hands.keep(desk)
    case_id = desk.library.kept.id
    desk.findChild(PlanWindow).close()
    desk.commands["close_case"].trigger()
    assert plan_of(desk) is None
    with qtbot.waitSignal(desk.session.evaluation_finished):
        desk.library.open_case(case_id)
    assert [line.id for line in plan_of(desk).lines] == ["g1", "i1"]
    hands.settle(desk)

    desk.commands["close_case"].trigger()
    for client, offered in (("Mr. D. E.", ""), ("Ms. R. C.", PLAN)):
        with qtbot.waitSignal(desk.session.evaluation_finished, timeout=10_000):
            desk.session.paste_transcript(SESSION.replace("evenings", "weeks"))
            desk.session.open_note(f"Client: {client}\n\n{NOTE}\nMore. ")
        hands.settle(desk)
        desk.commands["treatment_plan"].trigger()
        asking = [one for one in desk.findChildren(PlanDialog) if one.isVisible()][-1]
        hands.settle(desk)
        qtbot.waitUntil(lambda asking=asking, offered=offered: asking.text.toPlainText() == offered)
        assert ("last note" in asking.said.text()) is bool(offered)
        asking.reject()
        for shown in desk.findChildren(PlanWindow):
            shown.close()
        desk.commands["close_case"].trigger()
