from __future__ import annotations

import json

import pytest

from noteeval_desktop import paths
from noteeval_desktop.domain.behaviours import Behaviour, MiCounts
from noteeval_desktop.domain.exchanges import ScoredExchange
from noteeval_desktop.domain.verdicts import Attribute, ResponseVerdict
from noteeval_desktop.measures.responses import bands_of, session_values, share_at_or_below

EXCHANGE = ScoredExchange((0,), (ResponseVerdict(1, tuple((attribute, 4) for attribute in Attribute)),))


def counts(opened: int, closed: int, simple: int, deep: int) -> MiCounts:
    questions = (Behaviour.OPEN_QUESTION, Behaviour.CLOSED_QUESTION)
    kinds = (*questions, Behaviour.SIMPLE_REFLECTION, Behaviour.COMPLEX_REFLECTION)
    return MiCounts(tuple(zip(kinds, (opened, closed, simple, deep), strict=True)), 0.4, ())


@pytest.mark.parametrize(("value", "share"), [(0.5, 0.0), (1, 0.0), (2, 0.5), (2.5, 0.75), (3, 1.0), (9, 1.0)])
def test_a_value_lies_among_the_quantiles_in_proportion(value: float, share: float) -> None:
    assert share_at_or_below((1, 2, 3), value) == share


def test_equal_quantiles_are_no_trouble() -> None:
    assert share_at_or_below((0, 0, 0, 1), 0) == pytest.approx(2 / 3)


def test_ratios_and_their_usual_thresholds() -> None:
    bands = {band.name: band for band in bands_of((EXCHANGE,), counts(3, 1, 2, 4))}
    to_questions = bands["reflections_to_questions"]
    assert (to_questions.value, to_questions.fair, to_questions.strong) == (1.5, 1.0, 2.0)
    assert (bands["complex_reflections"].fair, bands["complex_reflections"].strong) == (0.4, 0.5)
    assert bands["affective"].value == 4
    assert 0 <= bands["affective"].weak <= 1


def test_nothing_is_said_of_two_turns() -> None:
    assert set(session_values((), counts(1, 1, 1, 1))) == set()


def test_the_shipped_quantiles_rise_and_name_every_measure_and_their_source() -> None:
    data = json.loads((paths.resources() / "response_bands.json").read_text("utf-8"))
    assert set(data["quantiles"]) == set(session_values((EXCHANGE,), counts(3, 3, 3, 3)))
    assert all(own == sorted(own) for groups in data["quantiles"].values() for own in groups.values())
    assert "AnnoMI" in data["source"]
