"""What a set under review is made of comes back as it was."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from noteeval_desktop.batch import Pair
from noteeval_desktop.store.keyed_file import FileKeys
from noteeval_desktop.ui.many.run_store import RunStore

PAIR = Pair("a", Path("/t.vtt"), Path("/n.md"), "Ruth", date="2026-01-12", plan=Path("/plan.txt"), row=3)


@pytest.mark.parametrize(
    "others",
    [None, (), ((Path("/n1.md"), "2026-01-05"), ("Subjective: slept.", ""))],
)
def test_a_pair_comes_back_with_the_clients_other_notes(others, tmp_path: Path) -> None:
    store = RunStore(tmp_path, FileKeys(tmp_path, lambda: None))
    pair = replace(PAIR, others=others, texts={"reference": "Plan: rest."})
    (entry,) = store.entries(store.begin([pair]))
    assert entry.pair == pair
