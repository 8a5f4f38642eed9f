"""Tables as people make them: in CSV with a comma too many, in DOCX with a row for each turn."""

from __future__ import annotations

from pathlib import Path

import pytest

from noteeval_desktop.documents import parse_transcript, read_note, read_transcript
from noteeval_desktop.errors import InputError


def talk(text: str) -> list[tuple[str, str]]:
    return [(turn.speaker, turn.text) for turn in parse_transcript(text).turns]


def test_words_with_a_bare_comma_in_the_last_column_are_kept_whole() -> None:
    assert talk("speaker,time,text\nT,0:01,Hi, Zoë, you\nC,0:02,Yo") == [("T", "Hi, Zoë, you"), ("C", "Yo")]
    assert talk("Speaker;Text\nT;No; never\nC;Yo 🙂") == [("T", "No; never"), ("C", "Yo 🙂")]


def test_cells_beyond_the_columns_are_counted() -> None:
    warning = "1 row has more cells than the first line has columns; the extra cells were left out."
    assert warning in parse_transcript("speaker,text,time\nT,Hi, you,0:01\nC,Yo,0:02").warnings


def test_a_quotation_mark_that_is_never_closed_takes_nobodys_words() -> None:
    with pytest.raises(InputError, match="a quotation mark in it is never closed"):
        parse_transcript('speaker,text\nTherapist,"How are you?\nClient,Bad.\n')
    assert talk('speaker,text\nT,"He ""said"" so"\nC,a "b" c') == [("T", 'He "said" so'), ("C", 'a "b" c')]


@pytest.mark.parametrize("text", ["Therapist,Hi\nClient,Yo\n", "Person,Said\nTherapist,Hi\n", "sep=;\na;b\n"])
def test_a_csv_whose_columns_are_unknown_is_not_judged_as_lines(text: str, tmp_path: Path) -> None:
    path = tmp_path / "talk.csv"
    path.write_text(text, "utf-8")
    with pytest.raises(InputError, match=r"talk\.csv: the CSV has no columns for the speaker and the words"):
        read_transcript(path)


@pytest.mark.parametrize("text", ["Therapist: Hi\nClient: Yo\n", '[{"speaker": "Therapist", "text": "Hi"}]'])
def test_another_kind_of_transcript_under_the_name_of_a_csv_is_read(text: str, tmp_path: Path) -> None:
    path = tmp_path / "talk.csv"
    path.write_text(text, "utf-8")
    assert read_transcript(path).turns[0].text == "Hi"


@pytest.mark.parametrize("data", [b"<!DOCTYPE html><p>T: Hi</p>", b"<html><p>Plan: Meet.</p></html>"])
def test_a_web_page_is_refused(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "page.txt"
    path.write_bytes(data)
    for reader in (read_transcript, read_note):
        with pytest.raises(InputError, match="it is a web page"):
            reader(path)
