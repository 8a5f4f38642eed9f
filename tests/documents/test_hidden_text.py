"""What nobody sees on the page is not read, and that it was there is told."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import docx
import pytest
from docx.enum.style import WD_STYLE_TYPE
from docx.enum.text import WD_COLOR_INDEX
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Pt, RGBColor
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from noteeval_desktop.documents import read_note, read_transcript

pytestmark = pytest.mark.usefixtures("parsed_here")
SEEN = "Client slept well."
SECRET = "Denies suicidal ideation."
WHITE = RGBColor(255, 255, 255)
LEFT_OUT_OF_DOCX = "Hidden text in the document (marked as hidden, white, tiny or crossed out) was left out."
LEFT_OUT_OF_PDF = "Hidden text in the PDF (white, tiny, invisible, crossed out or off the page) was left out."
RECOGNISED = "This PDF is a scan, and a computer recognized its words. Please compare them with the page."


def saved(made: Any, path: Path) -> Path:
    buffer = io.BytesIO()
    made.save(buffer)
    path.write_bytes(buffer.getvalue())
    return path


def note_of(tmp_path: Path, hide: Callable[[Any, Any], object]) -> Path:
    """A note whose second sentence ``hide`` takes out of sight: it gets the document and the run."""
    made = docx.Document()
    made.add_paragraph("Subjective")
    paragraph = made.add_paragraph()
    paragraph.add_run(f"{SEEN} ")
    hide(made, paragraph.add_run(SECRET))
    paragraph.add_run(" Eats.")
    return saved(made, tmp_path / "note.docx")


def _style(made: Any, kind: WD_STYLE_TYPE, based: bool = False) -> Any:
    style = made.styles.add_style("Sly", kind)
    style.font.hidden = True
    if not based:
        return style
    other = made.styles.add_style("Slyer", kind)
    other.base_style = style
    return other


def _own_paragraph(made: Any, run: Any) -> None:
    run.text = ""
    made.add_paragraph(SECRET, style=_style(made, WD_STYLE_TYPE.PARAGRAPH))


def _with(tag: str, **values: str) -> Callable[[Any, Any], object]:
    """The run gets this property."""

    def hide(made: Any, run: Any) -> None:
        element = OxmlElement(tag)
        for name, value in values.items():
            element.set(qn(f"w:{name}"), value)
        run._element.get_or_add_rPr().append(element)

    return hide


def _of_paragraph(tag: str, **values: str) -> Callable[[Any, Any], object]:
    def hide(made: Any, run: Any) -> None:
        run.text = ""
        element = OxmlElement(tag)
        for name, value in values.items():
            element.set(qn(f"w:{name}"), value)
        made.add_paragraph(SECRET)._p.get_or_add_pPr().append(element)

    return hide


def _in_a_flat_row(made: Any, run: Any) -> None:
    run.text = ""
    row = made.add_table(1, 1).rows[0]
    row.cells[0].text = SECRET
    height = OxmlElement("w:trHeight")
    height.set(qn("w:val"), "1")
    height.set(qn("w:hRule"), "exact")
    row._tr.get_or_add_trPr().append(height)


def _black_on_black(made: Any, run: Any) -> None:
    run.font.color.rgb = RGBColor(0, 0, 0)
    run.font.highlight_color = WD_COLOR_INDEX.BLACK


def _code_of_a_field(made: Any, run: Any) -> None:
    for kind in ("begin", "end"):
        mark = OxmlElement("w:fldChar")
        mark.set(qn("w:fldCharType"), kind)
        (run._element.insert(0, mark) if kind == "begin" else run._element.append(mark))


HIDES: dict[str, Callable[[Any, Any], object]] = {
    "white of the theme": _with("w:color", val="000000", themeColor="background1"),
    "a shade of the theme's white": _with("w:color", val="000000", themeColor="background1", themeShade="F2"),
    "black lightened to white": _with("w:color", val="000000", themeColor="text1", themeTint="0D"),
    "light grey": lambda made, run: setattr(run.font.color, "rgb", RGBColor(0xE8, 0xE8, 0xE8)),
    "light yellow": lambda made, run: setattr(run.font.color, "rgb", RGBColor(0xFF, 0xFF, 0x99)),
    "two and a half points": lambda made, run: setattr(run.font, "size", Pt(2.5)),
    "three points": lambda made, run: setattr(run.font, "size", Pt(3)),
    "squeezed to a hundredth": _with("w:w", val="1%"),
    "lowered": _with("w:position", val="-3000"),
    "raised": _with("w:position", val="3000"),
    "letters on each other": _with("w:spacing", val="-400"),
    "black on black": _black_on_black,
    "off the page": _of_paragraph("w:ind", left="31000"),
    "off the page to the left": _of_paragraph("w:ind", firstLine="-20000"),
    "a frame off the page": _of_paragraph("w:framePr", x="-20000"),
    "a line without height": _of_paragraph("w:spacing", line="1", lineRule="exact"),
    "a row without height": _in_a_flat_row,
    "the code of a field": _code_of_a_field,
    "vanish": lambda made, run: setattr(run.font, "hidden", True),
    "white": lambda made, run: setattr(run.font.color, "rgb", WHITE),
    "nearly white": lambda made, run: setattr(run.font.color, "rgb", RGBColor(0xFE, 0xFD, 0xFE)),
    "one point": lambda made, run: setattr(run.font, "size", Pt(1)),
    "crossed out": lambda made, run: setattr(run.font, "strike", True),
    "crossed out twice": lambda made, run: setattr(run.font, "double_strike", True),
    "a style of characters": lambda made, run: setattr(run, "style", _style(made, WD_STYLE_TYPE.CHARACTER)),
    "a style on a style": lambda made, run: setattr(run, "style", _style(made, WD_STYLE_TYPE.CHARACTER, based=True)),
    "a style of paragraphs": _own_paragraph,
}


@pytest.mark.parametrize("how", HIDES)
def test_hidden_text_of_a_docx_is_left_out_and_told(how: str, tmp_path: Path) -> None:
    note = read_note(note_of(tmp_path, HIDES[how]))
    assert SECRET not in note.text
    assert SEEN in note.text
    assert "Eats." in note.text
    assert LEFT_OUT_OF_DOCX in note.warnings


def _shade(element: Any, tag: str) -> None:
    properties = element.find(qn(tag))
    if properties is None:
        properties = OxmlElement(tag)
        element.insert(0, properties)
    shading = OxmlElement("w:shd")
    shading.set(qn("w:fill"), "1F4E79")
    properties.append(shading)


SHOWS: dict[str, Callable[[Any, Any], object]] = {
    "as it is": lambda made, run: None,
    "vanish taken back": lambda made, run: setattr(run.font, "hidden", False),
    "white on a dark paragraph": lambda made, run: (
        setattr(run.font.color, "rgb", WHITE),
        _shade(run._element.getparent(), "w:pPr"),
    ),
    "white on a dark run": lambda made, run: (
        setattr(run.font.color, "rgb", WHITE),
        _shade(run._element, "w:rPr"),
    ),
    "small print": lambda made, run: setattr(run.font, "size", Pt(6)),
    "grey": lambda made, run: setattr(run.font.color, "rgb", RGBColor(0xA0, 0xA0, 0xA0)),
    "white of the theme on black": lambda made, run: (
        _with("w:color", val="000000", themeColor="background1")(made, run),
        setattr(run.font, "highlight_color", WD_COLOR_INDEX.BLACK),
    ),
    "raised as a footnote's number": _with("w:position", val="12"),
    "a little tighter": _with("w:spacing", val="-10"),
    "condensed": _with("w:w", val="66"),
    "red": lambda made, run: setattr(run.font.color, "rgb", RGBColor(255, 0, 0)),
}


@pytest.mark.parametrize("how", SHOWS)
def test_what_is_seen_in_a_docx_is_read(how: str, tmp_path: Path) -> None:
    note = read_note(note_of(tmp_path, SHOWS[how]))
    assert SECRET in note.text
    assert LEFT_OUT_OF_DOCX not in note.warnings


def test_hidden_talk_is_left_out_of_a_session_too(tmp_path: Path) -> None:
    made = docx.Document()
    made.add_paragraph("Therapist: How was the week?")
    made.add_paragraph("Client: Better.")
    made.add_paragraph().add_run(f"Client: {SECRET}").font.hidden = True
    session = read_transcript(saved(made, tmp_path / "talk.docx"))
    assert SECRET not in " ".join(turn.text for turn in session.turns)
    assert LEFT_OUT_OF_DOCX in session.warnings


def pdf(tmp_path: Path, draw: Callable[[Canvas], object], shown: bool = True) -> Path:
    buffer = io.BytesIO()
    canvas = Canvas(buffer)
    if shown:
        canvas.drawString(50, 800, "Subjective")
        canvas.drawString(50, 785, SEEN)
    canvas.saveState()
    draw(canvas)
    canvas.restoreState()
    if shown:
        canvas.drawString(50, 740, "Plan")
        canvas.drawString(50, 725, "Meet on Tuesday.")
    canvas.showPage()
    canvas.save()
    (tmp_path / "note.pdf").write_bytes(buffer.getvalue())
    return tmp_path / "note.pdf"


def _in(canvas: Canvas, mode: int) -> None:
    text = canvas.beginText(50, 770)
    text.setTextRenderMode(mode)
    text.textOut(SECRET)
    canvas.drawText(text)


def _line_through(canvas: Canvas) -> None:
    canvas.drawString(50, 770, SECRET)
    canvas.line(50, 774, 50 + canvas.stringWidth(SECRET), 774)


def _bar_through(canvas: Canvas) -> None:
    canvas.rect(50, 773.5, canvas.stringWidth(SECRET), 0.8, stroke=0, fill=1)
    canvas.drawString(50, 770, SECRET)


def _scaled(canvas: Canvas) -> None:
    canvas.scale(0.1, 0.1)
    canvas.drawString(500, 7_700, SECRET)


def _squeezed(canvas: Canvas) -> None:
    text = canvas.beginText(50, 770)
    text.setHorizScale(1)
    text.textOut(SECRET)
    canvas.drawText(text)


def _on_each_other(canvas: Canvas) -> None:
    canvas.drawString(50, 770, SECRET, charSpace=-6)


def _black_on_black_page(canvas: Canvas) -> None:
    canvas.rect(40, 765, 400, 20, stroke=0, fill=1)
    canvas.drawString(50, 770, SECRET)


HIDDEN_IN_PDF: dict[str, Callable[[Canvas], object]] = {
    "squeezed": _squeezed,
    "letters on each other": _on_each_other,
    "black on black": _black_on_black_page,
    "light grey": lambda canvas: (canvas.setFillGray(0.9), canvas.drawString(50, 770, SECRET)),
    "three points": lambda canvas: (canvas.setFont("Helvetica", 3), canvas.drawString(50, 770, SECRET)),
    "white": lambda canvas: (canvas.setFillColorRGB(1, 1, 1), canvas.drawString(50, 770, SECRET)),
    "white by grey": lambda canvas: (canvas.setFillGray(1), canvas.drawString(50, 770, SECRET)),
    "no ink": lambda canvas: (canvas.setFillColorCMYK(0, 0, 0, 0), canvas.drawString(50, 770, SECRET)),
    "one point": lambda canvas: (canvas.setFont("Helvetica", 1), canvas.drawString(50, 770, SECRET)),
    "scaled down": _scaled,
    "invisible": lambda canvas: _in(canvas, 3),
    "crossed out by a line": _line_through,
    "crossed out by a bar": _bar_through,
    "off the page": lambda canvas: canvas.drawString(50, 5_000, SECRET),
    "left of the page": lambda canvas: canvas.drawString(-4_000, 770, SECRET),
}


@pytest.mark.parametrize("how", HIDDEN_IN_PDF)
def test_hidden_text_of_a_pdf_is_left_out_and_told(how: str, tmp_path: Path) -> None:
    note = read_note(pdf(tmp_path, HIDDEN_IN_PDF[how]))
    assert "suicidal" not in note.text
    assert SEEN in note.text
    assert "Meet on Tuesday." in note.text
    assert LEFT_OUT_OF_PDF in note.warnings


def _white_on_dark(canvas: Canvas) -> None:
    canvas.setFillColorRGB(0.1, 0.2, 0.5)
    canvas.rect(40, 765, 400, 20, stroke=0, fill=1)
    canvas.setFillColorRGB(1, 1, 1)
    canvas.drawString(50, 770, SECRET)


def _underlined(canvas: Canvas) -> None:
    canvas.drawString(50, 770, SECRET)
    canvas.line(50, 768.5, 50 + canvas.stringWidth(SECRET), 768.5)


def _in_a_table(canvas: Canvas) -> None:
    canvas.grid([40, 300, 500], [764, 780])
    canvas.drawString(50, 770, SECRET)


SEEN_IN_PDF: dict[str, Callable[[Canvas], object]] = {
    "as it is": lambda canvas: canvas.drawString(50, 770, SECRET),
    "white on dark": _white_on_dark,
    "underlined": _underlined,
    "in a table": _in_a_table,
    "six points": lambda canvas: (canvas.setFont("Helvetica", 6), canvas.drawString(50, 770, SECRET)),
    "grey": lambda canvas: (canvas.setFillGray(0.6), canvas.drawString(50, 770, SECRET)),
    "outlined": lambda canvas: _in(canvas, 1),
}


@pytest.mark.parametrize("how", SEEN_IN_PDF)
def test_what_is_seen_in_a_pdf_is_read(how: str, tmp_path: Path) -> None:
    note = read_note(pdf(tmp_path, SEEN_IN_PDF[how]))
    assert SECRET in note.text
    assert LEFT_OUT_OF_PDF not in note.warnings


def test_the_words_of_a_scanned_page_are_read_and_said_to_be_recognised(tmp_path: Path) -> None:
    """Text recognition lays them invisibly over the page's picture."""
    from PIL import Image

    picture = ImageReader(Image.new("RGB", (20, 20), "grey"))

    def draw(canvas: Canvas) -> None:
        canvas.drawImage(picture, 0, 0, 595, 842)
        text = canvas.beginText(50, 800)
        text.setTextRenderMode(3)
        for line in ("Subjective", SEEN):
            text.textLine(line)
        canvas.drawText(text)

    note = read_note(pdf(tmp_path, draw, shown=False))
    assert SEEN in note.text
    assert RECOGNISED in note.warnings
