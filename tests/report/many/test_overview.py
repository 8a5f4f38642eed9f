"""Figures over many notes, and the files that they become."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

import openpyxl
import pytest
from pypdf import PdfReader

from noteeval_desktop.domain.findings import open_risk
from noteeval_desktop.domain.harm import Harm
from noteeval_desktop.domain.note_rows import NoteRow
from noteeval_desktop.domain.silencing import listed
from noteeval_desktop.measures.agreement import difference
from noteeval_desktop.report.draw_html import html
from noteeval_desktop.report.draw_pdf import pdf_bytes, write_pdf
from noteeval_desktop.report.json_layout import evaluation_to_json
from noteeval_desktop.report.many.comparison import comparison, paired
from noteeval_desktop.report.many.figures import overview
from noteeval_desktop.report.many.notes_table import COLUMNS, write_notes_csv, write_xlsx
from noteeval_desktop.report.many.overview_page import overview_page
from noteeval_desktop.report.many.reading import row_of
from tests.sample_evaluation import sample_evaluation


def row(name="a", **changes) -> NoteRow:
    known = NoteRow(
        name,
        clinician="Ruth Meyer",
        source="Scribe One",
        month="2026-03",
        session=f"session of {name}",
        judge="builtin x",
        shares=(0.5, 0.9, 0.8),
        sections={"plan": (0.25, 1.0, 0.5)},
        missing=("plan-follow-up",),
        mandatory=("plan-follow-up",),
        judged=("plan-follow-up", "plan-homework"),
        wrong=("unsupported plan plan",),
        seconds=1.0,
    )
    return replace(known, **changes)


def figure(made, key):
    return next(figure for figure in made.figures if figure.key == key)


def test_a_row_counts_what_the_evaluation_found():
    evaluation = sample_evaluation()
    data = json.loads(json.dumps(evaluation_to_json(evaluation)))
    made = row_of(data, {"id": "07", "clinician": "Ruth Meyer", "date": "2026-03-14"})
    assert (made.id, made.clinician, made.month) == ("07", "Ruth Meyer", "2026-03")
    assert made.shares[0] == data["scores"]["completeness"]["note"]
    wrong = [s for s in data["sentences"] if s["verdict"] in ("unsupported", "contradicted")]
    assert len(made.wrong) == len(wrong) > 0
    still_open = listed(evaluation, {}).open
    assert len(made.open_risks) == open_risk(evaluation, still_open).count > 0


def test_what_is_no_evaluation_is_refused():
    with pytest.raises(ValueError, match="KeyError"):
        row_of({"scores": {}})


def test_names_are_hidden_unless_they_are_asked_for(rubric):
    rows = [row(f"Anna Weber {n}") for n in range(6)]
    shut, open_ = overview(rows, rubric), overview(rows, rubric, names=True)
    assert "Weber" not in html(overview_page(shut))
    assert "Meyer" not in html(overview_page(shut))
    assert "Anna Weber 3" in html(overview_page(open_))
    assert figure(shut, "clinician").rows[0][0] == "Clinician 1"
    assert figure(open_, "clinician").rows[0][0] == "Ruth Meyer"


@pytest.mark.parametrize(("notes", "shown"), [(4, False), (5, True)])
def test_a_clinician_with_fewer_than_five_notes_is_not_shown_alone(rubric, notes, shown):
    rows = [row(f"a{n}") for n in range(9)] + [row(f"b{n}", clinician="Few Notes") for n in range(notes)]
    names = [line[0] for line in figure(overview(rows, rubric, names=True), "clinician").rows]
    assert ("Few Notes" in names) is shown


def test_clinicians_with_few_notes_come_together_where_they_are_enough(rubric):
    rows = [row(f"{who}{n}", clinician=who) for who in ("Ada", "Ben", "Cleo") for n in range(2)]
    assert figure(overview(rows, rubric, names=True), "clinician").rows[0][:2] == ("3 others", 6)


def test_copied_text_is_shown_of_clinicians_with_five_compared_notes(rubric, tmp_path):
    rows = [row(f"a{n}", copied=n / 10) for n in range(5)]
    rows += [row(f"b{n}", clinician="Few Compared", copied=0.9 if n < 4 else None) for n in range(9)]
    made = figure(overview(rows, rubric, names=True), "copied")
    assert made.rows == (("Ruth Meyer", 5, pytest.approx(0.2)),)
    assert [(bar.label, bar.values, bar.texts) for bar in made.bars] == [("Ruth Meyer (5)", (0.2,), ("20 %",))]
    assert "copied" not in {one.key for one in overview([row()], rubric).figures}
    write_notes_csv(rows[3:6], tmp_path / "n.csv")
    lines = list(csv.DictReader(io.StringIO((tmp_path / "n.csv").read_text("utf-8-sig"))))
    assert {line["note"]: line["copied"] for line in lines} == {"a3": "0.3000", "a4": "0.4000", "b0": "0.9000"}


def test_distribution_counts_every_note_once_with_its_edges(rubric):
    rows = [row(shares=(share, None, None)) for share in (0.0, 0.1, 0.1999, 0.3, 1.0)]
    made = overview(rows, rubric)
    assert [n for _, n in figure(made, "completeness").rows] == [1, 2, 0, 1, 0, 0, 0, 0, 0, 1]
    assert all(one.key != "conciseness" for one in made.figures)


def test_missing_items_are_shares_of_the_notes_in_which_they_were_checked(rubric):
    rows = [row(), row("b", missing=(), mandatory=()), row("c", judged=(), missing=(), mandatory=())]
    made = overview(rows, rubric)
    assert figure(made, "missing").rows == (("Follow-up", "Plan", 1, 2, 0.5),)
    assert figure(made, "missing").said == "Follow-up: not found in 50 % of the notes."
    assert all(one.key != "missing-others" for one in made.figures)


def test_other_items_stand_apart_from_what_a_note_must_hold(rubric):
    items = ("plan-follow-up", "subjective-homework", "general-safety")
    made = overview([row(missing=items, judged=items)], rubric)
    assert [bar.label for bar in figure(made, "missing").bars] == ["Follow-up, Plan", "Safety assessed and addressed"]
    assert [bar.label for bar in figure(made, "missing-others").bars] == ["Homework review, Subjective"]


def test_no_label_of_a_bar_is_cut_in_the_pdf(rubric):
    must = tuple(item.id for item in rubric.items if item.importance.value == "mandatory")
    wrong = (f"unsupported {Harm.TREATMENT.value} plan",)
    made = overview([row(missing=must, judged=must, wrong=wrong)], rubric)
    text = PdfReader(io.BytesIO(pdf_bytes(overview_page(made)))).pages[0].extract_text()
    assert "Safety assessed and addressed" in text
    assert "Not in the session: medication or diagnosis" in text
    assert "…" not in text


def test_open_risks_are_said_first(rubric):
    made = overview([row(), row("b", open_risks=("self-harm", "self-harm"), risks=2)], rubric)
    assert made.said[0] == "1 of 2 notes leaves a risk unaddressed."
    assert figure(made, "risk").rows == (("Self-harm", 1),)


def test_scores_of_different_judges_are_not_passed_off_as_comparable(rubric):
    assert any("cannot be compared" in said for said in overview([row(), row("b", judge="local y")], rubric).said)


def test_paired_difference_is_the_mean_of_the_pairs_with_its_interval():
    """By hand: 0.1, 0.3 and 0.2 give 0.2; every resample lies between the least and the largest."""
    made = difference([0.5, 0.5, 0.5, None], [0.6, 0.8, 0.7, 0.9])
    assert (made.n, round(made.mean, 9)) == (3, 0.2)
    assert 0.0999 < made.low < made.mean < made.high < 0.3001
    assert difference([None], [0.5]).mean is None


def test_sets_are_paired_by_session_and_otherwise_by_name():
    a, b = [row("one"), row("two")], [row("other", session="session of one"), row("two", session="")]
    assert [(x.id, y.id) for x, y in paired(a, b)] == [("one", "other")]
    assert paired([row("x", session="")], [row("x", session="s")])
    assert not paired([row("x")], [row("y")])


def test_a_clear_difference_is_told_from_chance():
    a = [row(str(n), shares=(0.4 + n / 100, 0.9, 0.8)) for n in range(12)]
    b = [replace(one, shares=(one.shares[0] + 0.2, 0.9, 0.8)) for one in a]
    made = comparison(a, b, ("Before", "After"), difference)
    assert made.said[-1] == "In After: completeness higher. The rest may be due to chance."
    assert made.figures[0].rows[0][4] == "+20.0 points"


def test_nearly_no_difference_has_no_minus():
    a, b = ([row(str(n), shares=(0.4 - less, 0.9, 0.8)) for n in range(12)] for less in (0.0, 1e-6))
    assert comparison(a, b, ("Before", "After"), difference).figures[0].rows[0][4] == "+0.0 points"


def test_the_page_takes_nothing_from_elsewhere_and_keeps_markup_as_text(rubric):
    text = html(overview_page(overview([row("<script>x</script>")], rubric, names=True)))
    assert "<script" not in text
    assert "://" not in text
    assert "&lt;script&gt;" in text
    assert text.count("<svg") == text.count("<summary>As a table")


@pytest.mark.parametrize("notes", [1, 400])
def test_the_pdf_has_two_pages_at_most(rubric, tmp_path, notes):
    rows = [row(f"n{n}", clinician=f"Clinician {n % 40}", month=f"20{20 + n % 6}-0{1 + n % 9}") for n in range(notes)]
    write_pdf(overview_page(overview(rows, rubric)), tmp_path / "o.pdf")
    assert len(PdfReader(tmp_path / "o.pdf").pages) <= 2


def test_the_pdf_of_no_note_says_so(rubric):
    assert pdf_bytes(overview_page(overview([], rubric))).startswith(b"%PDF")


@pytest.mark.parametrize("name", ["=HYPERLINK(1)", "+1", "@x", "-1", "\tx"])
def test_no_name_becomes_a_formula(rubric, tmp_path, name):
    made = overview([row(name, clinician=name, source=name)], rubric, names=True)
    write_xlsx(made, tmp_path / "o.xlsx")
    write_notes_csv(made.notes, tmp_path / "o.csv")
    for sheet in openpyxl.load_workbook(tmp_path / "o.xlsx"):
        assert all(cell.data_type != "f" for line in sheet for cell in line)
    assert openpyxl.load_workbook(tmp_path / "o.xlsx")["Notes"]["A2"].value.startswith("'")
    lines = list(csv.reader((tmp_path / "o.csv").read_text("utf-8-sig").splitlines()))
    assert lines[0] == list(COLUMNS)
    assert lines[1][0].startswith("'")


def test_a_workbook_keeps_shares_as_numbers(rubric, tmp_path):
    write_xlsx(overview([row()], rubric), tmp_path / "o.xlsx")
    sheet = openpyxl.load_workbook(tmp_path / "o.xlsx")["Notes"]
    assert sheet["E2"].value == 0.5
    assert sheet["E2"].number_format == "0 %"


@pytest.mark.parametrize(
    ("shares", "said"),
    [
        ((0.22,) * 4, "The typical note is at 22 %; half of the notes or more are at 22 %."),
        ((0.1, 0.2, 0.4, 0.51), "The typical note is at 30 %; half of the notes lie between 18 % and 43 %."),
        ((0.3, 0.3), "The typical note is at 30 %."),
    ],
)
def test_the_spread_of_notes_that_score_alike_is_no_range(rubric, shares, said) -> None:
    rows = [row(str(n), shares=(share, None, None)) for n, share in enumerate(shares)]
    assert figure(overview(rows, rubric), "completeness").said == said
