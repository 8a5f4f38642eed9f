from __future__ import annotations

from dataclasses import replace

import pytest

from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import Citation, Role, Transcript, Turn, cite

TURNS = (
    Turn(0, "Ana", Role.THERAPIST, "How was it? 😀", 3_725.9),
    Turn(1, "Bo", Role.CLIENT, "Gut – besser."),
    Turn(2, "Unknown", Role.OTHER, "Hm."),
)
SESSION = Transcript(TURNS)


def test_turns_count_from_zero_without_a_gap() -> None:
    with pytest.raises(ValueError, match="numbered"):
        Transcript(TURNS[1:])


def test_the_time_is_told_in_whole_seconds() -> None:
    assert [turn.time for turn in TURNS] == ["01:02:05", None, None]


@pytest.mark.parametrize(
    ("old", "new", "roles"),
    [
        ("Unknown", "Bo", [Role.THERAPIST, Role.CLIENT, Role.CLIENT]),
        ("Unknown", "Cid", [Role.THERAPIST, Role.CLIENT, Role.OTHER]),
        ("Bo", "Ana", [Role.THERAPIST, Role.THERAPIST, Role.OTHER]),
    ],
)
def test_renaming_onto_a_speaker_makes_them_one(old: str, new: str, roles: list[Role]) -> None:
    renamed = SESSION.with_speaker_renamed(old, new)
    assert [turn.role for turn in renamed.turns] == roles
    assert [turn.index for turn in renamed.turns] == [0, 1, 2]
    assert [turn.speaker for turn in renamed.turns] == [new if turn.speaker == old else turn.speaker for turn in TURNS]


@pytest.mark.parametrize(
    ("speaker", "part", "named", "role"),
    [
        ("Bo", "partner", "Bo (partner)", Role.CLIENT),
        ("Unknown", "parent", "Unknown (parent)", Role.CLIENT),
        ("Unknown", "interpreter", "Unknown (interpreter)", Role.OTHER),
        ("Bo", "other", "Bo", Role.OTHER),
    ],
)
def test_a_part_stands_behind_the_name_and_counts_as_a_role(speaker: str, part: str, named: str, role: Role) -> None:
    changed = SESSION.with_part(speaker, part)
    assert changed.part_of(named) == part
    assert changed.role_of(named) is role
    assert changed.with_part(named, SESSION.role_of(speaker).value) == SESSION


def test_a_part_makes_no_two_speakers_one() -> None:
    two = SESSION.with_speaker_renamed("Unknown", "Bo (partner)")
    assert two.with_part("Bo (partner)", "client").speakers == two.speakers
    assert two.with_part("Bo", "partner").speakers == two.speakers


def test_a_judge_sees_roles_and_words_but_no_names() -> None:
    assert SESSION.with_speaker_renamed("Bo", "Cid").content_fingerprint == SESSION.content_fingerprint
    assert SESSION.with_role("Bo", Role.OTHER).content_fingerprint != SESSION.content_fingerprint
    changed = (TURNS[0], replace(TURNS[1], text="Gut – schlechter."), TURNS[2])
    assert Transcript(changed).content_fingerprint != SESSION.content_fingerprint


@pytest.mark.parametrize(
    ("citation", "stands"),
    [
        (cite(TURNS[0]), True),
        (cite(TURNS[1], Span(6, 12)), True),
        (Citation(1, Span(6, 12), "Besser"), False),
        (Citation(0, Span(6, 12), "besser"), False),
        (Citation(1, Span(0, 0), ""), False),
        (Citation(3, Span(0, 3), "Hm."), False),
        (Citation(-1, Span(0, 3), "Hm."), False),
        (Citation(2, Span(0, 4), "Hm. "), False),
    ],
)
def test_a_citation_stands_only_on_the_very_words(citation: Citation, stands: bool) -> None:
    assert citation.stands_in(SESSION) is stands
