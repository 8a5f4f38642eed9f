"""A note's title, its fields and its signature are nobody's words."""

from __future__ import annotations

import pytest

from noteeval_desktop.documents import parse_note
from noteeval_desktop.domain.note import Note


def texts(note: Note) -> list[str]:
    return [sentence.text for sentence in note.sentences]


HEAD = """DAP NOTE

Client: Renee C.    DOB 03/14/1991
Date of service: 11/18/2026    Start 4:00 pm  End 4:52 pm
CPT 90834    Dx: F41.0 Panic disorder
"""


def test_title_fields_and_signature_are_no_sentences() -> None:
    note = parse_note(f"{HEAD}\nData:\nClient slept.\nPlan:\nMeet.\n\nJ. Hale, LMFT   11/18/2026")
    assert texts(note) == ["Client slept.", "Meet."]
    assert note.text.startswith("DAP NOTE")
    assert note.text.endswith("11/18/2026")
    assert not note.warnings


def test_a_couples_note_has_a_head_too() -> None:
    note = parse_note(
        "PIE\nCouple: D. & R.   11/23/26   90847   60 min telehealth\n\nP: Two fights.\nI: EFT.\nE: Calmer."
    )
    assert texts(note) == ["Two fights.", "EFT.", "Calmer."]
    assert not note.warnings


@pytest.mark.parametrize(
    "said",
    [
        "Client: reports low mood",
        "Patient 34 y/o male presents with anxiety.",
        "Session 3 focused on grief.",
        "Diagnosis: F41.1",
        "Client took notes",
        "Couple reports two fights.",
        "Pie was brought to the session.",
        "Present: Client stated that she cries.",
        "Time was short",
    ],
)
def test_what_somebody_said_is_no_field(said: str) -> None:
    assert texts(parse_note(f"Progress Note\n{said}\nDate: 11/18/2026\nData: Slept.\nPlan: Meet."))[0] == said


@pytest.mark.parametrize(
    "last", ["Refer to Dr. Lee, PsyD.", "Signed a release of information.", "Client lives in Boston, MA"]
)
def test_the_last_sentence_is_no_signature(last: str) -> None:
    assert texts(parse_note(f"S: Slept.\nP: Meet.\n{last}"))[-1] == last
