"""What the degradation study and its charts say, to people who know figures."""

from __future__ import annotations

from noteeval_desktop.domain.phrases import counted

KINDS = {
    "number": "numbers",
    "negation": "negation",
    "person": "person",
    "drug": "drug",
    "risk": "risk",
    "plan": "plan",
    "fact": "made up",
    "drop": "omission",
    "padding": "padding",
    "order": "order",
}
DEEPEST = "By kind: at the highest level that at least half of the notes with room for such a change reach."
LEVELS = "At each level 5 % more of a note's facts are wrong, at least one more."
VIOLATIONS_LEGEND = (
    "Dot: share of degraded notes. A score that cannot tell notes apart shows no violation: see the drops. " + LEVELS
)
DROP_LEGEND = f"Dot and line: mean of intact minus degraded, with its 95 % interval. {LEVELS}"
SPREAD_LEGEND = f"Dot: median drop. Thick line: middle half. Thin line: least to most. {LEVELS}"
AUC_LEGEND = "Dot: AUC of intact against degraded notes; 0.5 is chance."
VIOLATIONS_CHART = "Degraded notes that score higher than the intact one"
DROPS_CHART = "Mean drop of the score"
SPREAD_CHART = "Distribution of the drop"
KINDS_CHART = "Told apart, by kind of change"
VIOLATIONS_AT = "Scored higher than the intact note (violations)"
DROPS_AT = "Mean drop [95 % interval]"
QUARTILES_AT = "Quartiles of the drop: least, 25 %, median, 75 %, most"
AUC = "AUC, intact against degraded"
NOTICED = "Scored lower than the intact note (noticed)"
ANY_FACT, FALSE_ALARMS = "any fact", "true sentences called an error"
NOTES, CHANGED, FOUND = "Notes", "Changed", "Found"
DROP_WITHOUT, ERRORS = "Drop without it", "Errors in it"
MISSING_BEFORE, MISSING_WITHOUT = "Missing before", "Missing without"
COST, CALLS, INPUT, OUTPUT = "Cost", "Calls", "Input tokens", "Output tokens"
SECONDS = "Seconds per note, all its versions"
MEASURED = "Dot and line: measured here, with its 95 % interval."
PUBLISHED = " Hollow diamond: published."
NOT_COMPUTED = "not computed"


def over(notes: int, total: int, seeds: int, degrader: str) -> str:
    return f"{notes} of {counted(total, 'note')}, {counted(seeds, 'seed')}, degraded by {degrader}."


def level(number: str) -> str:
    return f"Level {number}"


def found_title(judge: str) -> str:
    return f"{judge}: changed sentences called an error"


def row_title(judge: str) -> str:
    return f"{judge}: checklist item"
