"""Errors marked phrase by phrase: rates by length, and equation 2 with the weights of table 9."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from noteeval_desktop import cli
from noteeval_desktop.errors import InputError
from noteeval_desktop.research.key_phrases import read_marked

HEAD = "note,section,hallucinated,omitted,words,reference_words"
GRADED = "critical,non_critical,spelling,sentences,reference_sentences"


def test_rates_are_by_words_and_quality_by_sentences(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = ["a,HPI,2,3,100,150,1,3,12,10,12", "b,exam,0,1,50,0,0,0,0,0,0"]
    (tmp_path / "p.csv").write_text("\n".join([f"{HEAD},{GRADED}", *rows]), "utf-8")
    out = tmp_path / "o.json"
    assert cli.main(["facts", "--phrases", str(tmp_path / "p.csv"), "--json", str(out)]) == 0
    data = json.loads(out.read_text("utf-8"))
    first, second = data["notes"]
    assert (first["hallucination_count"], first["omission_count"]) == (0.02, 0.02)
    # One critical error, three thirds, twelve twelfths, over the longer text's twelve sentences.
    assert first["quality"] == pytest.approx(1 - 3 / 12)
    assert (second["omission_count"], second["quality"]) == (None, None)
    assert data["mean"] == {"hallucination_count": 0.01, "omission_count": 0.02, "quality": 0.75}
    assert data["sections"]["hpi"]["quality"] == 0.75
    assert "Quality" in capsys.readouterr().out


def test_without_grades_there_is_no_quality(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text(f"{HEAD}\na,,2,3,100,150\n", "utf-8")
    (note,) = read_marked(tmp_path / "p.csv")
    assert note.rates() == {"hallucination_count": 0.02, "omission_count": 0.02, "quality": None}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (f"{HEAD}\n", "holds no counts"),
        (f"{HEAD}\na,,2,3,many,150\n", "line 2: words is not a whole number"),
        ("note,hallucinated\na,1\n", "has no column"),
    ],
)
def test_a_table_that_cannot_be_is_refused(tmp_path: Path, text: str, problem: str) -> None:
    (tmp_path / "p.csv").write_text(text, "utf-8")
    with pytest.raises(InputError, match=problem):
        read_marked(tmp_path / "p.csv")
