"""What Word and PDF files hold besides running text: tables, footnotes, moved words, running heads, forms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import docx
import pytest
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml import OxmlElement, parse_xml
from docx.oxml.ns import nsdecls, qn
from reportlab.pdfgen.canvas import Canvas

from noteeval_desktop.documents import read_note, read_transcript
from noteeval_desktop.documents.pdf_text import unwrapped
from noteeval_desktop.domain.note import Note, Section
from noteeval_desktop.errors import InputError
from tests.pdf_factory import pdf_of

pytestmark = pytest.mark.usefixtures("parsed_here")


def word(path: Path, build: Callable[[docx.document.Document], object]) -> Path:
    made = docx.Document()
    build(made)
    made.save(str(path))
    return path


def pdf(path: Path, *pages: Sequence[str], before: bytes = b"") -> Path:
    path.write_bytes(before + pdf_of(*pages))
    return path


def by_section(note: Note) -> dict[str, list[str]]:
    return {section: [s.text for s in note.sentences_in(section)] for section in Section if note.sentences_in(section)}


def table(made: docx.document.Document, rows: Sequence[Sequence[str]]) -> None:
    built = made.add_table(len(rows), len(rows[0]))
    for row, texts in zip(built.rows, rows, strict=True):
        for cell, text in zip(row.cells, texts, strict=True):
            cell.text = text


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (
            [("Speaker", "Text"), ("Ana Ruiz", "How are you?"), ("Bo", "Bad.\nVery."), ("Ana Ruiz", "Oh 🙂.")],
            [("Ana Ruiz", "How are you?", None), ("Bo", "Bad. Very.", None), ("Ana Ruiz", "Oh 🙂.", None)],
        ),
        (
            [("Time", "Speaker", "Transcript"), ("00:05", "Ana:", "Hi."), ("00:09", "Bo:", "Yo: no.")],
            [("Ana", "Hi.", 5.0), ("Bo", "Yo: no.", 9.0)],
        ),
    ],
    ids=["two columns", "with times"],
)
def test_a_table_of_talk(
    rows: list[tuple[str, ...]], expected: list[tuple[str, str, float | None]], tmp_path: Path
) -> None:
    transcript = read_transcript(word(tmp_path / "talk.docx", lambda made: table(made, rows)))
    assert [(turn.speaker, turn.text, turn.start) for turn in transcript.turns] == expected


def test_a_note_with_a_section_in_each_column_is_read_column_by_column(tmp_path: Path) -> None:
    rows = [("Subjective", "Objective", "Assessment", "Plan"), ("Slept.", "Calm.", "Better.", "Meet.")]
    assert by_section(read_note(word(tmp_path / "note.docx", lambda made: table(made, rows)))) == {
        "subjective": ["Slept."],
        "objective": ["Calm."],
        "assessment": ["Better."],
        "plan": ["Meet."],
    }


def test_a_table_within_a_table_stays_in_its_section(tmp_path: Path) -> None:
    def build(made: docx.document.Document) -> None:
        outer = made.add_table(2, 2)
        for row, (heading, text) in zip(outer.rows, [("Subjective", "Slept."), ("Plan", "Meet.")], strict=True):
            row.cells[0].text = heading
            inner = row.cells[1].add_table(1, 2)
            inner.cell(0, 0).text, inner.cell(0, 1).text = text, "Zoë agreed."

    assert by_section(read_note(word(tmp_path / "note.docx", build))) == {
        "subjective": ["Slept.", "Zoë agreed."],
        "plan": ["Meet.", "Zoë agreed."],
    }


def test_moved_words_stand_once_where_they_were_moved_to(tmp_path: Path) -> None:
    def build(made: docx.document.Document) -> None:
        for text, tag in (("Subjective: Slept. ", "w:moveFrom"), ("Plan: Meet. ", "w:moveTo")):
            run = made.add_paragraph(text).add_run("Drank on Monday.")
            moved = OxmlElement(tag)
            run._r.addprevious(moved)
            moved.append(run._r)

    assert by_section(read_note(word(tmp_path / "note.docx", build))) == {
        "subjective": ["Slept."],
        "plan": ["Meet.", "Drank on Monday."],
    }


def test_a_footnote_stands_where_it_is_referred_to(tmp_path: Path) -> None:
    notes = (
        f'<w:footnotes {nsdecls("w")}><w:footnote w:type="separator" w:id="0"><w:p/></w:footnote>'
        '<w:footnote w:id="2"><w:p><w:r><w:t>sertraline 50 mg</w:t></w:r></w:p></w:footnote></w:footnotes>'
    )

    def build(made: docx.document.Document) -> None:
        kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/footnotes"
        content = "application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"
        part = Part(PackURI("/word/footnotes.xml"), content, notes.encode(), made.part.package)
        made.part.relate_to(part, kind)
        paragraph = made.add_paragraph("Subjective: Takes her medication")
        reference = parse_xml(f'<w:footnoteReference {nsdecls("w")} w:id="2"/>')
        assert reference.get(qn("w:id")) == "2"
        paragraph.add_run()._r.append(reference)
        paragraph.add_run(" daily.")

    note = read_note(word(tmp_path / "note.docx", build))
    assert by_section(note) == {"subjective": ["Takes her medication (sertraline 50 mg) daily."]}


def test_running_heads_do_not_stand_in_a_sentence(tmp_path: Path) -> None:
    head, foot = "Hillside Clinic - CONFIDENTIAL", "Page {} of 2"
    first = [head, foot.format(1), "Subjective: Client sleeps badly and drinks more wine than she"]
    second = [head, foot.format(2), "did last month.", "Plan: Meet."]
    assert by_section(read_note(pdf(tmp_path / "note.pdf", first, second))) == {
        "unassigned": [head],
        "subjective": ["Client sleeps badly and drinks more wine than she did last month."],
        "plan": ["Meet."],
    }


def test_a_heading_on_every_page_is_no_running_head(tmp_path: Path) -> None:
    note = read_note(pdf(tmp_path / "note.pdf", ["Plan:", "Meet on Friday."], ["Plan:", "Call Dr. Ode."]))
    assert by_section(note) == {"plan": ["Meet on Friday.", "Call Dr. Ode."]}


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["reports anx-", "iety"], "reports anxiety"),
        (["a lasting well-", "being"], "a lasting well-being"),
        (["low self-", "esteem"], "low self-esteem"),
        (["from 2020-", "onwards it was so"], "from 2020-\nonwards it was so"),
    ],
)
def test_words_divided_at_a_line_end_are_whole(lines: list[str], expected: str) -> None:
    assert "\n".join(unwrapped([*lines, "a line that is far longer than the two above, so they are not full"])) == (
        f"{expected}\na line that is far longer than the two above, so they are not full"
    )


def test_a_filled_in_form_is_refused_and_an_empty_one_read(tmp_path: Path) -> None:
    for value in ("Sleeps badly.", ""):
        canvas = Canvas(str(tmp_path / "form.pdf"))
        canvas.drawString(50, 800, "Subjective: Slept.")
        canvas.acroForm.textfield(name="s", x=130, y=600, value=value)
        canvas.save()
        if value:
            with pytest.raises(InputError, match=r"form\.pdf: it is a form, .* Print it to a new PDF"):
                read_note(tmp_path / "form.pdf")
        else:
            assert by_section(read_note(tmp_path / "form.pdf")) == {"subjective": ["Slept."]}


def test_a_pdf_with_bytes_before_its_header_is_no_text(tmp_path: Path) -> None:
    path = pdf(tmp_path / "note.pdf", ["Plan: Meet."], before=b"\r\nContent-Type: x\r\n")
    assert by_section(read_note(path)) == {"plan": ["Meet."]}
    with pytest.raises(InputError, match="it is a PDF, which can only be opened as a note"):
        read_transcript(path)
