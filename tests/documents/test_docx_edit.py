"""A note that was edited goes back into its DOCX: only changed words change, and what cannot be kept is refused."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import docx
import pytest
from docx.oxml import OxmlElement, parse_xml
from docx.oxml.ns import nsdecls, qn

from noteeval_desktop.documents import edited_note, parse_note, read_note
from noteeval_desktop.documents.edited_note import edited_docx
from noteeval_desktop.errors import InputError
from noteeval_desktop.exports import write_note

pytestmark = pytest.mark.usefixtures("parsed_here")
TEXT = "Subjective\nClient 🙂 sleeps badly. Drinks four times a week.\nEats well.\n\nPlan: Next session Tuesday."


def note(path: Path, also: Callable[[Any], object] = lambda made: None) -> Path:
    """Formatted as clinics have it: headings, a bold label, an italic phrase, a list, a header and a hidden run."""
    made = docx.Document()
    made.sections[0].header.paragraphs[0].text = "Riverside Clinic"
    made.add_heading("Subjective", 2)
    body = made.add_paragraph("Client 🙂 sleeps badly. ")
    body.add_run("Drinks four times").italic = True
    body.add_run(" a week.")
    hidden = body.add_run("BILLING 90834")
    hidden.font.hidden = True
    made.add_paragraph("Eats well.", style="List Bullet")
    made.add_paragraph("")
    plan = made.add_paragraph()
    plan.add_run("Plan:").bold = True
    plan.add_run(" Next session Tuesday.")
    also(made)
    made.save(str(path))
    return path


def edit(path: Path, after: str) -> Any:
    """The document that comes of it, which reads as ``after`` but for blank lines."""
    made = edited_note(path, read_note(path).text, after)
    path.write_bytes(made)
    assert _lines(read_note(path).text) == _lines(after)
    return docx.Document(io.BytesIO(made))


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.split("\n") if line.strip()]


def _runs(paragraph: Any) -> list[tuple[str, bool | None, bool | None]]:
    return [(run.text, run.bold, run.italic) for run in paragraph.runs if run.text]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return note(tmp_path / "note.docx")


def test_the_note_reads_as_it_is_shown(path: Path) -> None:
    assert read_note(path).text == TEXT


def test_a_changed_word_keeps_the_look_of_its_run_and_hidden_text_stays(path: Path) -> None:
    made = edit(path, TEXT.replace("four times", "twice").replace("Tuesday", "Friday 🙂"))
    assert _runs(made.paragraphs[1]) == [
        ("Client 🙂 sleeps badly. ", None, None),
        ("Drinks twice", None, True),
        (" a week.", None, None),
        ("BILLING 90834", None, None),
    ]
    assert made.paragraphs[1].runs[-1].font.hidden
    assert _runs(made.paragraphs[4]) == [("Plan:", True, None), (" Next session Friday 🙂.", None, None)]
    assert made.paragraphs[2].style.name == "List Bullet"


def test_every_other_part_stays_as_it_is_byte_for_byte(path: Path) -> None:
    before = path.read_bytes()
    edit(path, TEXT.replace("four times", "twice"))
    with zipfile.ZipFile(io.BytesIO(before)) as old, zipfile.ZipFile(path) as new:
        assert old.namelist() == new.namelist()
        changed = [name for name in old.namelist() if old.read(name) != new.read(name)]
    assert changed == ["word/document.xml"]


def test_a_new_line_looks_like_its_neighbour_and_a_new_heading_like_a_heading(path: Path) -> None:
    after = TEXT.replace("Eats well.", "Eats well.\nWalks daily.") + "\nRefer to 🙂 group.\n\nObjective\nCalm."
    made = edit(path, after)
    by_text = {paragraph.text: paragraph for paragraph in made.paragraphs}
    assert by_text["Walks daily."].style.name == "List Bullet"
    assert _runs(by_text["Refer to 🙂 group."]) == [("Refer to 🙂 group.", None, None)]
    assert by_text["Objective"].style.name == "Heading 2"
    assert by_text["Calm."].style.name == "Normal"


def test_words_after_a_label_are_not_bold(path: Path) -> None:
    made = edit(path, TEXT.replace("Plan: Next", "Plan: Same time, next"))
    assert _runs(made.paragraphs[4])[0] == ("Plan:", True, None)


def test_a_line_that_was_taken_out_goes_with_its_paragraph(path: Path) -> None:
    made = edit(path, TEXT.replace("Eats well.\n", ""))
    assert [p.text for p in made.paragraphs if "Eats" in p.text or p.style.name == "List Bullet"] == []
    hidden_stays = edit(path, "Subjective\nPlan: Next session Tuesday.")
    assert "BILLING 90834" in hidden_stays.element.xml


def test_lines_with_breaks_within_a_paragraph(tmp_path: Path) -> None:
    path = tmp_path / "note.docx"
    made = docx.Document()
    run = made.add_paragraph().add_run("Plan:\nRest.\nWalk.")
    run.bold = True
    made.save(str(path))
    assert [p.text for p in edit(path, "Plan:\nRest more.\nRead 🙂.\nWalk.").paragraphs] == [
        "Plan:\nRest more.\nRead 🙂.\nWalk."
    ]
    assert [p.text for p in edit(path, "Plan:\nWalk.").paragraphs] == ["Plan:\nWalk."]
    assert [p.text for p in edit(path, "Walk.").paragraphs] == ["Walk."]


def test_cells_of_a_table_are_edited_and_never_left_without_a_paragraph(tmp_path: Path) -> None:
    def build(made: Any) -> None:
        table = made.add_table(2, 2)
        for number, text in enumerate(("Mood", "Low", "Affect", "Flat\u00a0now")):
            table.cell(number // 2, number % 2).text = text

    path = note(tmp_path / "note.docx", build)
    text = read_note(path).text
    made = edit(path, text.replace("Low", "Better").replace("Flat now", "Bright now").replace("Affect\n", ""))
    cells = [cell.text for row in made.tables[0].rows for cell in row.cells]
    assert cells == ["Mood", "Better", "", "Bright\u00a0now"]


def test_an_empty_cell_and_an_emptied_note_can_be_written_in(tmp_path: Path) -> None:
    path = note(tmp_path / "note.docx")
    edit(path, "Plan: Rest.")
    made = edit(path, TEXT)
    assert made.sections[0].header.paragraphs[0].text == "Riverside Clinic"


def _track(made: Any) -> None:
    inserted = parse_xml(f'<w:ins {nsdecls("w")} w:id="1" w:author="A"><w:r><w:t>More.</w:t></w:r></w:ins>')
    made.paragraphs[1]._p.append(inserted)


def _keep_tracking(made: Any) -> None:
    made.settings.element.append(OxmlElement("w:trackRevisions"))


def _protect(made: Any) -> None:
    protection = OxmlElement("w:documentProtection")
    protection.set(qn("w:edit"), "readOnly")
    protection.set(qn("w:enforcement"), "1")
    made.settings.element.append(protection)


@pytest.mark.parametrize(
    ("also", "said"),
    [(_track, "tracks changes"), (_keep_tracking, "tracks changes"), (_protect, "protected against changes")],
)
def test_what_must_not_be_edited_is_refused_and_the_way_on_is_said(tmp_path: Path, also: Any, said: str) -> None:
    path = note(tmp_path / "note.docx", also)
    text = read_note(path).text
    with pytest.raises(InputError, match=f"note.docx: .*{said}.*Copy note"):
        edited_note(path, text, text.replace("four times", "twice"))


def test_a_document_that_says_something_else_by_now_is_not_written_over(path: Path) -> None:
    with pytest.raises(InputError, match="changed in another program"):
        edited_note(path, TEXT.replace("badly", "well"), TEXT.replace("badly", "better"))


def test_a_change_in_a_text_box_is_refused(tmp_path: Path) -> None:
    def build(made: Any) -> None:
        box = (
            '<w:r xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
            'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:AlternateContent>'
            "<mc:Choice><w:txbxContent><w:p><w:r><w:t>Boxed.</w:t></w:r></w:p></w:txbxContent></mc:Choice>"
            "<mc:Fallback><w:p><w:r><w:t>Boxed.</w:t></w:r></w:p></mc:Fallback></mc:AlternateContent></w:r>"
        )
        made.add_paragraph("Before.")._p.append(parse_xml(box))

    path = note(tmp_path / "note.docx", build)
    text = read_note(path).text
    assert "Boxed." in text
    with pytest.raises(InputError, match="would harm its formatting"):
        edited_note(path, text, text.replace("Boxed", "Unboxed"))
    assert "Before 🙂." in edit(path, text.replace("Before", "Before 🙂")).paragraphs[-1].text


def _field(code: str, result: str) -> str:
    char = '<w:r><w:fldChar w:fldCharType="{}"/></w:r>'.format
    inner = f'{char("begin")}<w:r><w:instrText xml:space="preserve"> {code} </w:instrText></w:r>{char("separate")}'
    return f"{inner}<w:r><w:t>{result}</w:t></w:r>{char('end')}"


def _paragraph(*inner: str) -> Any:
    return parse_xml(f"<w:p {nsdecls('w', 'm')}>{''.join(inner)}</w:p>")


def _run(text: str) -> str:
    return f'<w:r><w:t xml:space="preserve">{text}</w:t></w:r>'


@pytest.mark.parametrize("code", ["DATE", "REF mood", "MERGEFIELD client", "FORMTEXT", 'HYPERLINK "https://a.test"'])
def test_what_word_fills_in_is_not_typed_over_but_what_stands_beside_is(tmp_path: Path, code: str) -> None:
    def build(made: Any) -> None:
        made.element.body.insert(0, _paragraph(_run("Seen on "), _field(code, "filled"), _run(" at noon.")))

    path = note(tmp_path / "note.docx", build)
    text = read_note(path).text
    for changed in ("Seen on fulfilled at noon.", "Seen on fil led at noon.", "Seen on at noon.", ""):
        with pytest.raises(InputError, match="would harm its formatting"):
            edited_note(path, text, text.replace("Seen on filled at noon.", changed))
    made = edit(path, text.replace("Seen on filled at noon.", "First seen on filled, or so, at one."))
    kinds = [mark.get(qn("w:fldCharType")) for mark in made.element.iter(qn("w:fldChar"))]
    assert kinds == ["begin", "separate", "end"]


def test_a_field_over_several_paragraphs_keeps_both_its_ends(tmp_path: Path) -> None:
    begin = '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>TOC</w:instrText></w:r>'
    mark = '<w:r><w:fldChar w:fldCharType="{}"/></w:r>'.format

    def build(made: Any) -> None:
        for paragraph in (
            _paragraph(mark("end")),
            _paragraph(_run("Contents b")),
            _paragraph(begin, mark("separate"), _run("Contents a")),
        ):
            made.element.body.insert(0, paragraph)

    path = note(tmp_path / "note.docx", build)
    text = read_note(path).text
    for changed in (text.replace("Contents b\n", ""), text.replace("Contents b", "Contents b\nNew.")):
        with pytest.raises(InputError, match="would harm its formatting"):
            edited_note(path, text, changed)


@pytest.mark.parametrize(
    "inner",
    [
        "<m:oMath><m:r><m:t>x=1</m:t></m:r></m:oMath>",
        '<w:bookmarkStart w:id="7" w:name="mood"/><w:bookmarkEnd w:id="7"/>',
        '<w:commentRangeStart w:id="3"/>',
        '<w:r><w:sym w:font="Wingdings" w:char="F0FC"/></w:r>',
    ],
)
def test_what_the_note_does_not_show_stays_when_its_line_goes(tmp_path: Path, inner: str) -> None:
    path = note(tmp_path / "note.docx", lambda made: made.element.body.insert(1, _paragraph(_run("Goes."), inner)))
    name = _paragraph(inner)[0].tag
    made = edit(path, read_note(path).text.replace("Goes.\n", ""))
    assert next(made.element.iter(name), None) is not None
    assert "Goes." not in made.element.xml


@pytest.mark.parametrize(
    "mark",
    [
        "cellMerge",
        "customXmlInsRangeStart",
        "customXmlMoveFromRangeEnd",
        "moveToRangeStart",
        "pPrChange",
        "numberingChange",
    ],
)
def test_every_kind_of_tracked_change_is_refused(tmp_path: Path, mark: str) -> None:
    path = note(tmp_path / "note.docx", lambda made: made.paragraphs[1]._p.append(OxmlElement(f"w:{mark}")))
    text = read_note(path).text
    with pytest.raises(InputError, match="tracks changes"):
        edited_note(path, text, text.replace("four times", "twice"))


@pytest.mark.parametrize("kind", ["dropDownList", "date", "dataBinding", "lock"])
def test_what_is_chosen_or_locked_is_not_typed_over(tmp_path: Path, kind: str) -> None:
    value = ' w:val="sdtContentLocked"' if kind == "lock" else ""
    control = f"<w:sdt><w:sdtPr><w:{kind}{value}/></w:sdtPr><w:sdtContent>{_run('Chosen.')}</w:sdtContent></w:sdt>"
    path = note(tmp_path / "note.docx", lambda made: made.element.body.insert(1, _paragraph(control)))
    text = read_note(path).text
    with pytest.raises(InputError, match="would harm its formatting"):
        edited_note(path, text, text.replace("Chosen", "Typed"))


def test_a_word_document_named_otherwise_stays_one(tmp_path: Path) -> None:
    path = note(tmp_path / "note.docx").rename(tmp_path / "note.txt")
    write_note(path, TEXT.replace("badly", "well"), (path, read_note(path).text))
    assert "sleeps well" in docx.Document(io.BytesIO(path.read_bytes())).paragraphs[1].text


def test_letters_written_with_marks_of_their_own_are_found_again(tmp_path: Path) -> None:
    path = tmp_path / "note.docx"
    made = docx.Document()
    made.add_paragraph("Plan: Cafe\u0301 mit Jo\u0308rg, au\u00adthentisch.")
    made.save(str(path))
    text = read_note(path).text
    assert text == parse_note("Plan: Café mit Jörg, authentisch.").text
    assert edit(path, text.replace("mit", "ohne")).paragraphs[0].text.startswith("Plan: Cafe\u0301 ohne Jo\u0308rg")


@pytest.mark.parametrize("junk", [b"", b"PK\x03\x04", b"PK\x03\x04" + bytes(100)])
def test_a_damaged_document_is_an_error_of_ours(junk: bytes) -> None:
    with pytest.raises(InputError):
        edited_docx(junk, "a", "b", "note.docx")
