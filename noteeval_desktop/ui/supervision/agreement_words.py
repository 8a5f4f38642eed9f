"""What the window on agreement between raters says."""

from __future__ import annotations

from collections.abc import Sequence

from noteeval_desktop.domain.phrases import counted, listed

READING_THE_REVIEWS = "Reading the reviews…"
AGREEMENT_BY_DIMENSION_SECTION = "Agreement by dimension, section and item"
ALL_CASES = "All cases"
WHICH_CASES = "Which cases"
AGREEMENT_BETWEEN_RATERS = "Agreement between raters"
JUDGEMENTS_COMPARED = "Judgements compared"
EQUAL = "Equal"
ALPHA_BETWEEN_PEOPLE = "α between people"
COUNTING = "Counting…"
NO_REVIEWS = "Nobody has submitted marks for these cases yet. Finish a review first."
HOW_TO_READ_AGREEMENT = (
    "Equal: the share of marks that are the same. κ: agreement beyond chance (Cohen’s for two people, Fleiss’ for "
    "more). α: Krippendorff’s alpha; 1 is full agreement, 0 what chance would give, below 0 less than that. In "
    "brackets, from five notes on, the interval that 95 of 100 samples of such notes would give. ★ marks the judge "
    "that agrees most with the people. “–”: too little to say. Later rounds are left out: their marks were in part "
    "carried over from what was settled. So are reviews of notes that had been opened with the judge’s marks before."
)


def agreement_over(notes: int, shared: int, raters: Sequence[str]) -> str:
    """ "12 notes, marked by Kim and Dr. Ünal."."""
    few = " Too few for intervals." if notes < 5 else ""
    alone = " Between people there is nothing to compare until a second one marks." if len(raters) == 1 else ""
    if len(raters) > 1 and not shared:
        alone = " No note was marked by two of them, so between people there is nothing to compare yet."
    return f"{counted(notes, 'note')}, marked by {listed(raters).rstrip('.')}.{alone}{few}"


def rating(dimension: str) -> str:
    return f"Rating: {dimension}"


def alpha_between(value: str, low: str, high: str) -> str:
    return f"{value}  ({low} to {high})"


def tagged(tag: str) -> str:
    return f"Tagged “{tag}”"


def alpha_with(judge: str) -> str:
    return f"α with {judge}"
