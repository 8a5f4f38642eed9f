"""Which notes count as a client's earlier ones, and what is said where that is not sure."""

from __future__ import annotations

from datetime import date

import pytest

from noteeval_desktop.compliance.earlier import background, beside_folder, day_in
from noteeval_desktop.documents import parse_note
from noteeval_desktop.domain.case import Background, EarlierNote, Visit
from noteeval_desktop.errors import InputError

BODY = "Subjective\nClient reports arguing with her sister about the rent most evenings.\n"


def headed(client="Renee C.", day="11/17/2026", body=BODY):
    return f"DAP NOTE\nClient: {client}   Date: {day}\n{body}"


NOTE = parse_note(headed())


def other(client="Renee C.", day=None, body=BODY + "Plan\nShe will call.\n", label="a.txt"):
    return EarlierNote(parse_note(headed(client, "", body)), day, label)


@pytest.mark.parametrize(
    ("name", "day"),
    [
        ("2026-11-03 progress.docx", date(2026, 11, 3)),
        ("20261103.txt", date(2026, 11, 3)),
        ("RC 11-03-2026.pdf", date(2026, 11, 3)),
        ("RC 23.11.2026.pdf", date(2026, 11, 23)),
        ("11/3/2026", date(2026, 11, 3)),
        ("2026/11/03", date(2026, 11, 3)),
        ("note 12.txt", None),
        ("case 2026-13-45.txt", None),
        ("120261103999.txt", None),
        ("", None),
    ],
)
def test_the_day_in_a_name(name, day):
    assert day_in(name) == day


def test_the_latest_comes_first_and_what_is_not_earlier_is_left_out():
    days = [date(2026, 11, 3), date(2026, 11, 10), date(2026, 11, 17), date(2026, 12, 1)]
    made = background(NOTE, None, [other(day=day) for day in days])
    assert [one.day for one in made.earlier] == [date(2026, 11, 10), date(2026, 11, 3)]
    assert made.warnings == ()
    assert made.visit is Visit.LATER
    assert background(NOTE, None, []).visit is Visit.FIRST
    assert background(NOTE, None, [], ["b.pdf cannot be read."]).visit is Visit.ANY  # it may be an earlier one


def test_the_note_itself_is_none_of_its_earlier_ones_but_the_same_words_of_an_earlier_day_are():
    for day in (None, today := date(2026, 11, 10)):
        assert background(NOTE, today, [EarlierNote(NOTE, day)]).earlier == ()
    assert len(background(NOTE, today, [EarlierNote(NOTE, date(2026, 11, 3))]).earlier) == 1


def test_what_is_known_besides_stays():
    known = Background(others=("Dana P.",), today=date(2026, 11, 18))
    made = background(NOTE, None, [other(day=date(2026, 11, 3))], known=known)
    assert (made.others, made.today, len(made.earlier)) == (("Dana P.",), date(2026, 11, 18), 1)


@pytest.mark.parametrize(
    ("client", "compared"),
    [("Renee C.", 1), ("RENEE C", 1), ("R. C.", 1), ("R.C.", 1), ("Renee Carter", 1), ("Dana P.", 0), ("D. P.", 0)],
)
def test_another_clients_note_is_left_out_and_said(client, compared):
    made = background(NOTE, None, [other(client, date(2026, 11, 3))])
    assert len(made.earlier) == compared
    said = "1 earlier note names another client and was not compared with this one."
    assert made.warnings == (() if compared else (said,))


def test_notes_without_dates_are_compared_and_said():
    made = background(NOTE, None, [other(), other(day=date(2026, 11, 3)), other(label="b.txt")])
    assert [one.day for one in made.earlier] == [date(2026, 11, 3), None, None]
    assert made.warnings == (
        "2 earlier notes have no date, in the note or in the file’s name: they may be later than this one.",
    )


def test_a_note_without_a_date_is_said_to_have_none():
    made = background(parse_note(BODY), None, [other(day=date(2026, 11, 3))])
    assert made.warnings == ("This note has no date, so all of the client’s other notes count as earlier ones.",)


def test_a_folder_with_a_scan_a_picture_and_a_later_note(tmp_path):
    (tmp_path / "2026-11-03.txt").write_text(headed(day="", body=BODY + "Plan\nShe will call her aunt.\n"))
    (tmp_path / "head.md").write_text(headed(day="11/10/2026", body=BODY + "Plan\nShe will rest.\n"))
    (tmp_path / "2026-12-24.txt").write_text(headed(day="", body=BODY + "Plan\nShe will travel.\n"))
    (tmp_path / "scan.png").write_bytes(b"\x89PNG\r\n\x1a\n" + b"\0" * 40)
    (tmp_path / ".hidden").write_text("x")
    (tmp_path / "sub").mkdir()
    made = beside_folder(NOTE, tmp_path)
    assert [one.label for one in made.earlier] == ["head.md", "2026-11-03.txt"]
    (said,) = made.warnings
    assert said.startswith("1 file of the earlier notes could not be read and was not compared. scan.png: ")


def test_a_folder_without_an_earlier_note_says_that_nothing_was_compared(tmp_path):
    folder = tmp_path / "later"
    folder.mkdir()
    (folder / "2026-12-24.txt").write_text(BODY)
    assert beside_folder(NOTE, folder).warnings == (
        "The folder later has no note that is earlier than this one: nothing was compared.",
    )


def test_a_folder_that_is_not_there_is_bad_input(tmp_path):
    with pytest.raises(InputError, match="nowhere: cannot be read"):
        beside_folder(NOTE, tmp_path / "nowhere")
