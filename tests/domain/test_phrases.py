"""Numbers, days and cut texts as a reader sees them."""

from __future__ import annotations

from datetime import date

from noteeval_desktop.domain.phrases import day, long_day, shortened


def test_a_day_has_no_leading_zero() -> None:
    assert day(date(2026, 3, 5)) == "5 Mar 2026"
    assert long_day(date(2026, 3, 5)) == "5 March 2026"


def test_a_text_is_cut_at_a_word_and_a_quotation_keeps_its_end() -> None:
    assert shortened("as  it\nis", 20) == "as it is"
    assert shortened("Nothing Monday to Friday.", 19) == "Nothing Monday to…"
    assert shortened("“Nothing Monday to Friday.”", 20) == "“Nothing Monday…”"
    assert shortened("x" * 30, 10) == "x" * 9 + "…"
