from __future__ import annotations

import csv
from pathlib import Path

import pytest

from noteeval_desktop.errors import InputError
from noteeval_desktop.measures import mts_dialog
from noteeval_desktop.measures.reference_metrics import METRICS, rouge


def _write(path: Path, rows: list[list[object]]) -> Path:
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        csv.writer(file).writerows(rows)
    return path


@pytest.fixture
def summaries(tmp_path: Path) -> Path:
    texts = ["the client sleeps badly", "the client sleeps", "nothing of this", ""]
    rows: list[list[object]] = [["Reference Summary", "Automatic Summary"]]
    rows += [["the client sleeps badly", text] for text in texts]
    manual: list[list[object]] = [list(mts_dialog.MANUAL)]
    manual += [[1, recall, recall, 0, 1 - recall] for recall in (1.0, 0.75, 0.0, 0.0)]
    _write(tmp_path / mts_dialog.MANUAL_FILE, manual)
    return _write(tmp_path / "summaries.csv", rows)


def test_rouge_of_known_texts() -> None:
    scores = rouge("the client sleeps badly", "the client sleeps")
    assert set(scores) == set(METRICS)
    assert (scores["ROUGE-1-P"], scores["ROUGE-1-R"]) == (1.0, 0.75)
    assert scores["ROUGE-2-R"] == pytest.approx(2 / 3)


def test_recall_follows_the_counted_facts(summaries: Path) -> None:
    result = mts_dialog.run(summaries)["correlations"]["ROUGE-1-R"]
    assert result["FactualRecall"]["r"] == pytest.approx(1.0)
    assert result["OmissionRate"]["r"] == pytest.approx(-1.0)
    assert result["FactualRecall"]["published"] == 0.57
    assert result["HallucinationRate"]["r"] is None


def test_the_table_has_a_line_for_every_metric(summaries: Path) -> None:
    lines = mts_dialog.as_table(mts_dialog.run(summaries)).splitlines()
    assert [line.split()[0] for line in lines[1:-1]] == list(METRICS)


def test_files_that_do_not_belong_together_are_refused(summaries: Path) -> None:
    _write(summaries.with_name(mts_dialog.MANUAL_FILE), [list(mts_dialog.MANUAL), [1, 1, 1, 0, 0]])
    with pytest.raises(InputError, match="has 4 rows, the manual scores 1"):
        mts_dialog.run(summaries)
