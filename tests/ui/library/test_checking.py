from __future__ import annotations

from pathlib import Path

from noteeval_desktop.ui.case.checking import CheckedWindow


def test_a_scorecard_is_checked_against_its_case_in_the_library(desk, hands, qtbot, tmp_path: Path) -> None:
    hands.keep(desk, "Fall Ünal")
    hands.settle(desk)
    path = tmp_path / "card.pdf"
    desk.files.export_to(desk.session.evaluation, path, "pdf")
    hands.settle(desk)
    desk.opening.close_case()
    desk.checking.check(path)
    qtbot.waitUntil(lambda: bool(desk.findChildren(CheckedWindow)), timeout=20_000)
    (shown,) = desk.findChildren(CheckedWindow)
    assert "“Fall Ünal” in the library" in shown.against.text()
    assert "matches the case" in shown.verdict.text()
