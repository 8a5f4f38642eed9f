"""The built-in judge tuned to settled reviews, and the practice's own figures beside its marks: real libraries."""

from __future__ import annotations

from typing import Any

import pytest

from noteeval_desktop.domain.thresholds import Thresholds, thresholds_of
from noteeval_desktop.store.library import Library
from noteeval_desktop.ui.over_time.window import OverTimeWindow
from noteeval_desktop.ui.shell.rooms import Trusting
from tests.reviewed_library import fill
from tests.ui.library.conftest import CHEAP, PASSPHRASE


@pytest.fixture
def filled(opened, hands):
    """A window whose library holds so many reviewed notes, unlocked."""

    def make(count: int, **of: Any):
        library = Library.create(hands.folder, PASSPHRASE, cost=CHEAP)[0]
        fill(library, count, **of)
        library.lock()
        hands.cheap(opened).commands["library"].trigger()
        hands.unlock(opened)
        opened.library.list_window.close()
        return opened

    return make


def tuning(window, qtbot) -> OverTimeWindow:
    window.commands["agreement"].trigger()
    qtbot.waitUntil(lambda: any(one.isVisible() for one in window.findChildren(OverTimeWindow)))
    (shown,) = (one for one in window.findChildren(OverTimeWindow) if one.isVisible())
    shown.tabs.setCurrentWidget(shown.tuning)
    qtbot.waitUntil(lambda: shown.tuning.found is not None, timeout=60_000)
    return shown


def test_thirty_settled_reviews_tune_the_judge_and_it_can_be_taken_back(filled, qtbot, judge):
    window = filled(31)
    heard: list[Thresholds] = []
    judge.tune = heard.append
    shown = tuning(window, qtbot)
    claims = next(one for one in shown.tuning.found.proposals if one.threshold is not None)
    assert (claims.changed, claims.to_person, claims.notes) == (31, 31, 31)
    said = [shown.tuning.table.topLevelItem(2).text(column) for column in range(5)]
    assert said[2] == "Yes from 60 %"
    assert said[3].endswith("marks: 31 better, 0 worse")
    assert said[4] == "31 differences become 0"
    shown.use.click()
    qtbot.waitUntil(lambda: heard != [], timeout=60_000)
    assert thresholds_of(window.settings.thresholds) == Thresholds(faithfulness=0.6)
    assert heard[-1] == Thresholds(faithfulness=0.6)
    again = tuning(window, qtbot)
    assert not again.use.isEnabled()
    again.back.click()
    qtbot.waitUntil(lambda: heard[-1] == Thresholds(), timeout=60_000)
    assert window.settings.thresholds == {}


@pytest.mark.parametrize(("count", "settled", "found"), [(2, True, "2 reviews"), (2, False, "0 reviews")])
def test_before_thirty_are_settled_nothing_is_suggested(filled, qtbot, count, settled, found):
    shown = tuning(filled(count, settled=settled), qtbot)
    assert shown.tuning.said.text().startswith(f"{found} settled so far; once there are 30")
    assert not shown.use.isEnabled()
    assert shown.tuning.table.topLevelItemCount() == 0


def test_the_practices_own_reviews_stand_in_the_page_on_trust(filled, hands, qtbot):
    window = filled(6, judge=None)
    trusting = window.findChild(Trusting)
    trusting.show(("faithfulness", ""))
    qtbot.waitUntil(lambda: trusting.page is not None, timeout=60_000)
    [own] = trusting.page.tables
    assert own.accessibleName() == "In your own reviews"
    about, agrees, alpha, _, places = (own.topLevelItem(0).text(column) for column in range(5))
    assert about == "Statements supported"
    assert agrees == "strong"
    assert 0.8 < float(alpha.split()[0]) < 1
    assert int(places) > 6 * 10
    window.commands["lock"].trigger()
    qtbot.waitUntil(lambda: window.library.access.library is None, timeout=60_000)
    assert window.workspace.findings.known.own is None
