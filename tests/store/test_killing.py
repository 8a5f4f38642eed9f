from __future__ import annotations

from pathlib import Path

from tests.store.killing import kill_many


def test_nothing_acknowledged_is_lost_when_the_program_is_killed(tmp_path: Path) -> None:
    """25 kills here; tests/benchmarks/kill_store.py does as many as one likes."""
    tally = kill_many(tmp_path / "library", kills=25, seed=11)
    assert tally.acknowledged > 25
    assert tally.unfinished > 2
