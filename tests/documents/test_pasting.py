"""What comes out of a record system is cleaned; what is copied for one keeps its headings and loses their markup."""

from __future__ import annotations

import pytest

from noteeval_desktop.documents import clean_pasted, for_the_clipboard, parse_note


@pytest.mark.parametrize(
    ("copied", "meant"),
    [
        ("• Sleeps.\n\uf0b7\tEats 🙂.", "- Sleeps.\n- Eats 🙂."),
        ("·\tOne\no\tTwo\n§  Three", "- One\n- Two\n- Three"),
        ("o yes, he said\n· and", "o yes, he said\n· and"),
        ("a\u00a0b\u202fc \r\n\r\n\r\n\r\nd", "a b c\n\nd"),
        ("“He’s” ‘fine’ – so", "“He’s” ‘fine’ – so"),
        ("a picture\ufffc and\u200b more ", "a picture and more "),
        ("\nPlan\n", "\nPlan\n"),
    ],
)
def test_a_pasted_text_is_what_was_meant(copied: str, meant: str) -> None:
    assert clean_pasted(copied) == meant
    assert clean_pasted(meant) == meant


def test_headings_are_copied_without_markup_and_read_again_as_the_same_sections() -> None:
    text = "Intro 🙂\n## Subjective\nOne.\n\nPlan\n----\nTwo & three.\n- a\n- b"
    plain, html = for_the_clipboard(text)
    assert plain == "Intro 🙂\nSubjective\nOne.\n\nPlan\nTwo & three.\n- a\n- b"
    assert [b.sections for b in parse_note(plain).blocks] == [b.sections for b in parse_note(text).blocks]
    assert html == (
        "<p>Intro 🙂</p><p><b>Subjective</b></p><p>One.</p><p><b>Plan</b></p><p>Two &amp; three.</p>"
        "<ul><li>a</li><li>b</li></ul>"
    )
