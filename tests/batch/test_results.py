"""`noteeval aggregate`, and the statistics that hold no evaluation."""

from __future__ import annotations

import json
import random
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean, quantiles
from typing import Any

import pyarrow as pa
import pytest

from noteeval_desktop import cli
from noteeval_desktop.batch.results import Aggregate, Entry, aggregate_json, entries
from noteeval_desktop.commands.run import load_rubric
from noteeval_desktop.measures.aggregate import Summary
from noteeval_desktop.report.many.figures import overview
from noteeval_desktop.report.many.reading import row_of
from noteeval_desktop.report.parquet import ABOUT, FINDING_COLUMNS, NOTE_COLUMNS, finding_rows, note_row
from tests.batch.scripted_recipe import scripted
from tests.sample_evaluation import SAMPLE

T, N = str(SAMPLE / "transcript.vtt"), str(SAMPLE / "note.md")


def evaluation(shares: tuple[float | None, float | None, float | None]) -> dict:
    names = ("completeness", "conciseness", "faithfulness")
    scores: dict = {name: {"note": share} for name, share in zip(names, shares, strict=True)}
    scores["faithfulness"] |= {"contradicted": 1, "unsupported": 0, "by_severity": {"high": 1}}
    item = {"item": "plan-next", "importance": "mandatory", "present": (shares[0] or 0) > 0.5}
    omission = {"kind": "risk", "severity": "high"}
    rows = {"checklist": [item], "sentences": [{"verdict": "contradicted"}], "omissions": [omission], "usage": {}}
    return {"judge": {"kind": "x"}, "scores": scores, **rows}


@pytest.mark.parametrize("number", [1, 2, 3, 100, 1001])
def test_the_statistics_are_those_of_all_values_together(number: int) -> None:
    dice, total = random.Random(number), Summary()
    values = [dice.randrange(24) / 23 for _ in range(number)]
    for value in values:
        total.add(evaluation((value, None, value)))
    result = total.result()
    expected = quantiles(values, n=4, method="inclusive") if number > 1 else values * 3
    found = result["distributions"]["completeness"]
    assert [found[name] for name in ("lower_quartile", "median", "upper_quartile")] == expected
    assert (found["min"], found["max"]) == (min(values), max(values))
    assert found["histogram"] == [sum(min(9, int(v * 10)) == place for v in values) for place in range(10)]
    assert result["means"] == {"completeness": fmean(values), "conciseness": None, "faithfulness": fmean(values)}
    assert result["hallucinations"]["by_severity"]["high"] == result["omissions"]["risk"] == number


def test_memory_does_not_grow_with_the_number_of_notes() -> None:
    def notes(number: int) -> Iterator[Entry]:
        dice = random.Random(5)
        for one in range(number):
            share = dice.randrange(24) / 23
            found = evaluation((share, share, share))
            yield Entry(f"n{one}", "done", clinician=f"Clinician {one % 9}", evaluation=found)

    def most(number: int) -> int:
        tracemalloc.start()
        for _ in aggregate_json(notes(number), Aggregate()):
            continue
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return peak

    most(100)
    assert most(3_000) < most(300) + 50_000


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows = f"id,transcript,note,clinician,source\nb,{T},{N},Mara,Scribe\na,{T},{N},Jon,\nc,none.vtt,{N},Jon,\n"
    (tmp_path / "p.csv").write_text(rows, "utf-8")
    arguments = ["--pairs", str(tmp_path / "p.csv"), "--out-dir", str(tmp_path / "out")]
    assert cli.main(["batch", *arguments, "--aggregate", str(tmp_path / "all.json")], lambda *_: scripted()) == 2
    return tmp_path


def aggregated(folder: Path, *more: str) -> dict:
    assert cli.main(["aggregate", *more, "--json", str(folder / "again.json")]) == 0
    return json.loads((folder / "again.json").read_text("utf-8"))


def test_a_folder_gives_the_summary_that_the_batch_gave(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "out" / "notes.json").write_text('{"subjective": "no evaluation"}', "utf-8")
    capsys.readouterr()
    assert aggregated(folder, str(folder / "out")) == json.loads((folder / "all.json").read_text("utf-8"))
    printed = capsys.readouterr().out.splitlines()
    assert [case["source"] for case in aggregated(folder, str(folder / "out"))["cases"]] == ["Scribe", None, None]
    assert [line.split() for line in printed[:2]] == [["Done", "2"], ["Failed", "1"]]
    assert printed[3].split() == ["Completeness", "87%", "87%"]


