"""Panes keep their shares: the note stays the largest, and what the reader dragged stays as it was dragged."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QWidget

from noteeval_desktop.ui.widgets.panes import Panes

SHARES = (300, 540, 440)


@pytest.fixture
def make(qtbot):
    def made(shown: bool = True, width: int = 1282) -> Panes:
        panes = Panes(SHARES, lambda: 430)
        qtbot.addWidget(panes)
        panes.setHandleWidth(1)
        for least in (200, 320, 370):
            pane = QWidget()
            pane.setMinimumWidth(least)
            panes.addWidget(pane)
        panes.resize(width, 600)
        if shown:
            panes.show()
        return panes

    return made


def test_a_window_made_small_and_large_again_has_the_panes_that_it_had(make) -> None:
    panes = make()
    before = panes.sizes()
    assert before == list(SHARES)
    panes.resize(960, 500)
    assert panes.sizes()[-1] >= 430
    panes.resize(1282, 600)
    assert panes.sizes() == before


def test_panes_that_cannot_give_the_last_what_it_needs_keep_their_shares(make) -> None:
    panes = make(width=1282)
    panes._last_needs = lambda: 900
    panes.suit(1.5)
    panes.want(0, True)
    assert panes.sizes() == list(SHARES)


def test_a_last_pane_that_the_reader_made_narrow_stays_narrow(make) -> None:
    panes = make()
    panes.moveSplitter(1282 - 375, 2)
    dragged = panes.sizes()
    assert dragged[-1] < 430
    panes.resize(1600, 600)
    panes.resize(1282, 600)
    assert panes.sizes() == dragged


def test_sizes_come_back_at_the_next_start_also_where_no_case_was_opened(make) -> None:
    first = make()
    first.moveSplitter(400, 1)
    state = first.saveState()
    unused = make(shown=False)
    unused.restoreState(state)
    last = make(shown=False)
    last.restoreState(unused.saveState())
    last.show()
    assert last.sizes() == first.sizes()


def test_panes_kept_in_a_wider_window_give_way_to_the_last_in_a_narrower_one(make) -> None:
    """Else the next start on a smaller screen would take it for narrowed by the reader."""
    wide = make(width=1000)
    assert wide.sizes()[-1] == 430
    narrow = make(shown=False, width=970)
    narrow.restoreState(wide.saveState())
    narrow.show()
    assert narrow.sizes()[-1] == 430


def test_panes_that_were_never_shown_keep_nothing(make) -> None:
    assert make(shown=False).saveState().isEmpty()


def test_a_pane_is_widened_and_narrowed_without_dragging(make) -> None:
    shown = make()
    before = shown.sizes()
    shown.widen(1, 40)
    assert shown.sizes()[1] == before[1] + 40
    shown.widen(1, -40)
    assert shown.sizes() == before
    for _ in range(60):
        shown.widen(1, -40)
    assert shown.sizes()[1] == 320
