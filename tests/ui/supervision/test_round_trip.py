"""From a blind review to the signature: two libraries, one case that travels between them."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from noteeval_desktop.ui.supervision.round import Stage
from tests.ui.supervision.conftest import Reviewer


def test_a_review_is_marked_handed_in_and_settled_by_keys(desk, hands, qtbot):
    hands.keep(desk)
    case_id = desk.library.kept.id
    reviewer = Reviewer(desk, qtbot)
    shown = reviewer.open(case_id)
    assert desk.library.kept is None
    assert shown.round.stage is Stage.COMPLETENESS
    reviewer.mark_everything()
    reviewer.hand_in()
    assert shown.round.stage is Stage.DIFFERENCES
    assert shown.round.found
