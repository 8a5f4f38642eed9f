"""The treatment plan in the window: given, looked for in the note, and a person's word on every link."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QInputDialog
from shiboken6 import isValid

from noteeval_desktop import documents
from noteeval_desktop.domain.plan import GoalProgress, PlanLink, Thread
from noteeval_desktop.domain.remarks import Remark, RemarkKind
from noteeval_desktop.present.thread import thread_rows, thread_trust
from noteeval_desktop.report.json_layout import evaluation_to_json
from noteeval_desktop.ui.case.plan_window import PlanDialog, PlanWindow
from tests.ui.conftest import NoteJudge
from tests.ui_texts import NOTE, SESSION

PLAN = """Goal 1: Drink at weekends only
  Objective 1a: Two evenings a week at most
Goal 2: Sleep through the night
Interventions: breathing exercise
"""


class PlanJudge(NoteJudge):
    """The first sentence may speak to the first goal; ``read``: a model has read all of it, and is certain."""

    read = False

    def thread(self, case, cancel):
        chance = None if self.read else 0.6
        link = PlanLink(case.note.sentences[0].id, "g1.o1", GoalProgress.BETTER, chance)
        yield Thread(case.plan, (link,), (PlanLink("1", "g2"),) if self.read else (), self.read)


@pytest.fixture
def window(make_window, judge, qtbot):
    own = PlanJudge(items=judge.items)
    shown = make_window(load=lambda: own)
    with qtbot.waitSignal(shown.session.evaluation_finished, timeout=10_000):
        shown.session.paste_transcript(SESSION)
        shown.session.open_note(NOTE)
    qtbot.waitUntil(lambda: not shown.jobs.busy)
    shown.plan_judge = own
    return shown


def opened(window, qtbot) -> PlanWindow:
    """With the plan typed in, and looked for."""
    window.commands["treatment_plan"].trigger()
    shown = window.findChild(PlanWindow)
    asking = shown.findChild(PlanDialog)
    asking.text.setPlainText(PLAN)
    qtbot.mouseClick(asking.go, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: shown.tree.topLevelItemCount() == 3)
    return shown


def lines(shown: PlanWindow) -> list[tuple[str, str, str]]:
    tops = [shown.tree.topLevelItem(n) for n in range(shown.tree.topLevelItemCount())]
    items = [item for top in tops for item in (top, *(top.child(n) for n in range(top.childCount())))]
    return [(item.text(0), item.text(1), item.text(2)) for item in items]


def test_a_typed_plan_is_looked_for_in_the_note(window, qtbot):
    shown = opened(window, qtbot)
    first = window.session.evaluation.case.note.sentences[0].text
    assert lines(shown) == [
        ("Goal 1: Drink at weekends only", "–", "? perhaps in the note: better"),
        ("Two evenings a week at most", "", f"? “{first}” (better)"),
        ("Goal 2: Sleep through the night", "–", "· nothing found by the quick check"),
        ("Intervention 1: breathing exercise", "–", "· only the full check looks for this"),
    ]
    assert "Confirmed in the note: 0 of 2 goals in the plan. Perhaps 1 more." in shown.summary.text()
    assert shown.about.text().startswith(thread_trust(thread_rows(window.session.evaluation)))
    assert "link what is missing" in shown.about.text()


def test_what_a_model_read_is_said_to_be_missing(window, qtbot):
    window.plan_judge.read = True
    shown = opened(window, qtbot)
    told = [row[1:] for row in lines(shown)]
    assert told[0] == ("–", "✓ in the note: better")
    assert told[2] == ("turn 2", "✗ in the session, not in the note")
    assert told[3] == ("–", "○ not in the note")
    asked = []
    shown.turn_asked.connect(asked.append)
    shown.tree.itemActivated.emit(shown.tree.topLevelItem(1), 0)
    assert asked == [1]


def test_the_remark_on_a_goal_is_answered_by_a_link(window, qtbot, monkeypatch):
    window.plan_judge.read = True
    shown = opened(window, qtbot)

    def remarks():
        told = [one.ranked.source for one in window.session.findings()]
        return [one.says for one in told if isinstance(one, Remark) and one.kind is RemarkKind.GOAL]

    assert remarks() == [
        "Goal 2 of the treatment plan, “Sleep through the night”, comes up in the session. The note does not mention "
        "it."
    ]
    last = window.session.evaluation.case.note.sentences[-1]
    monkeypatch.setattr(QInputDialog, "getItem", lambda *a: (last.text, True))
    shown.tree.setCurrentItem(shown.tree.topLevelItem(1))
    qtbot.mouseClick(shown.link, Qt.MouseButton.LeftButton)
    assert remarks() == []


def test_a_link_is_confirmed_refused_and_added_and_stays(window, qtbot, monkeypatch):
    shown = opened(window, qtbot)
    shown.tree.setCurrentItem(shown.tree.topLevelItem(0).child(0))
    qtbot.mouseClick(shown.yes, Qt.MouseButton.LeftButton)
    assert lines(shown)[0][2] == "✓ in the note: better"
    assert "1 of 2 goals" in shown.summary.text()
    assert not shown.yes.isEnabled()
    qtbot.mouseClick(shown.no, Qt.MouseButton.LeftButton)
    assert lines(shown)[0][2] == "· nothing found by the quick check"
    last = window.session.evaluation.case.note.sentences[-1]
    monkeypatch.setattr(QInputDialog, "getItem", lambda *a: (last.text, True))
    shown.tree.setCurrentItem(shown.tree.topLevelItem(1))
    qtbot.mouseClick(shown.link, Qt.MouseButton.LeftButton)
    window.session.check()
    qtbot.waitUntil(lambda: not window.session.checking)
    assert lines(shown)[2] == ("", "", f"✓ “{last.text}”")
    decided = tuple(window.session.decisions.values())
    told = evaluation_to_json(window.session.evaluation, decisions=decided)["treatment_plan"]
    assert [(one["sentence"], one["line"], one["probability"]) for one in told["note"]] == [(last.id, "g2", None)]


def test_a_file_is_read_and_one_without_goals_says_how_to_go_on(window, qtbot, tmp_path):
    window.commands["treatment_plan"].trigger()
    asking = window.findChild(PlanDialog)
    (tmp_path / "other.txt").write_text("Client came late.", "utf-8")
    asking.open_plan(tmp_path / "other.txt")
    qtbot.waitUntil(lambda: "no goals were found" in asking.said.text())
    (tmp_path / "plan.txt").write_text(PLAN, "utf-8")
    asking.open_plan(tmp_path / "plan.txt")
    qtbot.waitUntil(lambda: asking.text.toPlainText() == PLAN)
    qtbot.mouseClick(asking.go, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.session.evaluation.thread is not None)
    assert [line.id for line in window.session.plan.lines] == ["g1", "g1.o1", "g2", "i1"]


def test_another_session_leaves_the_plan_behind(window, qtbot):
    opened(window, qtbot)
    window.session.paste_transcript("Therapist: Hello.\nClient: Good morning.")
    qtbot.waitUntil(lambda: window.session.plan is None)


def test_a_plan_that_was_read_too_late_disturbs_nobody(window, qtbot, monkeypatch):
    goes_on = threading.Event()
    monkeypatch.setattr(documents, "read_plan", lambda _: goes_on.wait(10) and documents.parse_plan(PLAN))
    window.commands["treatment_plan"].trigger()
    asking = window.findChild(PlanDialog)
    asking.open_plan(Path("plan.pdf"))
    asking.reject()
    qtbot.waitUntil(lambda: not isValid(asking))
    goes_on.set()
    qtbot.waitUntil(lambda: not window.jobs.busy)
    assert window.session.plan is None
