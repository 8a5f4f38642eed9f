from __future__ import annotations

import pytest

from noteeval_desktop.domain.transcript import cite
from noteeval_desktop.domain.verdicts import Omission, OmissionKind, Severity
from noteeval_desktop.research.benchmark_omissions import run_omissions
from noteeval_desktop.research.labelled import Fact, LabelledSession, Note, Turn, transcript_of

TURNS = tuple(Turn(number, "client", "Client", f"We spoke of matter {number}.") for number in range(1, 11))
FACTS = (Fact("F1", "symptom", (2,), ""), Fact("F2", "plan", (9, 10), ""), Fact("F3", "history", (5,), ""))


def session(*covers: str) -> LabelledSession:
    return LabelledSession("a-01", "", TURNS, FACTS, (), (Note("n1", "SOAP", "prose", (), covers, ()),))


def naming(*turns: int) -> list[Omission]:
    """One finding a turn, counted from 0."""
    said = transcript_of(session()).turns
    return [Omission(cite(said[turn]), OmissionKind.SYMPTOM, Severity.LOW) for turn in turns]


def test_only_what_the_note_leaves_out_counts_and_any_of_its_turns_is_a_hit() -> None:
    result = run_omissions([session("F1")], lambda _: naming(1, 9))
    assert (result["facts_left_out"], result["found"]) == (2, 0.5)
    assert result["by_kind"] == {"history": (0.0, 1), "plan": (1.0, 1)}
    assert (result["findings_per_note"], result["findings_right"]) == (2.0, 0.5)


def test_what_is_named_sixth_is_named_too_late() -> None:
    result = run_omissions([session("F2", "F3")], lambda _: naming(2, 3, 5, 6, 7, 1))
    assert result["found"] == 0.0


def test_chance_is_what_as_many_turns_at_random_would_hit() -> None:
    result = run_omissions([session("F1", "F3")], lambda _: naming(0, 2, 3))
    assert result["chance"] == pytest.approx(1 - (8 * 7 * 6) / (10 * 9 * 8))


def test_where_nothing_is_left_out_there_is_no_share() -> None:
    result = run_omissions([session("F1", "F2", "F3")], lambda _: naming(0))
    assert (result["found"], result["interval"], result["chance"]) == (None, None, None)
