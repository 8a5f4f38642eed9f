"""The scorecard as a web page: what a screen reader needs, and nothing that runs or is fetched."""

from __future__ import annotations

from dataclasses import replace
from html import escape
from html.parser import HTMLParser
from pathlib import Path

import pytest

from noteeval_desktop.domain.findings import before_signing, ranked_findings
from noteeval_desktop.domain.verdicts import Confidence
from noteeval_desktop.errors import InputError
from noteeval_desktop.report.draw_html import html, write_html
from noteeval_desktop.report.feedback import feedback
from noteeval_desktop.report.scorecard_page import EVERYTHING, scorecard_page
from tests.sample_evaluation import sample_evaluation, sample_rubric
from tests.sample_review import sample_review

_VOID = ("meta", "br")


class Outline(HTMLParser):
    """Headings by level, tags, and whether they close in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.levels: list[int] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag[0] == "h" and tag[1:].isdigit():
            self.levels.append(int(tag[1:]))
        if tag not in _VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def reviewed(**more) -> str:
    evaluation = sample_evaluation()
    return html(
        scorecard_page(evaluation, rubric=sample_rubric(), review=sample_review(evaluation, signed=True), **more)
    )


@pytest.mark.parametrize("judge_marks", [None, False, True])
@pytest.mark.parametrize("appendix", [(), EVERYTHING])
def test_headings_go_down_by_one_and_tables_have_headers(appendix, judge_marks: bool | None) -> None:
    made = html(scorecard_page(sample_evaluation(), rubric=sample_rubric(), appendix=appendix))
    page = Outline(made if judge_marks is None else reviewed(appendix=appendix, judge_marks=judge_marks))
    assert page.levels[0] == 1
    assert page.levels.count(1) == 1
    assert all(after - before <= 1 for before, after in zip(page.levels, page.levels[1:], strict=False))
    assert page.open == []
    assert ("html", {"lang": "en"}) in page.tags
    names = [tag for tag, _ in page.tags]
    assert all(attrs.get("scope") for tag, attrs in page.tags if tag == "th")
    assert names.count("table") == names.count("thead")
    assert (("table" in names) is bool(appendix)) or judge_marks is not None
    assert not {"script", "img", "link", "iframe", "form"} & set(names)


def test_it_lists_what_the_window_lists_first_in_its_order() -> None:
    evaluation = sample_evaluation()
    page = Outline(html(scorecard_page(evaluation, rubric=sample_rubric())))
    values = [int(attrs["value"] or 0) for tag, attrs in page.tags if tag == "li"]
    assert values == list(range(1, len(before_signing(ranked_findings(evaluation))) + 1))


def test_what_the_judge_has_too_little_to_go_on_is_not_called_missing() -> None:
    evaluation = sample_evaluation()
    unsure = tuple(replace(item, confidence=Confidence.UNSURE) for item in evaluation.checklist)
    made = html(scorecard_page(replace(evaluation, checklist=unsure), rubric=sample_rubric(), appendix=EVERYTHING))
    assert "missing from the note" in html(scorecard_page(evaluation, rubric=sample_rubric(), appendix=EVERYTHING))
    listed = made.partition("Every suggestion")[2].partition("<h2")[0]
    assert "not recognized in the note" in listed
    assert "missing from the note" not in listed


def test_a_mark_is_said_in_words() -> None:
    assert 'No suicidal thoughts.</mark> <span class="grey">(✗ ' in html(
        scorecard_page(sample_evaluation(), rubric=sample_rubric())
    )


def test_a_review_says_who_signed_what_to_work_on_and_its_comments_at_their_sentences() -> None:
    evaluation = sample_evaluation()
    page, given = reviewed(), feedback(sample_review(evaluation, signed=True), evaluation, sample_rubric())
    assert given.remarks
    assert "approved this note on" in page
    places = [page.index(one) for one in ("<h1>Feedback to talk over", "To work on", escape("The supervisor's review"))]
    assert places == sorted(places)
    for remark in given.remarks:
        assert f"✎ comment {remark.number})" in page
        assert escape(remark.text) in page
    assert "Differences, and how they were settled" not in page
    assert "Differences, and how they were settled" in reviewed(judge_marks=True)


def test_a_page_of_a_review_numbers_nothing_that_it_does_not_list() -> None:
    assert 'class="grey">(✗, ' in reviewed()
    assert 'class="grey">(✗, ' not in reviewed(appendix=EVERYTHING)


def test_the_page_of_a_blind_review_is_not_made() -> None:
    evaluation = sample_evaluation()
    with pytest.raises(InputError):
        html(scorecard_page(evaluation, rubric=sample_rubric(), review=sample_review(evaluation, handed_in=False)))


def test_what_the_case_holds_is_text_and_nothing_else(tmp_path: Path) -> None:
    evaluation = sample_evaluation()
    hostile = "<script>alert(1)</script>"
    case = replace(evaluation.case, label=f'{hostile}"&🙂')
    write_html(
        scorecard_page(replace(evaluation, case=case), rubric=sample_rubric(), appendix=EVERYTHING),
        tmp_path / "out.html",
    )
    page = (tmp_path / "out.html").read_text("utf-8")
    assert hostile not in page
    assert "&lt;script&gt;" in page


def test_a_reader_may_space_the_text_as_they_like() -> None:
    style = (
        html(scorecard_page(sample_evaluation(), rubric=sample_rubric()))
        .partition("<style>")[2]
        .partition("</style>")[0]
    )
    fixed = {rule.partition(":")[0] for rule in style.replace("}", ";").replace("{", ";").split(";")}
    assert "line-height" in fixed
    assert not fixed & {"height", "max-height", "overflow", "white-space", "letter-spacing", "word-spacing"}
