"""The window over a real encrypted library, with what is asked of it done at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from noteeval_desktop.domain.thresholds import Thresholds
from noteeval_desktop.store.audit import Event
from noteeval_desktop.store.library import Library
from noteeval_desktop.ui.over_time.window import OverTimeWindow
from noteeval_desktop.ui.widgets.jobs import problem
from tests.sample_evaluation import sample_rubric
from tests.ui.library.conftest import CHEAP, PASSPHRASE, desk, hands

__all__ = ["desk", "hands"]


class StraightAccess:
    """Runs what is asked at once: the window's own doing, without a job runner."""

    cost = CHEAP

    def __init__(self, library: Library) -> None:
        self.library = library

    def run(self, act, done=lambda _: None, failed=None, lane=None) -> None:
        try:
            result = act(self.library)
        except Exception as error:
            assert failed is not None
            failed(error)
        else:
            done(result)

    def run_for(self, owner, act, done, say, lane=None) -> None:
        self.run(act, done, lambda error: say(problem(error)), lane)

    def note_export(self, what: str, case_id: str = "") -> None:
        self.library.record(Event.EXPORTED, case_id, what)


@pytest.fixture
def library(tmp_path: Path):
    made, _ = Library.create(tmp_path / "library", PASSPHRASE, cost=CHEAP)
    yield made
    made.lock()


@pytest.fixture
def show(library: Library, qtbot):
    """Opens the window at a page."""

    def open_it(page: str):
        access = StraightAccess(library)
        window = OverTimeWindow(access, sample_rubric(), Thresholds(), None)  # type: ignore[arg-type]
        qtbot.addWidget(window)
        shown = getattr(window, page)
        window.tabs.setCurrentWidget(shown)
        window.show()
        return shown

    return open_it
