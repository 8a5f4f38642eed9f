"""One page, drawn twice: what it says is in both files, and what only paper can do is on paper alone."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from html import unescape

import pytest
from pypdf import PdfReader

from noteeval_desktop.report import page
from noteeval_desktop.report.charts import Bar, Box, Dot, Label, bars, columns, intervals
from noteeval_desktop.report.draw_html import html
from noteeval_desktop.report.draw_pdf import pdf_bytes
from noteeval_desktop.report.scorecard_page import EVERYTHING, scorecard_page
from tests.sample_evaluation import sample_evaluation, sample_rubric
from tests.sample_review import HANDED_IN, sample_review

EVALUATION = sample_evaluation()
REVIEW = sample_review(EVALUATION)


def _printed(shown: page.Page) -> str:
    return _plain(" ".join(sheet.extract_text() for sheet in PdfReader(io.BytesIO(pdf_bytes(shown))).pages))


def _on_screen(shown: page.Page) -> str:
    return _plain(unescape(re.sub(r"<style>.*?</style>|<[^>]+>", " ", html(shown))))


def _plain(text: str) -> str:
    """Lines break at a hyphen too, and what is bold or quiet parts words from their points."""
    return re.sub(r"\s+", "", text)


def _texts(part: object) -> Iterator[str]:
    """All that the parts say, but for what one medium says in its own way."""
    if isinstance(part, page.Group) and part.kind in ("paper", "screen"):
        return
    if isinstance(part, page.NoteLine | page.Blanks | page.Chart):
        return
    if isinstance(part, page.Run):
        yield part.text
    elif isinstance(part, page.Title):
        yield from (part.text, part.subtitle, *(value for _, value in part.facts))
    elif isinstance(part, page.Quote | page.Banner):
        yield part.text
    elif isinstance(part, tuple):
        for one in part:
            yield from [one] if isinstance(one, str) else _texts(one)
    elif is_dataclass(part):
        for field in fields(part):
            value = getattr(part, field.name)
            if field.name in ("text", "head") and isinstance(value, str):
                yield value
            elif not isinstance(value, str):
                yield from _texts(value)


@pytest.mark.parametrize("review", [None, REVIEW], ids=["scorecard", "review"])
def test_paper_and_screen_say_the_same(review) -> None:
    shown = scorecard_page(
        EVALUATION, rubric=sample_rubric(), review=review, judge_marks=review is not None, appendix=EVERYTHING
    )
    said = [_plain(text) for text in _texts(shown.parts)]
    assert len(said) > 300
    printed, on_screen = _printed(shown), _on_screen(shown)
    # A text that a sheet ends in is parted by its foot.
    assert sum(text not in printed for text in said) <= 3
    assert [text for text in said if text not in on_screen] == []


def test_a_note_that_was_returned_has_no_lines_to_sign_on() -> None:
    returned = replace(REVIEW, returned=HANDED_IN)
    shown = scorecard_page(EVALUATION, rubric=sample_rubric(), review=returned)
    for drawn in (_printed(shown), _on_screen(shown)):
        assert "Dr.InesOkaforreturnedthisnoteforrevisionon20November2026." in drawn
        assert "Credentials" not in drawn
    assert "Credentials" in _printed(scorecard_page(EVALUATION, rubric=sample_rubric(), review=REVIEW))


def test_the_note_on_paper_shows_where_the_comments_are() -> None:
    printed = _printed(scorecard_page(EVALUATION, rubric=sample_rubric(), review=REVIEW))
    assert "poorsleepashismainconcern.✎1" in printed


def test_bars_are_as_long_as_their_shares_and_nothing_is_drawn_for_none() -> None:
    drawn = bars([Bar("Plan", (0.5, None), ("50 %", "–")), Bar("Assessment", (1.0, 0.25), ("100 %", "25 %"))], (), 300)
    tracks = [shape for shape in drawn.shapes if isinstance(shape, Box) and shape.fill == "pale"]
    filled = [shape for shape in drawn.shapes if isinstance(shape, Box) and shape.fill != "pale"]
    assert [round(shape.width / tracks[0].width, 3) for shape in filled] == [0.5, 1.0, 0.25]
    assert all(shape.x + shape.width <= 300 for shape in tracks)


def test_a_column_stands_on_the_line_and_an_interval_is_about_zero() -> None:
    low, high = (
        shape for shape in columns([Bar("0–10 %", (0.5,), ("1",)), Bar("10–20 %", (1.0,), ("2",))], 100).shapes
        if isinstance(shape, Box)
    )  # fmt: skip
    assert (low.y + low.height, high.height) == (high.y + high.height, 2 * low.height)
    drawn = intervals([Bar("Completeness", (0.0,), ("0",), -0.1, 0.1)], 0.2, 300)
    (dot,) = (shape for shape in drawn.shapes if isinstance(shape, Dot))
    left = max(shape.x for shape in drawn.shapes if isinstance(shape, Label))
    assert dot.x < left
