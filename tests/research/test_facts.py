from __future__ import annotations

from pathlib import Path

import pytest

from noteeval_desktop.errors import InputError
from noteeval_desktop.research.facts import (
    FactCounts,
    aggregate_score,
    means,
    pooled,
    rater_agreement,
    read_annotations,
)

# Six facts of the note: four right, one wrong, one made up. Of the reference's eight three are left out.
COUNTS = FactCounts(correct=4, incorrect=1, hallucinated=1, omitted=3, reference=8)


def test_rates_are_those_of_the_paper() -> None:
    assert COUNTS.system == 6
    assert COUNTS.precision == pytest.approx(4 / 6)
    assert COUNTS.recall == pytest.approx(4 / 8)
    assert COUNTS.f1 == pytest.approx(2 * (4 / 6) * 0.5 / (4 / 6 + 0.5))
    assert COUNTS.hallucination_rate == pytest.approx(1 / 6)
    assert COUNTS.omission_rate == pytest.approx(3 / 8)
    assert COUNTS.aggregate == pytest.approx((2 * 4 / 7 - 1 / 6 - 3 / 8) / 4)


def test_a_note_without_an_error_has_the_highest_aggregate() -> None:
    assert FactCounts(3, 0, 0, 0, 3).aggregate == 0.5


def test_the_aggregate_of_correlations_is_the_paper_s() -> None:
    """ROUGE-1-R in table 2: F1 0.53, hallucinations 0.02, omissions -0.60, aggregate 0.41."""
    assert aggregate_score(0.53, 0.02, -0.60) == pytest.approx(0.41, abs=0.005)
    assert aggregate_score(None, 0.1, 0.1) is None


def test_nothing_to_divide_by_is_no_rate() -> None:
    empty = FactCounts(0, 0, 0, 0, 0)
    assert {v for k, v in empty.as_json().items() if k in ("factual_precision", "factual_f1", "aggregate")} == {None}


def test_recall_is_of_the_reference_s_facts_where_they_were_looked_for() -> None:
    """One sentence of the note may hold two of the reference."""
    assert FactCounts(1, 0, 0, 0, 2, found=2).recall == 1.0


def test_pooled_counts_facts_and_means_count_notes() -> None:
    short = FactCounts(0, 0, 2, 2, 2)
    assert pooled([COUNTS, short]).precision == pytest.approx(4 / 8)
    assert means([COUNTS, short])["factual_precision"] == pytest.approx((4 / 6 + 0) / 2)


def test_a_table_of_counts_is_read_with_its_sections(tmp_path: Path) -> None:
    table = tmp_path / "counts.csv"
    table.write_text(
        "\ufeffNote;Section;Correct;Incorrect;Hallucinated;Omitted;Reference\nb1;Plan;4;1;1;3;8\nb1;;5;1;1;4;10\n",
        "utf-8",
    )
    first, second = read_annotations(table)
    assert (first.note, first.section, first.counts) == ("b1", "plan", COUNTS)
    assert (second.section, second.counts.reference) == ("", 10)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("note,correct\na,1\n", "has no column incorrect"),
        ("note,correct,incorrect,hallucinated,omitted,reference\n", "holds no counts"),
        ("note,correct,incorrect,hallucinated,omitted,reference\na,1,0,0,0,two\n", "line 2: reference is not a whole"),
        ("note,correct,incorrect,hallucinated,omitted,reference\na,1,0,0,3,2\n", "line 2: more facts are omitted"),
        ("note,correct,incorrect,hallucinated,omitted,reference\na,1\n", "line 2: incorrect is not a whole"),
    ],
)
def test_a_table_that_cannot_be_is_refused_by_line(tmp_path: Path, text: str, problem: str) -> None:
    table = tmp_path / "counts.csv"
    table.write_text(text, "utf-8")
    with pytest.raises(InputError, match=problem):
        read_annotations(table)


def test_raters_are_compared_pair_by_pair(tmp_path: Path) -> None:
    """Kim and Lee agree on two of three notes; Max counts one fact more than Kim everywhere."""
    counts = {"Kim": (1, 2, 3), "Lee": (1, 2, 5), "Max": (2, 3, 4)}
    rows = [f"n{n},{rater},{own},0,0,0,9" for rater, given in counts.items() for n, own in enumerate(given)]
    table = tmp_path / "counts.csv"
    table.write_text("\n".join(["note,rater,correct,incorrect,hallucinated,omitted,reference", *rows]), "utf-8")
    parts = read_annotations(table)
    correct = rater_agreement(parts)["correct"]
    assert correct["f1_0"] == pytest.approx((2 / 3 + 0 + 0) / 3, abs=1e-4)
    assert correct["f1_1"] == pytest.approx((2 / 3 + 1 + 1) / 3, abs=1e-4)
    assert correct["f1_2"] == 1.0
    # Cohen: (2/3 - 2/9) / (1 - 2/9) of Kim and Lee.
    kim_and_lee = rater_agreement([part for part in parts if part.rater != "Max"])["correct"]
    assert kim_and_lee["kappa"] == pytest.approx(4 / 7, abs=1e-4)
    assert kim_and_lee["pearson"] == pytest.approx(0.9608, abs=1e-4)
    # Nothing varies: no correlation, which is not one of 0.
    assert rater_agreement(parts)["omitted"]["pearson"] is None
    assert rater_agreement([part for part in parts if part.rater == "Kim"]) == {}
