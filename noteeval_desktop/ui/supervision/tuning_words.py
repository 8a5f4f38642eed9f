"""What is said where the built-in judge is tuned to settled reviews."""

from __future__ import annotations

from noteeval_desktop.domain.phrases import counted, percent

TUNE, TUNE_TITLE = "Tune the judge…", "Tune the built-in judge"
PART, NOW, SUGGESTED = "Marks on", "Now", "Suggested"
WOULD_CHANGE, LEFT_OUT = "Would have changed", "On other notes"
USE_THESE, AS_SHIPPED_AGAIN, NOTHING_BETTER = "Use these", "Back to how it came", "Nothing better"
HOW_TUNED = (
    "The judge says yes once it is sure enough. Here that limit is chosen so that fewer of its marks differ from what "
    "was settled (better: no longer differs). It is only suggested where it also does better on other notes than those "
    "that it was chosen on. Risk, and what could do much harm, is judged as before. Scorecards say that the judge is "
    "tuned. The command line uses the judge as it came."
)


def too_few_settled(found: int, needed: int) -> str:
    return (
        f"{counted(found, 'review')} settled so far; from {needed} on the judge can be tuned to them. What counts are "
        "first reviews, marked blind, with every difference settled."
    )


def from_settled(found: int, better: bool) -> str:
    what = "This is what they suggest." if better else "The judge does as well as it can; nothing is suggested."
    return f"{found} reviews are settled. {what}"


def threshold(value: float | None) -> str:
    return "As it came" if value is None else f"Yes from {percent(value)}"


def would_change(changed: int, places: int, better: int) -> str:
    return f"{changed:,} of {places:,} marks: {better:,} better, {changed - better:,} worse"


def left_out(before: int, after: int) -> str:
    return f"{counted(before, 'difference')} become {after}"