def test_results_without_a_ledger_and_of_several_folders_count(folder: Path) -> None:
    other = folder / "other"
    other.mkdir()
    (other / "a.json").write_bytes((folder / "out" / "a.json").read_bytes())
    found = aggregated(folder, str(folder / "out"), str(other))
    assert [(case["id"], case["clinician"], case["status"]) for case in found["cases"]] == [
        ("b", "Mara", "done"),
        ("a", "Jon", "done"),
        ("c", "Jon", "failed"),
        ("a", None, "done"),
    ]
    assert found["summary"]["evaluations"] == 3
    assert set(found["clinicians"]) == {"Jon", "Mara"}


@pytest.mark.parametrize(
    "damage", [b"", b'{"schema": "noteeval.evaluation/1", "case"', b'{"schema": "noteeval.evaluation/1"}']
)
def test_a_damaged_result_of_which_no_ledger_tells_is_counted(folder: Path, damage: bytes) -> None:
    """Or a folder that was copied in part looks whole."""
    other = folder / "other"
    other.mkdir()
    (other / "a.json").write_bytes((folder / "out" / "a.json").read_bytes())
    (other / "b.json").write_bytes(damage)
    (other / "settings.json").write_text('{"theme": "dark"}', "utf-8")
    told = [(case["id"], case["status"], case["problem"]) for case in aggregated(folder, str(other))["cases"]]
    assert told == [("a", "done", None), ("b", "failed", "This file is damaged. Check the note again.")]


def test_the_overview_names_no_clinician_and_comes_as_page_pdf_and_workbook(folder: Path) -> None:
    outputs = [word for kind in ("html", "pdf", "csv", "xlsx") for word in (f"--{kind}", str(folder / f"o.{kind}"))]
    assert cli.main(["aggregate", str(folder / "out"), *outputs]) == 0
    assert (folder / "o.pdf").read_bytes().startswith(b"%PDF")
    assert (folder / "o.xlsx").read_bytes().startswith(b"PK")
    page = (folder / "o.html").read_text("utf-8")
    assert "Mara" not in page
    assert "87" in page


def test_a_result_that_is_lost_is_told_and_not_counted(folder: Path) -> None:
    (folder / "out" / "a.json").write_text("{", "utf-8")
    found = aggregated(folder, str(folder / "out"))
    assert "--resume" in found["cases"][1]["problem"]
    assert (found["cases"][1]["status"], found["summary"]["evaluations"]) == ("incomplete", 1)


def test_half_a_line_of_a_run_that_was_killed_is_no_case(folder: Path) -> None:
    with (folder / "out" / "cases.jsonl").open("a", encoding="utf-8") as ledger:
        ledger.write('{"row": 4, "id"')
    assert len(aggregated(folder, str(folder / "out"))["cases"]) == 3


@pytest.mark.parametrize(("name", "said"), [("none", "there is no such folder"), (".", "holds no result of a batch")])
def test_a_folder_without_results_is_told(
    name: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["aggregate", str(tmp_path / name)]) == 2
    assert said in capsys.readouterr().err


def test_shards_share_out_a_list_by_session_and_meet_in_one_folder(tmp_path: Path) -> None:
    rows = ["id,transcript,note"]
    for number in range(12):
        (tmp_path / f"s{number % 5}.vtt").write_bytes((SAMPLE / "transcript.vtt").read_bytes())
        rows.append(f"n{number:02},s{number % 5}.vtt,{N}")
    (tmp_path / "p.csv").write_text("\n".join(rows), "utf-8")
    parts = []
    for part in ("1/3", "2/3", "3/3"):
        before = set((tmp_path / "out").glob("*.json"))
        arguments = ["--pairs", str(tmp_path / "p.csv"), "--out-dir", str(tmp_path / "out"), "--shard", part]
        assert cli.main(["batch", *arguments], lambda *_: scripted()) == 0
        parts.append({int(path.stem[1:]) % 5 for path in set((tmp_path / "out").glob("*.json")) - before})
    assert parts == [{0, 3}, {1, 4}, {2}]
    found = aggregated(tmp_path, str(tmp_path / "out"))
    assert [case["id"] for case in found["cases"]] == [f"n{number:02}" for number in range(12)]


