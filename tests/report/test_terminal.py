from __future__ import annotations

import io

import pytest

from noteeval_desktop.domain.phrases import duration
from noteeval_desktop.present.card import scorecard
from noteeval_desktop.report.terminal import ProgressBar, evaluation_table, table
from tests.sample_evaluation import sample_evaluation, sample_rubric


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_the_bar_is_silent_where_nobody_watches() -> None:
    stream = io.StringIO()
    bar = ProgressBar(stream)
    bar.show("Claims", 1, 2)
    bar.clear()
    assert stream.getvalue() == ""


def test_the_bar_shows_what_is_left_and_wipes_itself() -> None:
    stream = _Terminal()
    bar = ProgressBar(stream, clock=lambda: 0.0)
    bar.show("Claims", 6, 12, 200.0)
    assert "Claims     [############............] 6 of 12, 3 min left" in stream.getvalue()
    bar.clear()
    assert stream.getvalue().endswith(" \r")


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.2, "1 s"), (45, "45 s"), (200, "3 min"), (3600, "1 h"), (7500, "2 h 5 min")]
)
def test_durations(seconds: float, words: str) -> None:
    assert duration(seconds) == words


def test_columns_line_up() -> None:
    assert table([["a", "b"], ["long", "x"]]) == "a     b\nlong  x"


def test_findings_are_counted_behind_what_they_are() -> None:
    lines = evaluation_table(scorecard(sample_evaluation(), sample_rubric())).splitlines()
    (first,) = (number for number, line in enumerate(lines) if line.startswith("To fix"))
    assert lines[first].endswith("Contradicted by the session: 4")
    assert lines[-1].endswith("For the record: not about the session: 2")
