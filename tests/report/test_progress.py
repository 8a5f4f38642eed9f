from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path

import pytest
from pypdf import PdfReader

from noteeval_desktop.domain.progress import Marked, Progress, Source, progress
from noteeval_desktop.domain.review import Dimension
from noteeval_desktop.report.draw_pdf import pdf_bytes, write_pdf
from noteeval_desktop.report.progress_page import progress_page, write_progress_csv
from tests.domain.test_progress import RUBRIC, made_marks


def _many(count: int) -> Progress:
    marked: list[Marked] = []
    for number in range(count):
        missing = ("subjective-history",) if number % 2 else ()
        marked.append(made_marks(f"{number:03}", 1 + number % 28, missing=missing, share=0.3 + number % 7 / 10))
        if number % 3 == 0:
            marked.append(made_marks(f"{number:03}", 1 + number % 28, source=Source.SUPERVISOR))
    return progress(marked, RUBRIC)


@pytest.mark.parametrize("count", [0, 1, 2, 200])
def test_the_page_is_drawn_whatever_the_number_of_cases(count: int) -> None:
    reader = PdfReader(io.BytesIO(pdf_bytes(progress_page(_many(count), "Ł. Иванова 王 <b>"))))
    text = " ".join(reader.pages[0].extract_text().split())
    assert f"{count} case" in text
    assert "王" in text
    assert all(not page.images for page in reader.pages)
    if count > 1:
        assert f"History · mandatory Subjective 0 of {(count + 2) // 3} {count // 2} of {count}" in text


def test_csv_has_a_line_a_source_and_a_column_an_item(tmp_path: Path) -> None:
    marks = [made_marks("a", 1, missing=("plan-homework",)), made_marks("a", 1, source=Source.SUPERVISOR, share=None)]
    found = progress([replace(one, label="=1+1", who="@Ünal") for one in marks], RUBRIC)
    write_progress_csv(found, tmp_path / "o.csv", RUBRIC)
    rows = list(csv.DictReader(io.StringIO((tmp_path / "o.csv").read_text("utf-8-sig"))))
    assert [row["source"] for row in rows] == ["supervisor", "judge"]
    assert (rows[0][Dimension.FAITHFULNESS], rows[1][Dimension.FAITHFULNESS]) == ("", "0.5000")
    assert (rows[1]["plan-homework"], rows[0]["plan-homework"]) == ("0", "1")
    assert (rows[0]["case"], rows[0]["who"]) == ("'=1+1", "'@Ünal")


def test_the_file_is_written_whole(tmp_path: Path) -> None:
    write_pdf(progress_page(_many(3), "A"), tmp_path / "o.pdf")
    assert (tmp_path / "o.pdf").read_bytes().startswith(b"%PDF")
    assert [path.name for path in tmp_path.iterdir()] == ["o.pdf"]
