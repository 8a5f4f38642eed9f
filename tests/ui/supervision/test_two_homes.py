"""One note between two homes, by keys alone: sent, reviewed, signed, sent back, and every sentence of the PDF."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pypdf
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel

from noteeval_desktop.store import signing
from noteeval_desktop.store.audit import Event
from noteeval_desktop.store.records import Labels
from noteeval_desktop.ui.scorecard.pdf_dialog import ChoosePdf
from noteeval_desktop.ui.supervision.endings import AskRater, Sign
from noteeval_desktop.ui.supervision.passes import Stage
from tests.ui.supervision.conftest import RISK, TRAVEL, Reviewer, mark_what_is_asked, submit


@pytest.fixture
def files(monkeypatch, tmp_path):
    """Whatever is saved goes where it is offered, in one folder; the last case file is what is opened."""
    offered: list[str] = []

    def save(_, __, name, *___):
        offered.append(Path(name).name)
        return str(tmp_path / offered[-1]), ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", save)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(tmp_path / offered[-1]), ""))
    return offered


def _type(field, text: str, *, enter: bool = False) -> None:
    QTest.keyClicks(field, text)
    if enter:
        QTest.keyClick(field, Qt.Key.Key_Return)


def _exported(window, hands, asking) -> None:
    for field in (asking().first, asking().second):
        field.setText(TRAVEL)
    QTest.keyClick(asking().second, Qt.Key.Key_Return)
    hands.settle(window)


def _imported(window, hands):
    """The list, with what the file brought still on screen."""
    shown = hands.list(window)
    shown.acts.importing.trigger()
    shown.acts.asking.passphrase.setText(TRAVEL)
    QTest.keyClick(shown.acts.asking.passphrase, Qt.Key.Key_Return)
    hands.settle(window)
    return shown


def test_a_note_goes_to_its_supervisor_and_comes_home_signed(
    desk, judge, hands, supervisor, there, qtbot, tmp_path, files
):
    judge.dangers, judge.identity = (RISK,), replace(judge.identity, version="2")
    with qtbot.waitSignal(desk.session.evaluation_finished, timeout=10_000):
        desk.session.check()
    hands.keep(desk, "Fall 7")
    case_id = desk.library.kept.id
    desk.library.access.library.cases.set_labels(case_id, Labels("Fall 7", "Kim Alden"))
    submit(desk, hands)
    desk.supervision.export(case_id)
    hands.settle(desk)
    _exported(desk, hands, lambda: desk.supervision.sending.asking)
    assert files == ["Fall 7.noteeval-case"]

    # The supervisor's home.
    shown = _imported(supervisor, there)
    QTest.keyClick(shown.acts.asking, Qt.Key.Key_Escape)
    assert shown.list.topLevelItem(0).text(4) == "Submitted"
    QTest.keyClick(shown.list, Qt.Key.Key_Return)
    there.settle(supervisor)
    QTest.keyClick(supervisor.library.asking, Qt.Key.Key_Return)
    there.settle(supervisor)
    asks = supervisor.supervision.dialog
    assert isinstance(asks, AskRater)
    _type(asks.name, "Dr Quinn", enter=True)
    there.settle(supervisor)
    reviewer = Reviewer(supervisor, qtbot)
    reviewer.shown = review = supervisor.supervision.reviews[-1]
    qtbot.waitExposed(review)
    assert review.whose.text() == "Dr Quinn · blind"
    reviewer.type("o")
    reviewer.comment("How often, by the session?")
    mark_what_is_asked(reviewer)
    reviewer.hand_in()
    assert review.session.stage is Stage.DIFFERENCES
    assert "Marked, not answered" in review.whose.text()
    reviewer.settle_all("K")
    reviewer.step_to(Stage.ANSWER)
    assert review.panel.title.text().startswith("You marked this note on ")
    reviewer.type("a")
    there.settle(supervisor)
    signs = review.endings.dialog
    assert isinstance(signs, Sign)
    assert any("• The note says the opposite: Suicide" in said.text() for said in signs.findChildren(QLabel))
    _type(signs.credentials, "PsyD")
    signs.passphrase.setText(reviewer.passphrase)
    QTest.keyClick(signs.passphrase, Qt.Key.Key_Return)
    there.settle(supervisor)
    assert review.panel.title.text().startswith("You approved this note on ")
    assert "· Approved ·" in review.whose.text()
    reviewer.type("p")
    pdf = next(one for one in review.findChildren(ChoosePdf))
    QTest.keyClick(pdf, Qt.Key.Key_Return)
    there.settle(supervisor)
    reviewer.type("x")
    there.settle(supervisor)
    _exported(supervisor, there, lambda: review.endings.file.asking)
    assert files[1:] == ["Fall 7 scorecard.pdf", "Fall 7.noteeval-case"]
    review.close()
    there.settle(supervisor)
    listed = there.list(supervisor)
    assert listed.list.topLevelItem(0).text(4) == "Approved"
    listed.close()

    # Home again: the code is compared once, and stands where the name stands until then.
    shown = _imported(desk, hands)
    arrived = shown.acts.asking
    code = signing.fingerprint(supervisor.library.access.library.supervision.public_key())
    assert any("Submitted → Approved" in line for line in arrived.lines)
    assert code in [field.text() for field in arrived.findChildren(type(arrived.name))]
    _type(arrived.name, "Quinn", enter=True)
    hands.settle(desk)
    assert shown.list.topLevelItem(0).text(4) == "Approved"
    QTest.keyClick(shown.list, Qt.Key.Key_Return)
    hands.settle(desk)
    qtbot.waitUntil(lambda: "Dr Quinn, PsyD approved this note on " in desk.banner.text)
    assert "It has 1 comment." in desk.banner.text
    desk.commands["feedback"].trigger()
    hands.settle(desk)
    feedback = desk.supervision.feedback_window
    assert feedback.head.text().startswith("Dr Quinn, PsyD approved this note on ")
    rows = [row.spoken for row in feedback.rows]
    assert any("Your note says the opposite." in row for row in rows)
    at = next(n for n, row in enumerate(feedback.rows) if row.title.startswith("Found by the check"))
    assert all("opposite" not in row for row in rows[at:])
    feedback.close()
    steps = [one for one in supervisor.library.access.library.audit.entries() if one.event is Event.STATUS]
    assert [one.detail for one in steps] == ["approved"]
    said = " ".join(" ".join(page.extract_text().split()) for page in pypdf.PdfReader(tmp_path / files[1]).pages)
    assert "From Dr Quinn, submitted on" in said
    assert "Risk. The note says the opposite: suicide (turn 3)." in said
    assert "without seeing the judge's marks" in said
    assert "Dr Quinn, PsyD approved this note on" in said
    assert QApplication.activeModalWidget() is None
