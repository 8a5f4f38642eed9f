"""Composed sessions: how they are read, and that those that ship are sound."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from noteeval_desktop import paths
from noteeval_desktop.domain.note import Section
from noteeval_desktop.errors import InputError
from noteeval_desktop.measures.composed import CHANGE_OF, Error, Truth, load_composed

SESSION = {
    "name": "one",
    "turns": [{"role": "therapist", "text": "Any beer? 😀"}, {"role": "client", "text": "None since May."}],
    "note": {
        "plan": [{"text": "RTC 2 wks.", "truth": "true"}],
        "subjective": [
            {"text": "Denies alcohol. Since May.", "truth": "true"},
            {"text": "Drinks beer 🍺.", "truth": "false", "error": "opposite"},
        ],
        "objective": [{"text": "Calm.", "truth": "observed"}],
    },
}


def test_claims_keep_their_words_and_their_truth(tmp_path: Path) -> None:
    file = tmp_path / "one.json"
    file.write_text(json.dumps([SESSION]), encoding="utf-8")
    (session,) = load_composed(file)
    assert [(claim.sentence.text, claim.truth, claim.error) for claim in session.claims] == [
        ("Denies alcohol. Since May.", Truth.TRUE, None),
        ("Drinks beer 🍺.", Truth.FALSE, Error.OPPOSITE),
        ("Calm.", Truth.OBSERVED, None),
        ("RTC 2 wks.", Truth.TRUE, None),
    ]
    assert [claim.sentence.section for claim in session.claims][-1] is Section.PLAN
    text = session.case.note.text
    assert all(claim.sentence.span.of(text) == claim.sentence.text for claim in session.claims)
    assert session.case.transcript.turns[0].text == "Any beer? 😀"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("no JSON", "is not JSON"),
        ('{"a": 1}', "holds no composed sessions"),
        ('[{"name": "x", "turns": [], "note": {"plan": [{"text": "a", "truth": "perhaps"}]}}]', "ValueError"),
        ('[{"name": "x", "turns": [], "note": {"plan": [{"text": "a", "truth": "false", "error": "odd"}]}}]', "Value"),
    ],
)
def test_what_is_no_such_file_is_told(content: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "bad.json"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=said):
        load_composed(file)
    with pytest.raises(InputError, match="cannot be read"):
        load_composed(tmp_path / "none.json")


@pytest.mark.parametrize("name", ["training.json", "held_out.json"])
def test_those_that_ship_are_whole(name: str) -> None:
    sessions = load_composed(paths.resources() / "composed" / name)
    claims = [claim for session in sessions for claim in session.claims]
    assert len({session.name for session in sessions}) == len(sessions)
    assert all((claim.truth is Truth.FALSE) == (claim.error is not None) for claim in claims)
    assert {claim.error for claim in claims if claim.error} == set(CHANGE_OF)
    true, false = (sum(claim.truth is truth for claim in claims) for truth in (Truth.TRUE, Truth.FALSE))
    assert 0.4 < true / (true + false) < 0.6


def test_none_is_both_learned_from_and_measured_with() -> None:
    learned, held_out = (
        load_composed(paths.resources() / "composed" / f"{name}.json") for name in ("training", "held_out")
    )
    said = {turn.text for session in learned for turn in session.case.transcript.turns if len(turn.text) > 40}
    assert not said & {turn.text for session in held_out for turn in session.case.transcript.turns}
