"""Which note belongs to which session."""

from __future__ import annotations

from pathlib import Path

import pytest

from noteeval_desktop.domain.note_rows import NoteState
from noteeval_desktop.ui.many.match_page import MatchPage
from noteeval_desktop.ui.many.run_store import Entry, State
from noteeval_desktop.ui.many.work import Matched, find_pairs, match, numbered


def names(found):
    return {pair.note.name: pair.transcript.name for pair in found.pairs}


def of(*files, note=lambda path: False):
    return match([Path(file) for file in files], note)


@pytest.mark.parametrize(
    ("session", "note"),
    [
        ("07 transcript.vtt", "07 note.docx"),
        ("07_Smith_session.txt", "07-smith-SOAP-note.md"),
        ("a/transcripts/Müller 3.txt", "a/notes/müller 3.txt"),
        ("Ana.vtt", "Ana.pdf"),
    ],
)
def test_files_that_are_named_alike_belong_together(session, note):
    found = of(session, note, note=lambda path: path.suffix == ".pdf")
    assert names(found) == {Path(note).name: Path(session).name}


def test_several_notes_of_one_session_are_all_taken():
    found = of("07 transcript.txt", "07 llama note.md", "07 therapist note.md")
    assert names(found) == {"07 llama note.md": "07 transcript.txt", "07 therapist note.md": "07 transcript.txt"}


def test_a_longer_name_is_preferred_to_a_shorter_one():
    found = of("07 transcript.txt", "07 b transcript.txt", "07 b second note.md")
    assert names(found) == {"07 b second note.md": "07 b transcript.txt"}
    assert [path.name for path in found.unused] == ["07 transcript.txt"]


def test_what_two_sessions_could_own_is_left_to_the_reader():
    found = of("a/07 transcript.txt", "b/07 transcript.txt", "07 note.md")
    assert not found.pairs
    assert [path.name for path in found.lone] == ["07 note.md"]


def test_number_seven_is_not_seventy():
    assert [path.name for path in of("7 transcript.txt", "70 note.md").lone] == ["70 note.md"]


def test_content_decides_where_a_name_says_nothing():
    found = of("07 a.txt", "07 a draft.txt", "07.vtt", note=lambda path: path.name == "07 a.txt")
    assert {pair.note.name for pair in found.pairs} == {"07 a.txt", "07 a draft.txt"}


def test_other_files_and_hidden_ones_are_passed_over():
    found = of("07 transcript.txt", "07 note.md", "photo.jpg", ".07 note.md")
    assert len(found.pairs) == 1
    assert not found.lone


def test_equal_names_of_notes_get_ids_of_their_own():
    ids = [pair.id for pair in numbered([(Path("s"), Path("a/n.md")), (Path("t"), Path("b/N.md"))])]
    assert len({name.casefold() for name in ids}) == 2


def test_a_list_of_pairs_is_no_session(tmp_path):
    for name, text in (("07 transcript.txt", "Therapist: Hi."), ("07 note.md", "Plan: rest.")):
        (tmp_path / name).write_text(text)
    (tmp_path / "pairs.csv").write_text("\ufeffid;Transcript;note\n1;07 transcript.txt;07 note.md\n", "utf-8")
    found = find_pairs([tmp_path], lambda _: False)
    assert [pair.transcript.name for pair in found.pairs] == ["07 transcript.txt"]
    assert found.unused == ()


def test_a_session_without_a_note_is_told_as_not_checked(qtbot, tmp_path):
    page = MatchPage()
    qtbot.addWidget(page)
    page.show_found(Matched(numbered([(tmp_path / "a.txt", tmp_path / "a note.md")]), (), (tmp_path / "b.txt",)))
    first, alone = page.pairs()
    assert first.problem == ""
    assert (alone.transcript.name, alone.problem) == ("b.txt", "There is no note for this session.")
    row = Entry(alone, State.FAILED, alone.problem).as_row(1)
    assert (row.state, row.number) == (NoteState.NOT_CHECKED, 2)
