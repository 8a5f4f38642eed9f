"""Composed sessions: how they are read, and that those that ship are sound."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from noteeval_desktop import paths
from noteeval_desktop.domain.note import Section
from noteeval_desktop.domain.transcript import Role
from noteeval_desktop.errors import InputError
from noteeval_desktop.research.composed import Error, Truth, load_composed

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


@pytest.mark.parametrize("name", ["training.json", "twins.json", "held_out.json", "held_out_twins.json"])
def test_those_that_ship_are_whole(name: str) -> None:
    sessions = load_composed(paths.resources() / "composed" / name)
    claims = [claim for session in sessions for claim in session.claims]
    assert len({session.name for session in sessions}) == len(sessions)
    assert all((claim.truth is Truth.FALSE) == (claim.error is not None) for claim in claims)
    assert {claim.error for claim in claims if claim.error} == set(Error)
    true, false = (sum(claim.truth is truth for claim in claims) for truth in (Truth.TRUE, Truth.FALSE))
    assert 0.4 < true / (true + false) < 0.6


def test_none_is_both_learned_from_and_measured_with() -> None:
    folder = paths.resources() / "composed"
    learned = [turn for name in ("training", "twins") for turn in _long_turns(folder / f"{name}.json")]
    held_out = [turn for name in ("held_out", "held_out_twins") for turn in _long_turns(folder / f"{name}.json")]
    assert not set(learned) & set(held_out)


def test_a_partner_in_the_session_is_no_client() -> None:
    sessions = load_composed(paths.resources() / "composed" / "twins.json")
    others = {turn.speaker for one in sessions for turn in one.case.transcript.turns if turn.role is Role.OTHER}
    assert others == {"Partner", "Mother"}


def _long_turns(file: Path) -> list[str]:
    return [turn.text for one in load_composed(file) for turn in one.case.transcript.turns if len(turn.text) > 40]
