"""A note that was edited goes back into its text file: only changed lines change."""

from __future__ import annotations

import codecs
import json
from pathlib import Path

import pytest

from noteeval_desktop.documents import edited_note, read_note
from noteeval_desktop.documents.edited_note import edited_text
from noteeval_desktop.errors import InputError

pytestmark = pytest.mark.usefixtures("parsed_here")
TEXT = "Subjective\nClient slept\u00a0badly.  \nEats well.\n\nPlan\nMeet Tuesday.\n"


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (b"", "utf-8"),
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (b"", "cp1252"),
    ],
)
def test_all_but_the_edited_line_stays_byte_for_byte(tmp_path: Path, mark: bytes, encoding: str, newline: str) -> None:
    def raw(text: str) -> bytes:
        return mark + text.replace("\n", newline).replace("well", "wéll").encode(encoding)

    path = tmp_path / "note.md"
    path.write_bytes(raw(TEXT))
    before = read_note(path).text
    after = before.replace("Tuesday", "Friday").replace("Eats", "New.\nEats")
    made = edited_note(path, before, after)
    assert made == raw(TEXT.replace("Tuesday", "Friday").replace("Eats", "New.\nEats"))
    assert edited_note(path, before, before) == raw(TEXT)
    assert edited_note(path, before, before[:-1]) == raw(TEXT[:-1])
    assert edited_note(path, before, "") == mark


def test_a_character_that_the_old_encoding_has_not_makes_it_utf_8_with_a_mark(tmp_path: Path) -> None:
    made = edited_text("Café.\nB".encode("cp1252"), "Café.\nB", "Café.\n🙂", "note.txt")
    assert made == "\ufeffCafé.\n🙂".encode()


def test_bytes_that_cannot_be_read_are_not_written_over(tmp_path: Path) -> None:
    data = "Café über Süd".encode() + b" \xff."
    with pytest.raises(InputError, match=r"cannot be read and would be lost.*Save note as"):
        edited_text(data, "", "x", "note.txt")


def test_a_text_that_says_something_else_by_now_is_not_written_over() -> None:
    with pytest.raises(InputError, match="changed in another program"):
        edited_text(b"Plan: rest.", "Plan: walk.", "Plan: swim.", "note.txt")


def test_json_and_pdf_by_another_name_are_not_replaced_by_text(tmp_path: Path) -> None:
    path = tmp_path / "note.md"
    path.write_text(json.dumps({"subjective": "Slept.", "plan": "Rest."}))
    before = read_note(path).text
    with pytest.raises(InputError, match="not a text file, despite its name"):
        edited_note(path, before, before + "More.")
    path.write_bytes(b"%PDF-1.4 whatever")
    with pytest.raises(InputError, match="not a text file, despite its name"):
        edited_note(path, before, before + "More.")
