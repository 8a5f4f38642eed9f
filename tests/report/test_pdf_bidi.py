from __future__ import annotations

import io
import unicodedata

import pypdfium2
import pytest
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import SimpleDocTemplate

from noteeval_desktop.report import draw_pdf, pdf_fonts
from noteeval_desktop.report.pdf_fonts import Paragraph, joined, markup, visual

ARABIC = "لم أنم جيدا هذا الأسبوع"


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("Client said yes.", "Client said yes."),
        ("אבג", "גבא"),
        ("אבג 123 דהו", "והד 123 גבא"),
        ("said “אבג” twice", "said “גבא” twice"),
        ("(אבג)", "(גבא)"),
        ("PHQ-9 היה 11", "PHQ-9 11 היה"[:6] + "11 היה"),
        ("שָׁלוֹם", "םוֹלשָׁ"),
        ("患者 אב", "患者 בא"),
        ("", ""),
    ],
)
def test_a_line_as_it_is_drawn(text: str, seen: str) -> None:
    assert unicodedata.normalize("NFD", visual(text)) == unicodedata.normalize("NFD", seen)


def test_arabic_letters_are_joined_and_keep_their_marks() -> None:
    made = joined("said كَتَبَ today")
    assert made.startswith("said ")
    assert made.endswith(" today")
    assert [unicodedata.name(c).split()[-2:] for c in made[5:-6] if not unicodedata.combining(c)] == [
        ["INITIAL", "FORM"],
        ["MEDIAL", "FORM"],
        ["FINAL", "FORM"],
    ]
    assert sum(bool(unicodedata.combining(c)) for c in made) == 3
    assert unicodedata.normalize("NFKC", joined(ARABIC)) == unicodedata.normalize("NFKC", ARABIC)


def test_every_form_of_a_letter_is_in_our_font() -> None:
    pdf_fonts.register()
    letters = "".join(chr(code) for code in (*range(0x0621, 0x063B), *range(0x0641, 0x064B)))
    text = " ".join(f"{one} {one}ب ب{one}ب ب{one} ل{one}" for one in letters)
    assert "[" not in markup(text)


def _lines(text: str, style: ParagraphStyle, height: float = 800) -> list[tuple[float, str]]:
    """Where each drawn line starts, in points, and its characters from left to right as a reader's eye meets them."""
    pdf_fonts.register()
    out = io.BytesIO()
    SimpleDocTemplate(out, pagesize=(400, height), leftMargin=20, rightMargin=20, topMargin=20, bottomMargin=20).build(
        [Paragraph(text, style)]
    )
    lines: list[tuple[float, str]] = []
    with pypdfium2.PdfDocument(out.getvalue()) as document:
        for page in document:
            lines += _lines_of(page.get_textpage())
    return lines


def _lines_of(page: pypdfium2.PdfTextPage) -> list[tuple[float, str]]:
    drawn: dict[int, list[tuple[float, str]]] = {}
    for number in range(page.count_chars()):
        character = page.get_text_range(number, 1)
        if character.strip():
            left, bottom, _, _ = page.get_charbox(number, loose=True)
            drawn.setdefault(round(bottom), []).append((left, character))
    return [
        (min(line)[0], "".join(character for _, character in sorted(line)))
        for _, line in sorted(drawn.items(), reverse=True)
    ]


def test_a_note_that_starts_from_the_right_stands_at_the_right() -> None:
    ((right, said),) = _lines(markup("אבג"), draw_pdf.NOTE)
    ((left, same),) = _lines(markup("אבג"), draw_pdf.BODY)
    assert said == same == "גבא"
    assert left < 40
    assert right > 300


def test_a_line_that_is_too_long_goes_on_below_not_above() -> None:
    first, second = _lines(markup("אבג " * 20 + "זחט " * 8), draw_pdf.NOTE)
    assert first[1].startswith("גבא")
    assert second[1].startswith("טחז")


@pytest.mark.parametrize("form", ["{}", "<u>{}</u> <b>x</b>"], ids=["plain", "marked"])
def test_a_paragraph_that_is_split_between_pages_is_turned_once(form: str) -> None:
    whole = form.format(markup(" ".join(f"{n}אבג" for n in range(100, 180))))
    assert [said for _, said in _lines(whole, draw_pdf.NOTE, 110)] == [said for _, said in _lines(whole, draw_pdf.NOTE)]


def test_the_marks_of_a_sentence_go_with_its_words() -> None:
    ((_, said),) = _lines(f'{markup("אבג")} <u color="#c0362c">{markup("דהו ab")}</u> {markup("זחט")}', draw_pdf.NOTE)
    assert said == "טחזabוהדגבא"


def test_text_of_one_direction_is_drawn_as_before() -> None:
    ((left, said),) = _lines(markup("Client slept (well)."), draw_pdf.NOTE)
    assert (said, left < 40) == ("Clientslept(well).", True)


@pytest.mark.parametrize(("text", "slanted"), [("Well, naïve. Дважды", True), ("患者 slept", True), (ARABIC, False)])
def test_only_what_the_slanted_font_can_draw_is_slanted(text: str, slanted: bool) -> None:
    pdf_fonts.register()
    assert pdf_fonts.can_slant(text) is slanted
