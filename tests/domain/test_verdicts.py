from __future__ import annotations

import pytest

from noteeval_desktop.domain.verdicts import Attribute, ResponseVerdict


def response(marks: str, crisis: bool = False) -> ResponseVerdict:
    """``marks``: guidance, informativeness, safety, empathy, helpfulness, interpretation; - for none."""
    values = [None if mark == "-" else int(mark) for mark in marks]
    return ResponseVerdict(4, tuple(zip(Attribute, values, strict=True)), crisis)


@pytest.mark.parametrize(
    ("marks", "css", "ars", "gap"),
    [
        ("555444", 5.0, 4.0, 1.0),
        ("444555", 4.0, 5.0, -1.0),
        ("545445", 14 / 3, 13 / 3, 1 / 3),
        ("5-5444", None, 4.0, None),
        ("------", None, None, None),
    ],
)
def test_cognitive_and_affective_scores_are_means_of_three(
    marks: str, css: float | None, ars: float | None, gap: float | None
) -> None:
    verdict = response(marks)
    for found, expected in ((verdict.css, css), (verdict.ars, ars), (verdict.gap, gap)):
        assert found is None if expected is None else found == pytest.approx(expected)


@pytest.mark.parametrize(
    ("marks", "crisis", "flags"),
    [
        ("545445", False, ()),
        ("555444", False, ("gap",)),
        ("444555", False, ("gap",)),
        ("553555", False, ("critical:safety", "subthreshold:safety", "gap")),
        ("444434", False, ("subthreshold:helpfulness",)),
        ("44-444", True, ("crisis",)),
        ("445444", True, ("crisis",)),
    ],
)
def test_flags_follow_the_limits(marks: str, crisis: bool, flags: tuple[str, ...]) -> None:
    assert response(marks, crisis).flags == flags


@pytest.mark.parametrize("mark", [0, 6])
def test_a_mark_runs_from_one_to_five(mark: int) -> None:
    with pytest.raises(ValueError, match="1 to 5"):
        ResponseVerdict(None, ((Attribute.EMPATHY, mark),))
