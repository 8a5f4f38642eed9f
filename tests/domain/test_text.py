from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noteeval_desktop.domain.text import Span, fingerprint, hidden_characters, normalise


@pytest.mark.parametrize(
    ("text", "expected", "hidden"),
    [
        ("a\r\nb\rc\x0bd\x0ce\x85f\u2028g\u2029h", "a\nb\nc\nd\ne\nf\ng\nh", 0),
        ("10\u00a0mg\u2007or\u202f20", "10 mg or 20", 0),
        ("caf\u0065\u0301", "café", 0),
        # What turns the order of letters round on the screen shows another text than the one that is judged.
        ("No\u202e SI \u202c\u2066denied\u2069\u200f.\u061c", "No SI denied.", 6),
        ("sui\u200bci\u00addal\u2060", "suicidal", 3),
        # Tag characters carry whole sentences that nobody sees.
        ("ok\U000e0073\U000e0063", "ok", 2),
        ("\ufeffMood: low\x00\x1b", "Mood: low", 2),
        # Joiners belong to emoji and to several scripts.
        ("👩\u200d👧 می\u200cخواهم", "👩\u200d👧 می\u200cخواهم", 0),
        ("half \ud83d and \udc00", "half \ufffd and \ufffd", 0),
        ("tab\tstays", "tab\tstays", 0),
    ],
)
def test_one_form_of_a_text_without_what_nobody_sees(text: str, expected: str, hidden: int) -> None:
    assert normalise(text) == expected
    assert hidden_characters(text) == hidden


@given(st.text())
def test_a_normalised_text_stays_as_it_is(text: str) -> None:
    once = normalise(text)
    assert normalise(once) == once
    assert hidden_characters(once) == 0
    assert unicodedata.is_normalized("NFC", once)


def test_a_span_is_half_open_and_counts_code_points() -> None:
    text = "😀 calm today"
    span = Span(2, 6)
    assert span.of(text) == "calm"
    assert [span.contains(place) for place in (1, 2, 5, 6)] == [False, True, True, False]
    assert span.shifted(2) == Span(4, 8)
    assert not Span(3, 3).contains(3)


@pytest.mark.parametrize(("start", "end"), [(-1, 2), (3, 2)])
def test_what_is_no_span_is_refused(start: int, end: int) -> None:
    with pytest.raises(ValueError, match="not a span"):
        Span(start, end)


def test_a_fingerprint_is_sha256_and_tells_where_one_part_ends() -> None:
    assert fingerprint("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert fingerprint("ab", "c") != fingerprint("a", "bc")
    assert fingerprint("\ud83d") != fingerprint("\ud83e")
