"""A code against the minutes: by the time rule, at its edges, and quiet where the note does not say."""

from __future__ import annotations

import pytest

from noteeval_desktop.compliance.time_and_code import time_and_code, times
from noteeval_desktop.documents import parse_note
from tests.factories import make_case


def said(text: str) -> list[str]:
    note = parse_note(f"{text}\n\nData: Client slept.\nPlan: Meet on Tuesday.")
    return [remark.says for remark in time_and_code(make_case(note=note))]


@pytest.mark.parametrize(
    ("code", "minutes", "agrees"),
    [
        ("90832", 15, False),
        ("90832", 16, True),
        ("90832", 37, True),
        ("90832", 38, False),
        ("90834", 37, False),
        ("90834", 38, True),
        ("90834", 52, True),
        ("90834", 53, False),
        ("90837", 52, False),
        ("90837", 53, True),
        ("90837", 90, True),
        ("90839", 29, False),
        ("90839", 30, True),
        ("90846", 25, False),
        ("90847", 26, True),
        ("90853", 90, True),
        ("90836", 60, True),  # with the visit that it is added to
        ("90836", 30, False),
    ],
)
def test_a_code_stands_for_so_many_minutes(code: str, minutes: int, agrees: bool) -> None:
    found = [one for one in said(f"CPT: {code}\nDuration: {minutes} minutes") if "stands for" in one]
    assert bool(found) is not agrees
    assert all(f"{code} stands for" in one and f"the note has {minutes}" in one for one in found)


@pytest.mark.parametrize(
    ("line", "minutes"),
    [
        ("Date of service: 11/18/2026    Start 4:00 pm  End 4:52 pm", [52]),
        ("Time: 10:00-10:53 am", [53]),
        ("Time: 11:30 – 12:20", [50]),
        ("Time in: 3:15 PM / Time out: 4:08 PM", [53]),
        ("Start: 13:00 Stop: 13:45", [45]),
        ("Session: 23:30 to 00:15", [45]),
        ("Duration: 45 min", [45]),
        ("Duration: 1 hr 30 min", [90]),
        ("Length: 1h15min", [75]),
        ("The session lasted 1 hour and 20 minutes.", [80]),
        ("Couple: D. & R.   11/23/26   90847   60 min telehealth", [60]),
        ("The session lasted 50 minutes.", [50]),
        ("Seen for a 53-minute individual session.", [53]),
        ("She walks 45 minutes a day and works from 9:00 to 5:00.", []),
        ("Client arrived 10 minutes late.", []),
    ],
)
def test_the_length_is_what_the_fields_say_or_a_sentence_on_the_session(line: str, minutes: list[int]) -> None:
    assert [one.minutes for one in times(line)] == minutes


def test_without_a_time_nothing_is_said_of_a_code() -> None:
    assert said("CPT: 90834") == []
