"""A practice's own checklist, read from NoteEval's file or from a table as forms have them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from openpyxl import Workbook

from noteeval_desktop.documents import read_checklist
from noteeval_desktop.documents.checklists import checklist_bytes
from noteeval_desktop.domain.case import Visit
from noteeval_desktop.domain.note import Section
from noteeval_desktop.domain.rubric import Importance, Rubric
from noteeval_desktop.errors import InputError
from tests.sample_evaluation import sample_rubric

TN_EVAL = sample_rubric()
TABLE = (
    ("Element", "What must be there", "Section", "Required", "Owner"),
    ("Start and stop time", "Both clock times.", "Header", "yes", "Billing"),
    ("Client’s goals", "What the client wants.", "S", "should", ""),
    ("Safety plan", "", "Plan", "if applicable", ""),
)


def _csv(rows: Sequence[Sequence[str]]) -> str:
    return "\n".join(",".join(f'"{cell}"' for cell in row) for row in rows)


def _markdown(rows: Sequence[Sequence[str]]) -> str:
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([lines[0], "|" + "---|" * len(rows[0]), *lines[1:]])


def _written(folder: Path, kind: str, rows: Sequence[Sequence[str]] = TABLE, title: str = "") -> Path:
    path = folder / f"Agency form.{kind}"
    if kind == "xlsx":
        book = Workbook()
        sheet = book.active
        assert sheet is not None
        for row in [(title,), (), *rows] if title else rows:
            sheet.append(list(row))
        book.save(path)
    else:
        said = _csv(rows) if kind == "csv" else f"# {title}\n\n" * bool(title) + _markdown(rows)
        path.write_text(said, encoding="utf-8-sig" if kind == "csv" else "utf-8")
    return path


@pytest.mark.parametrize("kind", ["csv", "md", "xlsx"])
def test_a_form_is_read_with_its_own_words_for_columns(tmp_path: Path, kind: str) -> None:
    found = read_checklist(_written(tmp_path, kind), TN_EVAL)
    assert (found.rubric.name, found.rubric.version, found.problems) == ("Agency form", "1", ())
    told = [(i.id, i.section, i.importance, i.name, i.description, i.rule) for i in found.rubric.items]
    assert told == [
        ("note-start-and-stop-time", None, Importance.MANDATORY, "Start and stop time", "Both clock times.", "times"),
        (
            "subjective-client-s-goals",
            Section.SUBJECTIVE,
            Importance.RECOMMENDED,
            "Client’s goals",
            "What the client wants.",
            "",
        ),
        ("plan-safety-plan", Section.PLAN, Importance.CONDITIONAL, "Safety plan", "Safety plan", ""),
    ]
    assert found.notices == ("The column “Owner” is not used.",)


@pytest.mark.parametrize("kind", ["md", "xlsx"])
def test_a_title_above_the_table_names_the_checklist(tmp_path: Path, kind: str) -> None:
    assert read_checklist(_written(tmp_path, kind, title="Riverside audit"), TN_EVAL).rubric.name == "Riverside audit"


def test_an_item_of_tn_eval_stays_that_item(tmp_path: Path) -> None:
    rows = (
        ("Item", "Section", "Description"),
        ("chief complaint", "Subjective", ""),
        ("History", "Subjective", "Ours."),
    )
    items = read_checklist(_written(tmp_path, "csv", rows), TN_EVAL).rubric.items
    assert items[0].id == "subjective-chief-complaint"
    assert items[0].explained == TN_EVAL.item("subjective-chief-complaint").explained
    assert items[1].description == "Ours."
    assert items[1].id == "subjective-history-2"  # asked in other words it is another item


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        (("", "Both times.", "", ""), "Row 3: the item has no text."),
        (("start", "", "", ""), "Row 3: “start” is already in row 2."),
        (("Other", "", "", "perhaps"), "Row 3: “perhaps” is not must, should or may."),
        (("Other", "x" * 1001, "", ""), "Row 3: the item is longer than 1,000 characters."),
    ],
)
def test_a_row_that_is_wrong_is_named_and_nothing_else_is_lost(
    tmp_path: Path, row: tuple[str, ...], problem: str
) -> None:
    rows = (("Item", "Description", "Section", "Required"), ("Start", "", "", ""), row, ("End", "", "", ""))
    found = read_checklist(_written(tmp_path, "csv", rows), TN_EVAL)
    assert found.problems == (problem,)
    assert [item.name for item in found.rubric.items] == ["Start", row[0], "End"]


def test_two_rows_of_one_id_are_not_taken_for_two_items(tmp_path: Path) -> None:
    rows = (("Id", "Item"), ("a", "Fee"), ("a", "Copay"))
    assert read_checklist(_written(tmp_path, "csv", rows), TN_EVAL).problems == ("Row 3: its id is that of row 2.",)


def test_the_colon_of_a_form_is_not_part_of_its_name(tmp_path: Path) -> None:
    rows = (("Item:",), ("Chief complaint:",), ("Date:",), ("Referral source:",))
    items = read_checklist(_written(tmp_path, "csv", rows), TN_EVAL).rubric.items
    assert [(one.id, one.name, one.rule) for one in items] == [
        ("subjective-chief-complaint", "Chief complaint", ""),
        ("note-date", "Date", "date"),
        ("note-referral-source", "Referral source", ""),
    ]


def test_an_empty_first_cell_keeps_its_column(tmp_path: Path) -> None:
    path = tmp_path / "form.md"
    path.write_text("|Section|Item|\n|---|---|\n||Sleep|\n|Plan|Next visit|\n", encoding="utf-8")
    items = read_checklist(path, TN_EVAL).rubric.items
    assert [(one.section, one.name) for one in items] == [(None, "Sleep"), (Section.PLAN, "Next visit")]


def test_an_unknown_section_is_said_and_looked_for_in_the_whole_note(tmp_path: Path) -> None:
    rows = (("Item", "Section"), ("Fee", "Billing"), ("Copay", "Billing"))
    found = read_checklist(_written(tmp_path, "csv", rows), TN_EVAL)
    assert [item.section for item in found.rubric.items] == [None, None]
    assert found.notices[0].startswith("“Billing” is not Subjective, Objective, Assessment or Plan: 2 items")


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.csv", "\n,,\n", "is empty"),
        ("a.csv", "Colour,Size\nred,4\n", "has no column for the items"),
        ("a.csv", "Item,Section\n", "has columns but no items"),
        ("a.csv", 'Item\n"Start\n', "a quotation mark that is never closed"),
        ("a.json", '{"schema": "noteeval.checklist/2"}', "was written by a newer version of NoteEval"),
        ("a.json", '{"schema": "noteeval.evaluation/1"}', "is not a checklist"),
        ("a.json", "[1]", "is not a checklist"),
        ("a.json", '{"schema": "noteeval.checklist/1", "name": "A", "version": "1"}', "is damaged"),
        ("a.json", '{"schema": "noteeval.checklist/1", "name": 5, "version": "1", "items": []}', "is damaged"),
        ("a.xlsx", "PK\x03\x04 not a workbook", "a.xlsx"),
    ],
)
def test_what_is_no_checklist_is_refused_in_a_sentence(tmp_path: Path, name: str, content: str, said: str) -> None:
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=said):
        read_checklist(path, TN_EVAL)


def test_one_without_items_says_so(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('{"schema": "noteeval.checklist/1", "name": "A", "version": "1", "items": []}', encoding="utf-8")
    assert read_checklist(path, TN_EVAL).problems == ("It has no items.",)


def test_a_rule_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    item = {"id": "note-a", "section": "general", "importance": "mandatory", "name": "A", "description": "A."}
    data = {"schema": "noteeval.checklist/1", "name": "A", "version": "1", "items": [item | {"rule": "handwriting"}]}
    path = tmp_path / "a.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(InputError, match="the rule “handwriting”"):
        read_checklist(path, TN_EVAL)


def test_what_is_exported_is_read_back_whole(tmp_path: Path) -> None:
    rows = (
        ("Item", "Note format", "Visit", "Rule"),
        ("Fee", "dap, soap", "intake", ""),
        ("PHQ-9", "", "later", "score"),
    )
    rubric = read_checklist(_written(tmp_path, "csv", rows), TN_EVAL).rubric
    assert [(i.formats, i.visit, i.rule) for i in rubric.items] == [
        (("DAP", "SOAP"), Visit.FIRST, ""),
        ((), Visit.LATER, "score"),
    ]
    path = tmp_path / "out.json"
    path.write_bytes(checklist_bytes(rubric))
    assert read_checklist(path, TN_EVAL).rubric == rubric
    assert read_checklist(path, TN_EVAL).rubric.fingerprint == rubric.fingerprint


def test_the_fingerprint_changes_with_all_that_a_verdict_rests_on(tmp_path: Path) -> None:
    variants: list[Rubric] = []
    for cells in (
        ("Fee", "", "", "Plan"),
        ("Fee", "dap", "", "Plan"),
        ("Fee", "", "first", "Plan"),
        ("Fee", "", "", ""),
    ):
        rows = (("Item", "Note format", "Visit", "Section"), cells)
        variants.append(read_checklist(_written(tmp_path, "csv", rows), TN_EVAL).rubric)
    assert len({rubric.fingerprint for rubric in variants}) == len(variants)
