"""Dates move by whole weeks, in their own form, and back; one person is one token with a role; ages are coarse."""

from __future__ import annotations

import pytest

from noteeval_desktop.domain.note import Section
from noteeval_desktop.privacy.dates import Calendar, calendar_of
from noteeval_desktop.privacy.deidentify import DeidentifiedCase, deidentify
from noteeval_desktop.privacy.identifiers import IdentifierFinder
from tests.factories import make_case, make_note, make_transcript

TEN_WEEKS = Calendar(-10)


@pytest.mark.parametrize(
    ("date", "moved"),
    [
        ("Friday, March 14th, 2025", "Friday, January 3rd, 2025"),
        ("2025-03-14", "2025-01-03"),
        ("03/14/2025", "01/03/2025"),
        ("3/14/25", "1/3/25"),
        ("3/14", "Jan 3"),
        ("14.03.2025", "03.01.2025"),
        ("12-Mar-1987", "1-Jan-1987"),
        ("17FEB2021", "9DEC2020"),
        ("the twenty-first of May", "the twelfth of March"),
        ("Sept. 9", "Jul. 1"),
    ],
)
def test_a_date_is_moved_in_its_own_form_and_comes_back(date: str, moved: str) -> None:
    assert TEN_WEEKS.moved(date) == moved
    assert TEN_WEEKS.restored(f"Seen on {moved}.") == f"Seen on {date}."


def test_the_same_day_written_in_two_ways_is_the_same_day_when_moved() -> None:
    assert TEN_WEEKS.restored("on January 3, 2025") == "on March 14, 2025"
    assert TEN_WEEKS.restored("5/7 days, 3 of 4 nights") == "5/7 days, 3 of 4 nights"


@pytest.mark.parametrize("text", ["March 2019", "12/1984", "the ninth", "31/31", "June 31st"])
def test_what_names_no_day_is_not_moved(text: str) -> None:
    assert TEN_WEEKS.moved(text) is None


def test_a_session_is_moved_by_the_same_weeks_every_time_and_another_by_others() -> None:
    moved = {calendar_of(["x"], f"session {number}").moved("2025-03-14") for number in range(20)}
    assert len(moved) > 5
    assert len({calendar_of([text], "session").moved("2025-03-14") for text in ("a", "b")}) == 1


def case_of(said: str, noted: str, finder: IdentifierFinder) -> DeidentifiedCase:
    case = make_case(
        transcript=make_transcript((("client", said),)), note=make_note({Section.SUBJECTIVE: noted.split(" | ")})
    )
    return deidentify(case, finder, move_dates=True)


def test_what_a_judge_compares_stays_and_comes_back(finder: IdentifierFinder) -> None:
    masked = case_of(
        "My husband Tom Berg saw Dr. Priya Patel on 3/14/2025. Once in Nov. 6 y/o son. Gran turned ninety-four.",
        "H (Tom) drank EtOH 5/7 days, Fri and Tues; K low, takes St John's wort. | Dr. Patel raised lamotrigine.",
        finder,
    )
    said, noted = masked.case.transcript.turns[0].text, masked.case.note.text
    assert said.startswith("My husband [SPOUSE-1] saw Dr. [DOCTOR-1] on ")
    assert said.endswith("Once in Nov. 6 y/o son. Gran turned over 89.")
    assert "3/14/2025" not in said
    assert "H ([SPOUSE-1]) drank EtOH 5/7 days, Fri and Tues; K low, takes St John's wort." in noted
    assert "Dr. [DOCTOR-1] raised lamotrigine." in noted
    assert masked.restore(said) == masked.original.transcript.turns[0].text


def test_two_people_of_one_name_are_not_made_one(finder: IdentifierFinder) -> None:
    masked = case_of("Anna Berg and Tom Berg came. Berg paid.", "Anna stayed.", finder)
    said = masked.case.transcript.turns[0].text
    assert said == "[PERSON-1] and [PERSON-2] came. [PERSON-3] paid."
    assert "[PERSON-1] stayed." in masked.case.note.text
