from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader

from noteeval_desktop.domain.review import Comment, Review, SignerKnown, Vouched
from noteeval_desktop.domain.text import Span
from noteeval_desktop.errors import InputError
from noteeval_desktop.report.draw_pdf import SIZES, Paper, write_pdf
from noteeval_desktop.report.scorecard_page import EVERYTHING, scorecard_page
from tests.sample_evaluation import sample_evaluation, sample_rubric
from tests.sample_review import sample_review

EVALUATION = sample_evaluation()


def _pages(path: Path, review: Review, paper: Paper = Paper.A4, label: str = "") -> list[str]:
    every: dict[str, Any] = {"judge_marks": True, "appendix": EVERYTHING}
    write_pdf(
        scorecard_page(EVALUATION, rubric=sample_rubric(), review=review, label=label, **every), path, paper=paper
    )
    return [" ".join(page.extract_text().split()) for page in PdfReader(path).pages]


def test_the_first_page_is_to_talk_over_and_the_scorecard_keeps_its_order(tmp_path: Path) -> None:
    pages = _pages(tmp_path / "out.pdf", sample_review(EVALUATION))
    assert pages[0].startswith("Feedback to talk over")
    assert pages[0].index("Risk.") < pages[0].index("What the note does well")
    assert pages[1].index("Risk.") < pages[1].index("Before you sign")
    whole = " ".join(pages)
    parts = ["Feedback to talk over", "Note scorecard Sample", "The supervisor's review", "Signatures", "The evidence"]
    places = [whole.find(part) for part in parts]
    assert -1 not in places
    assert places == sorted(places)


def test_by_default_a_review_takes_few_pages_and_numbers_nothing_that_it_does_not_tell(tmp_path: Path) -> None:
    path = tmp_path / "out.pdf"
    write_pdf(scorecard_page(EVALUATION, rubric=sample_rubric(), review=sample_review(EVALUATION)), path)
    first, second = [" ".join(page.extract_text().split()) for page in PdfReader(path).pages]
    assert first.startswith("Feedback to talk over")
    assert "The number is the suggestion's" not in second
    assert first.index("Agreed for next time") < first.index("Signatures")
    parts = ["The note with its marks", "The supervisor's review", "Accept this note into the record? After some work"]
    assert sorted(map(second.index, parts)) == list(map(second.index, parts))
    assert "Before you sign" not in second


def test_a_comment_that_the_first_page_cuts_stands_whole_after_the_note(tmp_path: Path) -> None:
    review, path = sample_review(EVALUATION), tmp_path / "out.pdf"
    long = replace(review.comments[0], text=f"{'Worauf stützt sich das? ' * 20}Ende.")
    write_pdf(scorecard_page(EVALUATION, rubric=sample_rubric(), review=replace(review, comments=(long,))), path)
    first, *others = [" ".join(page.extract_text().split()) for page in PdfReader(path).pages]
    assert "Ende." not in first
    assert "Ende." in " ".join(others)


def test_a_comment_on_no_passage_is_on_the_whole_note(tmp_path: Path) -> None:
    review = replace(sample_review(EVALUATION), comments=(Comment(Span(0, 0), "", "Wohin ginge sie?", None),))
    assert "Wohin ginge sie? on the whole note" in _pages(tmp_path / "out.pdf", review)[0]


def test_it_is_said_where_settling_changed_a_score(tmp_path: Path) -> None:
    review, said = sample_review(EVALUATION), "Below, what was settled counts."
    assert said in _pages(tmp_path / "out.pdf", review)[0]
    assert said not in _pages(tmp_path / "out.pdf", replace(review, settled=()))[0]


def test_comments_quote_their_span_and_settlements_say_how(tmp_path: Path) -> None:
    whole = " ".join(_pages(tmp_path / "out.pdf", sample_review(EVALUATION)))
    assert "“It was a pleasure to work with him today.”" in whole
    assert "What will you do if the plan does not hold?" in whole
    assert "present: The diagnosis stands under Assessment." in whole
    assert "Accept this note into the record? After some work" in whole


