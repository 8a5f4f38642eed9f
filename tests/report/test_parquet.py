from __future__ import annotations

import sys
from pathlib import Path

import pytest

from noteeval_desktop import cli
from noteeval_desktop.report.json_layout import evaluation_to_json
from noteeval_desktop.report.parquet import FINDING_COLUMNS, NOTE_COLUMNS, finding_rows, note_row
from tests.batch.scripted_recipe import scripted
from tests.sample_evaluation import SAMPLE, sample_evaluation

ABOUT = {"id": "a", "clinician": "Mara", "source": "Scribe", "date": "", "status": "done", "problem": ""}


def test_a_row_has_the_columns_that_are_promised() -> None:
    data = evaluation_to_json(sample_evaluation())
    assert set(note_row(ABOUT, data)) <= set(NOTE_COLUMNS)
    assert set(NOTE_COLUMNS) - set(note_row(ABOUT, data)) == set()
    rows = list(finding_rows(ABOUT, data))
    assert len(rows) == len(data["findings"]) > 5
    assert all(set(row) == set(FINDING_COLUMNS) for row in rows)


def test_the_tables_hold_the_figures_and_no_text(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    note = SAMPLE / "note.md"
    rows = f"id,transcript,note,clinician\na,{SAMPLE / 'transcript.vtt'},{note},Zoë\nb,none.vtt,{note},\n"
    (tmp_path / "p.csv").write_text(rows, "utf-8")
    out, target = tmp_path / "out", tmp_path / "all.parquet"
    batch = ["batch", "--pairs", str(tmp_path / "p.csv"), "--out-dir", str(out)]
    assert cli.main(batch, lambda *_: scripted()) == 2
    assert cli.main(["aggregate", str(out), "--parquet", str(target)]) == 0
    done, failed = parquet.read_table(target).to_pylist()
    assert (done["id"], done["clinician"], done["completeness"]) == ("a", "Zoë", pytest.approx(20 / 23))
    assert (failed["status"], failed["completeness"], failed["problem"][:9]) == ("failed", None, "none.vtt:")
    findings = parquet.read_table(tmp_path / "all-findings.parquet").to_pylist()
    assert [finding["rank"] for finding in findings] == list(range(1, done["findings"] + 1))
    assert {finding["note"] for finding in findings} == {"a"}
    assert "contradicted" in {finding["verdict"] for finding in findings}
    words = "sertraline"
    assert words in (out / "a.json").read_text("utf-8")
    assert not any(words in str(value) for row in (done, *findings) for value in row.values())


def test_without_the_package_one_line_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert cli.main(["aggregate", str(tmp_path), "--parquet", str(tmp_path / "all.parquet")]) == 2
    assert capsys.readouterr().err == (
        "noteeval: --parquet: needs the package pyarrow. Install it with the extra: noteeval-desktop[analyst].\n"
    )
    assert list(tmp_path.iterdir()) == []
