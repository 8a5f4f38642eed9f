from __future__ import annotations

import pytest

from noteeval_desktop.domain.verdicts import Attribute, Confidence, Opinion, ResponseVerdict, confidence_of, differ


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


def test_the_worst_and_the_best_mark_are_marks() -> None:
    assert [response(mark * 6).css for mark in "15"] == [1.0, 5.0]
    assert ResponseVerdict(None, ()).flags == ()


@pytest.mark.parametrize(
    ("probability", "confidence"),
    [
        (None, None),
        *((one, Confidence.SURE) for one in (0.0, 0.1, 0.9, 1.0)),
        *((one, Confidence.LIKELY) for one in (0.11, 0.3, 0.7, 0.89)),
        *((one, Confidence.UNSURE) for one in (0.36, 0.5, 0.64)),
    ],
)
def test_how_sure_a_model_is_goes_by_how_far_it_is_from_even_chances(
    probability: float | None, confidence: Confidence | None
) -> None:
    assert confidence_of(probability) is confidence


def test_judges_differ_where_two_answered_and_not_alike() -> None:
    yes, no, silent = Opinion("builtin", "supported"), Opinion("local", "unsupported"), Opinion("remote", "")
    assert differ((yes, no))
    assert differ((yes, no, silent))
    assert not any(map(differ, [(), (yes,), (yes, yes), (yes, silent)]))
