"""Nobody signs for somebody else: names and keys, in two windows over two libraries."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from noteeval_desktop.domain.standing import CaseStatus
from noteeval_desktop.store.records import Pending
from noteeval_desktop.store.supervision import Rater
from noteeval_desktop.ui.supervision import work
from tests.ui.supervision.conftest import TRAVEL, Reviewer, imported, receive, send, submit


@pytest.fixture
def sent(desk, hands, supervisor, there, tmp_path) -> str:
    hands.keep(desk)
    case_id = desk.library.kept.id
    submit(desk, hands)
    return case_id


def _forged(desk, hands, supervisor, qtbot, path, case_id) -> None:
    """The author marks, settles and signs as Dr Quinn, and sends that to Dr Quinn."""
    supervisor.library.access.library.supervision.set_rater(Rater("Dr Quinn", "PsyD"))
    author = Reviewer(desk, qtbot, "Dr Quinn")
    author.open(case_id)
    author.mark_everything()
    author.hand_in()
    author.settle_all("K")
    author.sign("PsyD")
    assert desk.library.access.library.cases.summary(case_id).status is CaseStatus.APPROVED
    send(desk, hands, case_id, path)


def test_an_approval_in_the_supervisors_name_is_an_alarm_on_her_machine(
    sent, desk, hands, supervisor, there, qtbot, tmp_path
):
    _forged(desk, hands, supervisor, qtbot, tmp_path / "one.noteeval-case", sent)
    shown = there.list(supervisor)
    shown.acts.import_from(tmp_path / "one.noteeval-case")
    shown.acts.asking.passphrase.setText(TRAVEL)
    shown.acts.asking.go.click()
    there.settle(supervisor)
    told = shown.acts.asking.lines
    assert told[0].startswith("⚠ A review says that it is by “Dr Quinn”, but it is signed with a different key")
    assert "It is not counted anywhere" in told[0]
    assert shown.list.topLevelItem(0).text(4) == "Submitted"
    library = supervisor.library.access.library
    assert library.cases.summary(sent).pending is Pending.WAITING
    assert work.rated(library, "", lambda: False) == ()
    assert work.feedback(library, sent).review is None
    shown.close()
    supervisor.library._load(sent, spoiling=True)
    there.settle(supervisor)
    assert "says that it is by “Dr Quinn”" in supervisor.banner.text
    assert "approved this note" not in supervisor.banner.text


def test_a_name_that_came_with_another_key_is_not_taken(sent, desk, hands, supervisor, there, qtbot, tmp_path):
    send(desk, hands, sent, tmp_path / "one.noteeval-case")
    receive(supervisor, there, tmp_path / "one.noteeval-case")
    reviewer = Reviewer(supervisor, qtbot, "Dr Quinn")
    reviewer.open(sent)
    reviewer.mark_everything()
    reviewer.hand_in()
    reviewer.answer("R")
    send(supervisor, there, sent, tmp_path / "two.noteeval-case")
    receive(desk, hands, tmp_path / "two.noteeval-case")
    desk.supervision.review_case(sent, anew=True)
    hands.settle(desk)
    asks = desk.supervision.dialog
    asks.name.setText("quinn")
    QTest.keyClick(asks.name, Qt.Key.Key_Return)
    hands.settle(desk)
    assert asks.isVisible()
    assert "nobody can sign for somebody else" in asks.said.text()
    asks.reject()


def test_signing_asks_for_the_passphrase_and_for_ones_own_name(sent, desk, qtbot):
    reviewer = Reviewer(desk, qtbot, "Dr. Zizek")
    shown = reviewer.open(sent)
    reviewer.mark_everything()
    reviewer.hand_in()
    assert "a second person gives it" in shown.panel.detail.text() or reviewer.step_to(shown.session.stages[-1]) is None
    assert "A" not in [choice.key for choice in shown.page.choices]
    reviewer.of_somebody_else()
    reviewer.type("a")
    reviewer.settle()
    asks: Any = shown.endings.dialog
    asks.credentials.setText("PsyD")
    for typed, said in (("", "Enter the passphrase of your library"), ("not the one", "The passphrase is wrong")):
        asks.passphrase.setText(typed)
        QTest.keyClick(asks, Qt.Key.Key_Return)
        reviewer.settle()
        assert said in asks.said.text()
        assert asks.passphrase.text() == ""
    cases = desk.library.access.library.cases
    assert cases.summary(sent).status is CaseStatus.SUBMITTED
    imported(desk.library.access.library, sent, False)
    shown.session.shown = replace(shown.session.shown, own_note=True)
    asks.passphrase.setText(reviewer.passphrase)
    QTest.keyClick(asks, Qt.Key.Key_Return)
    reviewer.settle()
    assert "written in this library" in asks.said.text()
    assert cases.reviews(sent)[-1].signature is None
    asks.reject()
