from __future__ import annotations

import pytest

from noteeval_desktop.compliance.template import unfinished
from noteeval_desktop.documents import parse_note
from tests.factories import make_case


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("Client: [insert name]\n\nS: Slept.\nP: Meet.", ["[insert name]"]),
        ("S: Slept *** hours, *** nights.\nP: Meet TBD.", ["***", "TBD"]),
        ("S: ___ and ___. Woke ***.\nP: Meet.", ["___", "***"]),
        ("S: [PERSON-1] said [inaudible].\nP: Meet.", []),
    ],
)
def test_a_place_to_fill_in_is_told_once_a_sentence(text: str, marked: list[str]) -> None:
    note = parse_note(text)
    found = [remark.span.of(note.text) for remark in unfinished(make_case(note=note))]
    assert found == marked