@pytest.mark.parametrize("carried", [False, True])
def test_a_later_round_does_not_claim_that_every_mark_was_made_blind(tmp_path: Path, carried: bool) -> None:
    whole = " ".join(_pages(tmp_path / "out.pdf", replace(sample_review(EVALUATION), carried=carried)))
    assert ("carried over as they had been settled" in whole) is carried
    assert ("The supervisor marked first, without seeing the judge's marks." in whole) is not carried


@pytest.mark.parametrize("carried", [False, True])
def test_a_review_that_was_not_blind_says_so(tmp_path: Path, carried: bool) -> None:
    review = replace(sample_review(EVALUATION), unblinded=True, carried=carried)
    whole = " ".join(_pages(tmp_path / "out.pdf", review))
    assert "This review was not blind" in whole
    assert "without seeing the judge's marks" not in whole
    assert ("carried over as they had been settled" in whole) is carried


@pytest.mark.parametrize(("signed", "seen"), [(True, True), (False, False)])
def test_signature_lines_are_filled_or_blank(tmp_path: Path, signed: bool, seen: bool) -> None:
    last = next(
        page for page in _pages(tmp_path / "out.pdf", sample_review(EVALUATION, signed=signed)) if "Signatures" in page
    )
    assert ("PhD, LCP 40213" in last) is seen
    assert "Credentials" in last


def test_a_blind_review_writes_nothing(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has not been submitted"):
        _pages(tmp_path / "out.pdf", sample_review(EVALUATION, handed_in=False))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("paper", list(Paper))
def test_sixty_long_comments_keep_the_summary_on_one_page(tmp_path: Path, paper: Paper) -> None:
    text, long = EVALUATION.case.note.text, "Worauf stützt sich das? 为什么？ <b>&amp; نعم " * 40
    comments = tuple(Comment(Span(n, n + 400), text[n : n + 400], long) for n in range(60))
    review = replace(sample_review(EVALUATION), comments=comments, rater="Ł" * 300)
    pages = _pages(tmp_path / "out.pdf", review, paper, label="A very long label of a case " * 20)
    assert pages[0].startswith("Feedback to talk over")
    assert pages[1].startswith("Note scorecard")
    assert sum(page.count("Worauf") for page in pages[1:]) >= 60 * 40
    assert all(
        page.mediabox[2:] == pytest.approx(SIZES[paper], abs=0.1) for page in PdfReader(tmp_path / "out.pdf").pages
    )


def test_charts_are_drawn_not_pasted(tmp_path: Path) -> None:
    _pages(tmp_path / "out.pdf", sample_review(EVALUATION))
    assert [len(page.images) for page in PdfReader(tmp_path / "out.pdf").pages if page.images] == []


@pytest.mark.parametrize(
    ("vouched", "said"),
    [
        (
            Vouched(SignerKnown.OWN, "ABCD EFGH"),
            "made in the library that exported this file. Its code, to compare: ABCD EFGH",
        ),
        (Vouched(SignerKnown.COMPARED, "ABCD EFGH", "Ünal"), "signed by Ünal, whose code was compared: ABCD EFGH."),
        (Vouched(SignerKnown.NOT_COMPARED, "ABCD EFGH"), "signed, but nobody has compared the code: ABCD EFGH."),
        (Vouched(SignerKnown.NOT_SIGNED), "The review is not signed: anyone who had the file"),
    ],
)
def test_the_scorecard_says_who_signed_the_review(tmp_path: Path, vouched: Vouched, said: str) -> None:
    path = tmp_path / "out.pdf"
    write_pdf(
        scorecard_page(
            EVALUATION, rubric=sample_rubric(), review=sample_review(EVALUATION), vouched=vouched, judge_marks=True
        ),
        path,
    )
    assert said in " ".join(" ".join(page.extract_text() for page in PdfReader(path).pages).split())