@pytest.mark.parametrize("part", ["0/3", "4/3", "2", "a/b", "-1/2", "1/0"])
def test_a_part_that_is_none_is_refused(part: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["batch", "--pairs", "p.csv", "--out-dir", "out", f"--shard={part}"]) == 2
    assert "write 2/8 for the second of eight parts" in capsys.readouterr().err


@pytest.mark.parametrize(
    "line",
    [
        b"\xff\xfe\n",
        b"not json\n",
        b"[" * 100_000 + b"\n",
        b"[]\n",
        b"{}\n",
        b'{"row": "1", "id": "x"}\n',
        b'{"row": 7, "id": "../x", "clinician": "", "source": "", "date": "", "status": "done", "problem": "", '
        b'"reference": null, "written": true}\n',
        b'{"row": 7, "id": "x", "clinician": ["a"], "source": "", "date": "", "status": "done", "problem": "", '
        b'"reference": null, "written": false}\n',
        b'{"row": 7, "id": "x", "clinician": "", "source": "", "date": "", "status": "done", "problem": "", '
        b'"reference": {"rouge": "high"}, "written": false}\n',
    ],
)
def test_a_bad_line_of_a_ledger_is_one_bad_line(folder: Path, line: bytes) -> None:
    before = aggregated(folder, str(folder / "out"))["cases"]
    ledger = folder / "out" / "cases.jsonl"
    whole = ledger.read_bytes().splitlines(keepends=True)
    ledger.write_bytes(b"".join([whole[0], line, *whole[1:]]))
    after = aggregated(folder, str(folder / "out"))["cases"]
    assert [case for case in after if not case["id"].startswith("cases.jsonl")] == before
    (bad,) = [case for case in after if case["id"] == "cases.jsonl, line 2"]
    assert (bad["status"], bad["problem"]) == ("failed", "This line is damaged. Run the batch again with --resume.")


def places(data: Any) -> Iterator[tuple[Any, Any]]:
    for key, value in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        yield data, key
        yield from places(value)


def test_a_damaged_result_is_one_that_is_missing_whatever_is_damaged(folder: Path) -> None:
    """Every output is made of what is left; nothing of it may fail."""
    path, dice = folder / "out" / "a.json", random.Random(22)
    whole = path.read_text("utf-8")
    rubric = load_rubric()
    for _ in range(250):
        data = json.loads(whole)
        where, key = dice.choice(list(places(data)))
        where[key] = dice.choice(["x", 5, -3, 1e308, None, [], {}, [[]], True, {"a": {}}, "\ud800"])
        path.write_text(json.dumps(data), "utf-8")
        found = list(entries([folder / "out"]))
        assert [entry.id for entry in found] == ["b", "a", "c"]
        "".join(aggregate_json(found, Aggregate()))
        about = {name: "" for name in ABOUT}
        read = [entry.evaluation for entry in found if entry.evaluation is not None]
        overview([row_of(one, about) for one in read], rubric, names=False, unfinished=0)
        for one in read:
            for columns, rows in ((NOTE_COLUMNS, [note_row(about, one)]), (FINDING_COLUMNS, finding_rows(about, one))):
                pa.Table.from_pylist(
                    list(rows), schema=pa.schema([(n, pa.type_for_alias(k)) for n, k in columns.items()])
                )


@pytest.mark.parametrize(
    "damage", [b"", b"{", b"[" * 100_000, b"\xff", b"null", b"[]", b'{"schema": "noteeval.evaluation/1"}']
)
def test_a_result_that_cannot_be_read_is_told_as_lost(folder: Path, damage: bytes) -> None:
    (folder / "out" / "a.json").write_bytes(damage)
    found = {case["id"]: case for case in aggregated(folder, str(folder / "out"))["cases"]}
    assert found["a"]["problem"].startswith("Its result is missing or damaged.")
    assert found["b"]["status"] == "done"
